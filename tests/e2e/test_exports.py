"""What an agent did is done again by what is made of its rows: a Kapture script and Playwright."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from kapture_panel import export
from kapture_panel.core.stores.history_row import Row
from kapture_panel.demo.agent import Agent, ref_of
from kapture_panel.hub.browsers.managed import find_browser
from tests.support.core.fakes import CATALOGUE
from tests.support.e2e.exports import kapture, newest, played, python, since
from tests.support.e2e.panel import OpenAgent, Panel

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: What is typed, by the parameter that is made of it.
TYPED = {
    "full_name": "Ada Lovelace",
    "email": "ada@example.com",
    "phone": "+353 1 234 5678",
    "create_account_password_option": "correct horse",
    "street_and_house_number": "1 Main Street",
    "city": "Dublin",
    "postcode": "D01 F5P2",
    "delivery_date": "2030-05-17",
    "gift_message": "Happy birthday,\nAda",
    "card_number": "4111 1111 1111 1111",
    "card_expiry": "12/39",
    "one_time_code": "123456",
}
LOADED = {"selector": "main[aria-busy=false]", "state": "attached"}
ORDER = """
JSON.stringify(Object.entries(sessionStorage).filter(([key]) => key.startsWith("order-"))
  .map(([key, value]) => [key, JSON.parse(value)]))
"""
"""What the shop keeps of an order."""


async def _ref(agent: Agent, role: str, name: str) -> str:
    return ref_of(await agent.text("snapshot", interactiveOnly=True), role, name)


async def _order_a_lamp(agent: Agent, shop: str) -> None:
    """From the catalogue to the confirmation, by refs and by selectors."""
    await agent.call("navigate", url=shop)
    await agent.call("wait", **LOADED)
    await agent.call("click", ref=await _ref(agent, "link", "Desk Lamp Arc"))
    await agent.call("wait", **LOADED)
    await agent.call("fill", ref=await _ref(agent, "spinbutton", "Quantity"), value="2")
    await agent.call("click", ref=await _ref(agent, "button", "Add to cart"))
    await agent.call("click", ref=await _ref(agent, "link", "Cart (2)"))
    await agent.call("wait", **LOADED)
    snapshot = await agent.text("snapshot", interactiveOnly=True)
    for name, key in (
        ("Full name", "full_name"), ("Email", "email"), ("Phone", "phone"),
        ("Create account password", "create_account_password_option"),
    ):  # fmt: skip
        await agent.call("fill", ref=ref_of(snapshot, "textbox", name), value=TYPED[key])
    fields = {"street": "street_and_house_number", "city": "city", "postcode": "postcode"}
    await agent.call(
        "fill_form", fields=[{"selector": f"#{name}", "value": TYPED[key]} for name, key in fields.items()]
    )
    await agent.call("select", ref=ref_of(snapshot, "combobox", "Country"), value="IE")
    await agent.call("select", selector="#extras", labels=["Greeting card", "Cloth bag"])
    await agent.call("click", ref=ref_of(snapshot, "radio", "Express"))
    await agent.call("fill", ref=ref_of(snapshot, "checkbox", "I accept the terms"), value="true")
    await agent.call("fill", selector="#delivery-date", value=TYPED["delivery_date"])
    await agent.call("fill", selector="#gift-message", value=TYPED["gift_message"])
    await agent.call("type", ref=ref_of(snapshot, "textbox", "Card number"), text=TYPED["card_number"])
    await agent.call("fill", selector="#card-expiry", value=TYPED["card_expiry"])
    await agent.call("fill", ref=ref_of(snapshot, "textbox", "One-time code"), value=TYPED["one_time_code"])
    await agent.call("click", ref=ref_of(snapshot, "button", "Place order"))
    await agent.picture(name="confirmation")


@dataclass
class Recorded:
    """What an agent did: its rows, and what the shop then kept."""

    rows: list[Row]
    orders: str


async def _record(panel: Panel, agent: OpenAgent, shop: str) -> Recorded:
    before = newest(panel)
    async with agent() as shopper:
        await _order_a_lamp(shopper, shop)
        orders = await panel.witness(shop).see(ORDER, "/thanks")
        return Recorded(since(panel, before), orders)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def recorded(panel: Panel, agent: OpenAgent, shop: str) -> Recorded:
    """What an agent did once, for the scripts that are made of it."""
    return await _record(panel, agent, shop)


def _order_fields(orders: str) -> Any:
    ((_, order),) = json.loads(orders)
    return order


async def test_a_kapture_script_does_what_the_rows_did(
    panel: Panel, recorded: Recorded, shop: str, tmp_path: Path
) -> None:
    file = tmp_path / "order.kapture.json"
    export.write(file, "kapture", recorded.rows, panel.data.screenshots, CATALOGUE)
    script = json.loads(file.read_text())
    assert set(script["parameters"]) == {*TYPED, "quantity"}
    secrets = {name for name, described in script["parameters"].items() if described.get("secret")}
    assert secrets == {"create_account_password_option", "card_number", "card_expiry", "one_time_code"}
    assert '"ref"' not in file.read_text()

    values = [f"{name}={value}" for name, value in {**TYPED, "quantity": "2"}.items()]
    known = {tab.tab_id for tab in panel.hub.state.tabs}
    code, out, err = await kapture("run", str(file), *values, "--data-dir", str(panel.data.root))
    assert code == 0, err
    assert out.splitlines()[-1].startswith(f"{len(script['steps'])}/{len(script['steps'])}  screenshot")
    (made,) = [tab for tab in panel.hub.state.tabs if tab.tab_id not in known]
    assert made.url.startswith(f"{shop}/thanks")
    orders = await panel.witness(shop).see(ORDER, "/thanks")
    assert _order_fields(orders) == _order_fields(recorded.orders)
    await panel.hub.core.router.run(panel.hub.state.person, "close_tab", {"tabId": made.tab_id})


async def test_a_playwright_script_does_what_the_rows_did(panel: Panel, recorded: Recorded, tmp_path: Path) -> None:
    file = tmp_path / "order.py"
    export.write(file, "playwright", recorded.rows, panel.data.screenshots, CATALOGUE)
    written = file.read_text()
    assert 'page.get_by_role("textbox", name="Full name", exact=True).fill(full_name)' in written
    assert 'select_option(label=["Greeting card", "Cloth bag"])' in written
    orders = await played(file, {**TYPED, "quantity": "2"}, ORDER, tmp_path)
    assert _order_fields(orders) == _order_fields(recorded.orders)


SAID = "document.querySelector('#said').textContent"
DONE = "add1;deep;noted;asked true;opened;"


async def test_frames_shadow_roots_twins_dialogs_and_windows_are_done_again(
    panel: Panel, agent: OpenAgent, pages: str, tmp_path: Path
) -> None:
    before = newest(panel)
    async with agent() as tester:
        await tester.call("navigate", url=f"{pages}/exports.html")
        await tester.call("wait", selector="#inner >>> input")
        snapshot = await tester.text("snapshot")
        twins = [
            line.partition("[ref=")[2].partition("]")[0] for line in snapshot.splitlines() if 'button "Add"' in line
        ]
        await tester.call("click", ref=twins[1])
        await tester.call("click", ref=ref_of(snapshot, "button", "Deep"))
        await tester.call("fill", ref=ref_of(snapshot, "textbox", "Note"), value="noted")
        await tester.call("click", ref=ref_of(snapshot, "button", "Ask"))
        await tester.call("handle_dialog", accept=True)
        opened = await tester.call("click", ref=ref_of(snapshot, "link", "Open"))
        popup = opened["effects"]["newTabs"][0]["tabId"]
        await tester.call("close_tab", tabId=popup)
        another = await tester.call("new_tab", url=f"{pages}/blank.html")
        await tester.call("close_tab", tabId=another["tabId"])
        assert await panel.witness(pages).see(SAID, "/exports.html") == DONE
        rows = since(panel, before)
    assert [row.targets[0].selector for row in rows if row.targets][1:4] == [
        "html > body > ul > li:nth-of-type(2) > button", "#host >>> button", "#inner >>> html > body > label > input",
    ]  # fmt: skip

    file = tmp_path / "odd.kapture.json"
    export.write(file, "kapture", rows, panel.data.screenshots, CATALOGUE)
    code, _, err = await kapture("run", str(file), "note=noted", "--data-dir", str(panel.data.root))
    assert code == 0, err
    assert await panel.witness(pages).see(SAID, "/exports.html") == DONE
    (made,) = [tab for tab in panel.hub.state.tabs if tab.url == f"{pages}/exports.html"]
    await panel.hub.core.router.run(panel.hub.state.person, "close_tab", {"tabId": made.tab_id})

    script = tmp_path / "odd.py"
    export.write(script, "playwright", rows, panel.data.screenshots, CATALOGUE)
    assert await played(script, {"note": "noted"}, SAID, tmp_path) == DONE


async def test_uploads_are_done_again_by_playwright(panel: Panel, agent: OpenAgent, pages: str, tmp_path: Path) -> None:
    """In a field, in a chooser that a click or the upload's own press opens, on a place for drops."""
    file = tmp_path / "one.txt"
    file.write_text("one")
    policy = panel.hub.core.router.gates.policy
    before_dirs, policy.allow_dirs = policy.allow_dirs, (tmp_path.resolve(),)
    before = newest(panel)
    try:
        async with agent(f"{pages}/uploads.html") as a:
            for selector in ("#several", "#open-div", "#zone"):
                await a.call("upload_file", selector=selector, paths=[str(file)])
            await a.call("click", selector="#open")
            await a.call("upload_file", paths=[str(file)])
            told = "(told) => told.length === 4 && told.every((one) => one.includes(':'))"
            await a.call("wait", expression=f"({told})(document.title.split(' | '))")
            rows = since(panel, before)
            title = str(await panel.witness(pages).see("document.title", "/uploads.html"))
    finally:
        policy.allow_dirs = before_dirs
    script = tmp_path / "uploads.py"
    export.write(
        script, "playwright", [row for row in rows if row.command != "close_tab"], panel.data.screenshots, CATALOGUE
    )
    # Playwright's events are not the person's.
    assert await played(script, {}, "document.title", tmp_path) == title.replace("zone true", "zone false")


async def test_a_script_ends_at_its_first_error(panel: Panel, tmp_path: Path) -> None:
    file = tmp_path / "job.json"
    steps: Sequence[dict[str, Any]] = [
        {"command": "new_tab", "params": {}, "opens": "tab1"},
        {"command": "click", "params": {"selector": "#nothing", "timeout": 200}, "tab": "tab1"},
        {"command": "close_tab", "params": {}, "tab": "tab1"},
    ]
    file.write_text(
        json.dumps({"version": 1, "parameters": {"name": {"label": "Your name", "length": 3}}, "steps": steps})
    )
    home = ("--data-dir", str(panel.data.root))
    assert await kapture("run", "--check", str(file)) == (
        0, f"{file} is a Kapture script of 3 steps; parameters: name\n", "",
    )  # fmt: skip
    code, _, err = await kapture("run", str(file), *home)
    assert (code, err) == (
        1, 'kapture: missing parameters: name ("Your name", 3 characters); give each as name=value\n',
    )  # fmt: skip
    code, _, err = await kapture("run", str(file), "nam=a", *home)
    assert (code, "has no parameter 'nam'; it has name" in err) == (1, True)
    known = {tab.tab_id for tab in panel.hub.state.tabs}
    code, out, err = await kapture("run", str(file), "name=Ada", *home)
    assert code == 1
    assert err.startswith("kapture: step 2 (click): COMMAND_TIMEOUT: ")
    assert out.splitlines()[-1] == "2/3  click  failed"
    (made,) = [tab for tab in panel.hub.state.tabs if tab.tab_id not in known]
    await panel.hub.core.router.run(panel.hub.state.person, "close_tab", {"tabId": made.tab_id})
    assert (await kapture("run", str(tmp_path / "none.json"), *home))[0] == 1


#: Opens a recording, filters it, shows a picture whole.
VIEWER = """
import json, sys
from playwright.sync_api import sync_playwright
file, browser = sys.argv[1:]
with sync_playwright() as p:
    opened = p.chromium.launch(executable_path=browser, args=["--no-sandbox"])
    page = opened.new_page()
    said = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto("file://" + file)
    found = {"all": page.locator("#rows > li:visible").count()}
    page.keyboard.press("/")
    page.keyboard.type("screenshot confirm")
    found["filtered"] = page.locator("#rows > li:visible").count()
    page.get_by_role("button", name="Screenshot confirmation: show it whole").press("Enter")
    found["whole"] = page.locator("dialog img").evaluate("image => image.decode().then(() => image.naturalWidth > 100)")
    page.keyboard.press("Escape")
    page.get_by_label("Errors only").check()
    found["errors"] = page.locator("#nothing").is_visible()
    found["fetched"] = page.evaluate("fetch('data:text/plain,x').then(() => true, () => false)")
    page.get_by_label("Errors only").uncheck()
    page.get_by_label("Filter").fill("")
    page.set_viewport_size({"width": 390, "height": 844})
    found["width"] = page.evaluate("document.documentElement.scrollWidth")
    rows = "[...document.querySelectorAll('#rows .line')]"
    lines = "(line) => line.querySelector('.ms').offsetTop > line.querySelector('.state').offsetTop"
    found["lines"] = page.evaluate(f"{rows}.every({lines})")
    found["said"] = [line for line in said if "fetch" not in line and "connect" not in line.lower()]
    print(json.dumps(found))
    opened.close()
"""


async def test_a_recording_can_be_read_filtered_and_reaches_nothing(
    panel: Panel, agent: OpenAgent, shop: str, tmp_path: Path
) -> None:
    recorded = await _record(panel, agent, shop)  # --last takes the newest rows
    file = tmp_path / "recording.html"
    code, out, err = await kapture(
        "export",
        "--format",
        "html",
        "--last",
        str(len(recorded.rows)),
        "-o",
        str(file),
        "--data-dir",
        str(panel.data.root),
    )
    assert code == 0, err
    assert out == f"{len(recorded.rows)} rows in {file}, with 1 picture\n"
    assert not any(value in file.read_text() for name, value in TYPED.items() if name != "city")
    viewer = tmp_path / "viewer.py"
    viewer.write_text(VIEWER)
    code, out, err = await python(str(viewer), str(file), find_browser())
    assert code == 0, err
    rows = len(recorded.rows)
    assert json.loads(out) == {
        "all": rows, "filtered": 1, "whole": True, "errors": True, "fetched": False, "width": 390, "lines": True,
        "said": [],
    }  # fmt: skip
    assert (await kapture("export", "--format", "pdf"))[0] == 1
