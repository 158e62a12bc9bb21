"""`kapture`: the panel's window and tray, over a hub in the same event loop."""

from __future__ import annotations

import argparse
import asyncio
import importlib
import logging
import os
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.hub.agent_door.agents import warm_up
from kapture_panel.hub.browsers.managed import has_display
from kapture_panel.hub.extension_door import ports
from kapture_panel.hub.extension_door.listener import check_free, free_port
from kapture_panel.hub.host.instance import Instance
from kapture_panel.hub.hub import Hub, Options
from kapture_panel.paths import DataDir
from kapture_panel.programs import owner

if TYPE_CHECKING:
    from kapture_panel.window.shell.main_window import MainWindow

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Port:
    """What the hub is told; None leaves the choice to it."""

    chosen: int | None


def run(options: argparse.Namespace) -> int:
    """Show the panel until the person quits it; when one runs already, raise that one instead."""
    if not has_display() and "QT_QPA_PLATFORM" not in os.environ:
        raise KaptureError("INTERNAL", "there is no display for a window", "without one use: kapture serve")
    data = owner.open_data(options.data_dir)
    instance = _take(data, quietly=options.tray, browser=options.browser)
    if instance is None:
        return 0
    try:
        owner.log_to(data)
        hub_options = owner.hub_options(options, headless=None)
        return run_in_qt(_main(data, instance, hub_options, show=not options.tray, browser=options.browser))
    finally:
        instance.release()


def run_in_qt(main: Coroutine[None, None, int]) -> int:
    """Run `main` to its end inside the Qt event loop.

    Raises:
        KaptureError: `INTERNAL`, the display went away under it.
    """
    _import_qt_plainly()
    from qasync import QEventLoop

    from kapture_panel.window.widgets.app import make_application

    app = make_application(sys.argv[:1])
    loop = QEventLoop(app)
    asyncio.set_event_loop(loop)
    # An exception in a slot ends up here; it must not pass unseen, nor end the panel.
    sys.excepthook = lambda kind, error, trace: log.critical("unexpected", exc_info=(kind, error, trace))
    try:
        with loop:
            # Never `app.quit()`: the loop ends because this coroutine returns, after everything was awaited.
            running = loop.create_task(main)
            try:
                return int(loop.run_until_complete(running))
            except RuntimeError:
                if running.done():
                    raise
                # Qt ended the loop by itself, as it does when it has no display any more.
                what = "the display has gone, and the window with it"
                raise KaptureError("INTERNAL", what, "start it again; without a display use: kapture serve") from None
    finally:
        sys.excepthook = sys.__excepthook__


@asynccontextmanager
async def opened(
    data: DataDir, instance: Instance, options: Options, ended: asyncio.Event
) -> AsyncIterator[tuple[Hub, MainWindow]]:
    """A running hub and its window, not shown yet; both are ended with the block.

    Args:
        data: the instance's places.
        instance: its lock.
        options: the person's choices.
        ended: set when the person, a signal or another program wants the end.
    """
    on_ask: dict[str, Callable[[], None]] = {}

    def on_control(ask: str) -> bool:
        if ask in on_ask:
            asyncio.get_running_loop().call_soon(on_ask[ask])
        return ask in ("raise", "start-browser")

    owner.end_on_signals(ended)
    hub = Hub(data, instance, options, on_control)
    try:
        await hub.start()
        # Both doors are open: whoever waits for us is served while the window is built.
        from kapture_panel.programs.window_backend import backend_of
        from kapture_panel.window.shell.main_window import MainWindow

        window = MainWindow(hub.core, backend_of(hub, data))
        on_ask.update({"raise": window.raise_window, "start-browser": window.rooms.browsers.managed.start})
        window.quit_requested.connect(ended.set)
        _spare_what_is_there()
        try:
            yield hub, window
        finally:
            window.release()
            window.hide()
    finally:
        await hub.stop()


def _import_qt_plainly() -> None:
    """Import Qt, and keep PySide6 from reading the source of every module imported after it.

    It looks there for its own name, to serve `from __feature__ import …`, which nothing here uses. That costs a
    quarter of a second and 20 MB at the start; and its questions to a module only half imported broke the import
    of pydantic in a second thread.
    """
    importlib.import_module("PySide6.QtCore")
    feature = sys.modules.get("shibokensupport.feature")
    if feature is not None and "_mod_uses_pyside" in vars(feature):
        vars(feature)["_mod_uses_pyside"] = lambda _module: False


async def _main(data: DataDir, instance: Instance, options: Options, *, show: bool, browser: bool) -> int:
    ended = asyncio.Event()
    port = await _free_port(data, options.port, in_front=show)
    if port is None:
        return 1
    options = replace(options, port=port.chosen)
    async with opened(data, instance, options, ended) as (_hub, window):
        if show:
            window.show()
        if browser:
            window.rooms.browsers.managed.start()
        preparing = tasks.spawn(_prepare_once_seen(window if show else None), "prepare for agents")
        await ended.wait()
        await tasks.end(preparing)
    return 0


async def _prepare_once_seen(window: MainWindow | None) -> None:
    """Prepare for agents when the window, if one was shown, has been painted: a thread that imports holds it up by half
    a second. An agent that comes sooner imports what it needs."""
    if window is not None:
        from kapture_panel.window.widgets.first_paint import FirstPaint

        painted = asyncio.Event()
        FirstPaint(window).painted.connect(painted.set)
        await painted.wait()
    await prepare_for_agents()


async def _free_port(data: DataDir, chosen: int | None, *, in_front: bool) -> _Port | None:
    """The port the person chose, or chooses now because another program has the one that is wanted.

    Returns:
        What to give to the hub, None when the person gives up.
    """
    wanted = ports.wanted(data, chosen)[-1]
    try:
        if wanted:
            check_free(wanted)
        return _Port(chosen)
    except KaptureError as error:
        return await _ask_for_port(data, wanted, error.what, in_front=in_front)


async def _ask_for_port(data: DataDir, wanted: int, why: str, *, in_front: bool) -> _Port | None:
    """Show who has the port, until the person has one that is free; only who started the panel themselves gets the
    window in front."""
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QApplication

    from kapture_panel import paths
    from kapture_panel.core.basics.settings import Settings
    from kapture_panel.window.shell.port_taken import PortTaken
    from kapture_panel.window.widgets.theme import Theme

    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme = Theme(app, Settings(data.settings), paths.resources() / "theme")
    theme.dress()
    answer: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
    asking = PortTaken(wanted, why, free_port(), check_free)
    asking.chosen.connect(answer.set_result)
    asking.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, not in_front)
    asking.show()
    if in_front:
        asking.raise_()
    try:
        port = await answer
    finally:
        theme.release()
        app.setStyleSheet("")
        asking.deleteLater()
    return None if port is None else _Port(port)


async def prepare_for_agents() -> None:
    """Import what the first agent would wait half a second for."""
    await warm_up()
    _spare_what_is_there()


def _spare_what_is_there() -> None:
    """Have the collector never look at it."""
    from kapture_panel.window.widgets.app import Application

    app = Application.instance()
    assert isinstance(app, Application)
    app.garbage.spare()


def _take(data: DataDir, *, quietly: bool, browser: bool) -> Instance | None:
    """The lock, or None after the running panel did what we were to do; a `serve` hands over to us."""
    instance = owner.take(data)
    if instance is not None or (quietly and not browser):
        return instance
    if (quietly or owner.ask(data, "raise")) and (not browser or owner.ask(data, "start-browser")):
        return None
    if quietly:
        raise KaptureError(
            "BUSY", "a panel without a window runs", "start its browser with a window: kapture --browser"
        )
    if owner.ask(data, "hand-over"):
        instance = Instance(data.lock)
        if instance.acquire(lambda: False):
            return instance
    raise KaptureError("BUSY", f"another program holds {data.root} and does not hand over", "end it first")
