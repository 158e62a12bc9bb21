"""What is free JSON says which; nothing else is a dictionary of anything."""

from __future__ import annotations

from pathlib import Path

from tests.support.tree import PACKAGE, modules

#: They import nothing of ours.
ALONE = {"mcp_child", "format_helper"}


def test_no_dictionary_of_anything_is_without_a_name() -> None:
    named = Path("core/basics/free_json.py")
    others = [module for module in modules() if module.parts[0] not in ALONE and module != named]
    found = [str(module) for module in others if "dict[str, Any]" in (PACKAGE / module).read_text(encoding="utf-8")]
    assert found == [], "use Params, Schema or JsonObject of core/basics/free_json.py, or a struct"
