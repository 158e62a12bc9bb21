"""Only the word that an input context has the focus waits; all else goes on, byte by byte as it came."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kapture_panel.hub.browsers.ibus_calls import MOST_BYTES, IBusCalls

AGREED = b"\0AUTH EXTERNAL 30\r\nNEGOTIATE_UNIX_FD\r\nBEGIN\r\n"
CONTEXT = "org.freedesktop.IBus.InputContext"
CALL, SIGNAL, NO_REPLY = 1, 4, 1


def message(
    member: str,
    number: int = 1,
    *,
    what: str = CONTEXT,
    order: str = "<",
    kind: int = CALL,
    flags: int = NO_REPLY,
    body: bytes = b"",
) -> bytes:
    """A message of D-Bus as GLib writes them, with fields in an order of its own."""
    fields = b""
    texts = [
        (3, "s", member),
        (1, "o", f"/context/{number}"),
        (8, "g", "s" if body else ""),
        (2, "s", what),
        (5, "u", ""),
    ]
    for code, sign, text in texts:
        fields += b"\0" * (-len(fields) % 8) + bytes([code, 1]) + sign.encode() + b"\0"
        if sign == "g":
            fields += bytes([len(text)]) + text.encode() + b"\0"
        elif sign == "u":
            fields += struct.pack(f"{order}I", 7)
        else:
            fields += struct.pack(f"{order}I", len(text)) + text.encode() + b"\0"
    start = bytes([ord("l" if order == "<" else "B"), kind, flags, 1])
    head = start + struct.pack(f"{order}III", len(body), 1, len(fields)) + fields
    return head + b"\0" * (-len(head) % 8) + body


class Setting:
    """A program that has agreed with IBus who they are."""

    def __init__(self, *, is_elsewhere: bool = True) -> None:
        self.is_elsewhere = is_elsewhere
        self.asked = 0
        self.calls = IBusCalls(self._look)
        assert self.calls.take(AGREED) == AGREED

    def _look(self) -> bool:
        self.asked += 1
        return self.is_elsewhere


@pytest.mark.parametrize("order", "<>")
def test_a_focus_that_is_elsewhere_waits_until_it_comes(order: str) -> None:
    setting = Setting()
    assert setting.calls.take(message("FocusIn", order=order)) == b""
    assert setting.calls.look_again() == b""
    setting.is_elsewhere = False
    assert setting.calls.look_again() == message("FocusIn", order=order)
    assert setting.calls.look_again() == b""


def test_a_focus_that_is_here_goes_on() -> None:
    setting = Setting(is_elsewhere=False)
    assert setting.calls.take(message("FocusIn")) == message("FocusIn")
    assert setting.calls.look_again() == b""


def test_who_says_to_have_lost_it_has_nothing_to_wait_for() -> None:
    setting = Setting()
    for number in (1, 2):
        assert setting.calls.take(message("FocusIn", number)) == b""
    assert setting.calls.take(message("FocusOut", 1)) == message("FocusOut", 1)
    setting.is_elsewhere = False
    assert setting.calls.look_again() == message("FocusIn", 2)


@pytest.mark.parametrize(
    "other",
    [
        message("ProcessKeyEvent", body=b"FocusIn\0"),
        message("FocusIn", what="org.freedesktop.IBus.Engine"),
        message("FocusIn", kind=SIGNAL),
        message("FocusIn", flags=0),
    ],
    ids=["another call", "of somebody else", "no call", "somebody waits for the answer"],
)
def test_all_else_goes_on(other: bytes) -> None:
    setting = Setting()
    assert setting.calls.take(other) == other
    setting.is_elsewhere = False
    assert setting.calls.look_again() == b""


def test_nobody_looks_for_the_focus_when_a_key_is_pressed() -> None:
    setting = Setting()
    setting.calls.take(message("ProcessKeyEvent", flags=0, body=b"123456789abc"))
    assert setting.asked == 0


@given(st.lists(st.sampled_from(["FocusIn", "FocusOut", "Reset", "a longer body"]), max_size=6), st.data())
def test_bytes_may_come_in_any_pieces(members: list[str], data: st.DataObject) -> None:
    said = [message(member, body=b"x" * 100 if " " in member else b"") for member in members]
    whole = AGREED + b"".join(said)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=9)))
    calls = IBusCalls(lambda: True)
    on = b""
    for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True):
        on += calls.take(whole[start:end])
    assert on == AGREED + b"".join(one for one, member in zip(said, members, strict=True) if member != "FocusIn")


def test_single_bytes_come_out_as_whole_messages() -> None:
    setting = Setting()
    came = [setting.calls.take(bytes([byte])) for byte in message("Reset") + message("FocusIn") + message("Reset")]
    assert [one for one in came if one] == [message("Reset"), message("Reset")]


def ruined(at: int, value: int) -> bytes:
    found = bytearray(message("Reset"))
    found[at] = value
    return bytes(found)


@pytest.mark.parametrize(
    "garbage",
    [
        b"?",
        ruined(3, 2),
        ruined(7, 0x7F),
        ruined(14, 0x7F),
        ruined(16 + 2, ord("v")),
        ruined(16 + 7, 0x7F),
        ruined(16 + 8, 0xFF),
    ],
    ids=["no byte order", "another version", "endless", "endless fields", "a field of another kind", "a text too long",
         "no text"],
)  # fmt: skip
def test_what_is_not_understood_goes_on_and_so_does_the_rest(garbage: bytes) -> None:
    setting = Setting()
    assert setting.calls.take(message("FocusIn")) == b""
    assert setting.calls.take(garbage) == message("FocusIn") + garbage
    assert setting.calls.take(message("FocusIn", 2)) == message("FocusIn", 2)
    assert setting.calls.look_again() == b""


@given(st.binary(max_size=200))
def test_whatever_comes_nothing_is_lost(garbage: bytes) -> None:
    calls, rest = IBusCalls(lambda: True), b"?" * (MOST_BYTES + 1)
    assert calls.take(AGREED + garbage) + calls.take(rest) == AGREED + garbage + rest


def test_who_never_agrees_is_passed_on() -> None:
    calls = IBusCalls(lambda: True)
    noise = b"x" * (MOST_BYTES + 1)
    assert calls.take(noise) == noise
    assert calls.take(b"BEGIN\r\n" + message("FocusIn")) == b"BEGIN\r\n" + message("FocusIn")
