"""The DOM exploration commands on real pages; what they say is compared with the page itself over raw CDP."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from kapture_panel.demo.agent import Agent
from tests.support.e2e.panel import Panel, Visit, whole
from tests.support.rows import naming

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def asked(agent: Agent, command: str, **params: Any) -> Any:
    """The JSON of an answer, wherever it stands."""
    return json.loads(await agent.text(command, **params))


async def test_query_dom_lists_what_matches_and_counts_the_rest(visitor: Visit, shop: str, panel: Panel) -> None:
    async with visitor(f"{shop}/lab") as a:
        answer = await asked(a, "query_dom", selector="button")
        witness = panel.witness(shop)
        assert answer["count"] == await witness.see("document.querySelectorAll('button').length", "/lab")
        ids = "[...document.querySelectorAll('button')].slice(0, 10).map(e => e.id)"
        assert [element["id"] for element in answer["elements"]] == await witness.see(ids, "/lab")
        first = answer["elements"][0]
        assert {first["role"], first["tag"]} == {"button"}
        assert first["name"] == "Log"
        assert len((await asked(a, "query_dom", selector="button", limit=3))["elements"]) == 3
        await a.call("click", ref=answer["elements"][1]["ref"])
        logged = await witness.see("document.querySelector('#console-output').textContent", "/lab")
        assert "info" in logged.lower()


async def test_query_dom_tells_text_value_and_visibility(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/explore.html") as a:
        (styled,) = (await asked(a, "query_dom", selector="#styled"))["elements"]
        assert styled["text"] == "Once upon a time"
        assert styled["class"] == "lead first"
        assert styled["role"] == "paragraph"
        assert not styled.keys() & {"name", "value", "visible", "inViewport"}, "what is usual is not told"
        (name,) = (await asked(a, "query_dom", selector="#name"))["elements"]
        assert (name["role"], name["name"], name["value"]) == ("textbox", "Name", "Ada")
        (gone,) = (await asked(a, "query_dom", selector="#gone"))["elements"]
        assert gone["visible"] is gone["inViewport"] is False
        (far,) = (await asked(a, "query_dom", selector="#far"))["elements"]
        assert "visible" not in far
        assert far["inViewport"] is False


async def test_refs_go_on_over_pages_whichever_command_gave_them(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/explore.html") as a:
        (before,) = (await asked(a, "query_dom", selector="#name"))["elements"]
        await a.call("navigate", url=f"{pages}/keys.html")
        (after,) = (await asked(a, "query_dom", selector="#plain"))["elements"]
        assert int(after["ref"][1:]) > int(before["ref"][1:])
        assert (await a.fails("click", ref=before["ref"])).startswith("STALE_REF")
        assert f"[ref={after['ref']}]" in await a.text("snapshot")


async def test_visible_text_is_what_the_page_shows(visitor: Visit, pages: str, panel: Panel) -> None:
    async with visitor(f"{pages}/explore.html") as a:
        text = await a.text("get_visible_text")
        lines = text.splitlines()
        for shown in ("Explore", "Once upon a time", "but this", "First link", "Bread\t3", "  two", "More"):
            assert shown in lines, shown
        assert "In the shadow" in lines
        assert "Text inside the frame" in lines
        for hidden in ("Gone", "Unseen", "In hidden", "Folded", "not text", "--brand", "Ada"):
            assert hidden not in text, hidden
        words = "document.querySelector('#list').innerText.split(/\\s+/).join(' ')"
        shown = await a.text("get_visible_text", selector="#list")
        assert " ".join(shown.split()) == await panel.witness(pages).see(words, "/explore.html")
        assert await a.text("get_visible_text", selector="#gone") == "(no visible text)"
        assert await a.text("get_visible_text", selector="#in-hidden") == "(no visible text)"


async def test_visible_text_is_cut_where_it_was_told_to(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/large.html") as a:
        short = await a.text("get_visible_text", maxLength=100)
        kept, _, note = short.rpartition("\n")
        assert len(kept) == 100
        assert "maxLength" in note
        assert len(await a.text("get_visible_text")) < 5100
        everything = await a.text("get_visible_text", maxLength=1000000)
        mark, *lines = whole(everything).splitlines()
        assert mark == f"[untrusted: {pages}]"
        assert lines == [f"Link {number}" for number in range(2500)]


async def test_computed_styles_are_the_pages_own(visitor: Visit, pages: str, panel: Panel) -> None:
    async with visitor(f"{pages}/explore.html") as a:
        wanted = ["color", "paddingLeft", "padding-left", "--brand"]
        answer = await a.call("get_computed_styles", selector="#styled", properties=wanted)
        read = (
            "(s => [s.color, s.paddingLeft, s.paddingLeft, s.getPropertyValue('--brand')])"
            "(getComputedStyle(document.querySelector('#styled')))"
        )
        assert [answer["styles"][name] for name in wanted] == await panel.witness(pages).see(read, "/explore.html")
        assert answer["styles"].keys() == set(wanted)
        usual = (await a.call("get_computed_styles", selector="#styled"))["styles"]
        assert usual["color"] == "rgb(1, 2, 3)"
        assert usual["padding"] == "4px 8px"
        said = await a.fails("get_computed_styles", selector="#styled", properties=["colour"])
        assert said.startswith("INVALID_PARAMS")
        assert '"colour"' in said


UNSEEN = {
    "#gone": "display: none",
    "#unseen": "visibility: hidden",
    "#clear": "opacity: 0",
    "#zero": "no size",
    "#in-hidden": "display: none of <div>",
    "#folded": 'closed <details id="more">',
    "title": "display: none",
}


async def test_what_cannot_be_seen_says_why(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/explore.html") as a:
        for selector, reason in UNSEEN.items():
            with naming(selector):
                answer = await a.call("check_visibility", selector=selector)
                assert answer["visible"] is False
                assert reason in answer["reason"]


async def test_visibility_tells_box_viewport_and_cover(visitor: Visit, pages: str, panel: Panel) -> None:
    async with visitor(f"{pages}/explore.html") as a:
        styled = await a.call("check_visibility", selector="#styled")
        assert styled["visible"] is styled["inViewport"] is True
        assert "reason" not in styled
        assert "coveredBy" not in styled
        box = (
            "(({ x, y, width, height }) => ({ x, y, width, height }))"
            "(document.querySelector('#styled').getBoundingClientRect())"
        )
        assert styled["box"] == pytest.approx(await panel.witness(pages).see(box, "/explore.html"), abs=0.06)
        assert (await a.call("check_visibility", selector="#under"))["coveredBy"] == '<div id="over">'
        far = await a.call("check_visibility", selector="#far")
        assert (far["visible"], far["inViewport"]) == (True, False)
        assert (await a.call("check_visibility", selector="#seen-inside"))["visible"] is True


async def test_attributes_all_or_some(visitor: Visit, shop: str, panel: Panel) -> None:
    async with visitor(f"{shop}/checkout") as a:
        everything = "Object.fromEntries([...document.querySelector('#floor').attributes].map(a => [a.name, a.value]))"
        answer = await asked(a, "get_attributes", selector="#floor")
        assert answer["attributes"] == await panel.witness(shop).see(everything, "/checkout")
        some = await asked(a, "get_attributes", selector="#floor", attributes=["max", "nothing"])
        assert some["attributes"] == {"max": "40", "nothing": None}


async def test_count_elements(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/explore.html") as a:
        assert await a.call("count_elements", selector="#styled, #gone, #unseen, #far") == {"count": 4, "visible": 2}
        assert await a.call("count_elements", selector=".nowhere") == {"count": 0, "visible": 0}


async def test_page_metadata_says_what_the_page_says_of_itself(visitor: Visit, pages: str, panel: Panel) -> None:
    async with visitor(f"{pages}/explore.html") as a:
        answer = await asked(a, "get_page_metadata")
        witness = panel.witness(pages)
        for name, read in (
            ("title", "document.title"),
            ("url", "location.href"),
            ("language", "document.documentElement.lang"),
            ("charset", "document.characterSet"),
            ("canonical", "document.querySelector('link[rel=canonical]').href"),
        ):
            assert answer[name] == await witness.see(read, "/explore.html"), name
        assert answer["meta"] == {"description": "A page to ask about", "og:title": "Explored"}
        assert answer["headings"] == ["Explore"]
        assert answer["feeds"] == [f"{pages}/feed.xml"]
        assert answer["structuredData"] == ["Recipe"]
        assert "scroll" not in answer
        went = await a.call("scroll", toY=40)
        assert (await asked(a, "get_page_metadata"))["scroll"] == {"x": 0, "y": went["y"]} != {"x": 0, "y": 0}


async def test_the_filtered_tree_is_the_snapshot_of_few_levels(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/explore.html") as a:
        assert await a.text("get_filtered_aria_tree") == await a.text("snapshot", maxDepth=5)
        links = (await a.text("get_filtered_aria_tree", roles=["link"])).splitlines()[1:]
        assert [line.split('"')[1] for line in links] == ["First link", "Second link"]
        controls = await a.text("get_filtered_aria_tree", interactiveOnly=True, maxDepth=1)
        assert 'button "Search the shop"' in controls
        assert "- text:" not in controls
        assert all(not line.startswith(" ") for line in controls.splitlines())


FINDS: list[tuple[dict[str, Any], list[tuple[str, str]]]] = [
    ({"text": "upon a TIME"}, [("paragraph", "styled")]),
    ({"text": "first"}, [("link", "First link")]),
    ({"text": "link"}, [("link", "First link"), ("link", "Second link")]),
    ({"text": "Search the"}, [("button", "Search the shop")]),
    ({"text": "find a book"}, [("searchbox", "Find a book")]),
    ({"text": "sleeping"}, [("img", "A sleeping cat")]),
    ({"text": "Second link", "exact": True}, [("link", "Second link")]),
    ({"text": "second link", "exact": True}, []),
    ({"text": "Second", "exact": True}, []),
    ({"text": "Second link", "selector": "#table"}, []),
    ({"text": "link", "selector": ".nowhere"}, []),
    ({"text": "Bread", "selector": "#table"}, [("cell", "Bread")]),
    ({"text": "In the shadow"}, [("paragraph", "")]),
    ({"text": "inside the frame"}, [("paragraph", "")]),
    ({"text": "Gone"}, []),
    ({"text": "Folded"}, []),
    ({"text": "not text"}, []),
]


async def test_find_by_text(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/explore.html") as a:
        for params, found in FINDS:
            with naming(params):
                answer = await asked(a, "find_by_text", **params)
                assert answer["count"] == len(found)
                assert [element["role"] for element in answer["elements"]] == [role for role, _ in found]
                for element, (_, name) in zip(answer["elements"], found, strict=True):
                    assert element.get("name", "") in (name, "")


async def test_find_by_text_answers_what_it_found(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/explore.html") as a:
        (found,) = (await asked(a, "find_by_text", text="upon"))["elements"]
        assert found["text"] == "upon"
        (found,) = (await asked(a, "find_by_text", text="upon a time", selector="#styled"))["elements"]
        assert found["text"] == "Once upon a time"
        for found in (await asked(a, "find_by_text", text="search the shop"))["elements"]:
            assert "text" not in found, "its name says it"
        words = "'word '.repeat(200) + 'needle' + ' word'.repeat(200)"
        await a.call("evaluate", code=f"document.querySelector('#styled').textContent = {words}")
        (found,) = (await asked(a, "find_by_text", text="Needle"))["elements"]
        assert len(found["text"]) < 210
        assert re.fullmatch(r"….*needle.*…", found["text"])


async def test_an_answer_about_one_of_several_says_of_how_many(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/explore.html") as a:
        count = (await a.call("count_elements", selector="p"))["count"]
        assert count > 1
        for command in ("get_computed_styles", "get_attributes", "check_visibility", "check_element_state"):
            assert (await asked(a, command, selector="p"))["matches"] == {"p": count}, command
            assert "matches" not in await asked(a, command, selector="#styled"), command


async def test_what_was_found_can_be_acted_on(visitor: Visit, shop: str, panel: Panel) -> None:
    async with visitor(f"{shop}/lab") as a:
        (button,) = (await asked(a, "find_by_text", text="Count", exact=True))["elements"]
        await a.call("click", ref=button["ref"])
        count = "document.querySelector('#counter-output').textContent"
        assert await panel.witness(shop).see(count, "/lab") == "1"
        limited = await asked(a, "find_by_text", text="o", limit=2)
        assert len(limited["elements"]) == 2 < limited["count"]
        assert (await a.fails("find_by_text", text="  ")).startswith("INVALID_PARAMS")


async def test_form_values_are_what_the_fields_hold(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/explore.html") as a:
        answer = await asked(a, "get_form_values", formSelector="#form")
        fields = {field.get("field"): field for field in answer["fields"]}
        assert answer["count"] == len(answer["fields"]) == 16
        assert fields["name"]["value"] == "Ada"
        assert fields["name"]["required"] is True
        assert fields["campaign"]["value"] == "spring"
        assert fields["agree"]["checked"] is True
        assert [(f["value"], f["checked"]) for f in answer["fields"] if f.get("field") == "size"] == [
            ("s", False),
            ("l", True),
        ]
        assert (fields["extras"]["values"], fields["extras"]["labels"]) == (["a", "b"], ["Anchovies", "Basil"])
        assert fields["note"]["value"] == "two\nlines"
        assert fields["rich"]["value"] == "Rich text"
        assert fields["off"]["disabled"] is True
        assert fields["outside"]["value"] == "joined"
        for name in ("password", "card", "otp", "expiry", "csrf_token"):
            assert fields[name]["secret"] is True
            assert fields[name]["filled"] is True
            assert "value" not in fields[name]
        assert "label" not in fields["expiry"]
        page = await asked(a, "get_form_values")
        held = {field.get("field"): field.get("value") for field in page["fields"]}
        assert held["shade"] == "dark"
        assert held["framed"] == "in the frame"
        assert held["find"] == ""


async def test_form_values_follow_what_was_filled(visitor: Visit, shop: str, panel: Panel) -> None:
    async with visitor(f"{shop}/checkout") as a:
        await a.call("fill", selector="#full-name", value="Ada")
        await a.call("select", selector="#country", value="IE")
        await a.call("fill", selector="#card", value="4111111111111111")
        text = await a.text("get_form_values", formSelector="#checkout-form")
        fields = {field["field"]: field for field in json.loads(text)["fields"]}
        assert fields["full-name"]["value"] == "Ada"
        assert (fields["country"]["value"], fields["country"]["label"]) == ("IE", "Ireland")
        assert fields["card"]["filled"] is True
        assert fields["one-time-code"]["filled"] is False
        assert "4111" not in text
        own = "new Set([...document.querySelector('#checkout-form').elements].map(e => e.name).filter(Boolean)).size"
        # The note to the courier is not an element of the form, and still a field in it.
        assert len(fields) == await panel.witness(shop).see(own, "/checkout") + 1


STATES: dict[str, dict[str, bool]] = {
    "#name": {"enabled": True, "editable": True, "required": True, "valid": True, "readOnly": False},
    "#locked": {"enabled": True, "editable": False, "readOnly": True},
    "#off": {"enabled": False, "editable": False},
    "#agree": {"checked": True, "editable": False},
    "#extras > option": {"selected": True},
    "#pressed": {"pressed": True, "expanded": False},
    "#rich": {"editable": True},
    "#more > summary": {"expanded": False},
    "#gone": {"visible": False},
    "#otp": {"valid": True, "editable": True},
}


async def test_the_state_of_an_element(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/explore.html") as a:
        for selector, state in STATES.items():
            with naming(selector):
                answer = await a.call("check_element_state", selector=selector)
                assert {name: answer[name] for name in state} == state


async def test_the_focus_and_a_cleared_field_are_told(visitor: Visit, pages: str, panel: Panel) -> None:
    async with visitor(f"{pages}/explore.html") as a:
        await a.call("fill", selector="#name", value="")
        answer = await a.call("check_element_state", selector="#name")
        assert (answer["focused"], answer["valid"]) == (True, False)
        assert (
            await panel.witness(pages).see("document.querySelector('#name').checkValidity()", "/explore.html") is False
        )
