"""`kapture demo`: the panel, a browser, a shop and an agent; exit code 1 when any check failed."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import importlib
import os
import shutil
import tempfile
import time
from collections.abc import Coroutine
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kapture_panel import export, paths
from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.stores.history_file import MAX_ROWS
from kapture_panel.hub.browsers.managed import has_display
from kapture_panel.hub.host.instance import Instance
from kapture_panel.hub.hub import Hub, Options
from kapture_panel.programs import owner, panel, terminal
from kapture_panel.programs.demo_process import ENDED_EARLY

if TYPE_CHECKING:
    from kapture_panel.window.shell.main_window import MainWindow

AGENT_NAME = "demo-agent"
#: The page is on the screen by then, or nothing is.
_PAINTED_S = 5.0


def run(options: argparse.Namespace) -> int:
    """Run the demo in a throw-away instance; pictures and history stay in the output folder."""
    output = output_folder(options.output)
    visible = has_display()
    if not visible:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    try:
        # Of its own: what else is in the output folder, such as another demo, is left alone.
        root = Path(tempfile.mkdtemp(prefix="instance-", dir=output))
    except OSError as error:
        why = f"nothing can be written in {output} ({error.strerror})"
        raise KaptureError("INVALID_PARAMS", why, "choose another folder: --output DIR") from None
    try:
        data = owner.open_data(str(root))
        instance = owner.take(data)
        assert instance is not None, "nobody else knows of this folder"
        try:
            owner.log_to(data)
            return panel.run_in_qt(_main(data, instance, output, visible=visible, stay=not options.close))
        finally:
            instance.release()
    finally:
        shutil.rmtree(root, ignore_errors=True)


def output_folder(chosen: Path | None) -> Path:
    """The folder for pictures and history, made if need be: `chosen`, else one in the data folder."""
    # A parent that mkdir makes on the way has the umask's mode, and the data folder is the person's alone.
    output = chosen if chosen is not None else owner.open_data(None).root / "demo"
    output.mkdir(parents=True, exist_ok=True, mode=0o700)
    return output.resolve()


async def _main(data: paths.DataDir, instance: Instance, output: Path, *, visible: bool, stay: bool) -> int:
    from kapture_panel.demo.site import DemoSite
    from kapture_panel.window.shell.window_layout import DEFAULT_SIZE

    # The agent's side is in this process, too: imported beside the window, it would hold that.
    importlib.import_module("kapture_panel.demo.agent")
    ended = asyncio.Event()
    hub_options = Options(port=0, throw_away=True)
    with DemoSite(paths.resources() / "demo_site") as site:
        async with panel.opened(data, instance, hub_options, ended) as (hub, window):
            if not visible:
                window.resize(DEFAULT_SIZE)  # no screen bounds it, and its picture is all that is seen of it
            # It may stand beside the person's own panel, and ends with its window.
            window.setWindowTitle("Demo – Kapture Panel")
            window.stays_in_tray = False
            window.reset_layout()
            _watch_agents(window)
            _offer_nothing_else(window)
            window.show()
            await panel.prepare_for_agents()
            failures = await _unless_ended(ended, _work(hub, window, data, site.url, output / "panel.png"))
            if failures is None:
                terminal.say("\nThe demo was ended before its last step.")
                return ENDED_EARLY
            rows = hub.state.history.rows(limit=MAX_ROWS)[::-1]
            for key, name in (("json", "history.json"), ("html", "recording.html")):
                await asyncio.to_thread(
                    export.write, output / name, key, rows, hub.state.shots.folder, hub.state.catalogue
                )
            terminal.say(f"\nPanel window:\n{output / 'panel.png'}")
            terminal.say(f"History ({len(rows)} commands), and as a recording with pictures:")
            terminal.say(f"{output / 'history.json'}\n{output / 'recording.html'}")
            if visible and stay:
                terminal.say("\nThe panel stays open; close its window or press Ctrl-C to end.")
                _tell_the_end(window, output / "recording.html", failures)
                await ended.wait()
    return 1 if failures else 0


async def _unless_ended(ended: asyncio.Event, work: Coroutine[Any, Any, int]) -> int | None:
    """What `work` gives; None when a person or a signal ended the demo before, and the work with it."""
    end = tasks.spawn(ended.wait(), "the end of the demo")
    working = tasks.spawn(work, "the demo's agent")
    await asyncio.wait([working, end], return_when=asyncio.FIRST_COMPLETED)
    await tasks.end(end)
    if working.done():
        return working.result()
    await tasks.end(working)  # now: nobody could see or stop what its agent does
    return None


async def _work(hub: Hub, window: MainWindow, data: paths.DataDir, site: str, picture: Path) -> int:
    """Let the agent do its job and take a picture of the window while it is there; how many steps failed."""
    from kapture_panel.demo import agent, job, progress
    from kapture_panel.demo.witness import Witness

    terminal.say("An agent shops in the demo site, in a real browser; each step is checked on the page itself.\n")
    shown = progress.Progress(
        len(job.STEPS), partial(terminal.say, flush=True), terminal.say_above if terminal.is_live() else None
    )
    failures = 0
    async with agent.connect(data.root, AGENT_NAME) as client:
        shopper = agent.Agent(client)
        work: job.Job | None = None
        for title, step in job.STEPS:
            started = time.perf_counter()
            failure = ""
            try:
                if work is None:
                    # The agent's first call opens the browser; only then is there something to look into.
                    await shopper.call("navigate", url=site)
                    assert hub.browsers.shared is not None
                    window.raise_()  # the browser's window has just opened, and the page is seen live in ours
                    work = job.Job(shopper, Witness(hub.browsers.shared.pipe, site), site)
                await step(work)
            except (agent.ToolError, job.CheckFailed, KaptureError) as error:
                failure = str(error)
                failures += 1
            shown.step(title, (time.perf_counter() - started) * 1000, failure)
            if work is None:
                break
        await _watch(window)
        await shopper.call("snapshot")
        image = window.grab().toImage()
        await asyncio.to_thread(lambda: image.save(str(picture)))
        terminal.say(f"\n{progress.table(shopper.times_ms)}")
    terminal.say(f"\n{len(job.STEPS) - failures} of {len(job.STEPS)} steps passed")
    return failures


def _offer_nothing_else(window: MainWindow) -> None:
    """An agent that is brought to this instance would lose it with the window, and one demo is enough."""
    for name in ("add_agent", "copy_config", "welcome", "demo"):
        window.shell.actions[name].setEnabled(False)
    window.rooms.agents.view.offer_nothing("The agent has left", "Add your own agent in your own panel.")


def _tell_the_end(window: MainWindow, recording: Path, failures: int) -> None:
    from kapture_panel.demo import job
    from kapture_panel.window.widgets.desktop_opening import open_path

    toasts, number = window.shell.toasts, len(job.STEPS)
    done = f"{number - failures} of {number} steps did what they should."
    words = f"{done} Its recording is {recording}. Close this window to end it."
    show = ("Open its recording", partial(open_path, recording, toasts))
    toasts.tell("The demo is over", words, "error" if failures else "ok", action=show)


def _watch_agents(window: MainWindow) -> None:
    """Have the agent's page seen live, wherever it works, and each of its actions recorded: in this instance alone."""
    watch, actions = window.rooms.watch.view, window.shell.actions
    window.shell.show_way(watch)
    watch.follow.setChecked(True)
    actions["record_pictures"].setChecked(True)


async def _watch(window: MainWindow) -> None:
    """Have the page seen live in the middle of the window."""
    view, painted = window.rooms.watch.view, asyncio.Event()
    if view.page.isVisible() and not view.page.image.isNull():
        return  # a page that stands still has no newer picture
    view.page.painted.connect(painted.set)
    window.shell.show_way(view)
    # A window that somebody has hidden meanwhile paints nothing.
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(painted.wait(), _PAINTED_S)
