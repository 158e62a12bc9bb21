"""What pages make of other elements than HTML's fields is filled and chosen in like those."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.support.e2e.late import popup_closed
from tests.support.e2e.panel import Visit
from tests.support.rows import naming

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def held(a: Any, code: str) -> Any:
    return (await a.call("evaluate", code=code))["value"]


async def test_checkboxes_switches_and_radio_buttons_are_ticked(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/widgets.html") as a:
        for name in ("check", "late", "large", "mixed"):
            for value in ["true", "true"] if name == "large" else ["true", "true", "false"]:
                with naming(name, value):
                    assert (await a.call("fill", selector=f"#{name}", value=value))["value"] == value
                    assert await held(a, f"get('{name}').ariaChecked") == value


async def test_what_stays_unticked_is_told(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/widgets.html") as a:
        said = await a.fails("fill", selector="#stuck", value="true")
        assert "was clicked and did not change: the page kept it unchecked" in said
        said = await a.fails("fill", selector="#check", value="yes")
        assert 'takes "true" or "false", not "yes"' in said
        assert "cannot be cleared" in await a.fails("fill", selector="[role=radio]", value="false")


#: A spin button for digits begins again when it gets the focus.
VALUES = [
    ("minute", "45"), ("volume", "75"), ("volume", "0"), ("volume", "30"), ("down", "9"), ("down", "0"),
    ("words", "good"), ("count", "17"), ("minute", "7"),
]  # fmt: skip
NOT_TAKEN = [
    ("volume", "101", "takes 0 to 100, not 101"),
    ("volume", "72", 'does not take "72"; its keys brought it to "70"'),
    ("words", "great", 'does not take "great"'),
]


async def test_sliders_and_spin_buttons_are_brought_to_a_value_or_that_is_an_error(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/widgets.html") as a:
        for name, value in VALUES:
            with naming(name, value):
                assert (await a.call("fill", selector=f"#{name}", value=value))["value"] == value
                assert value in await held(a, f"[get('{name}').ariaValueNow, get('{name}').ariaValueText]")
        for name, value, why in NOT_TAKEN:
            with naming(name, value):
                assert why in await a.fails("fill", selector=f"#{name}", value=value)


CHOSEN = [
    ("fruits", "Banana", "[...get('fruits').children].find((one) => one.ariaSelected === 'true').textContent"),
    ("plain", "Germany", "get('plain').textContent"),
    ("button", "Green", "get('button').textContent"),
    ("narrow", "Old", "get('shown').textContent"),
    ("virtual", "Row 77", "`Row ${chosen}`"),
]


@pytest.mark.parametrize("command", ["fill", "select"])
async def test_an_option_is_chosen_by_its_text(visitor: Visit, pages: str, command: str) -> None:
    async with visitor(f"{pages}/widgets.html") as a:
        for name, value, shown in CHOSEN:
            for _ in range(2):
                with naming(name):
                    answer = await a.call(command, selector=f"#{name}", value=value)
                    assert value in (answer.get("value"), *answer.get("labels", []))
                    assert await held(a, shown) == value


async def test_of_a_list_that_takes_several_exactly_those_are_chosen(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/widgets.html") as a:
        chosen = (
            "[...get('several').children].filter((one) => one.ariaSelected === 'true').map((one) => one.textContent)"
        )
        await a.call("select", selector="#several", labels=["Apple", "Fig"])
        assert await held(a, chosen) == ["Apple", "Fig"]
        await a.call("select", selector="#several", values=["fig", "cherry"])
        assert await held(a, chosen) == ["Cherry", "Fig"]
        said = await a.fails("select", selector="#fruits", labels=["Apple", "Fig"])
        assert "takes exactly one option, not 2; leave out the others" in said
        await a.call("evaluate", code="document.body.insertAdjacentHTML('afterbegin', '<select id=own><option>a')")
        for name in ("fruits", "own"):
            said = await a.fails("select", selector=f"#{name}", values=[])
            assert "takes exactly one option, not 0; give one" in said, name


async def test_an_option_that_is_not_there_is_told_with_those_that_are(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/widgets.html") as a:
        for name in ("fruits", "plain"):
            said = await a.fails("select", selector=f"#{name}", labels=["Zucchini"])
            assert re.search(r'has no option "Zucchini" \(waited [\d.]+ s\); it has "', said), name


async def test_what_is_typed_into_a_field_with_a_list_is_chosen_in_it(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/widgets.html") as a:
        assert (await a.call("fill", selector="#filter", value="Bern"))["chosen"] == "Bern"
        assert await held(a, "[get('filter').value, get('told').textContent]") == ["Bern", "chose Bern"]
        answer = await a.call("fill", selector="#filter", value="Ber")
        assert answer["options"] == ["Berlin", "Bern"]
        assert await held(a, "get('filter').value") == "Ber"
        await a.call("fill", selector="#search", value="cat")
        assert await held(a, "[get('search').value, get('told').textContent]") == ["cat", "chose Bern"]


async def test_what_has_no_list_is_not_chosen_in(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/widgets.html") as a:
        said = await a.fails("select", selector="#check", value="x")
        assert "is not a list of options and does not open one" in said


LIBRARIES = {
    "shoelace": {
        "sl-checkbox >>> input": "true", "sl-switch >>> input": "true", "sl-radio": "true",
        "sl-select >>> [role=combobox]": "Fig", "sl-rating >>> [role=slider]": "2", "[type=checkbox]": "false",
    },
    "material": {
        "md-checkbox >>> input": "true", "md-switch >>> input": "true", "md-radio": "true",
        "md-filled-select >>> md-filled-field": "Fig",
    },
    "fluent": {
        "fluent-checkbox": "true", "fluent-switch": "true", "fluent-radio": "true", "fluent-select": "Fig",
        "fluent-slider": "2",
    },
}  # fmt: skip


@pytest.mark.parametrize("library", LIBRARIES)
async def test_fields_of_libraries_hold_what_they_were_filled_with(
    visitor: Visit, libraries: str, library: str
) -> None:
    """Those with their own elements tell by their property what they hold; of a list that is the option's value."""
    async with visitor(f"{libraries}/{library}.html") as a:
        await a.call("wait", selector="[data-ready]")
        for selector, value in LIBRARIES[library].items():
            with naming(selector):
                assert (await a.call("fill", selector=selector, value=value))["value"] == value
                one = f"document.querySelector({json.dumps(selector.split(' >>> ')[0])})"
                tell = "(one => [one.checked, one.selected, one.ariaChecked, one.value].map(String))"
                states = await held(a, f"{tell}({one})")
                assert ({"Fig": {"fig", "f"}}.get(value) or {value}) & set(states), states


async def test_a_list_that_takes_several_is_closed_again(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/widgets.html") as a:
        await a.call("select", selector="#stays", labels=["Warm", "Soft"])
        assert await held(a, "[get('stays').textContent, get('kinds').hidden]") == ["Warm, Soft", True]


async def test_a_list_that_only_a_key_opens_is_opened(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/widgets.html") as a:
        await a.call("select", selector="#keyed", value="Left")
        assert await held(a, "get('keyed').textContent") == "Left"


async def test_what_is_shown_beside_a_hidden_list_is_chosen(visitor: Visit, pages: str) -> None:
    """As Ant Design does: the list of assistive technology has no size and holds but a part."""
    async with visitor(f"{pages}/widgets.html") as a:
        await a.call("select", selector="#beside", value="Beta")
        assert await held(a, "get('beside').textContent") == "Beta"


async def test_a_snapshot_tells_formats_and_options(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/native_fields.html") as a:
        lines = {line.split('"')[1]: line for line in (await a.text("snapshot")).splitlines() if '"' in line}
        assert 'format="YYYY-MM-DD from 2026-01-01 to 2026-12-31"' in lines["Day"]
        assert 'format="HH:MM"' in lines["At"]
        assert 'format="YYYY-MM"' in lines["Month"]
        assert 'format="YYYY-Www"' in lines["Week"]
        assert 'format="#rrggbb"' in lines["Colour"]
        assert 'format="from 0 to 50 step 5"' in lines["Amount"]
        assert 'options="Apple" "Fig"' in lines["Fruit"]
        assert 'options="Bern" "Rome"' in lines["Place"]
        assert '"Number 12" … 200 in all' in lines["Many"]
        assert "Number 13" not in lines["Many"]


DATES = [("day", "2026-02-28", "03152026", "2026-03-15"), ("at", "13:45", "0930AM", "09:30")]
POPUPS = [("fruit", "choose with kapturemcp_select"), ("colour", "give it a value with kapturemcp_fill (#rrggbb)")]


async def test_dates_and_times_are_set_by_fill_and_by_keys(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/native_fields.html") as a:
        for name, value, keys, held_then in DATES:
            with naming(name):
                assert (await a.call("fill", selector=f"#{name}", value=value))["value"] == value
                await a.call("type", selector=f"#{name}", text=keys)
                assert await held(a, f"value('{name}')") == held_then


async def test_a_popup_of_the_browser_is_told(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/native_fields.html") as a:
        for name, told in POPUPS:
            with naming(name):
                assert told in (await a.call("click", selector=f"#{name}"))["popup"]
                assert "[expanded]" in await a.text("snapshot", selector=f"#{name}")
                await a.call("press_key", key="Escape")
                await popup_closed(a, f"#{name}")
                assert "popup" not in await a.call("click", selector="#place")
