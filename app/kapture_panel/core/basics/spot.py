"""A place in a text that cannot be read or changed, in words for the person who repairs it."""

from __future__ import annotations


class Unreadable(Exception):
    """`reason` says what is wrong there; `line` and `column` count from 1."""

    def __init__(self, reason: str, line: int, column: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.column = column

    @classmethod
    def at(cls, reason: str, text: str, position: int) -> Unreadable:
        """The error for a position, counted in characters from 0."""
        return cls(reason, text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position))
