"""Of a widget that names no list, the list that comes when it is asked is its own; what was shown before is not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.e2e.panel import Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def text(a: Any, name: str) -> Any:
    return (await a.call("evaluate", code=f"get('{name}').value ?? get('{name}').textContent"))["value"]


@pytest.mark.parametrize("command", ["select", "fill"])
async def test_a_widget_is_opened_though_another_list_is_shown(visitor: Visit, pages: str, command: str) -> None:
    async with visitor(f"{pages}/lists.html") as a:
        await a.call(command, selector="#widget", value="Archive")
        assert await text(a, "widget") == "Archive"
        assert await text(a, "told") == ""


async def test_what_only_another_list_offers_is_not_chosen(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/lists.html") as a:
        said = await a.fails("select", selector="#other", labels=["Archive"])
        assert "has no option" in said
        assert said.endswith('it has "Red"')
        assert await text(a, "told") == ""


async def test_what_is_typed_is_chosen_in_the_list_that_came_for_it(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/lists.html") as a:
        assert (await a.call("fill", selector="#typed", value="Archive"))["chosen"] == "Archive"
        assert await text(a, "typed") == "Archive"
        filled = await a.call("fill", selector="#free", value="Archive")
        assert (filled["value"], filled.get("chosen")) == ("Archive", None)
        assert await text(a, "told") == ""


async def test_a_list_that_was_open_is_chosen_in(visitor: Visit, pages: str) -> None:
    """The press that would open it closes it, and the next one opens it."""
    async with visitor(f"{pages}/lists.html") as a:
        await a.call("click", selector="#widget")
        await a.call("select", selector="#widget", value="Archive")
        assert await text(a, "widget") == "Archive"
        assert await text(a, "told") == ""


async def test_a_list_that_was_open_and_stays_so_is_chosen_in(visitor: Visit, pages: str) -> None:
    """It is the one that touches the widget: no press and no key makes it another."""
    async with visitor(f"{pages}/lists.html") as a:
        await a.call("click", selector="#steady")
        await a.call("select", selector="#steady", value="Later")
        assert await text(a, "steady") == "Later"
        assert await text(a, "told") == ""
