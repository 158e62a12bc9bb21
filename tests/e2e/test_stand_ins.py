"""A native field that a widget hides: the error names what a person uses instead, with its ref."""

from __future__ import annotations

import re

import pytest

from tests.support.e2e.panel import Visit
from tests.support.rows import naming

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGE = "/stand_ins.html"

#: A hidden field, and the role and name of what stands for it.
STAND_INS = {
    "#country": 'combobox "Country: Norway"',
    "#colour": 'combobox "Colour: red"',
    "#size": 'combobox "Size"',
    "#day": 'textbox "Day"',
    "#story": 'textbox "Story"',
    "#letter": 'textbox "Letter"',
    "#frame >>> #inner": 'combobox "Inner"',
}
FIELD_COMMANDS = {"fill": {"value": "Norway"}, "select": {"value": "Norway"}, "type": {"text": "N"}}


async def test_the_error_names_what_stands_for_a_hidden_field(visitor: Visit, pages: str) -> None:
    async with visitor(pages + PAGE) as agent:
        for field, stand_in in STAND_INS.items():
            with naming(field):
                said = await agent.fails("click", selector=field, wait=0)
                found = re.search(r"a person uses (.*) \[ref=(e\d+)\] instead", said)
                assert found, said
                assert found[1] == stand_in
                # The ref is as good as one of a snapshot.
                await agent.call("click", ref=found[2], wait=0)


async def test_every_command_for_fields_names_it(visitor: Visit, pages: str) -> None:
    async with visitor(pages + PAGE) as agent:
        for command, more in FIELD_COMMANDS.items():
            with naming(command):
                assert STAND_INS["#country"] in await agent.fails(command, selector="#country", wait=0, **more)
                said = await agent.fails(command, selector="#country", wait=50, **more)
                assert STAND_INS["#country"] in said
                assert "waited" in said


async def test_a_box_that_its_picture_covers_names_that(visitor: Visit, pages: str) -> None:
    async with visitor(pages + PAGE) as agent:
        said = await agent.fails("click", selector="#agree", wait=0)
        assert "covered by <ins>; a person uses" in said, said


async def test_what_is_beside_a_field_and_something_of_its_own_stands_for_nothing(visitor: Visit, pages: str) -> None:
    """The button that sends the form, another field, what happens to lie over a field."""
    async with visitor(pages + PAGE) as agent:
        for field in ("#plain", "#first", "#covered"):
            with naming(field):
                said = await agent.fails("click", selector=field, wait=0)
                assert said.startswith("ELEMENT_NOT_VISIBLE")
                assert "a person uses" not in said
