"""From history rows to steps that can be done again: elements by selector, what was not kept as parameters."""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from kapture_panel.core.basics import addresses
from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.catalogue.catalogue import Catalogue, Command, without_null
from kapture_panel.core.catalogue.redaction import MASK, MAX_KEPT_CHARS, is_redacted
from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.wire.targets import Target

_GONE = "there is no such command any more"
#: Parameters of the conversation, not of the action.
_NOT_REPEATED = {"tabId", "snapshot"}
#: The parameter that holds a ref → the one that takes a selector.
_REFS = {"ref": "selector", "toRef": "toSelector"}
_CHECKED = {len("true"): "true", len("false"): "false"}
#: Names that a script made of the steps, or its command line, uses for itself.
_TAKEN = re.compile(
    r"(page|popup|chooser|dialog|download)\d*|drop_files|turn_wheel|scroll_page|answer_dialogs|inject|wait_until|chosen|expect|base64|re|time|run|main"
    r"|argparse|getpass|sync_playwright|address|range|help|headless|no_sandbox|executable_path"
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
    step is done in, the one that comes of it. With `dialog` a dialog opens and the next step answers it. `outcome` is
    what it came to when it was recorded; empty when nobody knows.
    """

    command: str
    params: Params
    tab: str = ""
    opens: str = ""
    dialog: bool = False
    outcome: str = ""
    targets: list[Target] = field(default_factory=list)
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
    def recorded(self) -> int:
        """How many of them were done when it was recorded: a tab that was there already is opened besides."""
        return sum(step.row is not None for step in self.steps)

    @property
    def left_out(self) -> list[LeftOut]:
        """What is not."""
        return [item for item in self.items if isinstance(item, LeftOut)]


class _NotRecorded(Exception):
    """The row does not say which element was meant."""


def plan(rows: Sequence[Row], catalogue: Catalogue) -> Plan:
    """The steps of `rows`, which come oldest first."""
    return _Planner(catalogue).plan(rows)


def why_not_again(command: Command) -> str:
    """Why `command` is not a step of a script; empty when it is one."""
    if command.composite:
        return "its steps are rows of their own"
    if command.asks:
        return "it names a tab of the browser as it was then"
    # A page is waited for again, and its picture is a file that the script makes again.
    makes = command.action or command.passes_time or (command.result == "image" and command.scope == "tab")
    return "it only looks" if command.klass in ("read", "file") and not makes else ""


class _Planner:
    def __init__(self, catalogue: Catalogue) -> None:
        self._why_not = {command.short_name: why_not_again(command) for command in catalogue}
        self._plan = Plan()
        self._tabs: dict[str, str] = {}
        self._labels = 0
        #: Of a tab that was opened by a row that does not say which it was.
        self._unknown_tab = ""

    def plan(self, rows: Sequence[Row]) -> Plan:
        for index, row in enumerate(rows):
            dialog = self._opened_dialog(row, rows[index + 1 :])
            why = self._why_not.get(row.command, _GONE) or _failure(row, is_answered=dialog)
            try:
                self._plan.items.extend([LeftOut(row, why)] if why else list(self._steps(row, dialog=dialog)))
            except _NotRecorded:
                self._plan.items.append(LeftOut(row, "the history does not say which element was meant"))
        return self._plan

    def _opened_dialog(self, row: Row, later: Sequence[Row]) -> bool:
        """Whether a row led to a dialog that the tab's next one answers."""
        after = next(
            (one for one in later if one.tab_id == row.tab_id and not self._why_not.get(one.command, _GONE)), None
        )
        if after is None or after.command != "handle_dialog" or row.command == "handle_dialog":
            return False
        seen = [dialog for dialog in row.effects.get("dialogs") or [] if isinstance(dialog, dict)]
        # One that came only later is told of by its answer alone.
        is_late = row.state == "ok" and after.state == "ok"
        return is_late or row.code == "DIALOG_OPEN" or any(dialog.get("open") for dialog in seen)

    def _steps(self, row: Row, *, dialog: bool) -> Iterator[Step]:
        # Rows of older panels hold what was left out by null.
        given = without_null(row.params)
        params = {name: value for name, value in given.items() if name not in _NOT_REPEATED}
        if row.command == "navigate":
            params["url"] = _absolute(params.get("url", ""), row.url)
        params = self._filled(_with_selectors(params, row.targets), row)
        step = Step(row.command, params, dialog=dialog, outcome=row.outcome, targets=row.targets, row=row)
        if row.command == "new_tab":
            step.opens = self._new_label(row.tab_id)
        else:
            if row.tab_id not in self._tabs:
                yield from self._opening(row)
            step.tab = self._tabs[row.tab_id]
            opened = [
                tab
                for tab in row.effects.get("newTabs") or []
                if isinstance(tab, dict) and tab.get("tabId") and not tab.get("closed")
            ]
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

    def _filled(self, params: Params, row: Row) -> Params:
        """`params` with a parameter for each value that was not kept."""
        fields = params.get("fields")
        if row.command == "fill_form" and isinstance(fields, list):
            targets = [*row.targets, *[Target()] * len(fields)]
            return {**params, "fields": [self._value("value", one, targets[at]) for at, one in enumerate(fields)]}
        target = row.targets[0] if row.targets else Target()
        return {name: self._value(name, value, target) for name, value in params.items()}

    def _value(self, key: str, value: Any, target: Target) -> Any:
        if is_redacted(value):
            length = value["redacted"]
            if length == 0:
                return ""
            if target.type in ("checkbox", "radio"):
                return _CHECKED.get(length, "true")
            return self._parameter(key, target, length)
        if isinstance(value, dict):
            return {name: self._value(name, item, target) for name, item in value.items()}
        if isinstance(value, list):
            return [self._value(key, item, target) for item in value]
        if isinstance(value, str) and (MASK in value or (len(value) == MAX_KEPT_CHARS and value[-1] == "…")):
            return self._parameter(key, Target(), None)
        return value

    def _parameter(self, key: str, target: Target, length: int | None) -> dict[str, str]:
        known = {parameter.name for parameter in self._plan.parameters}
        label = target.name or key
        base = _identifier(label) or _identifier(key)
        name = next(
            name for name in (base, *(f"{base}_{number}" for number in range(2, len(known) + 3)))
            if name not in known and not _TAKEN.fullmatch(name) and not keyword.iskeyword(name)
        )  # fmt: skip
        self._plan.parameters.append(Parameter(name, label, length, target.secret))
        return {"parameter": name}


def _failure(row: Row, *, is_answered: bool) -> str:
    """Why a row cannot be done again; empty for one that can. A dialog that `is_answered` is not a failure."""
    if "damaged" in row.params:
        return "its parameters were damaged"
    if row.state == "ok" or is_answered:
        return ""
    return {"error": f"it failed with {row.code}", "unknown": "its outcome is unknown"}.get(row.state, row.state)


def _with_selectors(params: Params, targets: list[Target]) -> Params:
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
            found = targets[at].selector if len(targets) > at else None
            if not found:
                raise _NotRecorded
            given[selector] = found
    return given


def _absolute(url: Any, base: str) -> Any:
    relative = isinstance(url, str) and url.startswith(("/", "?", "#", "."))
    return addresses.joined(base, url) if relative and base.startswith(("http:", "https:")) else url


def _identifier(label: str) -> str:
    """`label` as a name both Python and a command line take; empty when nothing is left of it."""
    plain = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode().lower()
    name = re.sub(r"[^a-z0-9]+", "_", plain)[:30].strip("_")
    return f"value_{name}" if name[:1].isdigit() else name
