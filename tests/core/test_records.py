"""What is kept of a call: a row that says how it ended, without what must not be kept."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from kapture_panel.core.answer import Answer
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.call import Call
from kapture_panel.core.catalogue.redaction import Keeper
from kapture_panel.core.records import Records
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.stores.history import History
from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.wire.effects import Effects, TargetChanges
from kapture_panel.core.wire.outcome import Confirmed
from tests.support.core.fakes import CATALOGUE, World, call_of


@pytest.fixture
def records(world: World) -> Records:
    return Records(world.history, Keeper(CATALOGUE))


def begun(records: Records, world: World, name: str = "fill", **params: object) -> Call:
    call = call_of(world.agent, name, **params)
    call.tab = Tab("t1", "https://shop.example/?token=S3CRET", "Cart", "install")
    records.begin(call)
    return call


def newest(folder: Path) -> Row:
    """As it stands in the file."""
    again = History(folder / "history.sqlite3")
    row = again.rows(limit=1)[0]
    again.close()
    return row


def test_a_call_that_may_go_on_has_a_row_without_secrets(records: Records, world: World) -> None:
    call = begun(records, world, selector="#card", value="4111 1111")
    assert (call.row.client, call.row.kind, call.row.command, call.row.state) == ("claude", "agent", "fill", "running")
    assert (call.row.tab_id, call.row.site) == ("t1", "shop.example")
    assert "S3CRET" not in call.row.url
    assert "4111" not in str(call.row.params)


async def test_a_row_holds_no_parameter_that_null_leaves_out(records: Records, world: World) -> None:
    call = begun(records, world, "press_key", key="Enter", action=None, tabId=None)
    assert call.row.params == {"key": "Enter"}
    steps = [{"command": "scroll", "params": {"deltaY": 10, "toX": None}}]
    assert begun(records, world, "batch", steps=steps).row.params == {
        "steps": [{"command": "scroll", "params": {"deltaY": 10}}]
    }


@pytest.mark.parametrize("given", [{"x": 1, "y": 2}, {"x": 1, "y": "wrong"}])
async def test_nor_does_the_row_of_a_refused_call(records: Records, world: World, given: dict[str, object]) -> None:
    records.refused(call_of(world.agent, "click", **given, ref=None), KaptureError("DENIED", "no"))
    world.history.flush()
    assert newest(world.folder).params.keys() == {"x", "y"}


async def test_how_it_ended_is_written(records: Records, world: World) -> None:
    went_well = begun(records, world, "click", selector="#a")
    seen = Effects(changed=True, target=TargetChanges(value=("", "4111 1111"), checked=(False, True)))
    records.answered(went_well, Answer(went_well.command, {}, outcome=Confirmed(), effects=seen))
    assert (went_well.row.state, went_well.row.outcome) == ("ok", "confirmed")
    # What a field holds is not a row's business.
    assert went_well.row.effects == {"changed": True, "target": {"checked": [False, True]}}
    assert went_well.row.summary == "page changed · confirmed"
    assert went_well.row.ms is not None
    for error, state, code in (
        (KaptureError("ELEMENT_NOT_FOUND", "gone"), "error", "ELEMENT_NOT_FOUND"),
        (KaptureError("OUTCOME_UNKNOWN", "who knows"), "unknown", "OUTCOME_UNKNOWN"),
        (ValueError("ours"), "error", "INTERNAL"),
        (OSError(errno.ENOENT, "ours"), "error", "INTERNAL"),
        (OSError(errno.ENOSPC, "ours"), "error", "EXECUTION_ERROR"),
    ):
        failed = begun(records, world, "click", selector="#a")
        records.failed(failed, error)
        said = (
            "the panel cannot write to its disk (No space left on device)" if code == "EXECUTION_ERROR" else str(error)
        )
        assert (failed.row.state, failed.row.code, failed.row.summary) == (state, code, said)
        assert not isinstance(error, KaptureError) or error.ms == failed.row.ms
    given_up = begun(records, world, "click", selector="#a")
    records.cancelled(given_up)
    world.history.flush()
    assert (newest(world.folder).state, newest(world.folder).summary) == ("cancelled", "cancelled by its caller")


async def test_what_an_action_did_is_on_disk_before_it_is_told(records: Records, world: World) -> None:
    call = begun(records, world, "click", selector="#a")
    records.answered(call, Answer(call.command, {}, outcome=Confirmed()))
    assert (newest(world.folder).command, newest(world.folder).state) == ("click", "ok")
    failed = begun(records, world, "click", selector="#a")
    records.failed(failed, KaptureError("ELEMENT_NOT_FOUND", "gone"))
    assert newest(world.folder).code == "ELEMENT_NOT_FOUND"


ASKED = "the next panel asks the tab what became of it"


@pytest.mark.parametrize(("command", "is_sent", "managed", "state", "said", "next_step"), [
    ("click", True, False, "unknown", "the panel ended while it ran", ASKED),
    ("click", True, True, "unknown", "the panel ended while it ran", ""),  # the panel's browser ends, too
    ("click", False, False, "cancelled", "the panel ended before it was done", ""),
    ("check_visibility", True, False, "cancelled", "the panel ended before it was done", ""),
])  # fmt: skip
async def test_what_the_panel_s_end_cuts_off_is_unknown_if_it_was_sent_and_no_look(
    records: Records, world: World, *, command: str, is_sent: bool, managed: bool, state: str, said: str, next_step: str
) -> None:
    call = begun(records, world, command, selector="#a")
    call.is_sent = is_sent
    assert call.tab is not None
    call.tab.managed = managed
    records.end()
    records.cancelled(call)
    assert (call.row.state, call.row.summary, call.row.next_step) == (state, said, next_step)
    assert (call.row.code, bool(call.row.frame)) == (("OUTCOME_UNKNOWN", True) if state == "unknown" else ("", False))


async def test_what_its_caller_gave_up_is_cancelled(records: Records, world: World) -> None:
    call = begun(records, world, "click", selector="#a")
    call.is_sent = True
    records.cancelled(call)
    assert (call.row.state, call.row.summary, call.row.frame) == ("cancelled", "cancelled by its caller", "")
