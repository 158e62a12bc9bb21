"""What the person runs in DevTools: the router carries it out, for one tab of the browser it comes from."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from kapture_panel.core.basics.signal import Signal
from kapture_panel.core.gates.policy import Policy
from kapture_panel.core.wire import protocol
from kapture_panel.core.wire.effects import Effects
from kapture_panel.hub.extension_door.connections import Connections
from kapture_panel.hub.extension_door.from_browser import FromBrowser
from kapture_panel.hub.extension_door.link import Link
from tests.support.core.fakes import World, failed, picture


class FakeLink:
    """The link of a browser; `said` is what the panel answered over it."""

    def __init__(self) -> None:
        self.said: asyncio.Queue[protocol.DevToolsResult] = asyncio.Queue()

    def post(self, message: protocol.FromPanel) -> None:
        assert isinstance(message, protocol.DevToolsResult)
        self.said.put_nowait(message)


class Setting:
    """A world whose tab t1 is in the browser "install", and DevTools of that browser."""

    def __init__(self, folder: Path) -> None:
        self.world = World(folder, Policy("read-only"))
        self.tab = self.world.tab()
        self.connections = SimpleNamespace(asked=Signal(), left=Signal())
        self.link = FakeLink()
        self.from_browser = FromBrowser(cast(Connections, self.connections), self.world.router, self.world.tabs)

    def ask(
        self, command: str, run_id: str = "p1", *, tab_id: str = "t1", install: str = "install", **params: Any
    ) -> None:
        run = protocol.DevToolsCommand(id=run_id, tabId=tab_id, command=f"kapturemcp_{command}", params=params)
        self.connections.asked.emit(cast(Link, self.link), install, run)

    def cancel(self, run_id: str = "p1") -> None:
        self.connections.asked.emit(cast(Link, self.link), "install", protocol.Cancel(id=run_id))

    async def ran(self) -> protocol.DevToolsResult:
        return await self.link.said.get()

    async def error(self) -> tuple[str, str]:
        ran = await self.ran()
        assert not ran.success
        assert ran.error is not None
        return ran.error["code"], ran.error["message"]


@pytest.fixture
def setting(tmp_path: Path) -> Iterator[Setting]:
    made = Setting(tmp_path)
    yield made
    made.world.history.close()


async def test_a_run_is_the_persons_and_written_down_as_such(setting: Setting) -> None:
    setting.ask("click", selector="#a")
    ran = await setting.ran()
    assert (ran.id, ran.success, ran.result, ran.effects) == ("p1", True, {"done": True}, Effects(changed=True))
    assert ran.ms > 0
    row = setting.world.row()
    assert (row.client, row.kind, row.command, row.tab_id, row.state) == ("DevTools", "person", "click", "t1", "ok")
    assert setting.tab.driver == "DevTools"
    (sent,) = setting.world.executor.sent
    assert (sent.tab_id, sent.params["selector"]) == ("t1", "#a")


async def test_a_screenshot_comes_with_its_picture(setting: Setting) -> None:
    setting.world.executor.answers["screenshot"] = picture(b"the picture")
    setting.ask("screenshot", name="shop")
    ran = await setting.ran()
    assert base64.b64decode(ran.picture) == b"the picture"
    assert ran.result["width"] == 20


async def test_an_error_is_told_with_its_code_and_parameter(setting: Setting) -> None:
    setting.world.executor.answers["click"] = failed("STALE_REF", "take a new snapshot")
    setting.ask("click", ref="e1")
    assert await setting.error() == ("STALE_REF", "take a new snapshot")
    setting.ask("click", "p2", ref="e1", timeout=0)
    ran = await setting.ran()
    assert ran.error is not None
    assert (ran.error["code"], ran.error["param"]) == ("INVALID_PARAMS", "timeout")


async def test_a_defect_is_told_without_its_details(setting: Setting, caplog: pytest.LogCaptureFixture) -> None:
    async def broken(_params: dict[str, Any]) -> Any:
        raise RuntimeError("a secret of ours")

    setting.world.executor.answers["click"] = broken
    setting.ask("click", ref="e1")
    code, message = await setting.error()
    assert code == "INTERNAL"
    assert "secret" not in message
    assert "a secret of ours" in caplog.text


@pytest.mark.parametrize("command", ["new_tab", "list_browser_tabs", "connect_tab", "list_tabs", "read_image", "batch"])
async def test_only_commands_about_one_tab_are_taken(setting: Setting, command: str) -> None:
    setting.ask(command)
    code, message = await setting.error()
    assert code == "INVALID_PARAMS"
    assert "one tab" in message
    assert setting.world.executor.sent == []


async def test_another_browsers_tab_is_out_of_reach(setting: Setting) -> None:
    setting.ask("click", install="another", ref="e1")
    assert (await setting.error())[0] == "TAB_DISCONNECTED"
    setting.ask("click", "p2", tab_id="t9", ref="e1")
    assert (await setting.error())[0] == "TAB_DISCONNECTED"


async def test_no_parameter_leads_to_another_tab(setting: Setting) -> None:
    setting.world.tab("t2")
    setting.ask("click", ref="e1", tabId="t2")
    await setting.ran()
    assert [sent.tab_id for sent in setting.world.executor.sent] == ["t1"]


async def test_an_unknown_command_is_an_error(setting: Setting) -> None:
    setting.ask("explode")
    assert (await setting.error())[0] == "INVALID_PARAMS"


async def test_a_run_can_be_cancelled(setting: Setting) -> None:
    setting.world.executor.open.clear()
    setting.ask("click", ref="e1")
    await setting.world.executor.arrived.get()
    setting.cancel("p9")
    setting.cancel()
    code, message = await setting.error()
    assert (code, "cancelled" in message) == ("OUTCOME_UNKNOWN", True)
    assert setting.world.executor.cancelled == ["click"]
    assert setting.world.row().state == "cancelled"
    setting.cancel()
    assert setting.link.said.empty()


async def test_a_run_that_is_cancelled_at_once_is_answered_too(setting: Setting) -> None:
    setting.ask("click", ref="e1")
    setting.cancel()
    assert (await setting.error())[0] == "OUTCOME_UNKNOWN"
    assert setting.world.executor.sent == []


async def test_the_same_id_again_while_it_runs_is_the_same_run(setting: Setting) -> None:
    setting.world.executor.open.clear()
    setting.ask("click", ref="e1")
    setting.ask("click", ref="e1")
    setting.world.executor.open.set()
    await setting.ran()
    assert len(setting.world.executor.sent) == 1


async def test_when_the_browser_goes_its_runs_end_and_no_others(setting: Setting) -> None:
    setting.world.executor.open.clear()
    setting.ask("click", ref="e1")
    other = FakeLink()
    run = protocol.DevToolsCommand(id="p1", tabId="t1", command="kapturemcp_hover", params={"ref": "e1"})
    setting.connections.asked.emit(cast(Link, other), "install", run)
    await setting.world.executor.arrived.get()
    await setting.world.executor.arrived.get()
    setting.connections.left.emit(cast(Link, setting.link))
    await setting.ran()
    assert setting.world.executor.cancelled == ["click"]
    setting.world.executor.open.set()
    assert (await other.said.get()).success


async def test_at_the_end_nothing_is_left_running(setting: Setting) -> None:
    setting.world.executor.open.clear()
    setting.ask("click", ref="e1")
    await setting.world.executor.arrived.get()
    await setting.from_browser.close()
    assert setting.world.executor.cancelled == ["click"]
