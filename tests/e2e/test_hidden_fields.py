"""Editors that draw their text themselves and type through a field nobody sees: it is the only ref they have."""

from __future__ import annotations

import re

import pytest

from kapture_panel.demo.agent import Agent
from tests.support.e2e.panel import Visit
from tests.support.rows import naming

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: In the order of the page.
EDITORS = ["cm5", "slate", "tinymce", "drawn", "deaf"]
CODE = "function f() {\n  return [1, 2];\n}\nf();"
MANY = "\n".join(f"row {number}" for number in range(60))


async def refs_of(agent: Agent) -> dict[str, str]:
    """The ref of each editor, once they are there."""
    await agent.call("wait", selector="body[data-ready]", state="attached")
    refs = re.findall(r"- textbox.* \[ref=(e\d+)\]", await agent.text("snapshot"))
    assert len(refs) == len(EDITORS)
    return dict(zip(EDITORS, refs, strict=True))


async def held(agent: Agent, editor: str) -> str:
    """What the editor itself says it holds."""
    text: str = (await agent.call("evaluate", code=f"held({editor!r})"))["value"]
    return text


async def test_editors_are_used_by_the_refs_of_their_fields(visitor: Visit, libraries: str) -> None:
    """Lines are held that are longer than what is shown, and signs that would be completed were they typed."""
    async with visitor(f"{libraries}/hidden_fields.html") as agent:
        for editor, ref in (await refs_of(agent)).items():
            if editor == "deaf":
                continue
            with naming(editor):
                await used(agent, editor, ref)
            for value in (CODE, "{\n}", MANY, "x"):
                with naming(editor, value):
                    shown = (await agent.call("fill", ref=ref, value=value, wait=0))["value"]
                    assert re.sub(r"\s", "", value).endswith(re.sub(r"\s", "", shown))
                    assert (await held(agent, editor)).replace("\u00a0", " ") == value


async def used(agent: Agent, editor: str, ref: str) -> None:
    """All that writes writes into it."""
    await agent.call("click", ref=ref, wait=0)
    assert (await agent.call("fill", ref=ref, value="only this", wait=0))["value"] == "only this"
    await agent.call("type", ref=ref, text=" typed", wait=0)
    await agent.call("press_key", ref=ref, key="!", wait=0)
    assert await held(agent, editor) == "only this typed!"
    assert (await agent.call("fill", ref=ref, value="", wait=0))["value"].strip() == ""
    assert await held(agent, editor) == ""
    await agent.call("insert_text", ref=ref, text="inserted", wait=0)
    await agent.call("type", ref=ref, text="again", clear=True, wait=0)
    assert await held(agent, editor) == "again"


async def test_what_an_editor_did_not_take_is_told_and_a_frame_stands_for_its_document(
    visitor: Visit, libraries: str
) -> None:
    async with visitor(f"{libraries}/hidden_fields.html") as agent:
        refs = await refs_of(agent)
        said = await agent.fails("fill", ref=refs["deaf"], value="more than twelve", wait=0)
        assert said.startswith("EXECUTION_ERROR"), said
        assert '"more than tw"' in said
        said = await agent.fails("fill", ref=refs["deaf"], value="one\ntwo\nthree\nfour", wait=0)
        assert said.startswith("EXECUTION_ERROR"), said
        await agent.call("fill", selector="#tiny iframe", value="by the frame")
        assert await held(agent, "tinymce") == "by the frame"


async def test_an_editor_that_puts_its_selection_back_gets_a_text_in_the_place_of_its_old_one_or_none(
    visitor: Visit, pages: str
) -> None:
    async with visitor(f"{pages}/taking_back.html") as agent:

        async def held(field: str) -> str:
            text: str = (await agent.call("evaluate", code=f"{field}.textContent"))["value"]
            return text

        assert (await agent.call("fill", selector="#twice", value="new"))["value"] == "new"
        assert await held("twice") == "new"
        assert (await agent.call("evaluate", code="inputs"))["value"] == ["twice beforeinput", "twice input"]
        await agent.call("evaluate", code="again('twice', 1)")
        await agent.call("type", selector="#twice", text="typed", clear=True)
        assert await held("twice") == "typed"
        await agent.call("evaluate", code="again('twice', 1)")
        await agent.call("fill", selector="#twice", value="")
        assert await held("twice") == ""

        for command, params in (("fill", {"value": "new"}), ("type", {"text": "new", "clear": True})):
            said = await agent.fails(command, selector="#always", **params)
            assert said.startswith("EXECUTION_ERROR"), said
            assert "undoes the selection" in said
            assert await held("always") == "old"
