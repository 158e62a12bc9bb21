"""The docks of the window: made, put in their places, floated, found again."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QMainWindow, QWidget

from kapture_panel.window.shell import window_layout
from kapture_panel.window.widgets.dock import Dock, TitleBar

_Area = Qt.DockWidgetArea
#: The order of reading; others come after these.
_ORDER = ("tabs", "screenshots", "agents", "approvals", "console", "history")
_SIZES_PX = {"tabs": 250, "screenshots": 300, "console": 290}
#: A smaller window gives more of itself to its middle, where a form must show its Run button.
_SMALL_HEIGHT_PX = 800
_NARROWEST = 0.7
#: What the middle needs to show the widest form whole, and a short one with some of its answer.
_MIDDLE_PX = {Qt.Orientation.Horizontal: 610, Qt.Orientation.Vertical: 390}
#: A dock that comes by itself takes no more of the window.
_MOST_OF_HEIGHT = 0.75
#: What it leaves at least to those above and below it where there is room: a few lines of words.
_LEAST_BESIDE_PX = 100
_AREAS = {
    Qt.Orientation.Horizontal: (_Area.LeftDockWidgetArea, _Area.RightDockWidgetArea),
    Qt.Orientation.Vertical: (_Area.BottomDockWidgetArea,),
}


class Docks:
    """The parts around the middle of `window`, by the names under which their places are kept."""

    def __init__(self, window: QMainWindow) -> None:
        self._window = window
        self._docks: dict[str, Dock] = {}
        #: Those that come by themselves: how high, or 0 while they are away.
        self._wanted: dict[str, int] = {}
        #: How high each of these and those in its column were before and after they were made as high as wanted.
        self._lent: dict[str, dict[Dock, tuple[int, int]]] = {}
        #: What docks have given to the middle: their sizes before and after, by name.
        self._given: dict[Qt.Orientation, dict[str, tuple[int, int]]] = {}
        window.setCorner(Qt.Corner.BottomRightCorner, _Area.RightDockWidgetArea)
        window.setCorner(Qt.Corner.BottomLeftCorner, _Area.BottomDockWidgetArea)

    def add(
        self, name: str, title: str, content: QWidget, title_bar: TitleBar, *, comes_by_itself: bool = False
    ) -> None:
        """Make the dock called `name`."""
        dock = Dock(name, title, content, title_bar)
        if comes_by_itself:
            self._wanted[name] = 0
        self._window.addDockWidget(_Area.RightDockWidgetArea, dock)
        dock.setVisible(not comes_by_itself)
        made = {**self._docks, name: dock}
        self._docks = {one: made[one] for one in sorted(made, key=_place)}

    @property
    def titles(self) -> dict[str, str]:
        """What each that a person shows and hides is called, in the order of reading."""
        return {name: dock.windowTitle() for name, dock in self._docks.items() if name not in self._wanted}

    def __contains__(self, name: str) -> bool:
        """Whether there is a dock called `name`."""
        return name in self._docks

    def __getitem__(self, name: str) -> Dock:
        """The dock called `name`."""
        return self._docks[name]

    @property
    def reading_order(self) -> tuple[list[QWidget], list[QWidget]]:
        """What is read before the middle of the window, and after it."""
        parts = {name: [dock.titleBarWidget(), dock.widget()] for name, dock in self._docks.items()}
        left = parts.pop("tabs", [])
        return left, [part for pair in parts.values() for part in pair]

    def hide(self) -> None:
        """Hide all of them but those that come by themselves."""
        for name, dock in self._docks.items():
            if name not in self._wanted:
                dock.hide()

    def bring(self, name: str, height_px: int) -> None:
        """Show a dock that comes by itself, on top of what shares its place."""
        was_away = not self._wanted[name]
        self._wanted[name] = height_px
        if was_away:
            self._docks[name].show()
            self._docks[name].raise_()
        self._give_room(name, may_shrink=was_away)

    def send_away(self, name: str) -> None:
        """Hide a dock that comes by itself."""
        self._wanted[name] = 0
        self._docks[name].hide()

    def show_wanted(self) -> None:
        """Have those that come by themselves as they are wanted, whatever a kept layout says."""
        for name, height_px in self._wanted.items():
            self._docks[name].setVisible(height_px > 0)
            self._give_room(name)

    def _give_room(self, name: str, *, may_shrink: bool = False) -> None:
        """Make a dock as high as it is wanted, or nearly. What it got so before it gives back first, unless somebody
        has moved them since; all in one step, for what is in it measures itself at every other height."""
        dock, height_px = self._docks[name], self._wanted[name]
        layout = self._window.layout()
        if not height_px or dock.isFloating() or layout is None:
            return
        layout.activate()  # or what was wanted before is still to come
        others = [other for other in self._docks.values() if other is not dock and _share_column(other, dock)]
        now = {one: one.height() for one in (dock, *others)}
        lent = self._lent.get(name, {})
        is_ours = {one: after for one, (_before, after) in lent.items()} == now
        base = {one: before for one, (before, _after) in lent.items()} if is_ours else now
        beside_px = _LEAST_BESIDE_PX if self._window.height() >= _SMALL_HEIGHT_PX else 0
        least_px = {other: max(other.minimumSizeHint().height(), beside_px) for other in others}
        spare_px = {other: max(base[other] - least_px[other], 0) for other in others}
        whole_px = min(height_px + dock.titleBarWidget().height(), int(self._window.height() * _MOST_OF_HEIGHT))
        more_px = min(whole_px - base[dock], sum(spare_px.values()))
        if more_px < 0:
            spare_px = {other: max(base[other], 1) for other in others}  # who is larger gets more of it
        if not others or (more_px < 0 and not (is_ours or may_shrink)):
            return
        part = more_px / max(sum(spare_px.values()), 1)
        wanted = {dock: base[dock] + more_px} | {one: base[one] - round(spare_px[one] * part) for one in others}
        if wanted == now:
            return
        self._window.resizeDocks(list(wanted), list(wanted.values()), Qt.Orientation.Vertical)
        layout.activate()
        self._lent[name] = {one: (base[one], one.height()) for one in wanted}

    def reveal(self, name: str) -> None:
        """Show a dock, on top where it shares its place."""
        dock = self._docks[name]
        dock.show()
        dock.raise_()

    def float_or_dock(self, name: str) -> None:
        """Take a dock out of the window, on a screen that is there, or put it back."""
        dock = self._docks[name]
        dock.show()
        dock.setFloating(not dock.isFloating())
        if dock.isFloating():
            window_layout.bring_back(dock)

    def share_room(self) -> None:
        """Have the docks give way to a middle too small for a form, and take that back when there is room again."""
        for orientation in _MIDDLE_PX:
            self._share_room(orientation)

    def _share_room(self, orientation: Qt.Orientation) -> None:
        is_across = orientation == Qt.Orientation.Horizontal

        def length(size: QSize) -> int:
            return size.width() if is_across else size.height()

        middle, layout = self._window.centralWidget(), self._window.layout()
        if middle is None or layout is None:
            return  # of a window that is being made
        spare = length(middle.size()) - _MIDDLE_PX[orientation]
        docks = self._ones_at(_AREAS[orientation])
        sizes = {name: length(dock.size()) for name, dock in docks.items()}
        given = self._given.get(orientation, {})
        if spare < 0:
            most = {name: sizes[name] - length(dock.minimumSizeHint()) for name, dock in docks.items()}
        elif spare > 0 and sizes == {name: after for name, (_before, after) in given.items()}:
            # Nobody has moved them since.
            most = {name: after - before for name, (before, after) in given.items()}
        else:
            return
        share = min(1.0, abs(spare) / max(abs(sum(most.values())), 1))
        wanted = {name: sizes[name] - round(most[name] * share) for name in docks}
        if not docks or wanted == sizes:
            return
        self._window.resizeDocks([docks[name] for name in wanted], list(wanted.values()), orientation)
        layout.activate()
        self._given[orientation] = {
            name: (given[name][0] if name in given else sizes[name], length(docks[name].size())) for name in docks
        }

    def _ones_at(self, areas: tuple[Qt.DockWidgetArea, ...]) -> dict[str, Dock]:
        """One dock of each area that has any in sight: the others there are as wide, or as high."""
        found: dict[Qt.DockWidgetArea, str] = {}
        for name, dock in self._docks.items():
            area = self._window.dockWidgetArea(dock)
            if area in areas and dock.isVisible() and not dock.isFloating():
                found.setdefault(area, name)
        return {name: self._docks[name] for name in found.values()}

    def reset(self) -> None:
        """Put every dock where it was in the beginning."""
        self._given.clear()
        window, docks = self._window, self._docks
        for name, dock in docks.items():
            area = {"tabs": _Area.LeftDockWidgetArea, "console": _Area.BottomDockWidgetArea}
            area |= {"history": _Area.BottomDockWidgetArea}
            dock.setFloating(False)
            window.addDockWidget(area.get(name, _Area.RightDockWidgetArea), dock)
            dock.setVisible(self._wanted.get(name, 1) > 0)
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        window.splitDockWidget(docks["screenshots"], docks["agents"], down)
        window.splitDockWidget(docks["agents"], docks["approvals"], down)
        window.splitDockWidget(docks["console"], docks["history"], across)
        share = min(1.0, max(window.width() / window_layout.DEFAULT_SIZE.width(), _NARROWEST))
        sides = [int(_SIZES_PX[name] * share) for name in ("tabs", "screenshots")]
        window.resizeDocks([docks["tabs"], docks["screenshots"]], sides, across)
        room = max(window.width() - sides[1], 2)
        window.resizeDocks([docks["console"], docks["history"]], [room // 2, room // 2], across)
        bottom = window.height() // (3 if window.height() >= _SMALL_HEIGHT_PX else 4)
        window.resizeDocks([docks["console"]], [min(_SIZES_PX["console"], bottom)], down)
        layout = window.layout()
        if layout is not None:
            layout.activate()  # or the heights are those of before
        # One line goes through the window: the agents begin where the console does.
        low_px, column_px = docks["console"].height(), docks["screenshots"].height() + docks["agents"].height()
        window.resizeDocks([docks["screenshots"], docks["agents"]], [max(column_px - low_px, 1), low_px], down)
        self.show_wanted()


def _share_column(one: Dock, other: Dock) -> bool:
    """Whether one dock stands above the other."""
    is_there = one.isVisible() and not one.isFloating()
    return is_there and (one.x(), one.width()) == (other.x(), other.width())


def _place(name: str) -> int:
    return _ORDER.index(name) if name in _ORDER else len(_ORDER)
