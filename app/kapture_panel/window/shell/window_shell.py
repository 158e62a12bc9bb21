"""What the window offers to its rooms, see `widgets.shell.Shell`; and what it does with what they give."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QMainWindow, QToolButton, QWidget

from kapture_panel import paths
from kapture_panel.core.basics.settings import Settings
from kapture_panel.window.shell.docks import Docks
from kapture_panel.window.shell.entries import ENTRIES
from kapture_panel.window.shell.middle import Middle
from kapture_panel.window.shell.status_line import StatusLine
from kapture_panel.window.widgets import tab_order
from kapture_panel.window.widgets.actions import Actions
from kapture_panel.window.widgets.app import Application
from kapture_panel.window.widgets.background import Background
from kapture_panel.window.widgets.dock import TitleBar
from kapture_panel.window.widgets.focus_ring import FocusRing
from kapture_panel.window.widgets.pictures import Pictures
from kapture_panel.window.widgets.shell import Call, Way
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.theme import Theme
from kapture_panel.window.widgets.toasts import Toasts


class WindowShell(QObject):
    """`attention_asked` and `attention_dropped` carry a `Call` of a person who looks elsewhere, `notified` a title and
    words for them."""

    attention_asked = Signal(object)
    attention_dropped = Signal(object)
    notified = Signal(str, str)

    def __init__(self, window: QMainWindow, app: Application, settings: Settings) -> None:
        super().__init__(window)
        self.host = window
        self.theme = Theme(app, settings, paths.resources() / "theme")
        window.setFont(self.theme.font())  # it had the one before, and its parts take theirs from it
        self.subscriptions = Subscriptions()
        self.pictures = Pictures(window)
        self.actions = Actions(window, self.theme)
        self.actions.declare(ENTRIES)
        self.docks = Docks(window)
        self.middle = Middle(window, self.docks, settings)
        self.toasts = Toasts(window, self.theme, lambda: self.actions["notices"].trigger())
        self.toasts.stand_below(self.middle)
        self.background = Background(self.toasts)
        self.status = StatusLine(self.actions, self.theme)
        self.toolbar: QWidget | None = None
        self._cards: list[QWidget] = []
        self._pages: list[QWidget] = []
        self._middle_parts: list[QWidget] = []
        self._ends: list[Callable[[], object]] = []
        self._ends.append(FocusRing(window, self.theme).release)
        window.setCentralWidget(self.middle)
        window.setStatusBar(self.status)

    @property
    def reading_order(self) -> list[QWidget]:
        """The parts as Tab goes through them."""
        bar = [self.toolbar] if self.toolbar is not None else []
        left, around = self.docks.reading_order
        return [*bar, *self._cards, *self._pages, *left, *self._middle_parts, *around, self.toasts, self.status]

    def add_dock(
        self, name: str, title: str, content: QWidget, title_bar: TitleBar, *, comes_by_itself: bool = False
    ) -> None:
        self.docks.add(name, title, content, title_bar, comes_by_itself=comes_by_itself)
        self.toasts.keep_free(title_bar)
        if comes_by_itself:
            self.toasts.keep_free(content)

    def bring(self, name: str, height_px: int) -> None:
        self.docks.bring(name, height_px)

    def send_away(self, name: str) -> None:
        self.docks.send_away(name)

    def set_middle(self, way: Way, on_return: Callable[[], object]) -> None:
        self.middle.set_view(way, on_return)
        self._middle_parts += way.parts

    def add_ways(self, ways: Sequence[Way]) -> None:
        self.middle.add_ways(ways)
        self._middle_parts += [part for way in ways for part in way.parts]

    def next_way(self) -> None:
        self.middle.next_way()

    def show_way(self, part: QWidget) -> None:
        self.leave_page()
        self.middle.show_way(part)

    def add_page(self, page: QWidget) -> None:
        self.middle.addWidget(page)
        self._pages.append(page)

    def show_page(self, page: QWidget, first: QWidget) -> None:
        self.middle.show_page(page, first)

    def leave_page(self) -> None:
        self.middle.leave_page()

    def add_card(self, card: QWidget) -> None:
        self._cards.insert(0, card)

    def order_tabs(self) -> None:
        tab_order.chain(self.reading_order)

    def add_status_button(self, entry_name: str, words: str, tip: str) -> QToolButton:
        return self.status.add_button(entry_name, words, tip)

    def go_to(self, name: str, part: QWidget) -> None:
        self.show_way(part)
        if name in self.docks:
            self.docks.reveal(name)
        first = next((stop for stop in tab_order.stops(part) if stop.isVisible()), part)
        first.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def reveal(self, name: str) -> None:
        self.docks.reveal(name)

    def raise_window(self) -> None:
        window = self.host
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()

    def draw_attention(self, call: Call) -> None:
        self.attention_asked.emit(call)

    def drop_attention(self, call: Call) -> None:
        self.attention_dropped.emit(call)

    def notify(self, title: str, words: str) -> None:
        self.notified.emit(title, words)

    def copy(self, text: str, said: str) -> None:
        QApplication.clipboard().setText(text)
        self.toasts.tell(said, tone="ok", is_kept=False)

    def at_end(self, end: Callable[[], object]) -> None:
        self._ends.append(end)

    def release(self) -> None:
        """Let go of stores, tasks and threads; a second call does nothing."""
        ends, self._ends = self._ends, []
        self.subscriptions.cut()
        self.background.cancel()
        for end in ends:
            end()
        self.pictures.close()
        self.theme.release()
