"""What is done in the tabs, as it happens: who does what to which element, where the mouse is, what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtCore import QObject, QPointF, QRectF, QTimer, Signal

from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.stores.history import History
from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.wire.events import PointerAt, TargetMeant
from kapture_panel.window.widgets import command_names, figures, outcomes, safe_text
from kapture_panel.window.widgets.subscriptions import Subscriptions

#: What a command was done to stays marked for so long after it.
LINGER_MS = 1500


@dataclass
class Act:
    """A command in a tab. `target` is what it is done to, in CSS pixels of the viewport, and `name` what that is
    called; `title` is what the command is called."""

    row: Row
    title: str
    target: QRectF | None = None
    name: str = ""

    @property
    def who(self) -> str:
        """Who does it."""
        return "You" if self.row.kind == "person" else safe_text.line(self.row.client, 40)

    @property
    def what(self) -> str:
        """What is done, to what."""
        name = self.name or command_names.meant(self.row.targets)  # told while one looks; else once it was done
        return f"{self.title} {command_names.element(name)}".strip()

    @property
    def outcome(self) -> str:
        """What came of it; empty while it goes on."""
        if self.row.state == "running":
            return ""
        words = outcomes.words(self.row) if self.row.code else ""
        return " ".join(filter(None, (outcomes.mark(self.row), words, figures.duration(self.row.ms))))

    @property
    def why(self) -> str:
        """What went wrong, and the error's code; empty where nothing did."""
        return safe_text.line(f"{self.row.said} {self.row.code}".strip(), 300) if self.row.code else ""

    @property
    def mark(self) -> str:
        """The same as one sign."""
        return outcomes.mark(self.row)

    @property
    def tone(self) -> str:
        """The colour that tells how it stands."""
        return outcomes.pill_tone(self.row)


@dataclass
class _Place:
    """What of a tab is marked now."""

    act: Act | None = None
    pointer: QPointF | None = None
    is_pressed: bool = False
    fading: QTimer | None = field(default=None, repr=False)


class Acts(QObject):
    """`changed` carries the tabId of a tab in which something is done now, or was just done."""

    changed = Signal(str)

    def __init__(
        self, history: History, tabs: Tabs, catalogue: Catalogue, subscriptions: Subscriptions, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._catalogue = catalogue
        self._places: dict[str, _Place] = {}
        subscriptions.connect(history.began, self._on_began)
        subscriptions.connect(history.settled, self._on_settled)
        subscriptions.connect(history.removed, self._on_forgotten)
        subscriptions.connect(tabs.acted, self._on_acted)
        subscriptions.connect(tabs.navigated, lambda tab: self._unmark(tab.tab_id))
        subscriptions.connect(tabs.removed, self._on_removed)

    def last(self, tab_id: str) -> Act | None:
        """What was done in a tab last, or is done now."""
        place = self._places.get(tab_id)
        return place.act if place is not None else None

    def pointer(self, tab_id: str) -> tuple[QPointF, bool] | None:
        """Where an agent's mouse is in it, as long as that is shown, and whether it presses."""
        place = self._places.get(tab_id)
        return (place.pointer, place.is_pressed) if place is not None and place.pointer is not None else None

    def _on_began(self, row: Row) -> None:
        if row.tab_id and row.state == "running":
            place = self._places.setdefault(row.tab_id, _Place())
            if place.fading is not None:
                place.fading.stop()
            place.act = Act(row, command_names.title(self._catalogue, row.command))
            place.pointer, place.is_pressed = None, False
            self.changed.emit(row.tab_id)

    def _on_settled(self, row: Row) -> None:
        place = self._places.get(row.tab_id)
        if place is None or place.act is None or place.act.row.id != row.id:
            return
        place.act.row = row
        if place.fading is None:
            place.fading = QTimer(self, singleShot=True, interval=LINGER_MS)
            place.fading.timeout.connect(lambda: self._unmark(row.tab_id))
        place.fading.start()
        self.changed.emit(row.tab_id)

    def _on_acted(self, tab: Tab, told: TargetMeant | PointerAt) -> None:
        place = self._places.get(tab.tab_id)
        if place is None or place.act is None:
            return
        if isinstance(told, PointerAt):
            place.pointer, place.is_pressed = QPointF(told.x, told.y), told.pressed
        elif told.id == place.act.row.frame or place.act.row.frame == "":
            place.act.target = QRectF(told.x, told.y, told.width, told.height)
            place.act.name = told.name
        self.changed.emit(tab.tab_id)

    def _unmark(self, tab_id: str) -> None:
        place = self._places.get(tab_id)
        if place is not None and place.act is not None:
            place.act.target, place.pointer = None, None
            self.changed.emit(tab_id)

    def _on_forgotten(self, ids: list[int], _pictures: list[str]) -> None:
        for tab_id, place in self._places.items():
            if place.act is not None and place.act.row.id in ids:
                place.act, place.pointer = None, None
                self.changed.emit(tab_id)

    def _on_removed(self, tab: Tab) -> None:
        place = self._places.pop(tab.tab_id, None)
        if place is not None and place.fading is not None:
            place.fading.stop()
            place.fading.deleteLater()
