"""Frames of the history dock over a full history: `make bench ARGS=history`."""

from __future__ import annotations

import os
import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from kapture_panel import paths
from kapture_panel.core.basics.settings import Settings
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.stores.history import History
from kapture_panel.core.stores.history_file import MAX_ROWS
from kapture_panel.window.history.history_model import HistoryModel
from kapture_panel.window.history.history_table import HistoryTable
from kapture_panel.window.widgets.app import make_application
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.theme import Theme
from tests.bench.console import Frame, told
from tests.bench.goals import Table

FILTERS = ("cmd:fill", "agent:agent status:ok", "page/49", "-cmd:click site:shop7", "nothing at all", "", "ÄÖ", "")


def fill(path: Path) -> None:
    """A history of as many rows as are kept, of the size real ones have."""
    History(path).close()
    targets = '[{"selector": "html > body > main > ul > li:nth-of-type(2) > button", "role": "button", "name": "Add"}]'
    rows = (
        (
            number + 1, time.time(), f"agent {number % 7}", "agent", f"t{number % 9}", f"shop{number % 50}.example",
            "https://shop.example/", ("click", "fill", "snapshot")[number % 3], '{"selector": "#pay"}', "ok", "",
            f"navigated to /page/{number} · 3 requests", 12.0, '{"requests": 3, "changed": true}', "", targets,
        )
        for number in range(MAX_ROWS)
    )  # fmt: skip
    with sqlite3.connect(path) as db:
        names = (
            "id, at, client, kind, tab_id, site, url, command, params, state, code, summary, ms, effects, shot, targets"
        )
        db.executemany(f"INSERT INTO commands ({names}) VALUES ({', '.join('?' * 16)})", rows)
    db.close()


class Bench:
    """A table the size of a large dock over a full history."""

    def __init__(self, app: QApplication, folder: Path) -> None:
        settings = Settings(folder / "settings.json")
        settings.set("theme", "light")
        fill(folder / "history.sqlite3")
        self.app, self.subscriptions = app, Subscriptions()
        self.history = History(folder / "history.sqlite3")
        self.theme = Theme(app, settings, paths.resources() / "theme")
        self.theme.dress()
        self.model = HistoryModel(self.history, Catalogue(paths.catalogue()), self.subscriptions)
        self.table = HistoryTable(self.model, self.theme, settings)
        self.table.resize(900, 500)
        self.table.show()
        self._until_found()
        for _ in range(10):
            self.frame()

    def frame(self, change: Callable[[], object] = lambda: None) -> Frame:
        """What a change and all that follows it in one turn of the event loop take."""
        began, worked = time.perf_counter(), time.thread_time()
        change()
        self.app.processEvents()
        return Frame((time.perf_counter() - began) * 1000, (time.thread_time() - worked) * 1000)

    def scrolling(self) -> list[Frame]:
        """300 steps over the whole list, each painted."""
        bar = self.table.verticalScrollBar()
        return [self.frame(lambda at=at: bar.setValue(at * bar.maximum() // 300)) for at in range(300)]  # type: ignore[misc]

    def filtering(self) -> list[Frame]:
        """Every turn until each filter has looked through all rows."""
        taken = []
        for text in FILTERS * 3:
            taken.append(self.frame(lambda text=text: self.model.set_filter(text)))  # type: ignore[misc]
            taken += self._until_found()
        return taken

    def close(self) -> None:
        self.subscriptions.cut()
        self.theme.release()
        self.table.deleteLater()
        self.history.close()

    def _until_found(self) -> list[Frame]:
        taken = []
        while self.model.is_searching:
            taken.append(self.frame())
        return taken


def measure(table: Table) -> None:
    """Scrolling and filtering."""
    app = QApplication.instance() or make_application(["bench"])
    assert isinstance(app, QApplication)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(app, Path(folder))
        table.add("history at full length, scrolling, p99", **told(bench.scrolling()))
        table.add("history at full length, filtering, p99", **told(bench.filtering()))
        bench.close()
