"""The doctor of an instance whose links are held by fakes; the real chain is in e2e/test_doctor.py."""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.doctor import CHAIN, GROUND, Check
from kapture_panel.core.gates.pause import Pause
from kapture_panel.core.registry.clients import Client, Clients
from kapture_panel.core.stores.history import History
from kapture_panel.core.wire.results import Checked
from kapture_panel.hub.extension_door.connections import Connections
from kapture_panel.hub.host import doctor as doctor_module
from kapture_panel.hub.host import installation
from kapture_panel.hub.host.clock import Clock
from kapture_panel.hub.host.doctor import Doctor
from kapture_panel.hub.host.formatters import Formatters
from tests.support.patience import PATIENCE_S

CHILD = ["/bin/sh", "-c", 'read -r line; echo \'{"jsonrpc":"2.0","id":1,"result":{}}\'']


class FakeLink:
    """A link that answers what it was given; an exception is raised, None never comes."""

    def __init__(self, answer: dict[str, Any] | Exception | None) -> None:
        self._answer = answer

    async def check(self) -> Checked:
        if self._answer is None:
            await asyncio.Event().wait()
        if isinstance(self._answer, Exception):
            raise self._answer
        return msgspec.convert(self._answer, Checked)

    async def ping(self) -> None:
        await self.check()


class FakeConnections:
    """What the doctor reads of the connections."""

    class Listener:
        port = 1
        refusal = ""
        is_crowded = False
        is_crowded_for_unknown = False

    def __init__(self) -> None:
        self.listener = self.Listener()
        self.of_browsers: dict[str, FakeLink] = {}
        self.of_tabs: dict[str, FakeLink] = {}
        self.declined: list[str] = []


class Setting:
    def __init__(self, root: Path) -> None:
        self.clients = Clients()
        self.pause = Pause()
        self.connections = FakeConnections()
        self.formatters = Formatters([root / "formatters"])
        self.root = root
        self.child = CHILD

    def doctor(self) -> Doctor:
        connections = cast(Connections, self.connections)
        return Doctor(self.root, self.clients, self.pause, connections, self.formatters, self.child)

    async def found(self, link: str) -> Check:
        """What the doctor says of one link."""
        async with aclosing(self.doctor().examine()) as checks:
            async for check in checks:
                if check.link == link:
                    return check
        raise AssertionError(f"{link} was not tried")


@pytest.fixture
def setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Setting:
    monkeypatch.setattr(doctor_module, "DEADLINE_S", 0.3)
    return Setting(tmp_path)


async def test_every_link_is_tried_in_the_order_of_the_chain(setting: Setting) -> None:
    checks = [check async for check in setting.doctor().examine()]
    assert [check.link for check in checks] == [*CHAIN, *GROUND]
    assert all(check.fix for check in checks if check.state != "ok")


async def test_site_formatters_that_fail_are_named(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_module, "DEADLINE_S", PATIENCE_S)
    assert (await setting.found("formatters")).state == "ok"
    (setting.root / "formatters").mkdir()
    (setting.root / "formatters" / "shop.py").write_text("import no_such_module\n")
    check = await setting.found("formatters")
    assert check.state == "failed"
    assert "1 failed (shop cannot be loaded: " in check.words
    assert "formatters of the data folder" in check.fix
    await setting.formatters.close()


async def test_agents_are_asked_whether_they_still_answer(setting: Setting) -> None:
    assert (await setting.found("client")).state == "idle"
    agent = Client("claude", "agent")
    setting.clients.add(agent)
    assert "cannot be pinged" in (await setting.found("client")).words
    agent.echo = FakeLink({}).ping
    check = await setting.found("client")
    assert (check.state, check.words) == ("ok", "claude answered a ping")
    agent.echo = FakeLink(None).ping
    check = await setting.found("client")
    assert (check.state, check.words) == ("failed", "claude did not answer a ping")


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (CHILD[2], "reached the panel"),
        ("echo no module named kapture >&2; exit 1", "no module named kapture"),
        ('read -r line; echo \'{"id":1,"error":{"message":"no panel came up"}}\'', "no panel came up"),
    ],
)
async def test_the_child_is_really_started(
    setting: Setting, script: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor_module, "DEADLINE_S", PATIENCE_S)
    setting.child = ["/bin/sh", "-c", script]
    check = await setting.found("child")
    assert words in check.words
    assert (check.state == "ok") == (script == CHILD[2])


async def test_a_child_that_says_nothing_is_given_up(setting: Setting) -> None:
    setting.child = ["/bin/sh", "-c", "exec sleep 30"]
    check = await setting.found("child")
    assert (check.state, "no answer" in check.words) == ("failed", True)


async def test_a_child_that_is_not_there_is_named(setting: Setting) -> None:
    setting.child = [str(setting.root / "gone")]
    assert "gone" in (await setting.found("child")).words


async def test_a_worker_must_answer_and_a_refusal_is_told(setting: Setting) -> None:
    assert (await setting.found("worker")).state == "idle"
    setting.connections.of_browsers = {"one": FakeLink({}), "two": FakeLink({})}
    assert (await setting.found("worker")).words == "2 connected, answered a ping"
    setting.connections.of_browsers = {"one": FakeLink({}), "two": FakeLink(None)}
    assert (await setting.found("worker")).words == "no answer"
    setting.connections.listener.refusal = "the extension speaks protocol 1"
    assert "speaks protocol 1" in (await setting.found("worker")).words


async def test_each_tab_is_asked_and_the_one_that_fails_is_named(setting: Setting) -> None:
    assert [(await setting.found(link)).state for link in ("debugger", "tab")] == ["idle", "idle"]
    fine = {"debuggerMs": 0.5, "pageMs": 1.5}
    setting.connections.of_tabs = {"one": FakeLink(fine), "two": FakeLink({"debuggerMs": 2.25, "pageMs": 0.5})}
    assert (await setting.found("debugger")).words == "2 of 2 answered, the slowest in 2.2 ms there"
    assert (await setting.found("tab")).words == "2 of 2 answered, the slowest in 1.5 ms there"
    setting.connections.of_tabs["two"] = FakeLink({"debuggerMs": 1.0, "pageError": "its page shows a dialog"})
    assert (await setting.found("debugger")).state == "ok"
    check = await setting.found("tab")
    assert check.words == "1 of 2 failed (two: its page shows a dialog)"
    assert "Handle dialog" in check.fix
    setting.connections.of_tabs["two"] = FakeLink({"debuggerError": "not attached"})
    assert "two: not attached" in (await setting.found("debugger")).words
    assert "two: its debugger does not answer" in (await setting.found("tab")).words
    setting.connections.of_tabs["two"] = FakeLink(KaptureError("NOT_SENT", "the connection is closed"))
    assert "two: the connection is closed" in (await setting.found("tab")).words
    setting.connections.of_tabs["two"] = FakeLink(None)
    assert "two: no answer" in (await setting.found("tab")).words


def disk_full(_setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(_file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", no_room)


def history_damaged(setting: Setting, _monkeypatch: pytest.MonkeyPatch) -> None:
    (setting.root / "history.sqlite3").write_bytes(b"this is no database" * 100)
    History(setting.root / "history.sqlite3").close()


def history_being_damaged(setting: Setting, _monkeypatch: pytest.MonkeyPatch) -> None:
    (setting.root / "history.sqlite3").write_bytes(b"this is no database" * 100)


def console_flood(setting: Setting, _monkeypatch: pytest.MonkeyPatch) -> None:
    setting.connections.of_tabs = {"one": FakeLink({"debuggerMs": 1.0, "pageMs": 1.0, "slowed": True})}


def dialog_open(setting: Setting, _monkeypatch: pytest.MonkeyPatch) -> None:
    setting.connections.of_tabs = {"one": FakeLink({"debuggerMs": 1.0, "pageError": "its page shows a dialog"})}


def tab_crashed(setting: Setting, _monkeypatch: pytest.MonkeyPatch) -> None:
    setting.connections.of_tabs = {"one": FakeLink({"debuggerMs": 1.0, "pageError": "Target crashed"})}


def debugger_taken(setting: Setting, _monkeypatch: pytest.MonkeyPatch) -> None:
    setting.connections.of_tabs = {"one": FakeLink({"debuggerError": "Debugger is not attached"})}


def worker_hangs(setting: Setting, _monkeypatch: pytest.MonkeyPatch) -> None:
    setting.connections.of_browsers = {"one": FakeLink(None)}


def worker_gone(_setting: Setting, _monkeypatch: pytest.MonkeyPatch) -> None:
    """Its link is over."""


def client_does_not_read(setting: Setting, _monkeypatch: pytest.MonkeyPatch) -> None:
    agent = Client("claude", "agent", unread=lambda: 8_400_000, reads=asyncio.Event().wait)
    agent.echo = FakeLink(None).ping
    setting.clients.add(agent)


def client_hangs(setting: Setting, _monkeypatch: pytest.MonkeyPatch) -> None:
    setting.clients.add(Client("claude", "agent", echo=FakeLink(None).ping))


def agents_paused(setting: Setting, _monkeypatch: pytest.MonkeyPatch) -> None:
    setting.pause.hold()


def greetings_taken(setting: Setting, _monkeypatch: pytest.MonkeyPatch) -> None:
    setting.connections.listener.is_crowded = True


def greetings_of_unknown_taken(setting: Setting, _monkeypatch: pytest.MonkeyPatch) -> None:
    setting.connections.listener.is_crowded_for_unknown = True


def bar_cancelled(setting: Setting, _monkeypatch: pytest.MonkeyPatch) -> None:
    setting.connections.declined = ["one", "two"]


def bar_cancelled_of_one_tab(setting: Setting, _monkeypatch: pytest.MonkeyPatch) -> None:
    setting.connections.of_tabs = {"one": FakeLink({"debuggerMs": 1.0, "pageMs": 1.0})}
    setting.connections.declined = ["two"]


def clock_jumped(_setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "running", lambda _root: "answers")
    monkeypatch.setattr(Clock, "jumped", lambda _clock: "the clock was set back by 2 days")


def panel_gone(_setting: Setting, _monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of it is left."""


#: How each fault that is made on purpose is called by the doctor: the link, its state, and words of it. What only a
#: terminal looks at (a port that is taken, a door that a killed panel left) is in test_installation.py.
FAULTS: list[tuple[Callable[[Setting, pytest.MonkeyPatch], None], str, str, str]] = [
    (disk_full, "data", "failed", "is full: actions are refused, reading goes on"),
    (history_damaged, "history", "failed", "a damaged history was moved aside as history.sqlite3.damaged-"),
    (history_being_damaged, "history", "failed", "history.sqlite3 is damaged: file is not a database"),
    (console_flood, "tab", "failed", "one: it floods its console, so the browser slows it"),
    (dialog_open, "tab", "failed", "one: its page shows a dialog"),
    (tab_crashed, "tab", "failed", "one: Target crashed"),
    (debugger_taken, "debugger", "failed", "one: Debugger is not attached"),
    (worker_hangs, "worker", "failed", "no answer"),
    (worker_gone, "worker", "idle", "no browser is connected"),
    (client_does_not_read, "client", "failed", "does not read what it is answered (claude: 8.4 MB wait)"),
    (client_hangs, "client", "failed", "claude did not answer a ping"),
    (agents_paused, "pause", "idle", "agents are paused"),
    (greetings_taken, "socket", "failed", "all places for new connections are taken"),
    (greetings_of_unknown_taken, "socket", "failed", "no new tab of a browser in a container gets in"),
    (bar_cancelled, "debugger", "idle", "; a person disconnected one, two, with Disconnect or by cancelling"),
    (bar_cancelled_of_one_tab, "debugger", "ok", "there; a person disconnected two, with Disconnect or"),
    (clock_jumped, "panel", "ok", "answers; the clock was set back by 2 days"),
    (panel_gone, "panel", "idle", "no panel is running"),
]


@pytest.mark.parametrize(("make", "link", "state", "words"), FAULTS, ids=[make.__name__ for make, *_ in FAULTS])
async def test_each_fault_is_named_and_what_to_do_about_it(
    setting: Setting,
    monkeypatch: pytest.MonkeyPatch,
    make: Callable[[Setting, pytest.MonkeyPatch], None],
    link: str,
    state: str,
    words: str,
) -> None:
    setting.root.chmod(0o700)
    make(setting, monkeypatch)
    check = await setting.found(link)
    assert (check.state, words in check.words, bool(check.fix)) == (state, True, state != "ok"), check


async def test_without_those_faults_the_doctor_names_none(setting: Setting) -> None:
    setting.root.chmod(0o700)
    setting.clients.add(Client("claude", "agent", echo=FakeLink({}).ping))
    History(setting.root / "history.sqlite3").close()
    setting.connections.of_tabs = {"one": FakeLink({"debuggerMs": 1.0, "pageMs": 1.0})}
    for link in ("data", "history", "tab", "debugger", "client", "pause"):
        assert (await setting.found(link)).state == "ok"
    assert not (setting.root / ".doctor").exists()
