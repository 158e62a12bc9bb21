"""What the palette can find: commands, tabs and actions, and which of them fit what was typed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtGui import QAction

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.catalogue.catalogue import Catalogue, Command
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.window.finder import fuzzy
from kapture_panel.window.widgets import safe_text, tab_names
from kapture_panel.window.widgets.actions import Actions
from kapture_panel.window.widgets.entries import Entry

#: So much the latest is better than a find that was never used: less than one start of a word.
_RECENT = 4.0
#: What was typed standing in the words as it is, is worth more than any letters found here and there.
_WHOLE = 40.0
#: A fit in the group or the technical name alone is worth this much less than one in the words.
_ASIDE = 12.0


@dataclass(frozen=True)
class Find:
    """One row: `key` is "command:NAME", "tab:ID" or "action:NAME"; `also` is searched and not shown."""

    key: str
    words: str
    group: str
    icon: str
    keys: str = ""
    also: str = ""
    can_run: bool = False
    is_on: bool = False


@dataclass(frozen=True)
class Hit:
    """A find that fits, and which letters of its words did."""

    find: Find
    positions: tuple[int, ...] = ()


def finds(catalogue: Catalogue, tabs: Iterable[Tab], actions: Actions) -> list[Find]:
    """Everything there is: actions, then tabs, then commands, each in its own order."""
    found = [
        Find(
            f"action:{one.name}",
            _title(one, action),
            one.group,
            one.icon,
            one.shown_keys,
            one.also,
            is_on=action.isChecked(),
        )
        for one, action in actions
        if action.isEnabled() and one.name not in ("palette", "show_panel")
    ]
    found += [
        Find(f"tab:{tab.tab_id}", tab_names.name(tab, 100), "Tab", "mdi6.tab",
             also=safe_text.line(tab.url, 100))
        for tab in tabs
    ]  # fmt: skip
    found += [
        Find(f"command:{one.name}", one.title, catalogue.groups[one.group], one.icon,
             also=f"{one.short_name} {one.also}".strip(), can_run=runs_at_once(one))
        for one in catalogue
    ]  # fmt: skip
    return found


def _title(one: Entry, action: QAction) -> str:
    """What the action does now: it may end what it began before."""
    return one.title if action.text() == one.words else action.text()


def runs_at_once(command: Command) -> bool:
    """Whether nothing must be filled in."""
    try:
        command.validate({})
    except KaptureError:
        return False
    return True


def fitting(query: str, found: Sequence[Find], recent: Sequence[str]) -> list[Hit]:
    """Those that fit `query`, the best first; without a query all, the latest used first.

    Args:
        recent: keys, the latest first.
    """
    since = {key: number for number, key in enumerate(recent)}
    if not query.strip():
        return [Hit(find) for find in sorted(found, key=lambda find: since.get(find.key, len(since)))]
    scored: list[tuple[float, Hit]] = []
    for find in found:
        score, positions = _fit(query, find)
        if positions is not None:
            bonus = _RECENT * (1 - since[find.key] / len(since)) if find.key in since else 0.0
            if query.strip().casefold() in find.words.casefold():
                bonus += _WHOLE
            # What it is called by those who know is meant before what only begins so.
            if query.strip().casefold() in find.also.casefold().split()[:1]:
                bonus += _WHOLE
            scored.append((score + bonus, Hit(find, positions)))
    # Stable: of equals the one that comes first in the table.
    scored.sort(key=lambda one: -one[0])
    return [hit for _score, hit in scored]


def _fit(query: str, find: Find) -> tuple[float, tuple[int, ...] | None]:
    best: tuple[float, tuple[int, ...] | None] = (0.0, None)
    if (words := fuzzy.match(query, find.words)) is not None:
        best = (words.score, words.positions)
    for other in (f"{find.words} {find.group}", find.also):
        fit = fuzzy.match(query, other)
        if fit is not None and (best[1] is None or fit.score - _ASIDE > best[0]):
            shown = () if other is find.also else tuple(at for at in fit.positions if at < len(find.words))
            best = (fit.score - _ASIDE, shown)
    return best
