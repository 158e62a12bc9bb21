"""Rows of the history, and the lines a script for Playwright has for them."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.wire.targets import Target
from kapture_panel.export.playwright.script import script
from tests.support.core.fakes import CATALOGUE, row

BUY = Target(selector="#buy", role="button", name='Buy "now"', alone=True)
TWIN = Target(selector="#a > b", role="button", name="Add")


def body(*rows: Row) -> list[str]:
    """The lines of `run` without those that open the first page."""
    text = script([row("new_tab", state="ok", params={}), *rows], Path("nowhere"), CATALOGUE)
    ast.parse(text)
    lines = text.partition("def run(")[2].partition("-> None:\n")[2].partition("\n\n\ndef main")[0].splitlines()
    return [line.removeprefix("    ") for line in lines]


def done(command: str, targets: list[Target] | None = None, **params: Any) -> Row:
    return row(command, state="ok", params=params, targets=targets or [])
