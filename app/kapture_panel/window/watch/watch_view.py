"""The middle of the window as the page of the chosen tab: live, with what is done in it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QKeyEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.wire.watching import Input
from kapture_panel.window.watch.act_line import ActLine
from kapture_panel.window.watch.acts import Acts
from kapture_panel.window.watch.band import Band
from kapture_panel.window.watch.grid_view import GridView
from kapture_panel.window.watch.hands import Hands
from kapture_panel.window.watch.live_pictures import LivePictures
from kapture_panel.window.watch.note_bar import NoteBar
from kapture_panel.window.watch.page_view import PageView
from kapture_panel.window.watch.past_view import PastView
from kapture_panel.window.watch.timeline import Timeline
from kapture_panel.window.widgets import figures, tab_names
from kapture_panel.window.widgets.buttons import icon_button, text_button, toggle
from kapture_panel.window.widgets.dock import TitleBar
from kapture_panel.window.widgets.empty_state import EmptyState
from kapture_panel.window.widgets.theme import Theme

Kept = Callable[[QKeyEvent], bool]

#: A window that is being resized asks for pictures of its new size once it has come to rest.
_REST_MS = 120
_NO_TAB = ("No tab to watch", "Start a browser here, or press Connect in the Kapture extension of your own browser.")
#: What stands in the middle.
_NONE, _ONE, _ALL = range(3)
_NO_PICTURES = "No picture of this was recorded."
_LET_GO = "The agents are paused, so your browser is disconnected. Resume the agents to see this tab again."


class WatchView(QWidget):
    """Shows one tab as long as it is visible itself.

    `start_asked` is for a browser; `dialog_answered` carries the tab and whether its dialog is accepted; `reload_asked`
    the tab whose page has crashed; `step_asked` the tab, and whether the person wants it or gives it back; `row_asked`
    a row that is to be seen in full; `record_asked` is for pictures of what will be done; `video_asked` has the tab
    whose video is to begin, or to stop; `tab_shown` tells that another tab may be shown.
    """

    start_asked = Signal()
    dialog_answered = Signal(object, bool)
    reload_asked = Signal(object)
    step_asked = Signal(object, bool)
    row_asked = Signal(object)
    record_asked = Signal()
    video_asked = Signal(object)
    tab_shown = Signal()

    def __init__(
        self,
        live: LivePictures,
        grid: GridView,
        timeline: Timeline,
        past: PastView,
        acts: Acts,
        give: Callable[[str, Input], object],
        kept: Kept,
        theme: Theme,
    ) -> None:
        super().__init__()
        self._live = live
        self._acts = acts
        self._tab: Tab | None = None
        self._is_mine: Callable[[Tab], bool] = lambda _tab: False
        self._records: Callable[[], bool] = lambda: False
        self._crashed = ""
        self.title_bar = TitleBar("Watch", theme)
        self.all = icon_button(theme, "mdi6.view-grid-outline", "All tabs at a glance")
        self.all.setCheckable(True)
        self.all.setProperty("kind", "toggle")
        self.follow = toggle("Follow agents", "Show the tab that an agent acts in")
        for button in (self.all, self.follow):
            self.title_bar.add(button)
        self.page = PageView(theme)
        self.band = Band()
        self.recorded = Band()
        self.recorded.setAccessibleName("About the video")
        self.timeline = timeline
        self.past = past
        self._pages = QStackedWidget()
        self.hands = Hands(self.page, lambda what: self._tab and give(self._tab.tab_id, what), kept)
        self.line = ActLine(theme)
        self.step_button, self.point_button = self.line.step, self.line.point
        self.note = NoteBar()
        self.start_button = text_button(theme, "mdi6.application-outline", "Start browser", self.start_asked.emit)
        self._stack = QStackedWidget()
        self._stack.addWidget(EmptyState(*_NO_TAB, self.start_button))
        self._stack.addWidget(self._around_page())
        self.grid = grid
        self._stack.addWidget(grid)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.title_bar)
        column.addWidget(self._stack, 1)
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._look)
        self._connect()

    def _connect(self) -> None:
        self.line.step.clicked.connect(self.toggle_step)
        self.line.point.clicked.connect(self.begin_pointing)
        self.line.video.clicked.connect(self._ask_video)
        self.page.roomed.connect(self._on_roomed)
        self.page.painted.connect(self._live.painted)
        self._live.came.connect(self._on_picture)
        self._acts.changed.connect(self._on_act)
        self.all.toggled.connect(self._on_all)
        self.grid.opened.connect(lambda _tab: self.all.setChecked(False))
        self.grid.left.connect(lambda: self.all.setChecked(False))
        self.timeline.strip.chosen.connect(self._on_past)
        self.timeline.strip.asked.connect(self.row_asked)
        for changed in (
            self.timeline.model.modelReset,
            self.timeline.model.rowsInserted,
            self.timeline.model.rowsRemoved,
        ):
            changed.connect(self._mark)

    def know(self, is_mine: Callable[[Tab], bool], records: Callable[[], bool]) -> None:
        """Let `is_mine` say whether the person has stepped into a tab, and `records` whether pictures are recorded."""
        self._is_mine, self._records = is_mine, records

    @property
    def reading_order(self) -> list[QWidget]:
        """The parts, first the one a person begins with."""
        return [
            self.title_bar,
            self.recorded,
            self.band,
            self.note,
            self.page,
            self.timeline,
            self.line,
            self.grid,
            self.start_button,
        ]

    @property
    def tab(self) -> Tab | None:
        """The tab that is shown."""
        return self._tab

    def show_tab(self, tab: Tab | None) -> None:
        """Show another tab, or the same as it is now."""
        is_other = (tab.tab_id if tab else "") != (self._tab.tab_id if self._tab else "")
        self._tab = tab
        if is_other:
            self._crashed = ""
            self.note.leave()
            self.page.clear("")
        self.timeline.model.show_tab(tab.tab_id if tab is not None else "")
        self._arrange()
        self._say()
        self._mark()
        self._look()
        self.tab_shown.emit()

    def _on_all(self, is_all: bool) -> None:
        had_focus = self.grid.hasFocus()
        self._arrange()
        if is_all and self._tab is not None:
            self.grid.choose(self._tab.tab_id)
            self.grid.setFocus(Qt.FocusReason.OtherFocusReason)
        elif had_focus:
            self.all.setFocus(Qt.FocusReason.OtherFocusReason)

    def _arrange(self) -> None:
        """Show one tab, all, or that there is none."""
        tab = self._tab
        is_all = tab is not None and self.all.isChecked()
        self.title_bar.say(tab_names.name(tab) if tab is not None and not is_all else "")
        self.all.setEnabled(tab is not None)
        self._stack.setCurrentIndex(_NONE if tab is None else _ALL if is_all else _ONE)

    def toggle_step(self) -> None:
        """Ask for the tab's mouse and keys, or give them back."""
        if self._tab is not None and self._tab.state != "paused":
            self.timeline.strip.go_live()
            self.step_asked.emit(self._tab, not self._is_mine(self._tab))

    def begin_pointing(self) -> None:
        """Have the person press the place they want to say something about."""
        self.all.setChecked(False)
        self.timeline.strip.go_live()
        self.page.point(self._tab is not None and not self.hands.is_on)

    def say_recorded(self, words: str) -> None:
        """Say that the tab is recorded, with a button that stops it; nothing hides it."""
        self.recorded.say(words, *([("Stop recording", self._ask_video)] if words else []))
        self.line.video.setVisible(not words)

    def _ask_video(self) -> None:
        if self._tab is not None:
            self.video_asked.emit(self._tab)

    def on_held(self, tab_id: str) -> None:
        """Another one holds the tab, or nobody."""
        if self._tab is not None and tab_id == self._tab.tab_id:
            self._say()

    def on_crashed(self, tab: Tab) -> None:
        """The page of a tab is gone."""
        if self._tab is not None and tab.tab_id == self._tab.tab_id:
            self._crashed = tab.tab_id
            self._say()

    def on_navigated(self, tab: Tab) -> None:
        """It has another one."""
        if tab.tab_id == self._crashed:
            self._crashed = ""
            self._say()

    def _around_page(self) -> QWidget:
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._pages.addWidget(self.page)
        self._pages.addWidget(self.past)
        column.addWidget(self.recorded)
        column.addWidget(self.band)
        column.addWidget(self.note)
        column.addWidget(self._pages, 1)
        column.addWidget(self.timeline)
        column.addWidget(self.line)
        return whole

    def _say(self) -> None:
        tab = self._tab
        is_mine = tab is not None and self._is_mine(tab)
        self._show_step(is_mine)
        if (row := self.timeline.row) is not None:
            self._say_past(row)
        elif tab is None or tab.state == "paused":
            self.band.say("")
        elif tab.has_dialog:
            answer = partial(self.dialog_answered.emit, tab)
            words = "This page shows a dialog and waits for its answer."
            self.band.say(words, ("Cancel", partial(answer, False)), ("OK", partial(answer, True)))
        elif self._crashed:
            self.band.say("This page has crashed.", ("Load it again", lambda: self.reload_asked.emit(tab)))
        elif is_mine:
            self.band.say("You have stepped in. Agents cannot act in this tab.", ("Give back", self.toggle_step))
        else:
            self.band.say("")

    def _on_past(self, row: Row | None) -> None:
        """Look at what was done, or at now."""
        self._pages.setCurrentWidget(self.past if row is not None else self.page)
        if row is not None:
            self.past.show_pictures(self.timeline.model.pictures_of(row), _NO_PICTURES)
        self._say()
        self._mark()

    def _say_past(self, row: Row) -> None:
        ways: list[tuple[str, Callable[[], object]]] = [
            ("Show row", partial(self.row_asked.emit, row)),
            ("Live", self.timeline.strip.go_live),
        ]
        if not (row.before or row.after or row.shot) and not self._records():
            ways.insert(0, ("Record pictures from now on", self.record_asked.emit))
        self.band.say(f"As it was at {figures.clock(row.at)}", *ways)

    def _show_step(self, is_mine: bool) -> None:
        """Have mouse and keys go to the page, or not."""
        self.step_button.setEnabled(self._tab is not None and self._tab.state != "paused")
        self.step_button.setVisible(not is_mine)
        self.point_button.setEnabled(self.step_button.isEnabled())
        self.line.video.setEnabled(self.step_button.isEnabled())
        self.point_button.setVisible(not is_mine)
        if self.hands.is_on != is_mine:
            self.hands.turn(is_mine)
            self.page.outline(is_mine)

    def _on_roomed(self) -> None:
        if not self.page.isVisible():
            self._rest.stop()
            self._live.look_away()
        elif self._live.tab_id:
            self._rest.start()
        else:
            self._look()

    def _look(self) -> None:
        tab = self._tab
        if tab is None or not self.page.isVisible():
            self._live.look_away()
        elif tab.state == "paused":
            self._live.look_away()
            self.page.clear(_LET_GO)
        else:
            if self.page.image.isNull():
                self.page.clear("Waiting for the page …")
            self._live.look(tab.tab_id, self.page.room)

    def _on_picture(self, image: QImage, viewport: QSizeF) -> None:
        self.page.show_picture(image, viewport)

    def _on_act(self, tab_id: str) -> None:
        if self._tab is not None and tab_id == self._tab.tab_id:
            self._mark()

    def _mark(self) -> None:
        tab_id = self._tab.tab_id if self._tab is not None else ""
        act = self._acts.last(tab_id)
        row = self.timeline.row or (self.timeline.model.newest if act is None else None)
        self.line.show_act(self.timeline.model.act_of(row) if row is not None else act)
        self.page.mark(act, self._acts.pointer(tab_id))
