"""One entry of a JSON file: read, written and removed by edits that leave every other character as it is."""

from __future__ import annotations

import json
import re
from typing import Any

from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.basics.spot import Unreadable
from kapture_panel.installing import jsonc
from kapture_panel.installing.jsonc import Member, Node

Entry = JsonObject
_INDENT = "  "
_REST_OF_LINE = re.compile(r"(?:[ \t]|/\*[^\n]*?\*/)*(?://[^\n\r]*)?")
_SPACE = " \t\r\n"


def get(text: str, outer: str, name: str) -> Any:
    """The entry `name` in the object `outer`; None when it is not there.

    Raises:
        Unreadable: `text` is not JSON, or `outer` is not an object.
    """
    root = jsonc.parse(text)
    holder = _holder(text, root, outer)
    member = _member(text, holder, name) if holder else None
    return member.node.plain() if member else None


def put(text: str, outer: str, name: str, entry: Entry, *, whole: bool = False) -> str:
    """`text` with the entry, at the end of `outer`, which is made when it is not there.

    Args:
        whole: put `entry` in place of all of an entry that is there. Else only the keys of `entry` are changed in
            it, and only those that differ.

    Raises:
        Unreadable: as `get`.
    """
    root = jsonc.parse(text)
    if root is None:
        newline = _newline(text)
        before = text + newline if text and not text.endswith("\n") else text
        return before + _dumped({outer: {name: entry}}, "", _INDENT, newline) + newline
    holder = _holder(text, root, outer)
    if holder is None:
        return _added(text, root, outer, {name: entry}, root)
    member = _member(text, holder, name)
    if member is None:
        return _added(text, holder, name, entry, root)
    if whole or not member.node.is_object:
        return _replaced(text, member.node, entry, root)
    for key, value in entry.items():
        inner = _member(text, member.node, key)
        if inner is None:
            text = _added(text, member.node, key, value, root)
        elif inner.node.plain() != value:
            text = _replaced(text, inner.node, value, root)
        # An edit moves what is behind it, so the tree is read again.
        root, member = _again(text, outer, name)
    return text


def remove(text: str, outer: str, name: str) -> str:
    """`text` without the entry, and without its line where it had lines of its own; comments stay.

    Raises:
        Unreadable: as `get`.
    """
    holder = _holder(text, jsonc.parse(text), outer)
    member = _member(text, holder, name) if holder else None
    if holder is None or member is None:
        return text
    start, end = member.start, max(member.node.end, member.comma + 1)
    comment = text[member.node.end : max(member.node.end, member.comma)].strip(_SPACE)
    if not (text[holder.start + 1 : start] + comment + text[end : holder.end - 1]).strip(_SPACE):
        return _cut(text, [(holder.start + 1, holder.end - 1)])
    # One before the comma stays where it is: on the line before, it might become part of what stands there.
    cuts = [(start, member.node.end), (end - 1, end)] if comment else [(start, end)]
    number = holder.members.index(member)
    if member.comma < 0 and number:
        before = holder.members[number - 1].comma
        cuts.append((before, before + 1))
    line_start, line_end = _back(text, start, " \t"), _forward(text, end, " \t")
    if not comment and text[line_start - 1 : line_start] == "\n" and text[line_end : line_end + 1] in ("\r", "\n"):
        # From the end of the line before, so that the last line keeps what ends it.
        line_break = line_start - (2 if text[line_start - 2 : line_start] == "\r\n" else 1)
        cuts += [(line_break, start), (end, line_end)]
    elif member is holder.members[-1]:
        cuts.append((line_start, start))
    else:
        cuts.append((end, line_end))
    return _cut(text, cuts)


def _again(text: str, outer: str, name: str) -> tuple[Node, Member]:
    root = jsonc.parse(text)
    holder = _holder(text, root, outer)
    member = _member(text, holder, name) if holder else None
    assert root is not None
    assert member is not None
    return root, member


def dumped(value: Any) -> str:
    """`value` as it is written into a file that has no style of its own."""
    return _dumped(value, "", _INDENT, "\n")


def _holder(text: str, root: Node | None, outer: str) -> Node | None:
    if root is None:
        return None
    if not root.is_object:
        raise Unreadable.at("an object in { } was expected here", text, root.start)
    member = _member(text, root, outer)
    if member is not None and not member.node.is_object:
        raise Unreadable.at(f"{json.dumps(outer)} must be an object in {{ }}", text, member.node.start)
    return member.node if member else None


def _member(text: str, node: Node, key: str) -> Member | None:
    found = [member for member in node.members if member.key == key]
    if len(found) > 1:
        raise Unreadable.at(f"{json.dumps(key)} is there twice; remove one of them", text, found[1].start)
    return found[0] if found else None


def _added(text: str, node: Node, key: str, value: Any, root: Node) -> str:
    """A new last member of `node`, laid out as its neighbours are."""
    newline, unit = _newline(text), _unit(text, root)
    base = _indent_of(text, node.start)
    if not node.members:
        inside = text[node.start + 1 : node.end - 1]
        if "\n" not in text.strip(_SPACE) and text.strip(_SPACE) != "{}":
            return _inserted(text, node.end - 1, f"{_compact(key)}: {_compact(value)}")
        member = base + unit + _named(key, value, base + unit, unit, newline)
        # What is in there is comments, and space at the end of a line may be part of one.
        *lines, rest = inside.split("\n")
        kept = "\n".join(lines).removesuffix("\r") if not rest.strip(_SPACE) else inside
        kept = kept if inside.strip(_SPACE) else ""
        return text[: node.start + 1] + kept + newline + member + newline + base + text[node.end - 1 :]
    last = node.members[-1]
    has_comma = last.comma >= 0
    end = last.comma + 1 if has_comma else last.node.end
    line_start = _back(text, last.start, " \t")
    behind = _match(_REST_OF_LINE, text, end)
    if text[line_start - 1 : line_start] != "\n" or text[behind : behind + 1] not in ("\r", "\n"):
        # The neighbour shares its line.
        text = _inserted(text, end, f" {_compact(key)}: {_compact(value)}" + ("," if has_comma else ""))
        return text if has_comma else _inserted(text, end, ",")
    indent = text[line_start : last.start]
    member = newline + indent + _named(key, value, indent, unit, newline)
    text = _inserted(text, behind, member + ("," if has_comma else ""))
    return text if has_comma else _inserted(text, end, ",")


def _replaced(text: str, node: Node, value: Any, root: Node) -> str:
    is_long = "\n" in text[node.start : node.end]
    indent = _indent_of(text, node.start)
    written = _dumped(value, indent, _unit(text, root), _newline(text)) if is_long else _compact(value)
    return text[: node.start] + written + text[node.end :]


def _named(key: str, value: Any, indent: str, unit: str, newline: str) -> str:
    return f"{_compact(key)}: {_dumped(value, indent, unit, newline)}"


def _dumped(value: Any, indent: str, unit: str, newline: str) -> str:
    """Objects over several lines, everything in them on one."""
    if not isinstance(value, dict) or not value:
        return _compact(value)
    inner = newline + indent + unit
    members = (inner + _named(key, one, indent + unit, unit, newline) for key, one in value.items())
    return "{" + ",".join(members) + newline + indent + "}"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _unit(text: str, root: Node) -> str:
    """What one level of this file is indented by."""
    for member in root.members:
        start = _back(text, member.start, " \t")
        if text[start - 1 : start] == "\n" and start < member.start:
            return text[start : member.start]
    return _INDENT


def _indent_of(text: str, position: int) -> str:
    """The indentation of the line that `position` is in."""
    start = text.rfind("\n", 0, position) + 1
    return text[start : _forward(text, start, " \t")]


def _newline(text: str) -> str:
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def _inserted(text: str, position: int, new: str) -> str:
    return text[:position] + new + text[position:]


def _match(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position


def _back(text: str, position: int, characters: str) -> int:
    while position and text[position - 1] in characters:
        position -= 1
    return position


def _forward(text: str, position: int, characters: str) -> int:
    while position < len(text) and text[position] in characters:
        position += 1
    return position


def _cut(text: str, cuts: list[tuple[int, int]]) -> str:
    kept, position = [], 0
    for start, end in sorted(cuts):
        kept.append(text[position : max(start, position)])
        position = max(position, end)
    return "".join(kept) + text[position:]
