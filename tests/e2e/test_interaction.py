"""Drag, files, forms, carets, batches and the list of all tabs, on the real browser."""

from __future__ import annotations

import base64
import io
import re
from pathlib import Path
from typing import Any

import pytest
from mcp_types import ImageContent, TextContent
from PIL import Image

from kapture_panel.demo.agent import Agent, connect
from tests.support.e2e.panel import Panel, Visit, current_tab
from tests.support.rows import naming

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_an_html5_drag_drops_where_it_was_told_to(visitor: Visit, shop: str, panel: Panel) -> None:
    async with visitor(f"{shop}/lab") as a:
        answer = await a.call("drag", selector="#drag-source", toSelector="#drop-target")
        assert answer["kind"] == "html5"
        witness = panel.witness(shop)
        assert await witness.see("document.querySelector('#drop-output').textContent", "/lab") == "dropped: Parcel"
        await a.call("click", selector="#counter-button")
        assert await witness.see("document.querySelector('#counter-output').textContent", "/lab") == "1"


async def test_a_pointer_drag_moves_a_slider(visitor: Visit, shop: str, panel: Panel) -> None:
    async with visitor(f"{shop}/lab") as a:
        read = "Number(document.querySelector('#pointer-slider').getAttribute('aria-valuenow'))"
        before = await panel.witness(shop).see(read, "/lab")
        thumb = await a.call("hover", selector="#pointer-thumb")
        answer = await a.call("drag", selector="#pointer-thumb", toX=thumb["x"] + 60, toY=thumb["y"])
        assert answer["kind"] == "pointer"
        assert await panel.witness(shop).see(read, "/lab") > before


UNDONE: list[tuple[dict[str, Any], str]] = [
    ({"selector": "#drag-source"}, "INVALID_PARAMS"),
    ({"selector": "#drag-source", "toX": 5}, "INVALID_PARAMS"),
    ({"selector": "#drag-source", "toSelector": "#nowhere"}, "ELEMENT_NOT_FOUND"),
    ({"selector": "#nowhere", "toSelector": "#drop-target"}, "ELEMENT_NOT_FOUND"),
]


async def test_a_drag_that_cannot_be_done_leaves_the_mouse_free(visitor: Visit, shop: str, panel: Panel) -> None:
    async with visitor(f"{shop}/lab") as a:
        for times, (params, code) in enumerate(UNDONE, 1):
            with naming(params):
                assert (await a.fails("drag", **params, wait=0)).startswith(code)
                await a.call("click", selector="#counter-button")
                count = "document.querySelector('#counter-output').textContent"
                assert await panel.witness(shop).see(count, "/lab") == str(times)


async def test_text_is_inserted_at_the_caret_only(visitor: Visit, pages: str, panel: Panel) -> None:
    async with visitor(f"{pages}/keys.html") as a:
        assert (await a.fails("insert_text", text="x")).startswith("ELEMENT_NOT_FOUND")
        await a.call("press_key", selector="#plain", key="Home")
        await a.call("insert_text", text="ü数")
        assert await panel.witness(pages).see("document.querySelector('#plain').value", "/keys.html") == "ü数abc"
        await a.call("insert_text", selector="#area", text="!")
        assert "!" in await panel.witness(pages).see("document.querySelector('#area').value", "/keys.html")


async def test_files_are_put_into_a_file_field(visitor: Visit, shop: str, panel: Panel, tmp_path: Path) -> None:
    (tmp_path / "card.txt").write_text("Happy birthday ✓")
    policy = panel.hub.core.router.gates.policy
    async with visitor(f"{shop}/checkout") as a:
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


async def test_a_form_is_filled_in_order_and_stops_at_the_first_error(visitor: Visit, shop: str, panel: Panel) -> None:
    async with visitor(f"{shop}/checkout") as a:
        fields = [
            {"selector": "#full-name", "value": "Ada"},
            {"xpath": "//*[@id='city']", "value": "Dublin"},
            {"selector": "#gift", "value": "true"},
            {"selector": "#card", "value": "4111 1111 1111 1111"},
        ]
        filled = await a.call("fill_form", fields=fields)
        assert filled["filled"] == 4
        assert filled["values"] == ["Ada", "Dublin", "true", "•" * 8]
        assert "target" not in filled["effects"]  # of one of them, it would be
        witness = panel.witness(shop)
        seen = "[document.querySelector('#full-name').value, document.querySelector('#city').value]"
        assert await witness.see(seen, "/checkout") == ["Ada", "Dublin"]
        said = await a.fails(
            "fill_form", fields=[{"selector": "#city", "value": "Cork"}, {"selector": "#no", "value": "x"}]
        )
        assert said.startswith("ELEMENT_NOT_FOUND")
        assert "field 2 of 2" in said
        row = panel.hub.state.history.rows(limit=1)[0]
        assert row.params["fields"][0]["value"] == {"redacted": 4}
        assert (await a.fails("fill_form", fields=[])).startswith("INVALID_PARAMS")


async def test_a_batch_shows_the_pictures_of_its_steps(visitor: Visit, pages: str, panel: Panel) -> None:
    async with visitor(f"{pages}/blank.html") as a, connect(panel.data.root, "batcher") as client:
        tab = await current_tab(a)
        clips = [{"x": 0, "y": 0, "width": width, "height": 200} for width in (300, 500)]
        steps: list[dict[str, Any]] = [
            {"command": "screenshot", "params": {"tabId": tab, "name": "part", "clip": clip}} for clip in clips
        ]
        answer = await client.call_tool("kapturemcp_batch", {"steps": [steps[0], {"command": "list_tabs"}, steps[1]]})
        shown = [block for block in answer.content if isinstance(block, ImageContent)]
        sizes = [Image.open(io.BytesIO(base64.b64decode(one.data))).size for one in shown]
        assert sizes == [(300, 200), (500, 200)]
        (said,) = [block for block in answer.content if isinstance(block, TextContent)]
        assert "\n2. list_tabs: " in said.text


async def test_a_batch_runs_in_order_through_policy_and_history(visitor: Visit, shop: str, panel: Panel) -> None:
    async with visitor(f"{shop}/lab") as a:
        steps = [
            {"command": "click", "params": {"selector": "#counter-button"}},
            {"command": "click", "params": {"selector": "#counter-button"}},
            {"command": "evaluate", "params": {"code": "document.querySelector('#counter-output').textContent"}},
        ]
        said = await a.text("batch", steps=steps)
        assert '3. evaluate: {"value":"2"' in said
        assert [row.command for row in panel.hub.state.history.rows(limit=4)] == [
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


async def test_a_tab_is_shown_and_all_tabs_are_listed(visitor: Visit, pages: str, panel: Panel) -> None:
    async with visitor(f"{pages}/keys.html?shown") as a:
        tab = await current_tab(a)
        other = await a.call("new_tab", url=f"{pages}/blank.html")
        await a.call("activate_tab", tabId=tab)
        tabs = (await a.call("list_browser_tabs"))["tabs"]
        active = [found for found in tabs if found["active"]]
        assert [found["tabId"] for found in active] == [tab]
        assert {"connected", "browserTabId", "url", "title"} <= active[0].keys()
        await a.call("close_tab", tabId=other["tabId"])


async def held(a: Agent, expression: str) -> Any:
    return (await a.call("evaluate", code=expression))["value"]


async def test_nothing_is_chosen_through_a_cover(visitor: Visit, libraries: str) -> None:
    async with visitor(f"{libraries}/react.html") as a:
        await held(a, "document.body.append(Object.assign(document.createElement('div'), {id: 'cover'}))")
        await held(a, "document.querySelector('#cover').style = 'position: fixed; inset: 0; z-index: 9'")
        for command in ("select", "fill"):
            said = await a.fails(command, selector="#select", value="b", wait=0)
            assert said.startswith('ELEMENT_NOT_VISIBLE: <select id="select"> is covered by <div id="cover">'), said
            assert await held(a, "document.querySelector('#select').value") == "a", command
        await held(a, "document.querySelector('#cover').remove()")
        assert (await a.call("select", selector="#select", value="b"))["values"] == ["b"]


async def test_what_lies_over_a_frame_of_another_origin_covers_its_fields(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/frames_top.html") as a:
        await a.call("wait", selector="#pay >>> [name=bank]")
        cover = "document.body.insertAdjacentHTML('beforeend', '<div id=cover style=position:fixed;inset:0></div>')"
        await held(a, cover)
        commands: list[tuple[str, str, dict[str, Any]]] = [
            ("select", "bank", {"value": "Allied"}),
            ("fill", "bank", {"value": "Allied"}),
            ("fill", "card", {"value": "1"}),
            ("fill", "agree", {"value": "true"}),
            ("type", "card", {"text": "1"}),
            ("insert_text", "card", {"text": "1"}),
            ("press_key", "card", {"key": "1"}),
            ("click", "agree", {}),
        ]
        for command, name, more in commands:
            failed = await a.fails(command, selector=f"#pay >>> [name={name}]", wait=0, **more)
            assert failed.startswith("ELEMENT_NOT_VISIBLE"), failed
            assert '<div id="cover"> covers' in failed
        assert await held(a, "said") == []
        await held(a, "document.querySelector('#cover').remove()")
        for command, name, more in commands:
            await a.call(command, selector=f"#pay >>> [name={name}]", **more)
        assert "input bank Allied false" in await held(a, "said")


async def test_a_page_that_takes_the_focus_out_of_a_frame_is_told(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/frames_top.html") as a:
        await a.call("wait", selector="#pay >>> [name=card]")
        await held(a, "addEventListener('message', () => own.focus())")
        failed = await a.fails("type", selector="#pay >>> [name=card]", text="x" * 400)
        assert failed.startswith("EXECUTION_ERROR"), failed
        assert 'to <button id="own">' in failed
        assert int(failed.split()[1]) < 400


DISABLED = [
    ("<button id=it disabled>Off</button>", "#it"),
    ("<button id=it disabled><b id=in>Off</b></button>", "#in"),
    ("<div id=it role=button aria-disabled=true><b id=in>Off</b></div>", "#in"),
    ("<fieldset disabled><button id=it>Off</button></fieldset>", "#it"),
    ("<input id=it disabled>", "#it"),
    ("<div id=it aria-disabled=true><template shadowrootmode=open><b id=in>Off</b></template></div>", "#it >>> #in"),
]


async def test_a_point_on_a_disabled_control_is_refused_like_its_selector(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        for disabled, point in DISABLED:
            with naming(disabled):
                await held(a, f"document.body.setHTMLUnsafe({disabled!r})")
                spot = await a.call("hover", selector=point)
                for command, more in (("click", {}), ("drag", {"toX": 5, "toY": 5})):
                    said = await a.fails(command, x=spot["x"], y=spot["y"], wait=0, **more)
                    assert said == await a.fails(command, selector="#it", wait=0, **more)
                    assert said.startswith("ELEMENT_NOT_VISIBLE")
                    assert "is disabled" in said
                await a.call("hover", x=spot["x"], y=spot["y"])


@pytest.mark.parametrize("field", ["timer", "frame"])
async def test_a_page_that_takes_the_focus_away_gets_no_text(visitor: Visit, pages: str, field: str) -> None:
    async with visitor(f"{pages}/steal.html") as a:
        commands: list[tuple[str, dict[str, Any]]] = [
            ("type", {"text": "a secret", "submit": True}),
            ("insert_text", {"text": "a secret"}),
            ("press_key", {"key": "s"}),
            ("fill", {"value": "a secret"}),
        ]
        for command, more in commands:
            said = await a.fails(command, selector=f"#{field}", **more)
            assert said.startswith(f'ELEMENT_NOT_VISIBLE: <input id="{field}"> does not keep the focus'), said
            assert '<input id="thief">' in said
            assert await held(a, "thief.value") == ""
            await held(a, "document.activeElement.blur()")
        assert await held(a, "document.title") == "Steal"


@pytest.mark.parametrize("field", ["late", "rich"])
async def test_text_that_went_elsewhere_is_told_with_how_much_and_where(visitor: Visit, pages: str, field: str) -> None:
    async with visitor(f"{pages}/steal.html") as a:
        said = await a.fails("type", selector=f"#{field}", text="x" * 200, submit=True)
        assert said.startswith("EXECUTION_ERROR: 40 of 200 characters were typed"), said
        assert "holds 30" in said
        assert '<input id="thief">' in said
        assert len(await held(a, "thief.value")) == 10
        assert await held(a, "document.title") == "Steal"


async def test_a_code_with_a_field_for_each_sign_is_typed_from_the_first(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/steal.html") as a:
        for more in ({}, {"delay": 1}):
            answer = await a.call("type", selector="#code0", text="123456", **more)
            assert answer["typed"] == 6
            assert answer["focus"] == '<input id="code5">'
            assert await held(a, "[...code.children].map(({ value }) => value).join('')") == "123456"
            await held(a, "for (const field of code.children) field.value = ''")
        said = await a.fails("type", selector="#loose0", text="123456")
        assert said.startswith("EXECUTION_ERROR: 6 of 6 characters were typed"), said
        assert '<input id="loose5">' in said


async def test_a_field_may_leave_the_focus_once_it_holds_the_text(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/steal.html") as a:
        assert (await a.call("type", selector="#late", text="x" * 30))["typed"] == 30
        assert (await a.call("insert_text", selector="#late", text="y" * 30))["inserted"] == 30
        assert await held(a, "thief.value") == ""


async def test_the_last_sign_may_lead_to_another_page_an_earlier_one_may_not(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/steal.html") as a:
        answer = await a.call("type", selector="#goes", text="123456")
        assert answer["typed"] == 6
        assert answer["effects"]["url"].endswith("/blank.html")
        await a.call("navigate", url=f"{pages}/steal.html")
        said = await a.fails("type", selector="#goes", text="x" * 3000)
        assert said.startswith("EXECUTION_ERROR"), said
        assert "of 3000 characters were typed, then another page took its place" in said


async def test_elements_named_over_by_a_page_are_acted_on(visitor: Visit, pages: str, tmp_path: Path) -> None:
    async with visitor(f"{pages}/clobbered.html") as a:
        for way in ({"selector": "#form"}, {"xpath": "//form[1]"}):
            await a.call("scroll", selector="#goal")
            await a.call("click", **way)
            await a.call("hover", **way)
            await a.picture(name="form", **way)
            assert (await a.call("scroll", toY=400))["y"] == 400
            await a.call("scroll", **way)
            inside = await a.call("scroll", **way, deltaY=50)
            assert inside["y"] == 50
            assert inside["maxY"] < 400
            await a.call("scroll", **way, deltaY=-50)
            await a.call("press_key", key="ArrowUp", **way)
            await a.call("drag", **way, toX=200, toY=200)
        spot = await a.call("hover", selector="#form")
        await a.call("click", x=spot["x"], y=spot["y"])
        await a.call("wait", selector="#form", state="visible")
        for kind in ("click", "mouseover", "keydown", "dragstart"):
            assert kind in await held(a, "seen"), kind
        assert re.search('button "Low" .*offscreen', await a.text("snapshot", selector="#form"))
        await held(a, "goal.style = 'position: fixed; inset: 0; opacity: .5; margin: 0'; 1")
        assert "covered by" in await a.fails("click", selector="#form", wait=0)
        await held(a, "goal.style = ''; 1")
        assert (await a.call("fill", selector="#editor", value="filled"))["value"] == "filled"
        await a.call("type", selector="#editor", text="typed", clear=True)
        await a.call("insert_text", text=" inserted")
        await a.call("press_key", key="End")
        assert (await a.call("fill", selector="#text", value="x"))["value"] == "x"
        assert (await a.call("select", selector="#choice", value="two"))["values"] == ["two"]
        for command, more in (("select", {"value": "x"}), ("fill", {"value": "x"}), ("upload_file", {"paths": ["/x"]})):
            assert not (await a.fails(command, selector="#form", wait=0, **more)).startswith("INTERNAL"), command
        assert "typed inserted" in await a.text("get_visible_text", selector="#editor")
        assert (await a.fails("insert_text", selector="#form", text="x")).startswith("INVALID_PARAMS")
        assert (await a.call("type", selector="#form", text="x"))["typed"] == 1
        assert 'textbox "Editor"' in await a.text("snapshot")
        assert '"editable":true' in await a.text("check_element_state", selector="#editor")


async def test_a_sign_of_another_keyboard_is_a_key(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/keys.html") as a:
        for sign in ("ä", "€", "日", "ß", "😀", "Ñ"):
            with naming(sign):
                again = (
                    "document.querySelector('#plain').value = 'abc'; document.querySelector('#seen').textContent = ''"
                )
                await held(a, again)
                await a.call("press_key", selector="#plain", key=sign, count=2)
                assert sorted(await held(a, "document.querySelector('#plain').value")) == sorted(f"abc{sign}{sign}")
                await a.call("press_key", key=f"Control+{sign}")
                assert sorted(await held(a, "document.querySelector('#plain').value")) == sorted(f"abc{sign}{sign}")
                lines = (await held(a, "document.querySelector('#seen').textContent")).splitlines()
                assert lines[:2] == [f"{sign}.true"] * 2
                assert lines[-1] == f"C.{sign}.true"


async def test_shift_makes_a_capital_of_another_keyboard(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/keys.html") as a:
        await a.call("press_key", selector="#plain", key="Shift+ä")
        assert "Ä" in await held(a, "document.querySelector('#plain').value")
        assert "S.Ä.true" in await held(a, "document.querySelector('#seen').textContent")
