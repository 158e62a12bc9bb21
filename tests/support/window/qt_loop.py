"""Async tests on the loop the program uses."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterable
from functools import wraps
from typing import Any, ParamSpec

import qasync
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QApplication

from kapture_panel.window.widgets.app import Application
from tests.support.patience import PATIENCE_S

P = ParamSpec("P")


def on_qt_loop(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Run an async test on a qasync loop of its own."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        loop = qasync.QEventLoop(QApplication.instance())
        asyncio.set_event_loop(loop)
        try:
            loop.run_until_complete(_whole(test(*args, **kwargs)))
        finally:
            loop.close()
            asyncio.set_event_loop(None)

    return run


async def _whole(test: Coroutine[Any, Any, None]) -> None:
    """The test, and the end of all that it began."""
    try:
        async with asyncio.timeout(2 * PATIENCE_S):
            await test
    finally:
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)


async def until(condition: Callable[[], object], what: str = "", timeout_s: float = PATIENCE_S) -> None:
    """Let Qt and asyncio go on until `condition` holds."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, f"never came: {what or condition}"
        await asyncio.sleep(0.005)


async def settle(seconds: float = 0.08) -> None:
    """Let what was coalesced reach the views."""
    await asyncio.sleep(seconds)


def bury(thing: QObject) -> None:
    """Delete now what `deleteLater` would keep until an event loop begins, styled again with every test."""
    bury_all([thing])
    app = QCoreApplication.instance()
    assert isinstance(app, Application)
    app.garbage.on_idle()  # few tests let the event loop wait


def bury_all(things: Iterable[QObject]) -> None:
    """As `bury`, and all that waits for its end already; what lies about in memory may wait."""
    for thing in things:
        thing.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
