"""Looking at the page: wrong parameters, other documents, secrets, hostile pages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kapture_panel.demo.agent import Agent
from tests.support.core.fakes import CATALOGUE, minimal
from tests.support.e2e.panel import Panel, Visit
from tests.support.rows import naming

pytestmark = pytest.mark.asyncio(loop_scope="session")

COMMANDS = [command.short_name for command in CATALOGUE if command.group == "dom"]

SINGLE = ["get_visible_text", "get_computed_styles", "check_visibility", "get_attributes", "check_element_state"]

LISTS = ["query_dom", "count_elements", "find_by_text"]

SECRETS = ["hunter2", "41111", "987654", "month-07", "t0ken-of-the-form", "tok3n-of-the-page"]


async def asked(agent: Agent, command: str, **params: Any) -> Any:
    """The JSON of an answer, wherever it stands."""
    return json.loads(await agent.text(command, **params))


def with_selector(command: str, selector: str) -> dict[str, Any]:
    """Parameters of a command about what matches `selector`."""
    if command == "get_form_values":
        return {"formSelector": selector}
    return {"selector": selector, **({"text": "a"} if command == "find_by_text" else {})}


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("query_dom", {}, "selector"),
    ("query_dom", {"selector": "p", "limit": 0}, "limit"),
    ("get_visible_text", {"maxLength": 0}, "maxLength"),
    ("get_computed_styles", {"selector": "p", "properties": "color"}, "properties"),
    ("check_visibility", {"selector": "p", "ref": "e1"}, "ref"),
    ("get_attributes", {"selector": "p", "attributes": [1]}, "attributes"),
    ("count_elements", {}, "selector"),
    ("get_page_metadata", {"selector": "p"}, "selector"),
    ("get_filtered_aria_tree", {"maxDepth": 0}, "maxDepth"),
    ("find_by_text", {}, "text"),
    ("get_form_values", {"formSelector": ""}, "formSelector"),
    ("check_element_state", {"selector": ""}, "selector"),
]


async def test_what_names_nothing_is_told_by_every_command(visitor: Visit, pages: str) -> None:
    """A selector that is none, one element that is not there, a list of nothing, a wrong parameter."""
    async with visitor(f"{pages}/explore.html") as a:
        for command in [c for c in COMMANDS if c not in ("get_page_metadata", "get_filtered_aria_tree")]:
            for selector in ("##", "#frame >>> p[", ">>>"):
                with naming(command, selector):
                    said = await a.fails(command, **with_selector(command, selector))
                    assert said.startswith("INVALID_SELECTOR"), said
        for command in [*SINGLE, "get_form_values"]:
            with naming(command, "of nothing"):
                said = await a.fails(command, **with_selector(command, "#frame >>> #nowhere"))
                assert said.startswith("ELEMENT_NOT_FOUND"), said
                assert "#nowhere" in said
        for command in LISTS:
            with naming(command, "of nothing"):
                answer = await asked(a, command, **with_selector(command, "#nowhere"))
                assert answer["count"] == 0
                assert answer.get("elements", []) == []
        for command, params, word in BAD:
            with naming(command, params):
                said = await a.fails(command, **params)
                assert said.startswith("INVALID_PARAMS")
                assert word in said


async def test_shadow_roots_and_frames_are_entered(visitor: Visit, pages: str, panel: Panel) -> None:
    shaded, framed = "#card-host >>> #shaded", "#frame >>> #inside"
    async with visitor(f"{pages}/explore.html") as a:
        assert await a.text("get_visible_text", selector=shaded) == "In the shadow"
        assert await a.text("get_visible_text", selector=framed) == "Text inside the frame"
        for selector in (shaded, framed):
            assert (await asked(a, "query_dom", selector=selector))["count"] == 1
            assert await a.call("count_elements", selector=selector) == {"count": 1, "visible": 1}
            assert (await a.call("get_computed_styles", selector=selector))["styles"]["display"] == "block"
            assert (await a.call("check_element_state", selector=selector))["visible"] is True
            assert (await asked(a, "find_by_text", text="in", selector=selector))["count"] == 1
        assert (await asked(a, "get_attributes", selector=shaded))["attributes"]["data-kind"] == "shade"
        (field,) = (await asked(a, "get_form_values", formSelector="#frame >>> body"))["fields"]
        assert field["value"] == "in the frame"
        (field,) = (await asked(a, "get_form_values", formSelector="#card-host"))["fields"]
        assert field["value"] == "dark"
        box = (await a.call("check_visibility", selector=framed))["box"]
        x = await panel.witness(pages).see(
            "(f => f.getBoundingClientRect().x + f.clientLeft"
            " + f.contentDocument.querySelector('p').getBoundingClientRect().x)(document.querySelector('#frame'))",
            "/explore.html",
        )
        assert box["x"] == pytest.approx(x, abs=0.06)


PLACES = (
    "#form *", "#password", "#card", "#otp", "#expiry", "label:has(#card)", "label:has(#expiry)",
    "[name=csrf_token]", "[name=csrf-token]", "#form", "body",
)  # fmt: skip


async def test_secrets_never_leave_the_page(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/explore.html") as a:
        for command in COMMANDS:
            properties = CATALOGUE.get(command).properties
            selector = next((name for name in ("selector", "formSelector") if name in properties), "")
            limit = {"limit": 100} if "limit" in properties else {}
            for place in PLACES if selector else [""]:
                params: dict[str, Any] = {**({selector: place} if selector else {}), **limit}
                for text in ("hunter2", "4111111111111111", "Card") if command == "find_by_text" else ("",):
                    with naming(command, place, text):
                        answer = await a.text(command, **params, **({"text": text} if text else {}))
                        if text not in ("", "Card"):
                            assert json.loads(answer)["count"] == 0, answer
                        for secret in SECRETS:
                            assert secret not in answer, answer


async def test_a_hostile_page_bends_no_answer(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/hostile_dom.html") as a:
        assert (await asked(a, "get_page_metadata"))["title"] == "Hostile DOM"
        assert (await asked(a, "get_page_metadata"))["charset"] in ("UTF-8", "windows-1252")
        form = (await asked(a, "query_dom", selector="#form"))["elements"][0]
        assert (form["tag"], form["id"], form.get("visible", True)) == ("form", "form", True)
        assert (await a.call("check_visibility", selector="#form"))["visible"] is True
        assert (await a.call("check_element_state", selector="#form"))["enabled"] is True
        assert (await a.call("get_computed_styles", selector="#form"))["styles"]["display"] == "block"
        assert (await asked(a, "get_attributes", selector="#form"))["attributes"] == {"id": "form"}
        assert (await a.call("count_elements", selector="#form > input"))["count"] == 10
        text = await a.text("get_form_values", formSelector="#form")
        assert "hidden-word" not in text
        assert json.loads(text)["fields"][0]["value"] == "kept"
        assert json.loads(text)["count"] == 10
        assert (await asked(a, "get_attributes", selector="#lone"))["attributes"]["__proto__"] == "polluted"
        assert "Half a pair" in await a.text("get_visible_text")
        assert (await asked(a, "find_by_text", text="half a pair"))["count"] == 1
        assert 'textbox "Elements"' in await a.text("get_filtered_aria_tree")
        assert "Half a pair" in await a.text("query_dom", selector="#lone")


async def test_nothing_is_changed_by_looking(visitor: Visit, pages: str, panel: Panel) -> None:
    trace = "document.documentElement.outerHTML + scrollX + ',' + scrollY + document.activeElement.tagName"
    async with visitor(f"{pages}/explore.html") as a:
        witness = panel.witness(pages)
        before = await witness.see(trace, "/explore.html")
        for command in COMMANDS:
            selector = "#far" if "selector" in CATALOGUE.get(command).required else None
            await a.text(
                command, **({**minimal(CATALOGUE.get(command)), **({"selector": selector} if selector else {})})
            )
        assert await witness.see(trace, "/explore.html") == before
