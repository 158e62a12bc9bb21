"""Every command of the demo is done again by what is exported of it, as it was exported: of an agent's work, and of
what a person did in the window."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from kapture_panel import export
from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.wire.outcome import Confirmed
from kapture_panel.demo.job import ORDER, STEPS, Job
from tests.support.core.fakes import CATALOGUE
from tests.support.e2e.exports import kapture, newest, play, played, since
from tests.support.e2e.panel import OpenAgent, Panel

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: What the job types into fields that are called otherwise, by their parameters.
TYPED = {
    "search": "lamp",
    "quantity": "2",
    **dict(
        zip(
            ("full_name", "email", "phone", "website", "create_account_password_option", "street_and_house_number",
             "floor", "city", "postcode", "find_a_pick_up_point", "delivery_date", "delivery_time",
             "or_any_day_in_week", "note_to_the_courier", "tip_for_the_courier", "occasion", "remind_me_at",
             "invoice_month", "wrapping_colour", "gift_message", "card_number", "card_expiry", "one_time_code"),
            ORDER.values(), strict=True,
        )
    ),
}  # fmt: skip
#: What the lab shows of what was done in it.
SEEN = """
JSON.stringify({
  said: Object.fromEntries([...document.querySelectorAll("output")].map((one) => [one.id, one.textContent])),
  key: document.querySelector("#key-input").value,
  asks: document.querySelector("#ask-before-leaving").checked,
  shadow: document.querySelector("#shadow-host").shadowRoot.querySelector("output").textContent,
  frame: document.querySelector("#lab-frame").contentDocument.querySelector("output").textContent,
  marks: [window.injected, window.evaluated], top: scrollY, width: innerWidth, online: navigator.onLine,
})
"""


def exported(panel: Panel, rows: Sequence[Row], key: str, folder: Path) -> Path:
    """A file with the rows as the format `key`."""
    file = folder / f"made{export.FORMATS[key][1]}"
    export.write(file, key, rows, panel.data.screenshots, CATALOGUE)
    return file


async def run_here(panel: Panel, file: Path, values: dict[str, str]) -> tuple[int, str, str]:
    """Do a Kapture script again in the panel, as a person does in a terminal."""
    given = [f"{name}={value}" for name, value in values.items()]
    return await kapture("run", str(file), *given, "--data-dir", str(panel.data.root))


LET_GO = "for (const box of document.querySelectorAll('#ask-before-leaving')) box.checked = false"


@asynccontextmanager
async def others_closed(panel: Panel) -> AsyncIterator[None]:
    """Close in the end the tabs that a run opens, which ask nothing any more; a witness would take them for another's.
    A failure says what the panel did."""
    known, before = {tab.tab_id for tab in panel.hub.state.tabs}, newest(panel)
    try:
        yield
    except AssertionError as error:
        error.add_note("\n".join(f"{row.command}: {row.outcome} {row.effects}" for row in since(panel, before)))
        raise
    finally:
        for tab in [tab for tab in panel.hub.state.tabs if tab.tab_id not in known]:
            await panel.hub.core.router.run(panel.hub.state.person, "evaluate", {"tabId": tab.tab_id, "code": LET_GO})
            await panel.hub.core.router.run(panel.hub.state.person, "close_tab", {"tabId": tab.tab_id})


async def test_the_whole_job_of_the_demos_agent_is_done_again(
    panel: Panel, agent: OpenAgent, shop: str, tmp_path: Path
) -> None:
    before = newest(panel)
    async with agent() as shopper:
        job = Job(shopper, panel.witness(shop), shop)
        for _name, step in STEPS:
            await step(job)
        rows = since(panel, before)

    script = exported(panel, rows, "playwright", tmp_path)
    text = script.read_text()
    assert "Left out: Playwright" not in text
    assert 'expect(page.locator("css=#full-name")).to_have_value(full_name)' in text
    assert 'assert {"Greeting card", "Cloth bag"} <= chosen(page.locator("css=#extras"))' in text
    assert 'assert dialog1.value.message == "Is this a good shop?"' in text
    assert (await play(script, TYPED, tmp_path))[::2] == (0, "")
    assert (tmp_path / "confirmation.jpg").exists()

    async with others_closed(panel):
        job_again = exported(panel, rows, "kapture", tmp_path)
        code, out, err = await run_here(panel, job_again, TYPED)
        assert (code, err) == (0, ""), out
        outcomes = [row.outcome for row in since(panel, rows[-1].id) if row.command == "fill"]
        assert outcomes == ["confirmed"] * 27


async def test_a_script_fails_where_the_page_does_otherwise(
    panel: Panel, agent: OpenAgent, shop: str, tmp_path: Path
) -> None:
    before = newest(panel)
    async with agent(f"{shop}/lab") as tester:
        await tester.call("click", selector="#ask-before-leaving")
        await tester.call("click", selector="#show-confirm")
        await tester.call("handle_dialog", accept=True)
        rows = since(panel, before)
        await tester.call("evaluate", code=LET_GO)
    script = exported(panel, rows, "playwright", tmp_path)
    whole = script.read_text()
    for seen, other in (("is_checked", "is_checked"), ("checked=True", "checked=False"), ("good shop?", "bad shop?")):
        script.write_text(whole.replace(seen, other).replace("timeout=30000", "timeout=500"))
        code, _, err = await play(script, {}, tmp_path)
        assert (code, "AssertionError" in err) == ((0, False) if seen == other else (1, True)), err


async def test_a_script_done_again_stops_where_nothing_happens_that_did(
    panel: Panel, agent: OpenAgent, pages: str, tmp_path: Path
) -> None:
    # A page of few style rules: else it cannot always be said that nothing happened (page/sheet_texts.js).
    before = newest(panel)
    async with agent(f"{pages}/dialogs.html") as tester:
        await tester.call("click", selector="#count")
        await tester.call("click", selector="#quiet")
        await tester.call("handle_dialog", accept=True)
        rows = since(panel, before)
    file = exported(panel, rows, "kapture", tmp_path)
    told = json.loads(file.read_text())
    click = next(step for step in told["steps"] if step["params"].get("selector") == "#quiet")
    click["params"]["selector"], click["dialog"] = "#nothing", False
    file.write_text(json.dumps(told))
    async with others_closed(panel):
        code, _, err = await run_here(panel, file, {})
        assert (code, err) == (
            1, "kapture: step 3 (click): no effect was seen; when it was recorded, an effect was seen\n",
        )  # fmt: skip


class Hand:
    """A person at the window: what they run goes the way of the window's forms."""

    def __init__(self, panel: Panel) -> None:
        self._panel = panel
        self.tab = ""

    async def do(self, command: str, **params: Any) -> Any:
        """Run a command in the tab."""
        params = {"tabId": self.tab, **params} if self.tab else params
        return await self._panel.hub.core.router.run(self._panel.hub.state.person, command, params)


async def _give_a_picture(hand: Hand, shop: str, file: Path) -> None:
    """Begin at the checkout, whose form takes a file."""
    answer = await hand.do("new_tab", url=f"{shop}/checkout")
    hand.tab = answer.tab_id
    given = await hand.do("upload_file", selector="#picture", paths=[str(file)])
    assert isinstance(given.outcome, Confirmed)


async def _try_the_lab(hand: Hand) -> None:
    """Each other kind of command that changes something, once."""
    await hand.do("navigate", url="/lab")
    await hand.do("resize", width=1200, height=900)
    await hand.do("go_back")
    await hand.do("go_forward")
    await hand.do("reload")
    await hand.do("wait", text="A page that logs")
    await hand.do("click", selector="#ask-before-leaving")
    for place in ("#double-target", "#context-target"):
        how = {"clickCount": 2} if place == "#double-target" else {"button": "right"}
        await hand.do("click", selector=place, **how)
    await hand.do("hover", selector="#hover-trigger")
    await hand.do("click", selector="#hover-copy")
    await hand.do("drag", selector="#drag-source", toSelector="#drop-target")
    await hand.do("press_key", selector="#pointer-slider", key="ArrowRight", count=3)
    await hand.do("fill", selector="#slow-ms", value="20")
    await hand.do("click", selector="#slow-fetch")
    await hand.do("wait", expression="document.querySelector('#network-output').textContent.includes('200')")
    await hand.do("type", selector="#key-input", text="Hi there", clear=True)
    await hand.do("insert_text", selector="#key-input", text="!")
    await hand.do("fill_form", fields=[{"selector": "#lab-frame >>> input", "value": "frame"}])
    await hand.do("fill", selector="#shadow-host >>> input", value="shadow")
    await hand.do("click", selector="#lab-frame >>> button")
    await hand.do("click", selector="#shadow-host >>> button")
    await hand.do("click", selector="#show-alert")
    await hand.do("handle_dialog", accept=True)
    await hand.do("click", selector="#show-prompt")
    await hand.do("handle_dialog", accept=True, promptText="Grace")
    await hand.do("click", selector="#download-csv")
    opened = await hand.do("click", selector="#open-popup")
    await hand.do("close_tab", tabId=opened.effects.newTabs[0].tabId)
    await hand.do("evaluate", code="window.evaluated = 1")
    await hand.do("inject_script", source="window.injected = 2; const kept = 3;")
    await hand.do("set_offline", offline=True)
    await hand.do("set_offline", offline=False)
    await hand.do("scroll", selector="#rendered-list")
    await hand.do("scroll", selector="#scroll-box", deltaY=120)
    await hand.do("wait", expression="document.querySelector('#scroll-output').textContent === '120 px'")
    await hand.do("scroll", toY=0)
    await hand.do("scroll", deltaY=64)
    await hand.do("activate_tab")
    await hand.do("screenshot", name="lab", fullPage=True)
    await hand.do("click", selector="#ask-before-leaving")


async def test_what_a_person_did_with_each_command_is_done_again(
    panel: Panel, shop: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = newest(panel)
    file = tmp_path / "card.txt"
    file.write_text("Best wishes")
    policy = panel.hub.core.router.gates.policy
    monkeypatch.setattr(policy, "allow_dirs", (tmp_path.resolve(),))  # a script's files are asked about elsewhere
    async with others_closed(panel):
        hand = Hand(panel)
        await _give_a_picture(hand, shop, file)
        await _try_the_lab(hand)
        rows = since(panel, before)
        assert {row.client for row in rows} == {panel.hub.state.person.name}
        seen = str(await panel.witness(shop).see(SEEN, "/lab"))
    assert json.loads(seen)["said"]["dialog-output"] == "popup: open"
    assert json.loads(seen)["said"]["scroll-output"] == "120 px"

    values = {"milliseconds": "20", "press_a_key_in_here": "Hi there", "press_a_key_in_here_2": "!",
              "name": "frame", "name_2": "shadow", "prompttext": "Grace"}  # fmt: skip
    script = exported(panel, rows, "playwright", tmp_path)
    assert "Left out" not in script.read_text()
    assert await played(script, values, SEEN, tmp_path) == seen

    again = exported(panel, rows, "kapture", tmp_path)
    assert json.loads(again.read_text())["leftOut"] == []
    ran_from = newest(panel)
    async with others_closed(panel):
        code, out, err = await run_here(panel, again, values)
        assert (code, err) == (0, ""), out
        assert [row.outcome for row in since(panel, ran_from) if row.command == "upload_file"] == ["confirmed"]
        assert str(await panel.witness(shop).see(SEEN, "/lab")) == seen
