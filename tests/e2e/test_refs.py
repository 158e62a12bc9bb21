"""A ref finds its element again after the page made it anew, and never another one."""

from __future__ import annotations

import re

import pytest

from kapture_panel.demo.agent import Agent, ref_of
from tests.support.e2e.panel import OpenAgent, Panel, Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")


def refs_of(snapshot: str, name: str) -> list[str]:
    """The refs of all buttons with this name, from the top."""
    return re.findall(rf'- button "{name}" \[ref=(e\d+)\]', snapshot)


async def hits(a: Agent, ref: str) -> str:
    """Click a ref and tell which handler ran."""
    await a.call("evaluate", code="window.hit = null")
    await a.call("click", ref=ref)
    return str((await a.call("evaluate", code="window.hit"))["value"])


async def stale(a: Agent, ref: str) -> str:
    """Demand that a click on a ref is refused and nothing was clicked."""
    await a.call("evaluate", code="window.hit = null")
    said = await a.fails("click", ref=ref)
    assert said.startswith("STALE_REF"), said
    assert (await a.call("evaluate", code="window.hit === null"))["value"] is True
    return said


async def test_everything_is_found_again_after_the_same_was_written_anew(agent: OpenAgent, pages: str) -> None:
    async with agent(f"{pages}/refs.html") as a:
        before = await a.text("snapshot")
        await a.call("evaluate", code="form(); show(['Apples', 'Bread', 'Cheese'])")
        await a.call("fill", ref=ref_of(before, "textbox", "Mail"), value="ada@example.org")
        assert (await a.call("evaluate", code="document.querySelector('[name=mail]').value"))[
            "value"
        ] == "ada@example.org"
        assert await hits(a, ref_of(before, "button", "Send")) == "send"
        assert await hits(a, ref_of(before, "link", "More")) == "More"
        for ref, name in zip(refs_of(before, "Delete"), ["Apples", "Bread", "Cheese"], strict=True):
            assert await hits(a, ref) == name
        assert await a.text("snapshot", roles=["button"]) == await a.text("snapshot", roles=["button"])
        after = await a.text("snapshot")
        assert refs_of(after, "Delete") == refs_of(before, "Delete")


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["Cheese", "Apples", "Bread"], [True, True, True]),
        (["Bread", "Cheese"], [False, True, True]),
        (["Apples"], [True, False, False]),
        (["Figs", "Bread", "Cheese, old"], [False, True, False]),
        (["Apples", "Apples", "Bread"], [False, True, False]),
        ([], [False, False, False]),
    ],
)  # fmt: skip
async def test_a_row_is_found_by_what_it_says(visitor: Visit, pages: str, names: list[str], found: list[bool]) -> None:
    async with visitor(f"{pages}/refs.html") as a:
        before = refs_of(await a.text("snapshot"), "Delete")
        await a.call("evaluate", code=f"show({names})")
        for ref, name, there in zip(before, ["Apples", "Bread", "Cheese"], found, strict=True):
            if there:
                assert await hits(a, ref) == name
            else:
                await stale(a, ref)


async def test_one_of_identical_rows_is_never_taken_for_another(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/refs.html") as a:
        await a.call("evaluate", code="show(['Same', 'Same'])")
        first, second = refs_of(await a.text("snapshot"), "Delete")
        await a.call("evaluate", code="show(['Same'])")
        await stale(a, first)
        await stale(a, second)


@pytest.mark.parametrize("look", ["find", "target"])
async def test_a_look_at_one_row_knows_of_the_others(visitor: Visit, pages: str, look: str) -> None:
    async with visitor(f"{pages}/refs.html") as a:
        if look == "find":
            said = await a.text("query_dom", selector="#list .row:first-child button")
            (ref,) = re.findall(r'"(e\d+)"', said)
        else:
            (ref,) = refs_of(await a.text("snapshot", selector="#list .row:first-child"), "Delete")
        await a.call("evaluate", code="show(['Bread'])")
        await stale(a, ref)
        await a.call("evaluate", code="show(['Bread', 'Apples'])")
        assert await hits(a, ref) == "Apples"


async def test_the_only_row_is_not_taken_for_another(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/refs.html") as a:
        await a.call("evaluate", code="show(['Apples'])")
        (ref,) = refs_of(await a.text("snapshot"), "Delete")
        await a.call("evaluate", code="show(['Bread'])")
        await stale(a, ref)
        await a.call("evaluate", code="show(['Apples'])")
        assert await hits(a, ref) == "Apples"


async def test_a_recycled_row_is_not_the_row_it_was(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/refs.html") as a:
        before = refs_of(await a.text("snapshot"), "Delete")
        await a.call(
            "evaluate", code="[...list.querySelectorAll('span')].forEach((it, at) => it.textContent = `Item ${at}`)"
        )
        for ref in before:
            assert "Item" in await stale(a, ref)


async def test_what_is_renamed_is_stale(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/refs.html") as a:
        before = await a.text("snapshot")
        await a.call("evaluate", code="document.querySelector('#send').textContent = 'Delete all'")
        said = await stale(a, ref_of(before, "button", "Send"))
        assert 'was button "Send"' in said
        assert 'is now button "Delete all"' in said
        await a.call("evaluate", code="show(['Apples', 'Bread', 'Cheese'], 'Remove')")
        await stale(a, refs_of(before, "Delete")[0])


async def test_in_another_section_only_the_very_element_is_found(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/refs.html") as a:
        before = await a.text("snapshot")
        ref = ref_of(before, "button", "Send")
        await a.call("evaluate", code="document.querySelector('#fruits').append(document.querySelector('#send'))")
        assert await hits(a, ref) == "send"
        await a.call(
            "evaluate",
            code="send.remove(); fruits.insertAdjacentHTML('beforeend', '<button id=send data-of=other>Send</button>')",
        )
        await stale(a, ref)


async def test_another_view_of_an_application_is_another_page(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/refs.html") as a:
        ref = ref_of(await a.text("snapshot"), "button", "Send")
        await a.call("evaluate", code="history.pushState(null, '', '/another'); form()")
        await stale(a, ref)


async def test_a_ref_of_another_document_stays_stale(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/refs.html") as a:
        before = await a.text("snapshot")
        await a.call("reload")
        await stale(a, ref_of(before, "button", "Send"))
        after = await a.text("snapshot")
        assert not set(re.findall(r"ref=(e\d+)", before)) & set(re.findall(r"ref=(e\d+)", after))


async def test_a_shadow_root_made_anew_is_searched(visitor: Visit, pages: str) -> None:
    make = """(() => { const host = document.createElement('x-box'); host.attachShadow({mode: 'open'}).innerHTML =
        '<p>In the shadow</p><button>Deep</button>'; inside.replaceChildren(host); })()"""
    async with visitor(f"{pages}/refs.html") as a:
        await a.call("evaluate", code=make)
        ref = ref_of(await a.text("snapshot"), "button", "Deep")
        await a.call("evaluate", code=make)
        await a.call("click", ref=ref)


@pytest.mark.parametrize("way", ["show({}, true)", "restart({})"])
async def test_a_tree_that_react_makes_anew_keeps_its_refs(visitor: Visit, libraries: str, way: str) -> None:
    async with visitor(f"{libraries}/react.html") as a:
        before = await a.text("snapshot")
        first, second, third = refs_of(before, "Delete")
        await a.call("evaluate", code="window.old = [...document.querySelectorAll('#root *')]")
        await a.call("evaluate", code=way.format("['Cheese', 'Bread']"))
        assert (await a.call("evaluate", code="old.every((element) => !element.isConnected)"))["value"] is True
        await stale(a, first)
        assert await hits(a, second) == "Bread"
        assert await hits(a, third) == "Cheese"
        await a.call("fill", ref=ref_of(before, "textbox", "Mail"), value="ada@example.org")
        assert (await a.call("evaluate", code="held.email"))["value"] == "ada@example.org"


async def test_a_keyed_list_that_react_sorts_keeps_its_refs(visitor: Visit, libraries: str) -> None:
    async with visitor(f"{libraries}/react.html") as a:
        first, second, third = refs_of(await a.text("snapshot"), "Delete")
        await a.call("evaluate", code="show(['Cheese', 'Apples'])")
        assert await hits(a, first) == "Apples"
        await stale(a, second)
        assert await hits(a, third) == "Cheese"


async def test_many_like_buttons_are_told_apart(visitor: Visit, pages: str, panel: Panel) -> None:
    async with visitor(f"{pages}/refs.html") as a:
        await a.call("evaluate", code="show(Array.from({length: 300}, (_, at) => `Row ${at}.`))")
        refs = refs_of(await a.text("snapshot", roles=["button"]), "Delete")
        await a.call("evaluate", code="show(Array.from({length: 300}, (_, at) => `Row ${at}.`).reverse())")
        for at in (0, 7, 150, 299):
            assert await hits(a, refs[at]) == f"Row {at}."
