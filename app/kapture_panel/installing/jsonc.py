"""JSON with comments and trailing commas, read as a tree of spans, so that an edit touches only what it changes."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from kapture_panel.core.basics.spot import Unreadable

MAX_DEPTH = 200
_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])", re.ASCII)
_WORD = re.compile(r"(?:true|false|null)(?!\w)")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


@dataclass
class Node:
    """A value from `start` to before `end`. `members` are an object's; `value` is a scalar's or an array's."""

    start: int
    end: int
    is_object: bool = False
    members: list[Member] = field(default_factory=list)
    value: Any = None

    def plain(self) -> Any:
        """The value as `json.loads` gives it: of a name that is there twice the last counts."""
        return {member.key: member.node.plain() for member in self.members} if self.is_object else self.value


@dataclass
class Member:
    """One `"key": value`; `start` is that of the key, `comma` where its comma stands, -1 for none."""

    key: str
    start: int
    node: Node
    comma: int = -1


def parse(text: str) -> Node | None:
    """The tree of `text`; None when there is nothing but space and comments.

    Raises:
        Unreadable: it is not JSON, comments and trailing commas allowed for.
    """
    reader = _Reader(text)
    position = reader.skip(0)
    if position == len(text):
        return None
    node = reader.value(position, 0)
    if (position := reader.skip(node.end)) != len(text):
        raise Unreadable.at("nothing more was expected here", text, position)
    return node


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text

    def skip(self, position: int) -> int:
        """Where the next thing that is neither space nor comment begins."""
        while True:
            position = _match(_SPACE, self._text, position)
            if not self._text.startswith("/", position):
                return position
            position = self._comment(position)

    def value(self, position: int, depth: int) -> Node:
        text = self._text
        if depth > MAX_DEPTH:
            raise Unreadable.at(f"values are nested more than {MAX_DEPTH} deep", text, position)
        first = text[position : position + 1]
        if first == "{":
            return self._object(position, depth)
        if first == "[":
            return self._array(position, depth)
        if first == '"':
            end = self._end_of(_STRING, position, "this text does not end, or has a character that must be escaped")
        elif first == "-" or first.isdecimal():
            end = self._end_of(_NUMBER, position, "this is not a number")
        else:
            end = self._end_of(_WORD, position, "a value was expected here" if first else "the file ends too early")
        return Node(position, end, value=json.loads(text[position:end]))

    def _object(self, start: int, depth: int) -> Node:
        node = Node(start, start, is_object=True)
        position = self.skip(start + 1)
        while not self._text.startswith("}", position):
            if not self._text.startswith('"', position):
                raise self._wrong(position, "a name in double quotes or } was expected here")
            end = self._end_of(_STRING, position, "this name does not end")
            colon = self.skip(end)
            if not self._text.startswith(":", colon):
                raise self._wrong(colon, "a colon was expected here")
            member = Member(json.loads(self._text[position:end]), position, self.value(self.skip(colon + 1), depth + 1))
            node.members.append(member)
            position, member.comma = self._after(member.node.end, "}")
        node.end = position + 1
        return node

    def _array(self, start: int, depth: int) -> Node:
        items: list[Any] = []
        position = self.skip(start + 1)
        while not self._text.startswith("]", position):
            item = self.value(position, depth + 1)
            items.append(item.plain())
            position, _ = self._after(item.end, "]")
        return Node(start, position + 1, value=items)

    def _after(self, end: int, closing: str) -> tuple[int, int]:
        """Where what follows a value begins, and where the comma between them stands."""
        position = self.skip(end)
        if self._text.startswith(",", position):
            return self.skip(position + 1), position
        if not self._text.startswith(closing, position):
            raise self._wrong(position, f"a comma or {closing} was expected here")
        return position, -1

    def _comment(self, position: int) -> int:
        return self._end_of(_COMMENT, position, "this comment does not end")

    def _end_of(self, pattern: re.Pattern[str], position: int, otherwise: str) -> int:
        match = pattern.match(self._text, position)
        if match is None:
            raise self._wrong(position, otherwise)
        return match.end()

    def _wrong(self, position: int, reason: str) -> Unreadable:
        return Unreadable.at("the file ends too early" if position >= len(self._text) else reason, self._text, position)


def _match(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position
