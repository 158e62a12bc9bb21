"""The managed browser: found, started over a CDP pipe, its extension loaded and given the key inside the pipe."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.wire.handshake import EXTENSION_ID, Pairing
from kapture_panel.hub.browsers import start_page
from kapture_panel.hub.browsers.browser import handed_over
from kapture_panel.hub.browsers.cdp_pipe import CdpPipe
from kapture_panel.hub.browsers.downloads import Downloads
from kapture_panel.hub.browsers.helper_processes import helpers_of, wait_ended
from kapture_panel.hub.browsers.ibus_relay import IBusRelay
from kapture_panel.hub.browsers.keyboard_guard import KeyboardGuard

log = logging.getLogger(__name__)

#: How long the whole start may take, from the process to the handed-over key.
START_S = 30.0
#: A browser that was asked to close and has not after this long is made to.
END_S = 5.0
#: A pipe frame can carry a whole page of events.
_PIPE_LIMIT = 64 * 1024 * 1024
#: What the browser writes, downloads too, is its owner's alone. (-1 leaves the process's; Windows has no umask.)
_UMASK = -1 if sys.platform == "win32" else 0o077

#: What nobody asked of our browser. The last two are pages that its address bar loads in case somebody types: half of
#: what a start costs.
UNASKED = "Translate,MediaRouter,OptimizationHints,WebUIOmniboxPopup,WebUIOmniboxAimPopup"
#: Nobody sees the bars of a browser without a window. When a tab came or went, they moved for 24 frames: a third of
#: what a blank tab costs. Pages move as ever.
HEADLESS = ("--headless=new", "--animation-duration-scale=0")

_LINUX = (
    "google-chrome-stable", "google-chrome", "chromium", "chromium-browser", "microsoft-edge-stable",
    "microsoft-edge", "brave-browser", "brave-browser-stable",
)  # fmt: skip
_MAC = (
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Chromium.app/Contents/MacOS/Chromium",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "Brave Browser.app/Contents/MacOS/Brave Browser",
)
_WINDOWS = (
    r"Google\Chrome\Application\chrome.exe",
    r"Chromium\Application\chrome.exe",
    r"Microsoft\Edge\Application\msedge.exe",
    r"BraveSoftware\Brave-Browser\Application\brave.exe",
)


def find_browser() -> str:
    """The browser to start: `KAPTURE_BROWSER`, else the first of Chrome, Chromium, Edge, Brave that is installed.

    Raises:
        KaptureError: `FILE_NOT_FOUND`, saying how to get one.
    """
    chosen = os.environ.get("KAPTURE_BROWSER")
    if chosen:
        found = shutil.which(chosen)
        if found is None:
            raise KaptureError(
                "FILE_NOT_FOUND", f"KAPTURE_BROWSER names {chosen!r}, which is not there", "correct it or leave it out"
            )
        return found
    for candidate in _candidates():
        if (found := shutil.which(candidate)) is not None:
            return found
    raise KaptureError(
        "FILE_NOT_FOUND",
        "no Chrome, Chromium, Edge or Brave was found",
        "install one (Debian, Ubuntu: apt install chromium) or name it in KAPTURE_BROWSER",
    )


def _candidates() -> list[str]:
    if sys.platform == "darwin":
        roots = (Path("/Applications"), Path.home() / "Applications")
        return [str(root / app) for app in _MAC for root in roots]
    if sys.platform == "win32":
        names = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
        return [str(Path(os.environ[name]) / app) for app in _WINDOWS for name in names if name in os.environ]
    return list(_LINUX)


def has_display() -> bool:
    """Whether a window could be seen."""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


@dataclass(frozen=True)
class Launch:
    """How to start: the profile's folder, without a window or with one, the extension's folder, our port.

    `viewport` is the size every tab gets, in CSS pixels; None leaves them the window's. `held_open` are descriptors
    the browser inherits, so that whoever waits for our end waits for its end, too. `in_front`: a person asked for its
    window; one that nobody waits for takes neither the keyboard nor the place in front. Such a person sees the
    `start_page` first.
    """

    profile: Path
    extension: Path
    port: int
    headless: bool
    downloads: Path
    viewport: tuple[int, int] | None = None
    held_open: tuple[int, ...] = ()
    in_front: bool = False
    start_page: Path | None = None

    @property
    def opens_later(self) -> bool:
        """Whether the window is opened over the pipe: one that the browser opens by itself takes the keyboard."""
        return sys.platform == "linux" and not self.headless


class ManagedBrowser:
    """A running browser of ours. It ends with the panel: its pipe closes, whatever becomes of us.

    `pairing` is what its extension proves itself with; `on_ended` is called once when the process is gone.
    """

    def __init__(self, launch: Launch, pairing: Pairing, on_ended: Callable[[], None]) -> None:
        self.launch = launch
        self.pairing = pairing
        self._on_ended = on_ended
        self._process: asyncio.subprocess.Process | None = None
        self._pipe: CdpPipe | None = None
        self._worker: asyncio.Future[str] | None = None
        self._page: asyncio.Future[str] | None = None
        self._watch: asyncio.Task[None] | None = None
        self.downloads = Downloads(launch.downloads)
        self._is_ending = False
        #: Set once its process is gone.
        self.gone = asyncio.Event()
        #: In words, that nobody asked it to end; empty otherwise.
        self.died = ""
        #: What is between the person's keyboard and its windows.
        self.guard: KeyboardGuard | None = None
        #: What is between them and the person's input method.
        self._ibus: IBusRelay | None = None

    @property
    def pid(self) -> int | None:
        """The browser's process."""
        return self._process.pid if self._process else None

    @property
    def pipe(self) -> CdpPipe:
        """Raw CDP of the running browser, beside the extension."""
        assert self._pipe is not None, "the browser has been started"
        return self._pipe

    async def start(self) -> None:
        """Start the process, load the extension, hand it the key. A failed start leaves nothing behind.

        Raises:
            KaptureError: `INTERNAL` with the end of the browser's own words, or `FILE_NOT_FOUND`.
        """
        executable = find_browser()
        # A parent that mkdir makes on the way has the umask's mode: the folder of sessions is named by itself.
        for folder in (self.launch.profile.parent, self.launch.profile):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.downloads.prepare()
        try:
            async with asyncio.timeout(START_S):
                await self._start(executable)
        except TimeoutError:
            await self.end()
            raise KaptureError(
                "INTERNAL", f"{executable} did not come up within {START_S:.0f} s{self._words()}"
            ) from None
        except BaseException:
            await self.end()
            raise

    async def end(self) -> None:
        """Ask the browser to close and wait until its process is gone."""
        self._is_ending = True
        if self._process is not None and self._pipe is not None:
            helpers = helpers_of(self._process.pid)
            try:
                async with asyncio.timeout(END_S):
                    await self._ask_to_close(self._pipe)
                    await self._process.wait()
            except TimeoutError:
                self._process.kill()
                await self._process.wait()
            await self._pipe.close()
            await asyncio.to_thread(wait_ended, helpers, END_S)
        if self._watch is not None and self._watch is not asyncio.current_task():
            await self._watch
        self._let_go()

    async def caught_up(self) -> None:
        """As `Browser.caught_up`."""
        await self.pipe.caught_up()

    async def _start(self, executable: str) -> None:
        self._worker = asyncio.get_running_loop().create_future()
        if not self.launch.headless:
            self._ibus = IBusRelay.of(os.environ)
        with self._log_file().open("wb") as words:
            self._process = await asyncio.create_subprocess_exec(
                *_piped([executable, *_flags(self.launch)]),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=words,
                limit=_PIPE_LIMIT,
                start_new_session=True,
                pass_fds=self.launch.held_open,
                umask=_UMASK,
                env=_environment() | (self._ibus.environment if self._ibus else {}),
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._pipe = CdpPipe(self._process.stdout, self._process.stdin, self._on_event)
        if not self.launch.headless:
            self.guard = KeyboardGuard.of(self._process.pid, self._ibus)
        self._watch = tasks.spawn(self._watch_end(), "managed browser")
        await self._open_window()
        loaded = await self._call("Extensions.loadUnpacked", {"path": str(self.launch.extension)})
        if loaded["id"] != EXTENSION_ID:
            raise KaptureError("INTERNAL", f"the extension's id is {loaded['id']}, not the pinned {EXTENSION_ID}")
        await self._call(
            "Browser.setDownloadBehavior",
            {"behavior": "allowAndName", "downloadPath": str(self.downloads.arriving), "eventsEnabled": True},
        )
        await self._call("Target.setDiscoverTargets", {"discover": True, "filter": [{"type": "service_worker"}]})
        ends: list[asyncio.Future[Any]] = [self._worker, self._watch]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        if not self._worker.done():
            raise KaptureError("INTERNAL", f"the browser ended before its extension ran{self._words()}")
        await self._hand_over(self._worker.result())

    def _let_go(self) -> None:
        """What stands between is not needed any more."""
        for between in (self.guard, self._ibus):
            if between is not None:
                between.close()

    async def _open_window(self) -> None:
        """Have a first page; who asked for the window reads the start page in it."""
        launch = self.launch
        is_read = launch.in_front and launch.start_page is not None and not launch.headless
        first = ""
        if launch.opens_later:
            if not launch.in_front and self.guard is not None:
                await self.guard.open_behind()
            window = {"url": "about:blank", "newWindow": True, "background": not launch.in_front}
            first = (await self._call("Target.createTarget", window))["targetId"]
        elif is_read:
            first = await self._first_page()
        if is_read and first and launch.start_page is not None:
            # Before the extension is there: it finds the page as it stays.
            await start_page.show(self._call, first, launch.start_page)

    async def _first_page(self) -> str:
        """The page of the window that the browser opens by itself; empty when it ended before."""
        self._page = asyncio.get_running_loop().create_future()
        await self._call("Target.setDiscoverTargets", {"discover": True, "filter": [{"type": "page"}]})
        assert self._watch is not None
        ends: list[asyncio.Future[Any]] = [self._page, self._watch]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        await self._call("Target.setDiscoverTargets", {"discover": False})
        return self._page.result() if self._page.done() else ""

    async def _hand_over(self, target: str) -> None:
        """Put the key where only the extension can read it; it never touches the disk or a command line."""
        session = (await self._call("Target.attachToTarget", {"targetId": target, "flatten": True}))["sessionId"]
        expression = handed_over(self.pairing, self.launch.port, self.launch.viewport)
        while True:
            reply = await self._call(
                "Runtime.evaluate", {"expression": expression, "awaitPromise": True}, session=session
            )
            if "exceptionDetails" not in reply:
                break
            # The worker's target is there before `chrome` is in it.
            await asyncio.sleep(0.005)
        await self._call("Target.detachFromTarget", {"sessionId": session})

    async def _ask_to_close(self, pipe: CdpPipe) -> None:
        """Let the browser write its profile; one that is already ending needs no asking."""
        try:
            await pipe.call("Browser.close")
        except KaptureError:
            log.info("the browser was already ending")

    async def _call(self, method: str, params: JsonObject, session: str = "") -> JsonObject:
        assert self._pipe is not None
        try:
            return await self._pipe.call(method, params, session)
        except KaptureError as error:
            raise KaptureError("INTERNAL", f"the browser did not start: {error.message}{self._words()}") from None

    def _on_event(self, method: str, params: JsonObject, _session: str) -> None:
        self.downloads.on_event(method, params)
        if method != "Target.targetCreated":
            return
        target = params["targetInfo"]
        if self._page is not None and not self._page.done() and target["type"] == "page":
            self._page.set_result(target["targetId"])
        if self._worker is None or self._worker.done():
            return
        if target["url"].startswith(f"chrome-extension://{EXTENSION_ID}/"):
            self._worker.set_result(target["targetId"])

    async def _watch_end(self) -> None:
        assert self._process is not None
        code = await self._process.wait()
        log.info("the managed browser ended with code %s", code)
        if not self._is_ending:
            self.died = f"ended by itself (code {code})"
        self.gone.set()
        self._let_go()
        self._on_ended()

    def _log_file(self) -> Path:
        return self.launch.profile / "kapture-browser.log"

    def _words(self) -> str:
        try:
            lines = self._log_file().read_text(errors="replace").strip().splitlines()
        except OSError:
            return ""
        return f"; it said: {' | '.join(lines[-3:])[:500]}" if lines else ""


def _piped(command: list[str]) -> list[str]:
    """The browser reads CDP from descriptor 3 and writes to 4; a shell's `exec` moves our pipes there."""
    if sys.platform == "win32":
        return command
    return ["/bin/sh", "-c", 'exec "$@" 3<&0 4>&1 </dev/null >&2', "sh", *command]


def _environment() -> dict[str, str]:
    # A session bus that is not there costs Chromium seconds of waiting.
    return {"DBUS_SESSION_BUS_ADDRESS": "disabled:", **os.environ}


def _flags(launch: Launch) -> list[str]:
    flags = [
        f"--user-data-dir={launch.profile}",
        "--remote-debugging-pipe",
        "--enable-unsafe-extension-debugging",
        "--silent-debugger-extension-api",
        "--no-first-run",
        "--no-default-browser-check",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        f"--disable-features={UNASKED}",
        "--disable-backgrounding-occluded-windows",
        "--disable-renderer-backgrounding",
        "--disable-background-timer-throttling",
        "--password-store=basic",
        "--hide-crash-restore-bubble",
        # Without a window to be seen it is chosen so that its pages have the size that is emulated anyway: none of them
        # hears of a change when it is connected.
        "--window-size=1280,807" if launch.headless else "--window-size=1280,800",
    ]
    if launch.headless:
        flags += HEADLESS
    if sys.platform.startswith("linux"):
        flags.append("--disable-dev-shm-usage")
        if os.geteuid() == 0:
            # Chromium refuses to start as root with its sandbox.
            flags += ["--no-sandbox", "--test-type"]
    return [*flags, "--no-startup-window" if launch.opens_later else "about:blank"]
