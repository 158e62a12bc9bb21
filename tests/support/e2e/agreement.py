"""How far what we say of a page agrees with Chrome's own accessibility tree."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

MAX_NAME = 199  # the walker clips longer names
#: Chrome's internal role → what a snapshot calls the same thing (page/aria.js says why).
CALLED = {
    "Audio": "audio", "Canvas": "canvas", "ColorWell": "colorpicker", "Date": "datepicker",
    "DateTime": "datetimepicker", "DisclosureTriangle": "button", "Figcaption": "figcaption", "Iframe": "iframe",
    "InputTime": "timepicker", "LabelText": "label", "LayoutTable": "table", "LayoutTableCell": "cell",
    "LayoutTableRow": "row", "Legend": "legend", "MathMLMath": "math", "Video": "video", "image": "img",
}  # fmt: skip
#: A control Chrome lists must be in the snapshot, too.
CONTROLS = {
    "button", "checkbox", "colorpicker", "combobox", "datepicker", "datetimepicker", "heading", "link", "listbox",
    "menuitem", "menuitemcheckbox", "menuitemradio", "radio", "searchbox", "slider", "spinbutton", "switch", "tab",
    "textbox", "timepicker", "treeitem",
}  # fmt: skip
#: States a node is in or not; Chrome leaves the last three out where they do not apply.
FLAGS = ["disabled", "focused", "selected", "multiselectable", "required", "readonly"]
#: States that are told with both their values, or not at all.
CHOICES = ["checked", "pressed", "expanded"]
#: States of ours that Chrome has no word for, or has elsewhere in its tree.
OURS_ALONE = {"current", "active", "sort", "haspopup", "valuenow", "broken", "clickable"}
NUMBER = re.compile(r"-?\d*\.?\d+(e\d+)?")


@dataclass
class Agreement:
    """How far the snapshot and Chrome agree on the nodes both list."""

    page: str
    both: int = 0
    roles: int = 0
    names: int = 0
    controls: int = 0
    controls_listed: int = 0
    states: int = 0
    states_alike: int = 0
    values: int = 0
    values_alike: int = 0
    differences: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.page}: {self.both} nodes, roles {self.roles / self.both:.2%}, names {self.names / self.both:.2%}, "
            f"controls {self.controls_listed}/{self.controls}, states {self.states_alike}/{self.states}, "
            f"values {self.values_alike}/{self.values}\n" + "\n".join(self.differences[:60])
        )

    def held(self, node: dict[str, Any], listed: Listed) -> None:
        """Compare what states a node is in and what it holds, as far as either of the two says anything."""
        ours, chromes = listed.states(), states_of(node, listed)
        for state in sorted(ours.keys() | chromes.keys()):
            if (told := ours.get(state)) == (wanted := chromes.get(state)):
                self.states_alike += 1
            else:
                self.differences.append(f"  {listed.role} {listed.name!r} {state}: {told}, Chrome: {wanted}")
            self.states += 1
        told, wanted = squeezed(listed.value), value_of(node, listed)
        if told or wanted:
            self.values += 1
            self.values_alike += told == wanted
            if told != wanted:
                self.differences.append(f"  {listed.role} {listed.name!r} holds {told!r}, Chrome: {wanted!r}")

    def reaches(self, share: float) -> bool:
        return (
            self.both > 0
            and min(self.roles, self.names) >= share * self.both
            and self.controls_listed >= share * self.controls
            and self.states_alike >= share * self.states
            and self.values_alike >= share * self.values
        )

    def judge(self, node: dict[str, Any], element: dict[str, Any], theirs: dict[str, Any] | None) -> None:
        """Compare what the walker says of an element with Chrome's node of it."""
        role, name = node["role"], node["name"]
        if role == "clickable":
            return  # Chrome has no word for it
        if theirs is None:
            self.differences.append(f"  only ours: {role} {name!r}")
            return
        wanted = theirs["role"]["value"]
        wanted = CALLED.get(wanted, wanted)
        wanted_name = squeezed(theirs.get("name", {}).get("value", ""))
        self.both += 1
        self.roles += role == wanted
        self.names += name[:MAX_NAME].rstrip("…") == wanted_name[:MAX_NAME]
        if role != wanted or name[:MAX_NAME].rstrip("…") != wanted_name[:MAX_NAME]:
            self.differences.append(f"  {role} {name!r}, Chrome: {wanted} {wanted_name!r}")
        if role == wanted:
            self.held(theirs, Listed(role, name, node["states"], node.get("value", ""), node["missing"], element))

    def count_controls(self, nodes: list[dict[str, Any]], listed: set[int]) -> None:
        """Count Chrome's controls, and those of them that are `listed`."""
        for node in nodes:
            role = CALLED.get(node["role"]["value"], node["role"]["value"])
            if role in CONTROLS:
                self.controls += 1
                self.controls_listed += node["backendDOMNodeId"] in listed
                if node["backendDOMNodeId"] not in listed:
                    self.differences.append(f"  only Chrome's: {role} {node.get('name', {}).get('value', '')!r}")


@dataclass
class Listed:
    """A node of a snapshot and the element it is of."""

    role: str
    name: str
    said: list[str]
    value: str
    missing: bool
    element: dict[str, Any]

    def states(self) -> dict[str, Any]:
        """As Chrome has them: {"disabled": True, "checked": "mixed", "expanded": False, "level": 2, …}."""
        found: dict[str, Any] = {}
        for state in self.said:
            name, _, value = state.partition("=")
            if name not in OURS_ALONE:
                found[name] = int(value) if name == "level" else value or True
        for name in CHOICES[:2]:
            if name in found:
                found[name] = {True: "true"}.get(found[name], found[name])
        if found.pop("collapsed", False):
            found["expanded"] = False
        return found

    def attribute(self, name: str) -> str | None:
        pairs = self.element.get("attributes", [])
        return dict(zip(pairs[::2], pairs[1::2], strict=True)).get(name)


def states_of(node: dict[str, Any], listed: Listed) -> dict[str, Any]:
    """What Chrome says of a node, without what a snapshot leaves out on purpose."""
    told = {item["name"]: item["value"].get("value") for item in node.get("properties", [])}
    found = {name: True for name in FLAGS if told.get(name)}
    found |= {name: told[name] for name in CHOICES if told.get(name) not in (None, "false")}
    if listed.element["nodeName"] == "SELECT":  # always collapsed
        found.pop("expanded", None)
    if listed.role in ("audio", "video"):  # one with nothing to play is disabled
        found.pop("disabled", None)
    if listed.attribute("aria-readonly") is None and listed.role in ("columnheader", "gridcell", "rowheader"):
        found.pop("readonly", None)  # their grid is, and says so
    if told.get("invalid") == "true" and not listed.missing:  # it is required, and says so
        found["invalid"] = True
    # How deep lists and trees are nested is seen from the indentation.
    if "level" in told and (listed.role == "heading" or listed.attribute("aria-level") is not None):
        found["level"] = told["level"]
    # Chrome tells these of some roles only.
    for name in FLAGS[-2:]:
        if name in listed.said and name not in told:
            found[name] = True
    return found


def value_of(node: dict[str, Any], listed: Listed) -> str:
    """What Chrome says a node holds, in the words of a snapshot."""
    value = node.get("value", {}).get("value", "")
    if isinstance(value, int | float):
        return listed.value if NUMBER.fullmatch(listed.value) and float(listed.value) == value else f"{value:g}"
    if listed.element["nodeName"] not in ("INPUT", "SELECT") and listed.role == "combobox":
        return ""  # what it holds stands below it as text, or in a field of its own
    if listed.value == "•" * min(len(value), 8):
        return listed.value  # a secret stays one, and how long it is
    value = "" if value == "No file chosen" else value
    return squeezed(value)


def squeezed(text: str) -> str:
    return " ".join(text.split())
