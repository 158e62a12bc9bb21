"""What a script checks of each step: what was seen of it then, but no number, which may be another one."""

from __future__ import annotations

import re
from typing import Any

import pytest

from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.wire.targets import Target
from tests.support.core.fakes import row
from tests.support.core.playwright import BUY, body

NAME = Target(selector="#name", role="textbox", name="Name", alone=True, type="text")
COUNTRY = Target(selector="#country", role="combobox", name="Country", type="select-one")
TERMS = Target(selector="#terms", role="checkbox", name="Terms", type="checkbox")
NOTE = Target(selector="#note", role="textbox", name="Note")


def confirmed(command: str, target: Target, **params: Any) -> Row:
    return row(command, state="ok", outcome="confirmed", targets=[target], params={"selector": "x", **params})


def checks(made: Row) -> list[str]:
    """The lines that check something."""
    return [line for line in body(made) if line.startswith(("expect(", "assert "))]


@pytest.mark.parametrize(
    ("made", "lines"),
    [
        (confirmed("fill", NAME, value="Ada"), ['expect(page.locator("css=#name")).to_have_value("Ada")']),
        (confirmed("fill", TERMS, value="true"), ['expect(page.locator("css=#terms")).to_be_checked(checked=True)']),
        (
            confirmed("fill", NOTE, value="Hi"),
            ['expect(page.locator("css=#note")).to_have_text("Hi", use_inner_text=True)'],
        ),
        (confirmed("fill", COUNTRY, value="IE"), ['assert {"IE"} <= chosen(page.locator("css=#country"))']),
        (
            confirmed("select", COUNTRY, labels=["Ireland"]),
            ['assert {"Ireland"} <= chosen(page.locator("css=#country"))'],
        ),
        (
            confirmed("type", NAME, text="Ada"),
            ['expect(page.locator("css=#name")).to_have_value(re.compile(re.escape("Ada")))'],
        ),
        (confirmed("type", NAME, text="Ada", submit=True), []),
        (
            row("fill_form", state="ok", outcome="confirmed", targets=[NAME],
                params={"fields": [{"selector": "x", "value": "Ada"}]}),
            ['expect(page.locator("css=#name")).to_have_value("Ada")'],
        ),
        (row("fill", state="ok", outcome="done", targets=[NAME], params={"selector": "x", "value": "Ada"}), []),
        (row("close_tab", state="ok"), ["assert page.is_closed()"]),
    ],
)  # fmt: skip
def test_what_the_page_confirmed_is_checked(made: Row, lines: list[str]) -> None:
    assert checks(made) == lines


@pytest.mark.parametrize(
    ("target", "changes", "lines"),
    [
        (TERMS, {"checked": [True, False]}, ['expect(page.locator("css=#terms")).to_be_checked(checked=False)']),
        (BUY, {"pressed": [False, True]},
         ['expect(page.locator("css=#buy")).to_have_attribute("aria-pressed", "true")']),
        (BUY, {"focused": [False, True]}, []),
        (TERMS, {"checked": [False, "mixed"]}, []),
    ],
)  # fmt: skip
def test_a_state_that_a_click_changed_is_checked(target: Target, changes: JsonObject, lines: list[str]) -> None:
    made = row("click", state="ok", targets=[target], params={"selector": "x"}, effects={"target": changes})
    assert checks(made) == lines


@pytest.mark.parametrize(
    ("url", "fits", "fits_not"),
    [
        ("https://a.example/cart", ["https://a.example/cart", "https://a.example/cart?x#y"],
         ["https://a.example/cart/2", "https://b.example/cart", "http://a.example/cart"]),
        ("https://a.example/order/6008?state=done", ["https://a.example/order/9?b=1&state=new"],
         ["https://a.example/order/9?states=new", "https://a.example/orders/9?state=x"]),
        ("https://a.example/***/x?q=***", ["https://a.example/any/x?q=word"], ["https://a.example/any/x"]),
    ],
)  # fmt: skip
def test_an_address_is_checked_without_its_numbers(url: str, fits: list[str], fits_not: list[str]) -> None:
    (line,) = checks(row("click", state="ok", params={"selector": "x"}, effects={"url": url}))
    pattern = line.removeprefix('expect(page).to_have_url(re.compile(r"').removesuffix('"))')
    assert all(re.search(pattern, one) for one in fits)
    assert not any(re.search(pattern, one) for one in fits_not)
