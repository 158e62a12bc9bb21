"""Every command on a real page; what it did is read from the page itself over raw CDP."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from kapture_panel.demo.agent import ref_of
from tests.support.e2e.late import told
from tests.support.e2e.panel import BOTH_KINDS, OpenAgent, Panel, Visit, current_tab
from tests.support.e2e.tab_person import person
from tests.support.patience import PATIENCE_MS
from tests.support.rows import naming

pytestmark = [pytest.mark.asyncio(loop_scope="session"), BOTH_KINDS]


async def test_navigate_answers_where_it_went_and_waits_for_what_it_was_told_to(
    agent: OpenAgent, shop: str, pages: str, panel: Panel
) -> None:
    async with agent() as a:
        answer = await a.call("navigate", url=f"{shop}/lab")
        assert answer["url"] == f"{shop}/lab"
        assert not {"url", "title"} & answer["effects"].keys()
        assert await panel.witness(shop).see("[document.readyState, document.title]", "/lab") == [
            "complete",
            answer["title"],
        ]
        for wait_until, page, state in (
            ("load", "/blank.html?load", "complete"),
            ("domcontentloaded", "/never.html?domcontentloaded", "interactive"),
            ("none", "/never.html?none", None),
        ):
            with naming(wait_until):
                await a.call("navigate", url=pages + page, waitUntil=wait_until)
                assert state is None or await panel.witness(pages).see("document.readyState", page) == state


async def test_a_relative_address_is_relative_to_the_page(visitor: Visit, shop: str) -> None:
    async with visitor(f"{shop}/lab") as a:
        assert (await a.call("navigate", url="/checkout"))["url"] == f"{shop}/checkout"


async def test_a_fragment_loads_nothing(visitor: Visit, shop: str, panel: Panel) -> None:
    async with visitor(f"{shop}/lab") as a:
        await panel.witness(shop).see("window.mark = 1", "/lab")
        answer = await a.call("navigate", url=f"{shop}/lab#events")
        assert answer["url"].endswith("#events")
        assert await panel.witness(shop).see("window.mark", "/lab") == 1


async def test_a_fragment_of_a_blank_tab_ends_no_browser(agent: OpenAgent, panel: Panel) -> None:
    browser = panel.hub.browsers.shared
    async with agent() as a:
        assert (await a.call("navigate", url="about:blank#x"))["url"] == "about:blank#x"
        for address in ("about:blank#x", "about:blank#", "ABOUT:BLANK#x"):
            opened = await a.call("new_tab", url=address)
            assert opened["url"] == address.lower()
            await a.call("close_tab", tabId=opened["tabId"])
    assert panel.hub.browsers.shared is browser


async def test_back_forward_and_reload(visitor: Visit, pages: str, panel: Panel) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        await a.call("navigate", url=f"{pages}/keys.html")
        assert (await a.call("go_back"))["url"].endswith("/blank.html")
        assert (await a.call("go_forward"))["url"].endswith("/keys.html")
        await panel.witness(pages).see("window.mark = 1", "/keys.html")
        await a.call("reload")
        assert await panel.witness(pages).see("window.mark", "/keys.html") is None
        assert "NAVIGATION_FAILED" in await a.fails("go_forward")


async def test_a_download_is_told_as_one(visitor: Visit, shop: str) -> None:
    async with visitor(f"{shop}/lab") as a:
        (download,) = await told(a, await a.call("click", selector="#download-csv"), "downloads")
        assert download["fileName"] == "data.csv"


@pytest.mark.parametrize(
    "condition",
    [
        {"time": 20},
        {"selector": "#late-element"},
        {"text": "late"},
        {"expression": "document.querySelector('#late-element') !== null"},
        {"selector": "#late-element", "state": "attached"},
    ],
)
async def test_wait_ends_when_its_condition_holds(visitor: Visit, shop: str, condition: dict[str, object]) -> None:
    async with visitor(f"{shop}/lab") as a:
        await a.call("click", selector="#show-late")
        assert "waited" in await a.call("wait", **condition, timeout=PATIENCE_MS)


async def test_wait_for_something_to_go_and_for_an_address(visitor: Visit, shop: str) -> None:
    async with visitor(f"{shop}/lab") as a:
        await a.call("click", selector="#hide-element")
        await a.call("wait", selector="#vanishing-element", state="hidden", timeout=PATIENCE_MS)
        await a.call("evaluate", code="setTimeout(() => history.pushState({}, '', '?moved'), 100)")
        assert "moved" in (await a.call("wait", urlContains="moved", timeout=PATIENCE_MS))["url"]


async def test_clicks_are_trusted_and_say_what_they_changed(visitor: Visit, shop: str, panel: Panel) -> None:
    async with visitor(f"{shop}/lab") as a:
        answer = await a.call("click", selector="#counter-button")
        assert answer["effects"]["changed"] is True
        await a.call("click", selector="#double-target", clickCount=2)
        await a.call("click", selector="#context-target", button="right")
        witness = panel.witness(shop)
        events = await witness.see("window.labEvents.map(e => [e.type, e.target, e.isTrusted])", "/lab")
        assert ["click", "counter-button", True] in events
        assert ["dblclick", "double-target", True] in events
        assert ["contextmenu", "context-target", True] in events


async def test_a_click_without_effect_says_so(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        assert (await a.call("click", selector="h1"))["effects"] == {"changed": False}


async def test_eight_clicks_at_once_land_in_order(visitor: Visit, shop: str, panel: Panel) -> None:
    async with visitor(f"{shop}/lab") as a:
        witness = panel.witness(shop)
        await witness.see("window.seen = []; addEventListener('click', e => seen.push(e.target.id), true)", "/lab")
        targets = ["counter-button", "log-line", "info-line", "clear-events"] * 2
        await asyncio.gather(*(a.call("click", selector=f"#{target}") for target in targets))
        assert await witness.see("window.seen", "/lab") == targets


async def test_click_by_ref_xpath_point_and_with_modifiers(visitor: Visit, shop: str, panel: Panel) -> None:
    async with visitor(f"{shop}/lab") as a:
        ref = ref_of(await a.text("snapshot", interactiveOnly=True), "button", "Count")
        clicked = await a.call("click", ref=ref)
        await a.call("click", xpath="//button[@id='counter-button']", modifiers=["Shift"])
        await a.call("click", x=clicked["x"], y=clicked["y"])
        count = "Number(document.querySelector('#counter-output').textContent)"
        assert await panel.witness(shop).see(count, "/lab") == 3


async def test_click_reaches_through_frames_and_shadow_roots_after_scrolling(
    visitor: Visit, pages: str, panel: Panel
) -> None:
    async with visitor(f"{pages}/frames.html") as a:
        await a.call("click", selector="#outer >>> #deep")
        witness = panel.witness(pages)
        assert await witness.see("document.title", "/frames.html") == "clicked true"
        await a.call("fill", selector="#outer >>> #host >>> #nick", value="Ada")
        inner = "document.querySelector('#outer').contentDocument"
        value = f"{inner}.querySelector('#host').shadowRoot.querySelector('#nick').value"
        assert await witness.see(value, "/frames.html") == "Ada"
        snapshot = await a.text("snapshot")
        await a.call("fill", ref=ref_of(snapshot, "textbox", "Nickname"), value="Grace")
        assert await witness.see(value, "/frames.html") == "Grace"


async def test_hover_opens_a_menu(visitor: Visit, shop: str, panel: Panel) -> None:
    async with visitor(f"{shop}/lab") as a:
        await a.call("hover", selector="#hover-trigger")
        await a.call("click", selector="#hover-move")
        assert (
            await panel.witness(shop).see("document.querySelector('#pointer-output').textContent", "/lab")
            == "menu: move"
        )


FIELDS = [
    ("full-name", "Ada Lovelace ✓ 数"),
    ("email", "ada@example.com"),
    ("phone", "+353 1 234"),
    ("website", "https://example.com"),
    ("new-password", "s3cret"),
    ("floor", "7"),
    ("delivery-date", "2030-05-17"),
    ("delivery-time", "10:30"),
    ("delivery-week", "2030-W20"),
    ("reminder", "2030-05-16T09:00"),
    ("invoice-month", "2030-05"),
    ("wrap-colour", "#ff8800"),
    ("tip", "4"),
    ("gift-message", "two\nlines"),
    ("courier-note", "Ring twice"),
    ("occasion", "Birthday"),
    ("country", "IE"),
]


async def test_fill_sets_every_kind_of_field_and_clears_it(visitor: Visit, shop: str, panel: Panel) -> None:
    async with visitor(f"{shop}/checkout") as a:
        witness = panel.witness(shop)
        for field, value in FIELDS:
            await a.call("fill", selector=f"#{field}", value=value)
            read = f"(e => e.isContentEditable ? e.innerText : e.value)(document.querySelector('#{field}'))"
            assert await witness.see(read, "/checkout") == value, field
        await a.call("fill", selector="#gift", value="true")
        assert await witness.see("document.querySelector('#gift').checked", "/checkout") is True
        await a.call("fill", selector="#gift", value="false")
        assert await witness.see("document.querySelector('#gift').checked", "/checkout") is False
        await a.call("fill", selector="#full-name", value="")
        assert await witness.see("document.querySelector('#full-name').value", "/checkout") == ""


async def test_a_secret_never_comes_back(visitor: Visit, shop: str) -> None:
    async with visitor(f"{shop}/checkout") as a:
        for field in ("new-password", "card", "one-time-code"):
            answer = await a.text("fill", selector=f"#{field}", value="4111111111111111", snapshot="full")
            assert "41111" not in answer


NOT_TAKEN = [
    ("delivery-date", "tomorrow", "INVALID_PARAMS"),
    ("floor", "three", "INVALID_PARAMS"),
    ("tip", "99", "INVALID_PARAMS"),
    ("gift", "maybe", "INVALID_PARAMS"),
    ("country", "Atlantis", "INVALID_PARAMS"),
    ("customer-number", "X", "ELEMENT_NOT_VISIBLE"),
    ("region", "X", "ELEMENT_NOT_VISIBLE"),
    ("place-order", "X", "INVALID_PARAMS"),
    ("picture", "X", "INVALID_PARAMS"),
]


async def test_a_value_a_field_does_not_take_is_an_error_and_changes_nothing(
    visitor: Visit, shop: str, panel: Panel
) -> None:
    everything = (
        "JSON.stringify([...document.querySelectorAll('input,select,textarea')].map(e => [e.id, e.value, e.checked]))"
    )
    async with visitor(f"{shop}/checkout") as a:
        before = await panel.witness(shop).see(everything, "/checkout")
        for field, value, code in NOT_TAKEN:
            with naming(field):
                said = await a.fails("fill", selector=f"#{field}", value=value)
                assert said.startswith(code), said
                assert await panel.witness(shop).see(everything, "/checkout") == before


async def test_select_by_value_values_and_labels(visitor: Visit, shop: str, panel: Panel) -> None:
    async with visitor(f"{shop}/checkout") as a:
        witness = panel.witness(shop)
        assert (await a.call("select", selector="#country", value="FR"))["values"] == ["FR"]
        await a.call("select", selector="#extras", values=["ribbon", "bag"])
        chosen = "[...document.querySelector('#extras').selectedOptions].map(o => o.value)"
        assert await witness.see(chosen, "/checkout") == ["ribbon", "bag"]
        await a.call("select", selector="#extras", labels=["Greeting card"])
        assert await witness.see(chosen, "/checkout") == ["card"]
        said = await a.fails("select", selector="#country", value="XX", wait=0)
        assert said.startswith("INVALID_PARAMS")
        assert '"FR"' in said


async def test_type_and_press_key_make_real_key_events(visitor: Visit, pages: str, panel: Panel) -> None:
    async with visitor(f"{pages}/keys.html") as a:
        witness = panel.witness(pages)
        await a.call("type", selector="#area", text="a\nB ü", clear=True, delay=1)
        assert await witness.see("document.querySelector('#area').value", "/keys.html") == "a\nB ü"
        await a.call("press_key", key="Control+a")
        await a.call("press_key", key="Backspace")
        assert await witness.see("document.querySelector('#area').value", "/keys.html") == ""
        await a.call("press_key", selector="#plain", key="End")
        await a.call("press_key", key="ArrowLeft", count=2)
        await a.call("type", text="X")
        assert await witness.see("document.querySelector('#plain').value", "/keys.html") == "aXbc"
        await a.call("press_key", key="Control+Shift+K")
        await a.call("type", text="!", submit=True)
        seen = await witness.see("document.querySelector('#seen').textContent", "/keys.html")
        assert "C.S.K.KeyK.true" in seen
        assert seen.splitlines()[-1] == "Enter.Enter.true"
        assert await witness.see("document.title", "/keys.html") == "changed"


async def test_scroll_by_to_and_into_view(visitor: Visit, shop: str, panel: Panel) -> None:
    async with visitor(f"{shop}/lab") as a:
        inside = await a.call("scroll", selector="#scroll-box", deltaY=100)
        assert inside["y"] == 100
        assert await panel.witness(shop).see("document.querySelector('#scroll-box').scrollTop", "/lab") == 100
        await a.call("scroll", toY=300)
        assert await panel.witness(shop).see("scrollY", "/lab") == 300
        await a.call("scroll", deltaY=-100)
        assert await panel.witness(shop).see("scrollY", "/lab") == 200
        await a.call("scroll", selector="#lab-frame")
        visible = (
            "(r => r.top >= 0 && r.bottom <= innerHeight)(document.querySelector('#lab-frame').getBoundingClientRect())"
        )
        assert await panel.witness(shop).see(visible, "/lab") is True


async def test_dialogs_block_their_tab_only_and_are_answered(
    agent: OpenAgent, visitor: Visit, shop: str, panel: Panel
) -> None:
    async with visitor(f"{shop}/lab") as a, agent(f"{shop}/checkout", "other") as other:
        output = "document.querySelector('#dialog-output').textContent"
        witness = panel.witness(shop)
        cases: list[tuple[str, dict[str, Any], str]] = [
            ("#show-alert", {"accept": True}, "alert: closed"),
            ("#show-confirm", {"accept": False}, "confirm: false"),
            ("#show-prompt", {"accept": True, "promptText": "Bo"}, "prompt: Bo"),
        ]
        for opener, answer, outcome in cases:
            (dialog,) = (await a.call("click", selector=opener))["effects"]["dialogs"]
            assert dialog["next"] == "answer it with kapturemcp_handle_dialog"
            said = await a.fails("snapshot")
            assert said.startswith("DIALOG_OPEN")
            assert "kapturemcp_handle_dialog" in said
            assert (await other.call("evaluate", code="1+1"))["value"] == 2
            await a.call("handle_dialog", **answer)
            assert await witness.see(output, "/lab") == outcome
        assert (await a.fails("handle_dialog", accept=True)).startswith("INVALID_PARAMS")


async def test_popups_and_links_to_new_tabs_are_reported_and_can_be_driven(
    panel: Panel, agent: OpenAgent, pages: str
) -> None:
    allow = panel.hub.core.router.gates.approvals.allow
    async with agent(f"{pages}/popup.html") as a, person(panel, allow):
        for opener in ("#open", "#link"):
            answer = await a.call("click", selector=opener)
            (new,) = await told(a, answer, "newTabs")
            if panel.own is not None:  # there a person gives it
                assert new["host"] == pages.removeprefix("http://")
                new |= await a.call("connect_tab", browserTabId=new["browserTabId"])
            listed = {tab["tabId"]: tab for tab in (await a.call("list_tabs"))["tabs"]}
            assert listed[new["tabId"]]["driver"] == "test-agent"
            assert (await a.call("evaluate", tabId=new["tabId"], code="document.title"))["value"] == "Blank"
            await a.call("close_tab", tabId=new["tabId"])
            tabs = (await a.call("list_tabs"))["tabs"]
            opener_tab = next(tab["tabId"] for tab in tabs if tab["url"].endswith("popup.html"))
            await a.call("evaluate", tabId=opener_tab, code="1")


async def test_what_comes_later_rides_on_the_next_answer(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/popup.html") as a:
        delay, effects = 250, {"consoleErrors": ["late trouble"]}
        while "consoleErrors" in effects:  # on a busy machine the click took longer
            delay *= 2
            await a.call("evaluate", code=f"window.isOver = false; window.delay = {delay}")
            effects = (await a.call("click", selector="#later"))["effects"]
        await a.call("wait", expression="isOver")
        # The wait's own answer may carry it, or the one after it: it is never lost.
        lines = await a.text("logs", level="error")
        assert "late trouble" in lines


async def test_a_new_tab_comes_to_the_front_unless_it_is_to_stay_behind(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    async with agent(f"{pages}/blank.html") as a:
        first = await current_tab(a)
        for params in ({"background": True}, {"background": False}, {}):
            await a.call("activate_tab", tabId=first)
            opened = await a.call("new_tab", url=f"{pages}/keys.html", **params)
            front = [tab["tabId"] for tab in (await a.call("list_browser_tabs"))["tabs"] if tab["active"]]
            # In a person's own browser it never comes to the front.
            stays = panel.own is not None or params.get("background", False)
            assert front == [first if stays else opened["tabId"]], params
            await a.call("close_tab", tabId=opened["tabId"])


async def test_new_tab_in_the_background_and_close_tab(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(f"{pages}/blank.html") as a:
        opened = await a.call("new_tab", url=f"{pages}/keys.html", background=True)
        assert opened["url"].endswith("/keys.html")
        assert (await a.call("evaluate", code="location.pathname"))["value"] == "/keys.html"
        await a.call("close_tab")
        ids = [tab["tabId"] for tab in (await a.call("list_tabs"))["tabs"]]
        assert opened["tabId"] not in ids
        said = await a.fails("evaluate", code="1")
        assert said.startswith("TAB_DISCONNECTED"), said
        assert panel.hub.state.tabs.find(opened["tabId"]) is None
