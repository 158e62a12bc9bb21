"""`kapture serve`: the panel without a window, on plain asyncio."""

from __future__ import annotations

import argparse
import asyncio
import gc
import os

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.registry.clients import Client
from kapture_panel.hub.agent_door.agents import warm_up
from kapture_panel.hub.host.instance import Instance
from kapture_panel.hub.hub import Hub
from kapture_panel.paths import DataDir
from kapture_panel.programs import owner, terminal


def run(options: argparse.Namespace) -> int:
    """Serve until SIGTERM, Ctrl-C, a hand-over to a window, or the idle time."""
    data = owner.open_data(options.data_dir)
    instance = owner.take(data)
    if instance is None:
        if options.idle_exit is not None:
            return 0  # an agent's child started us at the same time as another one's
        raise KaptureError("BUSY", f"a panel already runs for {data.root}", "use it, or another --data-dir")
    try:
        owner.log_to(data)
        return asyncio.run(_serve(options, data, instance))
    finally:
        instance.release()


async def _warm_up() -> None:
    """What is there then lives as long as the panel: to go through all of it for cycles would hold everybody for a
    twentieth of a second, again and again."""
    await warm_up()
    gc.freeze()


async def _serve(options: argparse.Namespace, data: DataDir, instance: Instance) -> int:
    ended = asyncio.Event()
    owner.end_on_signals(ended)

    def on_control(ask: str) -> bool:
        if ask == "hand-over":
            ended.set()
        return ask == "hand-over"

    hub = Hub(data, instance, owner.hub_options(options, headless=options.headless or None), on_control)
    try:
        await hub.start()
        ending = tasks.spawn(ended.wait(), "wait for the end")
        starting = tasks.spawn(_ready(hub, options, data), "get ready")
        await asyncio.wait([ending, starting], return_when=asyncio.FIRST_COMPLETED)
        if starting.done():
            starting.result()
            if options.idle_exit is not None:
                _end_when_idle(hub, options.idle_exit, ended)
            warming = tasks.spawn(_warm_up(), "warm up for the first agent")
            await ending
            await tasks.end(warming)
        await tasks.end(starting)
    finally:
        await hub.stop()
    return 0


async def _ready(hub: Hub, options: argparse.Namespace, data: DataDir) -> None:
    """Open the browser if asked to and say on standard output that clients may come."""
    if options.url and not options.browser:
        raise KaptureError("INVALID_PARAMS", "--url needs --browser")
    if options.browser:
        await hub.browsers.open()
        if options.url:
            await hub.core.router.run(hub.state.person, "navigate", {"url": options.url})
    line: JsonObject = {
        "ready": True,
        "port": hub.port,
        "socket": data.door,
        "pid": os.getpid(),
        "tabs": [{"tabId": tab.tab_id, "url": tab.url} for tab in hub.state.tabs],
    }
    terminal.say_json(line, flush=True)


def _end_when_idle(hub: Hub, idle_s: float, ended: asyncio.Event) -> None:
    clients = hub.state.clients
    loop = asyncio.get_running_loop()
    timer: asyncio.TimerHandle | None = None

    def wait() -> None:
        nonlocal timer
        timer = loop.call_later(idle_s, on_idle)

    def on_idle() -> None:
        if hub.door.has_callers:
            wait()  # a client is on its way: what it needs may still be imported
        else:
            ended.set()

    def on_change(_client: Client) -> None:
        if timer is not None:
            timer.cancel()
        if len(clients) == 0:
            wait()

    wait()
    clients.added.connect(on_change)
    clients.removed.connect(on_change)
