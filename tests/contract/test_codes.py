"""Error codes are stable: none is used that is not explained, and none is explained that nobody means to use."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from kapture_panel.core.errors import CODES
from tests.support.tree import PACKAGE, modules


@pytest.mark.parametrize("module", modules(), ids=str)
def test_every_error_raised_has_a_code_that_is_explained(module: Path) -> None:
    for node in ast.walk(ast.parse((PACKAGE / module).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "KaptureError":
            code = node.args[0]
            assert not isinstance(code, ast.Constant) or code.value in CODES, f"{module}:{node.lineno}"
