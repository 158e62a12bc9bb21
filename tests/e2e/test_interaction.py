"""Drag, files, forms, carets, batches and the list of all tabs, on the real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.conftest import OpenAgent, Panel, current_tab

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_an_html5_drag_drops_where_it_was_told_to(agent: OpenAgent, shop: str, panel: Panel) -> None:
    async with agent(f"{shop}/lab") as a:
        answer = await a.call("drag", selector="#drag-source", toSelector="#drop-target")
        assert answer["kind"] == "html5"
        witness = panel.witness(shop)
        assert await witness.see("document.querySelector('#drop-output').textContent", "/lab") == "dropped: Parcel"
        await a.call("click", selector="#counter-button")
        assert await witness.see("document.querySelector('#counter-output').textContent", "/lab") == "1"


async def test_a_pointer_drag_moves_a_slider(agent: OpenAgent, shop: str, panel: Panel) -> None:
    async with agent(f"{shop}/lab") as a:
        read = "Number(document.querySelector('#pointer-slider').getAttribute('aria-valuenow'))"
        before = await panel.witness(shop).see(read, "/lab")
        thumb = await a.call("hover", selector="#pointer-thumb")
        answer = await a.call("drag", selector="#pointer-thumb", toX=thumb["x"] + 60, toY=thumb["y"])
        assert answer["kind"] == "pointer"
        assert await panel.witness(shop).see(read, "/lab") > before


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"selector": "#drag-source"}, "INVALID_PARAMS"),
        ({"selector": "#drag-source", "toX": 5}, "INVALID_PARAMS"),
        ({"selector": "#drag-source", "toSelector": "#nowhere"}, "ELEMENT_NOT_FOUND"),
        ({"selector": "#nowhere", "toSelector": "#drop-target"}, "ELEMENT_NOT_FOUND"),
    ],
)
async def test_a_drag_that_cannot_be_done_leaves_the_mouse_free(
    agent: OpenAgent, shop: str, panel: Panel, params: dict[str, object], code: str
) -> None:
    async with agent(f"{shop}/lab") as a:
        assert (await a.fails("drag", **params)).startswith(code)
        await a.call("click", selector="#counter-button")
        count = "document.querySelector('#counter-output').textContent"
        assert await panel.witness(shop).see(count, "/lab") == "1"


async def test_text_is_inserted_at_the_caret_only(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(f"{pages}/keys.html") as a:
        assert (await a.fails("insert_text", text="x")).startswith("ELEMENT_NOT_FOUND")
        await a.call("press_key", selector="#plain", key="Home")
        await a.call("insert_text", text="ü数")
        assert await panel.witness(pages).see("document.querySelector('#plain').value", "/keys.html") == "ü数abc"
        await a.call("insert_text", selector="#area", text="!")
        assert "!" in await panel.witness(pages).see("document.querySelector('#area').value", "/keys.html")


async def test_files_are_put_into_a_file_field(agent: OpenAgent, shop: str, panel: Panel, tmp_path: Path) -> None:
    (tmp_path / "card.txt").write_text("Happy birthday ✓")
    policy = panel.hub.services.router.policy
    async with agent(f"{shop}/checkout") as a:
        upload = {"selector": "#picture", "paths": [str(tmp_path / "card.txt")]}
        said = await a.fails("upload_file", **upload)
        assert said.startswith("FILE_NOT_ALLOWED")
        assert "--allow-dir" in said
        allowed, policy.allow_dirs = policy.allow_dirs, (tmp_path.resolve(),)
        try:
            answer = await a.call("upload_file", **upload)
            assert answer["files"] == [{"name": "card.txt", "size": 18}]
            read = "document.querySelector('#picture').files[0].text()"
            assert await panel.witness(shop).see(read, "/checkout") == "Happy birthday ✓"
            wrong = {"selector": "#city", "paths": upload["paths"]}
            assert (await a.fails("upload_file", **wrong)).startswith("INVALID_PARAMS")
            missing = {"selector": "#picture", "paths": [str(tmp_path / "nowhere")]}
            assert (await a.fails("upload_file", **missing)).startswith("FILE_NOT_FOUND")
            outside = {"selector": "#picture", "paths": [f"{tmp_path}/../../../etc/passwd"]}
            assert (await a.fails("upload_file", **outside)).startswith("FILE_NOT_ALLOWED")
        finally:
            policy.allow_dirs = allowed


async def test_a_form_is_filled_in_order_and_stops_at_the_first_error(
    agent: OpenAgent, shop: str, panel: Panel
) -> None:
    async with agent(f"{shop}/checkout") as a:
        fields = [
            {"selector": "#full-name", "value": "Ada"},
            {"xpath": "//*[@id='city']", "value": "Dublin"},
            {"selector": "#gift", "value": "true"},
            {"selector": "#card", "value": "4111 1111 1111 1111"},
        ]
        assert (await a.call("fill_form", fields=fields))["filled"] == 4
        witness = panel.witness(shop)
        seen = "[document.querySelector('#full-name').value, document.querySelector('#city').value]"
        assert await witness.see(seen, "/checkout") == ["Ada", "Dublin"]
        said = await a.fails(
            "fill_form", fields=[{"selector": "#city", "value": "Cork"}, {"selector": "#no", "value": "x"}]
        )
        assert said.startswith("ELEMENT_NOT_FOUND")
        assert "field 2 of 2" in said
        row = panel.hub.services.history.rows(limit=1)[0]
        assert row.params["fields"][0]["value"] == {"redacted": 4}
        assert (await a.fails("fill_form", fields=[])).startswith("INVALID_PARAMS")


async def test_a_batch_runs_in_order_through_policy_and_history(agent: OpenAgent, shop: str, panel: Panel) -> None:
    async with agent(f"{shop}/lab") as a:
        steps = [
            {"command": "click", "params": {"selector": "#counter-button"}},
            {"command": "click", "params": {"selector": "#counter-button"}},
            {"command": "evaluate", "params": {"code": "document.querySelector('#counter-output').textContent"}},
        ]
        said = await a.text("batch", steps=steps)
        assert '3. evaluate: {"value":"2"' in said
        assert [row.command for row in panel.hub.services.history.rows(limit=4)] == [
            "evaluate",
            "click",
            "click",
            "batch",
        ]
        failing = [steps[0], {"command": "navigate", "params": {"url": "file:///etc/passwd"}}, steps[0]]
        said = await a.fails("batch", steps=failing)
        assert said.startswith("DENIED: step 2 of 3")
        count = "document.querySelector('#counter-output').textContent"
        assert await panel.witness(shop).see(count, "/lab") == "3"


async def test_a_tab_is_shown_and_all_tabs_are_listed(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(f"{pages}/keys.html?shown") as a:
        tab = await current_tab(a)
        other = await a.call("new_tab", url=f"{pages}/blank.html")
        await a.call("activate_tab", tabId=tab)
        tabs = (await a.call("list_browser_tabs"))["tabs"]
        active = [found for found in tabs if found["active"]]
        assert [found["tabId"] for found in active] == [tab]
        assert {"connected", "browserTabId", "url", "title"} <= active[0].keys()
        await a.call("close_tab", tabId=other["tabId"])
