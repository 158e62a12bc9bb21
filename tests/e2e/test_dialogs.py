"""Dialogs of a real page: what answering one does is told as what any action does, and nothing hangs behind one."""

from __future__ import annotations

from typing import Any

import mcp_types as types
import pytest

from kapture_panel.demo.agent import Agent, connect
from tests.support.e2e.panel import OpenAgent, Panel, current_tab, dialog_shown

pytestmark = pytest.mark.asyncio(loop_scope="session")

LEAVING = [
    ("navigate", {"url": "dialogs.html?next"}, "?next"),
    ("reload", {}, ""),
    ("click", {"selector": "#link"}, "?link"),
    ("click", {"selector": "#reload"}, ""),
    ("go_back", {}, "?first"),
]


async def guarded(agent: Agent, pages: str) -> None:
    """A page with one before it that asks before it is left."""
    await agent.call("navigate", url=f"{pages}/dialogs.html?first")
    await agent.call("navigate", url=f"{pages}/dialogs.html")
    await agent.call("click", selector="#arm")


@pytest.mark.parametrize(("command", "params", "search"), LEAVING)
async def test_after_a_dismissed_beforeunload_the_page_stays_and_goes_on_working(
    agent: OpenAgent, pages: str, panel: Panel, command: str, params: dict[str, Any], search: str
) -> None:
    async with agent() as a:
        await guarded(a, pages)
        params = {**params, **({"url": f"{pages}/{params['url']}"} if "url" in params else {})}
        assert (await a.fails(command, **params)).startswith("DIALOG_OPEN: the page shows a beforeunload dialog")
        answer = await a.call("handle_dialog", accept=False)
        assert (answer["handled"], answer["accepted"]) == ("beforeunload", False)
        assert "url" not in answer["effects"]
        assert "lateEffects" not in answer
        clicked = await a.call("click", selector="#count", timeout=3000)
        assert clicked["effects"]["changed"] is True
        assert await panel.witness(pages).see("armed = false, counted", "/dialogs.html") == 1


@pytest.mark.parametrize(("command", "params", "search"), LEAVING)
async def test_an_accepted_beforeunload_is_answered_when_the_next_page_is_there(
    agent: OpenAgent, pages: str, panel: Panel, command: str, params: dict[str, Any], search: str
) -> None:
    async with agent() as a:
        await guarded(a, pages)
        params = {**params, **({"url": f"{pages}/{params['url']}"} if "url" in params else {})}
        assert (await a.fails(command, **params)).startswith("DIALOG_OPEN: the page shows a beforeunload dialog")
        answer = await a.text("handle_dialog", accept=True, snapshot="full")
        assert f'"url":"{pages}/dialogs.html{search}","title":"Dialogs"' in answer
        assert '"changed":true' in answer
        assert f"# Dialogs — {pages}/dialogs.html{search}" in answer
        assert "lateEffects" not in answer
        assert await panel.witness(pages).see("armed", "/dialogs.html") is False
        assert (await a.call("click", selector="#count", timeout=3000))["effects"]["changed"] is True


async def test_a_tab_that_asks_before_it_is_closed(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent() as a:
        tab = await current_tab(a)
        await guarded(a, pages)
        assert (await a.fails("close_tab")).startswith("DIALOG_OPEN: the page shows a beforeunload dialog")
        answer = await a.call("handle_dialog", accept=False)
        assert answer["accepted"] is False
        assert "closed" not in answer
        assert (await a.call("click", selector="#count", timeout=3000))["effects"]["changed"] is True
        assert (await a.fails("close_tab")).startswith("DIALOG_OPEN")
        answer = await a.call("handle_dialog", accept=True)
        assert (answer["handled"], answer["closed"]) == ("beforeunload", tab)
        assert tab not in {known["tabId"] for known in (await a.call("list_tabs"))["tabs"]}


async def test_what_handling_a_dialog_led_to_is_its_effect(agent: OpenAgent, pages: str) -> None:
    async with agent(f"{pages}/dialogs.html") as a:
        assert (await a.fails("click", selector="#quiet")).startswith("DIALOG_OPEN")
        assert await a.call("handle_dialog", accept=True) == {
            "handled": "alert", "accepted": True, "message": "Quiet", "effects": {"changed": False},
        }  # fmt: skip
        assert (await a.fails("click", selector="#alert")).startswith("DIALOG_OPEN")
        answer = await a.call("handle_dialog", accept=True)
        assert answer["effects"] == {"changed": True}
        assert "lateEffects" not in answer
        assert (await a.fails("click", selector="#go")).startswith("DIALOG_OPEN")
        answer = await a.call("handle_dialog", accept=True)
        assert answer["effects"]["url"] == f"{pages}/dialogs.html?gone"
        assert answer["effects"]["title"] == "Dialogs"
        assert answer["effects"]["changed"] is True


async def test_a_dialog_that_nobodys_command_opened_is_handled_with_its_effects(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    async with agent(f"{pages}/dialogs.html") as a:
        for after, changed in [("1", False), ("out.textContent = 'after'", True)]:
            await a.call("evaluate", code=f"setTimeout(() => {{ alert('late'); {after} }}, 20); 1")
            await dialog_shown(panel, f"{pages}/dialogs.html")
            assert await a.call("handle_dialog", accept=True) == {
                "handled": "alert", "accepted": True, "message": "late", "effects": {"changed": changed},
            }  # fmt: skip


async def test_a_dialog_behind_a_dialog_is_told_and_handled_in_its_turn(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    async with agent(f"{pages}/dialogs.html") as a:
        assert (await a.fails("click", selector="#twice")).startswith("DIALOG_OPEN")
        answer = await a.call("handle_dialog", accept=True)
        assert answer["effects"]["dialogs"] == [{"type": "alert", "message": "two", "open": True}]
        assert (await a.fails("snapshot")).startswith('DIALOG_OPEN: the page shows an alert dialog: "two"')
        answer = await a.call("handle_dialog", accept=True)
        assert answer["effects"] == {"changed": True}
        assert await panel.witness(pages).see("out.textContent", "/dialogs.html") == "after both"


async def test_a_dialog_while_a_page_loads_does_not_hide_that_it_was_loaded(agent: OpenAgent, pages: str) -> None:
    async with agent(f"{pages}/blank.html") as a:
        said = await a.fails("navigate", url=f"{pages}/dialogs.html?greeting")
        assert said.startswith('DIALOG_OPEN: the page shows an alert dialog: "Welcome"')
        answer = await a.call("handle_dialog", accept=True)
        assert answer["effects"]["url"] == f"{pages}/dialogs.html?greeting"
        assert answer["effects"]["changed"] is True


async def test_a_dialog_goes_by_the_rule_of_the_client_whose_command_runs(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    page = f"{pages}/dialogs.html"
    async with agent(page) as a, connect(panel.data.root, "ruled", "all", "--profile", "unibrowse") as ruled:
        tab = await current_tab(a)

        async def clicks(selector: str) -> list[str]:
            panel.hub.services.router.gates.leases.release(tab)  # the person lets both have their turn
            result = await ruled.call_tool("browser_click", {"selector": selector})
            panel.hub.services.router.gates.leases.release(tab)
            assert not result.is_error
            return [block.text for block in result.content if isinstance(block, types.TextContent)][1:]

        # The same dialog is the one's to answer and no obstacle to the other.
        assert await clicks("#ask") == [
            'the page showed a dialog, confirm "Sure?"; it was dismissed\n'
            'the page showed a dialog, prompt "Name?"; it was dismissed'
        ]
        assert (await a.fails("click", selector="#ask")).startswith("DIALOG_OPEN")
        answer = await a.call("handle_dialog", accept=True)
        assert answer["effects"]["dialogs"] == [{"type": "prompt", "message": "Name?", "open": True}]
        # Left open, it is answered before the other's next command, and whoever comes too late hears of it.
        assert await clicks("#count") == ['the page showed a dialog, prompt "Name?"; it was dismissed']
        assert await panel.witness(pages).see("[told, counted]", "/dialogs.html") == [[True, None], 1]
        said = await a.fails("handle_dialog", accept=True)
        assert said.startswith(
            'INVALID_PARAMS: no dialog is open in this tab; the last one, a prompt dialog: "Name?", was dismissed'
        )


@pytest.mark.parametrize(
    ("command", "params"),
    [
        ("click", {"selector": "#self"}), ("click", {"selector": "#reload"}), ("reload", {}),
        ("navigate", {"url": "./dialogs.html"}), ("evaluate", {"code": "location.reload()"}),
    ],
)  # fmt: skip
async def test_the_same_address_loaded_anew_is_a_change(
    agent: OpenAgent, pages: str, panel: Panel, command: str, params: dict[str, Any]
) -> None:
    async with agent(f"{pages}/dialogs.html") as a:
        await panel.witness(pages).see("window.mark = 1", "/dialogs.html")
        effects = (await a.call(command, **params))["effects"]
        assert {name: effects[name] for name in ("url", "title", "reloaded", "changed")} == {
            "url": f"{pages}/dialogs.html", "title": "Dialogs", "reloaded": True, "changed": True,
        }  # fmt: skip
        assert await panel.witness(pages).see("typeof mark", "/dialogs.html") == "undefined"
        assert (await a.call("click", selector="#nothing"))["effects"] == {"changed": False}


async def test_a_form_sent_to_its_own_address_is_a_change(agent: OpenAgent, pages: str) -> None:
    async with agent(f"{pages}/dialogs.html?") as a:
        effects = (await a.call("click", selector="#submit"))["effects"]
        assert (effects["url"], effects["reloaded"]) == (f"{pages}/dialogs.html?", True)


async def test_a_new_tab_tells_what_it_shows(agent: OpenAgent, pages: str) -> None:
    async with agent() as a:
        answer = await a.call("new_tab", url=f"{pages}/dialogs.html")
        assert answer["effects"]["url"] == f"{pages}/dialogs.html"
        assert answer["effects"]["title"] == "Dialogs"
        assert answer["effects"]["changed"] is True
        assert "reloaded" not in answer["effects"]
        await a.call("close_tab")
        text = await a.text("new_tab", url=f"{pages}/dialogs.html", snapshot="full")
        assert f"# Dialogs — {pages}/dialogs.html\n" in text
        assert 'button "Guard the page" [ref=e1]' in text
        await a.call("close_tab")
        assert (await a.call("new_tab"))["effects"] == {"url": "about:blank", "title": "", "changed": True}
        await a.call("close_tab")
        assert "# untitled — about:blank" in await a.text("new_tab", snapshot="full")
        await a.call("close_tab")
