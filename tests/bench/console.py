"""How long the window's thread is held by the console at 100,000 lines: `make bench ARGS=console`."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from kapture_panel import paths
from kapture_panel.core.basics.settings import Settings
from kapture_panel.core.registry.tabs import Tabs
from kapture_panel.core.stores.console import Console
from kapture_panel.core.wire.events import ConsoleSaid
from kapture_panel.window.page.console_model import ConsoleModel
from kapture_panel.window.page.console_view import ConsoleView
from kapture_panel.window.widgets.app import make_application
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.theme import Theme
from tests.bench.goals import Table

LINES = 100_000
LEVELS = ("log", "info", "warn", "error", "debug")
#: Settles before it is measured: what the first frames cost is not what a person feels later.
WARM_UP_FRAMES = 20
#: A turn with so little work is one in which nothing was due.
_IDLE_MS = 0.05


def lines(start: int, number: int) -> list[ConsoleSaid]:
    return [
        ConsoleSaid(
            at=at, level=LEVELS[at % 5], source=f"shop.js:{at % 500}",
            text=f"order {at} placed by customer {at % 977}: {'x' * (at % 60)}",
        )
        for at in range(start, start + number)
    ]  # fmt: skip


class Frame(NamedTuple):
    """How long a turn of the event loop took, and how long the window's thread worked in it."""

    wall_ms: float
    work_ms: float


class Bench:
    """A console of 100,000 lines of ten tabs in a view the size of a large dock."""

    def __init__(self, app: QApplication, folder: Path) -> None:
        settings = Settings(folder / "settings.json")
        settings.set("theme", "light")
        self.app, self.subscriptions, self.console, tabs = app, Subscriptions(), Console(), Tabs()
        for tab in range(10):
            self.console.append(f"t{tab}", lines(tab * LINES // 10, LINES // 10))
        self.model = ConsoleModel(self.console, self.subscriptions)
        self.theme = Theme(app, settings, paths.resources() / "theme")
        self.theme.dress()
        self.view = ConsoleView(self.model, tabs, self.subscriptions, self.theme)
        self.view.resize(900, 500)
        self.view.show()
        assert self.model.rowCount() == LINES
        for _ in range(WARM_UP_FRAMES):
            self.frame()

    def frame(self, change: Callable[[], object] = lambda: None) -> Frame:
        """What a change and all that follows it in one turn of the event loop take."""
        began, worked = time.perf_counter(), time.thread_time()
        change()
        self.app.processEvents()
        return Frame((time.perf_counter() - began) * 1000, (time.thread_time() - worked) * 1000)

    def scrolling(self) -> list[Frame]:
        """300 steps over the whole list, each painted."""
        bar = self.view.table.verticalScrollBar()
        return [self.frame(lambda at=at: bar.setValue(at * bar.maximum() // 300)) for at in range(300)]  # type: ignore[misc]

    def filtering(self) -> list[Frame]:
        """Typing, deleting, patterns, levels; every turn until each filter is applied."""
        return [took for change in self._filters() for took in self._until_applied(change)]

    def tail(self) -> list[Frame]:
        """200 batches of 100 lines with the oldest leaving, under a filter and without; each turn."""
        taken = []
        for at in range(200):
            if at == 100:
                taken += self._until_applied(lambda: self.view.field.edit.setText("customer 5"))
            taken.append(self.frame(lambda at=at: self.console.append("t0", lines(LINES + at * 100, 100))))  # type: ignore[misc]
            taken.append(self.frame(self.model._throttle.flush))
        return taken

    def close(self) -> None:
        self.subscriptions.cut()
        self.theme.release()
        self.view.deleteLater()

    def _filters(self) -> Iterator[Callable[[], object]]:
        edit, pattern = self.view.field.edit, self.view.field.pattern
        for text in ("o", "or", "order 77", "customer 12", "", "no such line", ""):
            yield lambda text=text: edit.setText(text)  # type: ignore[misc]
        yield lambda: pattern.setChecked(True)
        for text in (r"order \d+7 placed", r"(x+)+$", r"(x+x+)+y", ""):
            yield lambda text=text: edit.setText(text)  # type: ignore[misc]
        yield lambda: pattern.setChecked(False)
        for level in LEVELS[:4]:
            yield lambda level=level: self.view.chips[level].toggle()  # type: ignore[misc]

    def _until_applied(self, change: Callable[[], object]) -> list[Frame]:
        taken = [self.frame(change)]
        until = time.perf_counter() + 0.2  # longer than the field waits for the next key
        while self.model.is_filtering or time.perf_counter() < until:
            taken.append(self.frame())
        return [frame for frame in taken if frame.work_ms > _IDLE_MS] or taken[:1]


def told(taken: list[Frame]) -> dict[str, float]:
    """The 99th percentile of the work, for other programs on the machine are not our doing; and what stands beside."""
    wall, work = [frame.wall_ms for frame in taken], [frame.work_ms for frame in taken]
    return {
        "figure": statistics.quantiles(work, n=100)[98], "median": statistics.median(work), "worst": max(work),
        "by_the_clock": statistics.quantiles(wall, n=100)[98],
    }  # fmt: skip


def measure(table: Table) -> None:
    """Scrolling, filtering and the live tail."""
    app = QApplication.instance() or make_application(["bench"])
    assert isinstance(app, QApplication)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(app, Path(folder))
        table.add("console at 100,000 lines, scrolling, p99", **told(bench.scrolling()))
        table.add("console at 100,000 lines, filtering, p99", **told(bench.filtering()))
        table.add("console at 100,000 lines, live tail, p99", **told(bench.tail()))
        bench.close()
