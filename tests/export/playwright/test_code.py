"""Pieces of a script: what was recorded becomes Python, whatever it is."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from kapture_panel.core.wire.targets import Target
from kapture_panel.export.playwright import code
from tests.support.core.playwright import BUY, TWIN


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=5))
def test_a_literal_reads_back_the_same_and_is_printable(value: Any) -> None:
    written = code.literal(value)
    assert written.isprintable()
    assert ast.literal_eval(written) == value


def test_a_value_that_is_given_later_is_a_name() -> None:
    assert code.literal({"a": [{"parameter": "password"}, 1]}) == '{"a": [password, 1]}'


def test_an_option_without_a_value_is_left_out() -> None:
    assert code.call("page", "goto", '"x"', wait_until=None, timeout=5) == 'page.goto("x", timeout=5)'


@pytest.mark.parametrize(
    ("url", "goes"),
    [
        ("localhost:8000/a", "http://localhost:8000/a"), ("127.0.0.1", "http://127.0.0.1"),
        ("shop.example?a", "https://shop.example?a"), ("http://a.example/", "http://a.example/"),
        ("about:blank", "about:blank"), ("data:text/html,a", "data:text/html,a"),
    ],
)  # fmt: skip
def test_an_address_has_the_scheme_that_the_panel_adds(url: str, goes: str) -> None:
    assert code.address(url) == f'"{goes}"'


@pytest.mark.parametrize(
    ("params", "targets", "found"),
    [
        ({"xpath": "//a"}, [], 'page.locator("xpath=//a").first'),
        ({"selector": "#a > b"}, [TWIN], 'page.locator("css=#a > b")'),
        ({"selector": "#other"}, [TWIN], 'page.locator("css=#other").first'),
        ({"selector": "#buy"}, [replace(BUY, role="made-up")], 'page.locator("css=#buy")'),
        ({"selector": "iframe >>> b"}, [], 'page.frame_locator("css=iframe").locator("css=b").first'),
        ({"selector": "my-box >>> b"}, [], 'page.locator("css=my-box").locator("css=b").first'),
        ({"selector": {"parameter": "which"}}, [], "page.locator(which).first"),
    ],
)
def test_an_element_is_found_as_a_reader_would(params: dict[str, Any], targets: list[Target], found: str) -> None:
    assert code.located("page", params, targets) == found


def test_an_element_alone_in_its_role_and_name_is_found_by_them() -> None:
    by_role = 'page.get_by_role("button", name="Buy \\"now\\"", exact=True)'
    assert code.located("page", {"selector": "#buy"}, [BUY]) == by_role
