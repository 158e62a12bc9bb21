"""The functions that a script brings along."""

from __future__ import annotations

import ast
import time
from pathlib import Path
from typing import Any

import pytest

from kapture_panel.export.playwright.helpers import HELPERS, needed
from kapture_panel.export.playwright.script import script
from tests.support.core.fakes import CATALOGUE
from tests.support.core.playwright import done


@pytest.mark.parametrize("name", HELPERS)
def test_a_helper_is_a_function_of_its_name(name: str) -> None:
    (made,) = ast.parse(HELPERS[name].source).body
    assert isinstance(made, ast.FunctionDef)
    assert made.name == name


class FakePage:
    """A page in which every value counts as true, or none does."""

    def __init__(self, *, answer: bool = True) -> None:
        self.answer = answer
        self.sent = ""
        self.clock = 0.0

    def evaluate(self, sent: str) -> bool:
        self.sent = sent
        return self.answer

    def wait_for_timeout(self, ms: float) -> None:
        self.clock += ms / 1000

    def monotonic(self) -> float:
        """The time, which goes on only where the script waits."""
        return self.clock


def test_a_value_that_is_a_function_is_not_called() -> None:
    """Playwright calls what a text given to `evaluate` has for a value."""
    page = FakePage()
    known: dict[str, Any] = {"Page": object, "time": time}
    exec(HELPERS["wait_until"].source, known)
    known["wait_until"](page, "window.startCheckout // there")
    assert page.sent == "(async () => Boolean(await (\nwindow.startCheckout // there\n)))()"
    known["wait_until"](page, "ready, now; ")
    assert page.sent == "(async () => Boolean(await (\nready, now\n)))()"


def test_what_stays_false_is_waited_for_as_long_as_it_was_told() -> None:
    page = FakePage(answer=False)
    known: dict[str, Any] = {"Page": object, "time": page}
    exec(HELPERS["wait_until"].source, known)
    with pytest.raises(AssertionError, match="still false: ready"):
        known["wait_until"](page, "ready", timeout_ms=20_000)
    assert round(page.clock) == 20


def test_only_what_is_called_is_brought_along() -> None:
    assert needed(["page.reload()", "# inject(page)"]) == []
    assert needed(['inject(page, "a")']) == [HELPERS["inject"]]
    text = script([done("new_tab"), done("wait", expression="a"), done("scroll", deltaY=3)], Path("no"), CATALOGUE)
    brought = {made.name for made in ast.parse(text).body if isinstance(made, ast.FunctionDef)}
    assert brought == {"wait_until", "scroll_page", "run", "main"}
    assert "import argparse\nimport time\n\nfrom playwright.sync_api import Page, sync_playwright\n" in text
