"""What the window can do by a menu or a key: each room has a table of its own; menus, toolbar, tray, palette and the
sheet of shortcuts read them all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

#: The order of an entry that does not say where it stands.
LAST = 10_000


@dataclass(frozen=True)
class Entry:
    """One thing to do.

    `words` stand in menus, `full` where the menu around them is missing; the first of `keys` is the one that is
    shown, `also` are other words a person may look for it by. `places` names the menus it stands in: menu, view,
    theme, tray. `part` names the one part of the window its keys work in: there `bind` gives them to that part's
    widget. Such an entry is an action of the window, without keys, where it can be done from elsewhere too. `order`
    says where it stands among the entries of all rooms.
    """

    name: str
    words: str
    group: str
    icon: str = ""
    keys: tuple[str, ...] = ()
    places: frozenset[str] = frozenset()
    full: str = ""
    part: str = ""
    also: str = ""
    order: int = LAST

    @property
    def shown_keys(self) -> str:
        """The first shortcut as the system writes it; empty without one."""
        keys = QKeySequence(self.keys[0]).toString(QKeySequence.SequenceFormat.NativeText) if self.keys else ""
        return keys.replace("Return", "Enter")  # Qt calls only the number pad's key so

    @property
    def title(self) -> str:
        """The words that need nothing around them."""
        return self.full or self.words


def table(*entries: Entry) -> dict[str, Entry]:
    """Entries by their names."""
    return {one.name: one for one in entries}


#: Those of the parts that any room is made of.
SHARED = table(
    Entry("copy_value", "Copy the chosen value of a tree", "Command", keys=("Ctrl+C",), part="tree", order=600),
    Entry(
        "close_overlay", "Close finder, shortcuts or another sheet", "Finder", keys=("Escape",), part="overlay",
        order=630,
    ),
)  # fmt: skip


def sequences(one: Entry) -> list[QKeySequence]:
    """The keys of an entry."""
    return [QKeySequence(keys) for keys in one.keys]


def presses(one: Entry, event: QKeyEvent) -> bool:
    """Whether a key that goes down or up is one of an entry's."""
    return QKeySequence(event.keyCombination()) in sequences(one)


def pastes(event: QKeyEvent) -> bool:
    """Whether it is the system's key for pasting."""
    return event.matches(QKeySequence.StandardKey.Paste)


def bind(
    one: Entry,
    widget: QWidget,
    do: Callable[[], object],
    context: Qt.ShortcutContext = Qt.ShortcutContext.WidgetWithChildrenShortcut,
) -> None:
    """Have the keys of an entry `do` something in `widget`, and in what it holds unless `context` says less."""
    for keys in sequences(one):
        shortcut = QShortcut(keys, widget)
        shortcut.setContext(context)
        shortcut.activated.connect(do)
