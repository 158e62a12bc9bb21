"""The limits that are promised (docs/security.md, docs/data.md): a constant that moves is a promise that moves."""

from __future__ import annotations

from kapture_panel.core import router
from kapture_panel.core.gates import approvals, consent, leases
from kapture_panel.core.registry import pairing
from kapture_panel.core.stores import history_file, shots
from kapture_panel.core.wire import protocol
from kapture_panel.hub.extension_door import listener

MB = 1024 * 1024


def test_a_stranger_has_little_room_and_time() -> None:
    assert (protocol.MAX_GREETING_BYTES, listener.GREETING_S) == (4096, 5.0)
    assert (listener.MAX_GREETING, listener.MAX_GREETING_UNKNOWN) == (8, 4)


def test_frames_are_bounded() -> None:
    assert (protocol.MAX_FRAME_BYTES, protocol.MAX_DEPTH) == (32 * MB, 64)


def test_a_client_hears_of_an_open_question_before_it_gives_up() -> None:
    assert (approvals.PENDING_S, approvals.EXPIRY_S, router.MAX_RUNNING) == (25.0, 600.0, 64)


def test_what_is_kept_is_bounded() -> None:
    assert (history_file.MAX_ROWS, history_file.MAX_AGE_S) == (50_000, 30 * 24 * 3600)
    assert (shots.MAX_BYTES, shots.MAX_AGE_S) == (200 * MB, 24 * 3600)


def test_the_person_is_not_buried_and_an_agent_cannot_wait_for_ever() -> None:
    assert (approvals.MAX_OPEN_PER_CLIENT, consent.MAX_DECISIONS, leases.IDLE_S) == (8, 8, 300.0)
    assert (pairing.EXPIRY_S, pairing.MAX_REQUESTS, pairing.WINDOW_S) == (120.0, 4, 60.0)
