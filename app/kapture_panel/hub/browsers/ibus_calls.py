"""What a program tells IBus, and which of it waits: bytes in, bytes out."""

from __future__ import annotations

import struct
from collections.abc import Callable

_INTERFACE = "org.freedesktop.IBus.InputContext"
#: Nothing that is told to IBus is nearly as long: this is something else.
MOST_BYTES = 1024 * 1024
_METHOD_CALL = 1
_NO_REPLY_EXPECTED = 1
#: The fields of a message's header that matter here.
_PATH, _WHAT, _MEMBER = 1, 2, 3
_BYTE_ORDERS = {ord("l"): "<", ord("B"): ">"}
_VERSION = 1
#: Before its fields a header has so many bytes, the last four of them the fields' length.
_FIXED = 16


class IBusCalls:
    """Withholds that an input context has the focus while `is_elsewhere` says that another program has it.

    What is not understood goes on as it is, and so does all that comes after it. (D-Bus Specification, "Message
    Protocol" and "Authentication Protocol".)
    """

    def __init__(self, is_elsewhere: Callable[[], bool]) -> None:
        self._is_elsewhere = is_elsewhere
        #: What has come of a line or a message that is not whole.
        self._begun = b""
        self._cut: Callable[[], bytes | None] = self._line
        #: The path of an input context → what it said.
        self._withheld: dict[str, bytes] = {}

    def take(self, data: bytes) -> bytes:
        """What goes on now that this came."""
        self._begun += data
        on = b""
        while (cut := self._cut()) is not None:
            on += cut
        return on

    def look_again(self) -> bytes:
        """What goes on now that the focus may have moved."""
        return b"" if self._withheld and self._is_elsewhere() else self._released()

    def _line(self) -> bytes | None:
        """The next line, while both sides agree on who they are."""
        if (end := self._begun.find(b"\r\n")) < 0:
            return self._as_it_is() if len(self._begun) > MOST_BYTES else None
        line = self._off(end + 2)
        if line == b"BEGIN\r\n":
            self._cut = self._message
        return line

    def _message(self) -> bytes | None:
        """The next message; empty when it waits, None when it is not whole."""
        if len(self._begun) < _FIXED:
            return self._as_it_is() if self._begun and self._begun[0] not in _BYTE_ORDERS else None
        try:
            order = _BYTE_ORDERS[self._begun[0]]
            length, _serial, fields = struct.unpack_from(f"{order}III", self._begun, 4)
            size = _FIXED + -(-fields // 8) * 8 + length
            if size > MOST_BYTES or self._begun[3] != _VERSION:
                return self._as_it_is()
            if len(self._begun) < size:
                return None
            told = self._told_by(order, fields) if self._begun[1] == _METHOD_CALL else None
        except (KeyError, IndexError, ValueError, struct.error):
            return self._as_it_is()
        return self._off(size) if told is None else self._weigh(told, self._off(size))

    def _weigh(self, told: tuple[str, str], message: bytes) -> bytes:
        """What goes on of an input context's word about the focus."""
        context, member = told
        if member == "FocusOut":
            self._withheld.pop(context, None)
        elif message[2] & _NO_REPLY_EXPECTED and self._is_elsewhere():
            self._withheld[context] = message
            return b""
        return message

    def _told_by(self, order: str, length: int) -> tuple[str, str] | None:
        """Which input context says with the message at hand which of `FocusIn` and `FocusOut`; None for neither."""
        found: dict[int, str] = {}
        at, end = _FIXED, _FIXED + length
        while at < end:
            at = -(-at // 8) * 8
            code, kind = self._begun[at], self._begun[at + 1 : at + 4]
            at += 4
            if kind in (b"\1s\0", b"\1o\0"):
                (size,) = struct.unpack_from(f"{order}I", self._begun, at)
                found[code] = self._begun[at + 4 : at + 4 + size].decode()
                at += 4 + size + 1
            elif kind == b"\1g\0":
                at += 1 + self._begun[at] + 1
            elif kind == b"\1u\0":
                at += 4
            else:
                raise ValueError(kind)
        if at != end:
            raise ValueError(at)
        if found.get(_WHAT) != _INTERFACE or found.get(_MEMBER) not in ("FocusIn", "FocusOut"):
            return None
        return found.get(_PATH, ""), found[_MEMBER]

    def _as_it_is(self) -> bytes | None:
        """All there is: from now on nothing is looked at."""
        self._cut = self._as_it_is
        return (self._released() + self._off(len(self._begun))) or None

    def _released(self) -> bytes:
        withheld, self._withheld = self._withheld, {}
        return b"".join(withheld.values())

    def _off(self, size: int) -> bytes:
        cut, self._begun = self._begun[:size], self._begun[size:]
        return cut
