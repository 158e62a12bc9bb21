"""A ref finds its element again after the page made it again, and never another one."""

from __future__ import annotations

import json
import re

import pytest

from kapture_panel.demo.agent import Agent, ref_of
from tests.support.e2e.panel import Panel, Visit
from tests.support.rows import naming

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


async def test_everything_is_found_again_after_the_same_was_written_anew(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/refs.html") as a:
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


ROWS = [
    (["Cheese", "Apples", "Bread"], [True, True, True]),
    (["Bread", "Cheese"], [False, True, True]),
    (["Apples"], [True, False, False]),
    (["Figs", "Bread", "Cheese, old"], [False, True, False]),
    (["Apples", "Apples", "Bread"], [False, True, False]),
    ([], [False, False, False]),
]


async def test_a_row_is_found_by_what_it_says(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/refs.html") as a:
        for names, found in ROWS:
            await a.call("evaluate", code="show(['Apples', 'Bread', 'Cheese'])")
            before = refs_of(await a.text("snapshot"), "Delete")
            await a.call("evaluate", code=f"show({names})")
            for ref, name, there in zip(before, ["Apples", "Bread", "Cheese"], found, strict=True):
                with naming(names, name):
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


def ref_named(snapshot: str, name: str) -> str:
    """The ref of the one node with exactly this name."""
    (ref,) = re.findall(rf'"{re.escape(name)}" \[ref=(e\d+)\]', snapshot)
    return str(ref)


async def pressed(a: Agent) -> str:
    return str((await a.call("evaluate", code="hit"))["value"])


@pytest.mark.parametrize("kind", ["table", "grid", "dialog", "plain", "fields"])
async def test_a_day_of_one_month_is_not_that_of_the_next(visitor: Visit, pages: str, kind: str) -> None:
    """February and March 2023 begin on the same day of the week."""
    async with visitor(f"{pages}/surroundings.html") as a:
        for way in ("click", "evaluate"):
            with naming(way):
                await a.call("evaluate", code=f"show('{kind}')")
                before = await a.text("snapshot")
                ref = ref_named(before, "15")
                await a.call("click", ref=ref)
                assert await pressed(a) == "15 of February 2023"
                if way == "click":
                    await a.call("click", ref=ref_named(before, "Next"))
                else:
                    await a.call("evaluate", code="step(1)")
                said = await stale(a, ref)
                assert "February" in said
                assert "March" in said or kind in ("table", "fields")
                (told,) = re.findall(r'"15" \[ref=(e\d+)\]', said)
                assert told != ref
                await a.call("click", ref=told)
                assert await pressed(a) == "15 of March 2023"
                await a.call("evaluate", code="step(-1)")
                await stale(a, told)
                await a.call("click", ref=ref)
                assert await pressed(a) == "15 of February 2023"


async def test_months_of_as_many_days_are_told_apart(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/surroundings.html") as a:
        await a.call("evaluate", code="show('plain', 6, 2023)")
        ref = ref_named(await a.text("snapshot"), "15")
        await a.call("evaluate", code="step(1)")
        await stale(a, ref)


async def test_a_month_of_one_year_is_not_that_of_the_next(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/surroundings.html") as a:
        await a.call("evaluate", code="show('months')")
        before = await a.text("snapshot")
        ref = ref_named(before, "Mar")
        for _ in range(2):
            await a.call("click", ref=ref_named(before, "Next"))
        assert '"2023"' in await stale(a, ref)


async def test_the_button_that_turns_the_month_goes_on_doing_so(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/surroundings.html") as a:
        for kind in ("table", "grid", "dialog", "plain"):
            with naming(kind):
                await a.call("evaluate", code=f"show('{kind}')")
                ref = ref_named(await a.text("snapshot"), "Next")
                for _ in range(3):
                    await a.call("click", ref=ref)
                assert (await a.call("evaluate", code="title()"))["value"] == "May 2023"


async def test_keys_of_a_pad_are_the_same_whatever_they_made(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/surroundings.html") as a:
        await a.call("evaluate", code="pad(['Q', 'W', 'E', '1', '2', '3', 'OK'])")
        before = await a.text("snapshot")
        for key in ["W", "E", "W", "2", "OK"]:
            await a.call("click", ref=ref_named(before, key))
        assert (await a.call("evaluate", code="made.textContent"))["value"] == "WEW2OK"


async def test_things_are_ticked_while_a_heading_counts_them(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/surroundings.html") as a:
        await a.call("evaluate", code="tasks(['Milk', 'Bread', 'Cheese'])")
        before = await a.text("snapshot")
        for name in ["Milk", "Bread", "Cheese"]:
            await a.call("click", ref=ref_named(before, name))
        assert (await a.call("evaluate", code="box.querySelector('h2').textContent"))["value"] == "0 left"


async def test_a_button_is_about_what_its_heading_says(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/surroundings.html") as a:
        await a.call("evaluate", code="order(17)")
        ref = ref_named(await a.text("snapshot"), "Cancel")
        await a.call("evaluate", code="box.querySelector('h2').textContent = 'Order 18'")
        assert 'was button "Cancel" under "Order 17" and is now under "Order 18"' in await stale(a, ref)
        await a.call("evaluate", code="order(18)")
        assert 'button "Cancel" [ref=' in await stale(a, ref)
        await a.call("evaluate", code="order(17)")
        await a.call("click", ref=ref)
        assert await pressed(a) == "Order 17"


@pytest.mark.parametrize("target", [{"selector": ".row button"}, {"xpath": "//button[text()='Delete']"}])
async def test_the_first_of_several_matches_is_taken_and_they_are_counted(
    visitor: Visit, pages: str, target: dict[str, str]
) -> None:
    (said,) = target.values()
    async with visitor(f"{pages}/refs.html") as a:
        assert (await a.call("click", **target))["matches"] == {said: 3}
        assert await pressed(a) == "Apples"
        assert "matches" not in await a.call("click", selector="#send")
        await a.call("evaluate", code="list.querySelector('button').disabled = true")
        refused = await a.fails("click", **target)
        assert f"disabled (the first of 3 that match {json.dumps(said)}) (waited " in refused
        assert refused.endswith(" s); do first what enables it")
