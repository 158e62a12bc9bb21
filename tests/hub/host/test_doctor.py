"""The doctor of an instance whose links are held by fakes; the real chain is in e2e/test_doctor.py."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.doctor import CHAIN, GROUND, Check
from kapture_panel.core.registry.clients import Client, Clients
from kapture_panel.core.wire.results import Checked
from kapture_panel.hub.extension_door.connections import Connections
from kapture_panel.hub.host import doctor as doctor_module
from kapture_panel.hub.host.doctor import Doctor
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

    def __init__(self) -> None:
        self.listener = self.Listener()
        self.of_browsers: dict[str, FakeLink] = {}
        self.of_tabs: dict[str, FakeLink] = {}


class Setting:
    def __init__(self, root: Path) -> None:
        self.clients = Clients()
        self.connections = FakeConnections()
        self.root = root
        self.child = CHILD

    async def found(self, link: str) -> Check:
        """What the doctor says of one link."""
        made = Doctor(self.root, self.clients, cast(Connections, self.connections), self.child)
        async with aclosing(made.examine()) as checks:
            async for check in checks:
                if check.link == link:
                    return check
        raise AssertionError(f"{link} was not tried")


@pytest.fixture
def setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Setting:
    monkeypatch.setattr(doctor_module, "DEADLINE_S", 0.3)
    return Setting(tmp_path)


async def test_every_link_is_tried_in_the_order_of_the_chain(setting: Setting) -> None:
    made = Doctor(setting.root, setting.clients, cast(Connections, setting.connections), CHILD)
    checks = [check async for check in made.examine()]
    assert [check.link for check in checks] == [*CHAIN, *GROUND]
    assert all(check.fix for check in checks if check.state != "ok")


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
    assert "handle_dialog" in check.fix
    setting.connections.of_tabs["two"] = FakeLink({"debuggerError": "not attached"})
    assert "two: not attached" in (await setting.found("debugger")).words
    assert "two: its debugger does not answer" in (await setting.found("tab")).words
    setting.connections.of_tabs["two"] = FakeLink(KaptureError("NOT_SENT", "the connection is closed"))
    assert "two: the connection is closed" in (await setting.found("tab")).words
    setting.connections.of_tabs["two"] = FakeLink(None)
    assert "two: no answer" in (await setting.found("tab")).words
