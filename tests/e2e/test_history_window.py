"""The history dock over a real browser: a row is run again, a recording is exported, by keys and the mouse."""

from __future__ import annotations

import asyncio
import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kapture_panel import export
from kapture_panel.core.basics.settings import RECORD_PICTURES
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.stores import recorder
from kapture_panel.demo.witness import Witness
from kapture_panel.hub.host.instance import Instance
from kapture_panel.hub.hub import Hub, Options
from kapture_panel.paths import DataDir
from kapture_panel.programs import panel as program
from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets.app import make_application
from kapture_panel.window.widgets.roles import ITEM
from tests.support.patience import PATIENCE_MS
from tests.support.window.qt_loop import bury, on_qt_loop, until

SAID = "document.querySelector('#said').textContent"


@contextlib.asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[tuple[Hub, MainWindow]]:
    data = DataDir.open(str(folder))
    instance = Instance(data.lock)
    assert instance.acquire(lambda: False)
    try:
        async with program.opened(data, instance, Options(port=0, headless=True), asyncio.Event()) as (hub, window):
            window.resize(1440, 900)
            window.show()
            window.reset_layout()
            await hub.browsers.open(in_front=True)
            yield hub, window
        bury(window)  # while what it shows is alive: afterwards its views' end kills the process
    finally:
        instance.release()


def test_a_row_is_run_again_and_a_recording_exported(
    pages: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder, "TIMEOUT_MS", PATIENCE_MS)
    app = QApplication.instance() or make_application(["kapture-tests"])
    assert app is not None
    _run(pages, tmp_path)


@on_qt_loop
async def _run(pages: str, tmp_path: Path) -> None:
    async with opened(tmp_path / "data") as (hub, window):
        history = window.rooms.history.view
        hub.state.settings.set(RECORD_PICTURES, True)
        agent = Client("codex", "agent")
        hub.state.clients.add(agent)
        await hub.core.router.run(agent, "navigate", {"url": f"{pages}/exports.html"})
        await hub.core.router.run(agent, "click", {"selector": "li button"})
        model = history.table.model()
        await until(lambda: model.rowCount() == 2 and model.index(0, 0).data(ITEM).after)

        history.table.setFocus()
        QTest.keyClick(history.table, Qt.Key.Key_Home)
        await until(lambda: not any(one.image.isNull() for one in history.detail.pictures), "the pictures")
        before, _ = history.detail.pictures
        assert (before.image.width(), before.image.height()) == (1280, 720)
        QTest.keyClick(history.table, Qt.Key.Key_Return)
        assert history.question.isVisible()
        QTest.mouseClick(history.question.run_button, Qt.MouseButton.LeftButton)
        await until(lambda: window.rooms.command.view.task is None and model.rowCount() == 3)
        assert hub.browsers.shared is not None
        witness = Witness(hub.browsers.shared.pipe, pages)
        assert await witness.see(SAID, "/exports.html") == "add0;add0;"
        assert hub.state.history.rows(limit=1)[0].kind == "person"

        for key in export.FORMATS:
            dialog = history.exports.ask_where(key, None)
            assert dialog is not None
            file = tmp_path / f"out{export.FORMATS[key][1]}"
            dialog.fileSelected.emit(str(file))
            dialog.close()
            await until(lambda: not history.exports.work.is_working, key)
            assert window.shell.toasts.shown[-1].title == "History exported"
        assert [row["command"] for row in json.loads((tmp_path / "out.json").read_text())] == [
            "navigate", "click", "click",
        ]  # fmt: skip
        assert (tmp_path / "out.html").read_text().count("<figcaption>") >= 5
        hub.state.clients.remove(agent)
