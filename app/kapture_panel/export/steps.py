"""From history rows to steps that can be done again: elements by selector, what was not kept as parameters."""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin

from kapture_panel.core.catalogue.redaction import MASK, MAX_KEPT_CHARS, is_redacted
from kapture_panel.core.stores.history_row import Row

_LOOKS = "it only looks"
#: Commands that are not done again, and why.
LEFT_OUT: dict[str, str] = {
    "batch": "its steps are rows of their own",
    "connect_tab": "it names a tab of the browser as it was then",
    "read_image": _LOOKS,
    **dict.fromkeys(
        ("list_tabs", "list_browser_tabs", "snapshot", "query_dom", "get_visible_text", "get_computed_styles",
         "check_visibility", "get_attributes", "count_elements", "get_page_metadata", "get_filtered_aria_tree",
         "find_by_text", "get_form_values", "check_element_state", "logs", "list_requests", "get_request",
         "get_network_sources", "get_service_workers"),
        _LOOKS,
    ),
}  # fmt: skip
#: Parameters of the conversation, not of the deed.
_NOT_REPEATED = {"tabId", "snapshot"}
#: The parameter that holds a ref → the one that takes a selector.
_REFS = {"ref": "selector", "toRef": "toSelector"}
_CHECKED = {len("true"): "true", len("false"): "false"}
#: Names that a script made of the steps, or its command line, uses for itself.
_TAKEN = re.compile(
    r"(page|popup)\d*|run|main|argparse|getpass|sync_playwright|dialog|address|range|help|headless|no_sandbox|executable_path"
)


@dataclass(frozen=True)
class Parameter:
    """A value the history did not keep; `length` in characters, None when it was cut or masked."""

    name: str
    label: str
    length: int | None = None
    secret: bool = False


@dataclass(eq=False)
class Step:
    """One command to be done again.

    `params` hold `{"parameter": NAME}` where a value was not kept. `tab` and `opens` are labels of tabs: the one the
    step is done in, the one that comes of it. With `dialog` a dialog opens and the next step answers it.
    """

    command: str
    params: dict[str, Any]
    tab: str = ""
    opens: str = ""
    dialog: bool = False
    targets: list[dict[str, Any]] = field(default_factory=list)
    row: Row | None = None


@dataclass(frozen=True)
class LeftOut:
    """A row that is not done again."""

    row: Row
    why: str


@dataclass
class Plan:
    """All rows in order, each as a step or left out; `parameters` in the order they are first needed."""

    parameters: list[Parameter] = field(default_factory=list)
    items: list[Step | LeftOut] = field(default_factory=list)

    @property
    def steps(self) -> list[Step]:
        """What is done."""
        return [item for item in self.items if isinstance(item, Step)]

    @property
    def left_out(self) -> list[LeftOut]:
        """What is not."""
        return [item for item in self.items if isinstance(item, LeftOut)]


class _NotRecorded(Exception):
    """The row does not say which element was meant."""


def plan(rows: Sequence[Row]) -> Plan:
    """The steps of `rows`, which come oldest first."""
    return _Planner().plan(rows)


class _Planner:
    def __init__(self) -> None:
        self._plan = Plan()
        self._tabs: dict[str, str] = {}
        self._labels = 0
        #: Of a tab that was opened by a row that does not say which it was.
        self._unknown_tab = ""

    def plan(self, rows: Sequence[Row]) -> Plan:
        for index, row in enumerate(rows):
            why = LEFT_OUT.get(row.command) or self._failure(row, rows[index + 1 :])
            try:
                self._plan.items.extend([LeftOut(row, why)] if why else list(self._steps(row)))
            except _NotRecorded:
                self._plan.items.append(LeftOut(row, "the history does not say which element was meant"))
        return self._plan

    def _failure(self, row: Row, later: Sequence[Row]) -> str:
        if "damaged" in row.params:
            return "its parameters were damaged"
        if row.state == "ok" or self._opened_dialog(row, later):
            return ""
        return {"error": f"it failed with {row.code}", "unknown": "its outcome is unknown"}.get(row.state, row.state)

    def _opened_dialog(self, row: Row, later: Sequence[Row]) -> bool:
        after = next((other for other in later if other.tab_id == row.tab_id and other.command not in LEFT_OUT), None)
        return row.code == "DIALOG_OPEN" and after is not None and after.command == "handle_dialog"

    def _steps(self, row: Row) -> Iterator[Step]:
        params = {name: value for name, value in row.params.items() if name not in _NOT_REPEATED}
        if row.command == "navigate":
            params["url"] = _absolute(params.get("url", ""), row.url)
        params = self._filled(_with_selectors(params, row.targets), row)
        step = Step(row.command, params, dialog=row.code == "DIALOG_OPEN", targets=row.targets, row=row)
        if row.command == "new_tab":
            step.opens = self._new_label(row.tab_id)
        else:
            if row.tab_id not in self._tabs:
                yield from self._opening(row)
            step.tab = self._tabs[row.tab_id]
            opened = [tab for tab in row.effects.get("newTabs") or [] if isinstance(tab, dict) and tab.get("tabId")]
            if opened:
                step.opens = self._new_label(str(opened[0]["tabId"]))
        yield step

    def _opening(self, row: Row) -> Iterator[Step]:
        """What brings the tab of `row` about that was there before the first row."""
        if self._unknown_tab:
            self._tabs[row.tab_id], self._unknown_tab = self._unknown_tab, ""
            return
        url = row.url if row.command != "navigate" and row.url.startswith(("http:", "https:")) else "about:blank"
        yield Step("new_tab", self._filled({"url": url}, row), opens=self._new_label(row.tab_id))

    def _new_label(self, tab_id: str) -> str:
        self._labels += 1
        label = f"tab{self._labels}"
        if tab_id:
            self._tabs[tab_id] = label
        else:
            self._unknown_tab = label
        return label

    def _filled(self, params: dict[str, Any], row: Row) -> dict[str, Any]:
        """`params` with a parameter for each value that was not kept."""
        fields = params.get("fields")
        if row.command == "fill_form" and isinstance(fields, list):
            targets = [*row.targets, *[{}] * len(fields)]
            return {**params, "fields": [self._value("value", one, targets[at]) for at, one in enumerate(fields)]}
        target = row.targets[0] if row.targets else {}
        return {name: self._value(name, value, target) for name, value in params.items()}

    def _value(self, key: str, value: Any, target: dict[str, Any]) -> Any:
        if is_redacted(value):
            length = value["redacted"]
            if length == 0:
                return ""
            if target.get("type") in ("checkbox", "radio"):
                return _CHECKED.get(length, "true")
            return self._parameter(key, target, length)
        if isinstance(value, dict):
            return {name: self._value(name, item, target) for name, item in value.items()}
        if isinstance(value, list):
            return [self._value(key, item, target) for item in value]
        if isinstance(value, str) and (MASK in value or (len(value) == MAX_KEPT_CHARS and value[-1] == "…")):
            return self._parameter(key, {}, None)
        return value

    def _parameter(self, key: str, target: dict[str, Any], length: int | None) -> dict[str, str]:
        known = {parameter.name for parameter in self._plan.parameters}
        label = str(target.get("name") or key)
        base = _identifier(label) or _identifier(key)
        name = next(
            name for name in (base, *(f"{base}_{number}" for number in range(2, len(known) + 3)))
            if name not in known and not _TAKEN.fullmatch(name) and not keyword.iskeyword(name)
        )  # fmt: skip
        self._plan.parameters.append(Parameter(name, label, length, bool(target.get("secret"))))
        return {"parameter": name}


def _with_selectors(params: dict[str, Any], targets: list[dict[str, Any]]) -> dict[str, Any]:
    """`params` with each ref, which means nothing later, replaced by the selector the row kept.

    Raises:
        _NotRecorded: it kept none.
    """
    if isinstance(params.get("fields"), list):
        fields = [_with_selectors(one, targets[at : at + 1]) for at, one in enumerate(params["fields"])]
        return {**params, "fields": fields}
    given = dict(params)
    for at, (ref, selector) in enumerate(_REFS.items()):
        if ref in given:
            del given[ref]
            found = targets[at].get("selector") if len(targets) > at else None
            if not isinstance(found, str) or not found:
                raise _NotRecorded
            given[selector] = found
    return given


def _absolute(url: Any, base: str) -> Any:
    relative = isinstance(url, str) and url.startswith(("/", "?", "#", "."))
    return urljoin(base, url) if relative and base.startswith(("http:", "https:")) else url


def _identifier(label: str) -> str:
    """`label` as a name both Python and a command line take; empty when nothing is left of it."""
    plain = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode().lower()
    name = re.sub(r"[^a-z0-9]+", "_", plain)[:30].strip("_")
    return f"value_{name}" if name[:1].isdigit() else name
