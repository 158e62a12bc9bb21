"""The managed browser's process: found, started over its pipe, given the key, and gone at the end."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.wire.handshake import EXTENSION_ID
from kapture_panel.hub.browsers import managed as browsers
from kapture_panel.hub.browsers.browser import new_pairing
from kapture_panel.hub.browsers.ibus_address import socket_name
from kapture_panel.hub.browsers.ibus_relay import IBusRelay
from kapture_panel.hub.browsers.keyboard_guard import KeyboardGuard
from kapture_panel.hub.browsers.managed import Launch, ManagedBrowser, find_browser

#: Speaks CDP like a browser, and keeps in its profile what it was told.
FAKE = """#!{python}
import json, os, sys
how = {how!r}
profile = next(flag.partition("=")[2] for flag in sys.argv if flag.startswith("--user-data-dir="))
print("starting up", file=sys.stderr, flush=True)
if how == "ends at once":
    sys.exit("no display")
told, fails = [], 2
def say(frame):
    os.write(4, json.dumps(frame).encode() + b"\\0")
with open(3, "rb", buffering=0) as asked:
    buffer = b""
    while chunk := asked.read(65536):
        *frames, buffer = (buffer + chunk).split(b"\\0")
        for frame in map(json.loads, frames):
            told.append(frame)
            method, result = frame["method"], {{}}
            if method == "Extensions.loadUnpacked":
                result = {{"id": "a" * 32 if how == "another extension" else {extension!r}}}
            if method == "Target.attachToTarget":
                result = {{"sessionId": "S1"}}
            if method == "Target.createTarget":
                result = {{"targetId": "T1"}}
            if method == "Page.getFrameTree":
                result = {{"frameTree": {{"frame": {{"id": "F1"}}}}}}
            if method == "Runtime.evaluate" and fails:
                fails -= 1
                result = {{"exceptionDetails": {{"text": "chrome.storage is undefined"}}}}
            with open(profile + "/told.json", "w") as file:
                json.dump({{"argv": sys.argv[1:], "told": told, "ibus": os.environ.get("IBUS_ADDRESS")}}, file)
            if method == "Browser.close" and how == "stays":
                continue
            say({{"id": frame["id"], "result": result}})
            if method == "Browser.close":
                sys.exit(0)
            if method == "Target.setDiscoverTargets":
                if how == "ends early":
                    sys.exit("out of memory")
                for url in ("https://a.example/sw.js", "chrome-extension://{extension}/background.js"):
                    target = {{"targetInfo": {{"targetId": url, "url": url}}}}
                    say({{"method": "Target.targetCreated", "params": target}})
"""


class Setting:
    """A fake browser to start, and how often it was reported gone."""

    def __init__(self, folder: Path) -> None:
        self.launch = Launch(folder / "browser", folder / "extension", 61822, True, folder / "downloads")
        self.pairing = new_pairing()
        self.ended = asyncio.Event()
        self.browser = ManagedBrowser(self.launch, self.pairing, self.ended.set)

    def kept(self) -> Any:
        return json.loads((self.launch.profile / "told.json").read_text())


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Setting]:
    def make(how: str = "") -> Setting:
        executable = tmp_path / "fake-browser"
        executable.write_text(FAKE.format(python=sys.executable, how=how, extension=EXTENSION_ID))
        executable.chmod(0o700)
        monkeypatch.setenv("KAPTURE_BROWSER", str(executable))
        return Setting(tmp_path)

    return make


async def test_the_key_is_handed_over_inside_the_pipe_and_nowhere_else(fake: Callable[[str], Setting]) -> None:
    setting = fake("")
    await setting.browser.start()
    assert setting.browser.pid is not None
    kept = setting.kept()
    (load,) = [frame["params"] for frame in kept["told"] if frame["method"] == "Extensions.loadUnpacked"]
    assert load == {"path": str(setting.launch.extension)}
    handed = [frame for frame in kept["told"] if frame["method"] == "Runtime.evaluate"]
    assert len(handed) == 3
    assert handed[-1]["sessionId"] == "S1"
    config = json.loads(handed[-1]["params"]["expression"].removeprefix("chrome.storage.session.set(")[:-1])["config"]
    assert config == {
        "install": setting.pairing.install, "key": setting.pairing.key, "port": 61822, "managed": True,
        "viewport": None,
    }  # fmt: skip
    assert setting.pairing.key not in " ".join(kept["argv"])
    assert not [flag for flag in kept["argv"] if "remote-debugging-port" in flag]
    assert {path.stat().st_mode & 0o777 for path in (setting.launch.profile, setting.launch.downloads)} == {0o700}
    assert not setting.ended.is_set()
    await setting.browser.end()
    assert setting.ended.is_set()
    assert setting.browser.died == ""
    assert setting.kept()["told"][-1]["method"] == "Browser.close"


async def test_a_browser_that_ends_by_itself_is_reported(fake: Callable[[str], Setting]) -> None:
    setting = fake("")
    await setting.browser.start()
    await setting.browser.pipe.call("Browser.close")
    await setting.ended.wait()
    assert setting.browser.died == "ended by itself (code 0)"
    await setting.browser.end()


async def test_a_browser_that_does_not_close_is_made_to(
    fake: Callable[[str], Setting], monkeypatch: pytest.MonkeyPatch
) -> None:
    setting = fake("stays")
    await setting.browser.start()
    monkeypatch.setattr(browsers, "END_S", 0.01)
    await setting.browser.end()
    assert setting.ended.is_set()


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("ends at once", "the browser did not start: the browser has ended.*it said: starting up | no display"),
        ("ends early", "the browser ended before its extension ran; it said: starting up | out of memory"),
        ("another extension", f"the extension's id is {'a' * 32}, not the pinned {EXTENSION_ID}"),
    ],
)
async def test_a_failed_start_says_why_and_leaves_no_process(
    fake: Callable[[str], Setting], how: str, message: str
) -> None:
    setting = fake(how)
    with pytest.raises(KaptureError, match=message.replace("|", r"\|")) as raised:
        await setting.browser.start()
    assert raised.value.code == "INTERNAL"
    await setting.ended.wait()


async def test_a_start_that_takes_too_long_is_given_up(
    fake: Callable[[str], Setting], monkeypatch: pytest.MonkeyPatch
) -> None:
    setting = fake("stays")
    monkeypatch.setattr(browsers, "START_S", 0.0)
    monkeypatch.setattr(browsers, "END_S", 0.0)
    with pytest.raises(KaptureError, match="did not come up within 0 s"):
        await setting.browser.start()


def test_the_named_browser_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("chromium", "mine"):
        (tmp_path / name).touch(0o700)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("KAPTURE_BROWSER", "mine")
    assert find_browser() == str(tmp_path / "mine")
    monkeypatch.setenv("KAPTURE_BROWSER", "theirs")
    with pytest.raises(KaptureError, match="KAPTURE_BROWSER names 'theirs', which is not there") as raised:
        find_browser()
    assert raised.value.code == "FILE_NOT_FOUND"


def test_the_installed_browser_is_found_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("KAPTURE_BROWSER", raising=False)
    monkeypatch.setattr("kapture_panel.hub.browsers.managed.sys.platform", "linux")
    with pytest.raises(KaptureError, match=r"apt install chromium.*KAPTURE_BROWSER"):
        find_browser()
    for name in ("brave-browser", "chromium", "google-chrome"):
        (tmp_path / name).touch(0o700)
        assert find_browser() == str(tmp_path / name)


def test_flags_follow_the_launch(tmp_path: Path) -> None:
    shown = browsers._flags(Launch(tmp_path, tmp_path, 1, False, tmp_path))
    hidden = browsers._flags(Launch(tmp_path, tmp_path, 1, True, tmp_path))
    first = "--no-startup-window" if sys.platform == "linux" else "about:blank"  # there it is opened in the background
    unseen = {"--headless=new", "--window-size=1280,807", "--animation-duration-scale=0", "about:blank"}
    assert set(hidden) - set(shown) == unseen - {first}
    assert f"--user-data-dir={tmp_path}" in shown
    assert (shown[-1], hidden[-1]) == (first, "about:blank")


@pytest.mark.parametrize("in_front", [False, True])
async def test_a_window_nobody_asked_for_is_opened_behind(
    fake: Callable[[str], Setting], monkeypatch: pytest.MonkeyPatch, in_front: bool
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    setting = fake("")
    page = setting.launch.profile.parent / "start.html"
    page.write_text("<p>Stop it: …")
    setting.browser.launch = setting.launch = replace(
        setting.launch, headless=False, in_front=in_front, start_page=page
    )
    await setting.browser.start()
    assert setting.browser.guard is None
    (opened,) = [frame["params"] for frame in setting.kept()["told"] if frame["method"] == "Target.createTarget"]
    assert opened == {"url": "about:blank", "newWindow": True, "background": not in_front}
    written = [frame["params"] for frame in setting.kept()["told"] if frame["method"] == "Page.setDocumentContent"]
    assert written == ([{"frameId": "F1", "html": "<p>Stop it: …"}] if in_front else []), "a person reads it"
    await setting.browser.end()


@pytest.fixture
def led(monkeypatch: pytest.MonkeyPatch) -> list[IBusRelay]:
    """A desktop with IBus; what browsers there are led to."""
    for name, value in [("DISPLAY", ":7"), ("WAYLAND_DISPLAY", ""), ("IBUS_ADDRESS", "unix:path=/ibus")]:
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", "linux")
    made: list[IBusRelay] = []

    def of(_environment: Mapping[str, str]) -> IBusRelay:
        made.append(IBusRelay(lambda: None))
        return made[-1]

    monkeypatch.setattr(IBusRelay, "of", of)
    return made


def is_gone(ibus: IBusRelay) -> bool:
    return not Path(str(socket_name(ibus.environment["IBUS_ADDRESS"]))).exists()


async def test_a_browser_with_a_window_speaks_to_ibus_by_us(
    fake: Callable[[str], Setting], monkeypatch: pytest.MonkeyPatch, led: list[IBusRelay]
) -> None:
    guarded: list[tuple[int, IBusRelay]] = []
    monkeypatch.setattr(KeyboardGuard, "of", lambda pid, ibus: guarded.append((pid, ibus)))
    setting = fake("")
    setting.browser.launch = replace(setting.launch, headless=False)
    await setting.browser.start()
    (ibus,) = led
    assert guarded == [(setting.browser.pid, ibus)]
    assert setting.kept()["ibus"] == ibus.environment["IBUS_ADDRESS"]
    assert not is_gone(ibus)
    await setting.browser.pipe.call("Browser.close")
    await setting.ended.wait()
    assert is_gone(ibus)
    await setting.browser.end()


async def test_a_browser_that_could_not_be_started_is_led_nowhere(
    fake: Callable[[str], Setting], led: list[IBusRelay]
) -> None:
    setting = fake("")
    setting.browser.launch = replace(setting.launch, headless=False)
    (setting.launch.profile / "kapture-browser.log").mkdir(parents=True)
    with pytest.raises(IsADirectoryError):
        await setting.browser.start()
    assert [is_gone(ibus) for ibus in led] == [True]


async def test_a_browser_without_a_window_goes_by_itself(fake: Callable[[str], Setting], led: list[IBusRelay]) -> None:
    setting = fake("")
    await setting.browser.start()
    assert (led, setting.kept()["ibus"]) == ([], "unix:path=/ibus")
    await setting.browser.end()


def test_every_run_has_another_identity() -> None:
    one, other = new_pairing(), new_pairing()
    assert one.managed
    assert one.install != other.install
    assert one.key != other.key
