"""What tests share is in `tests/support`: a test module can be changed, moved and run without a look at the others."""

from __future__ import annotations

from tests.support.tree import ROOT, imports

TESTS = ROOT / "tests"


def wrong(imported: str, room: str) -> bool:
    """Whether `imported` is a test module, a conftest or something in them, or else outside of what is shared."""
    first, *rest = imported.split(".")
    if first == "tests":
        return rest[:1] not in (["support"], [room])
    return first == "conftest" or first.startswith("test_")


def test_nothing_is_imported_from_tests_but_from_support() -> None:
    found = {}
    for path in TESTS.rglob("*.py"):
        # What make runs is a program each, whose modules know each other.
        folder = path.relative_to(TESTS).parts[0]
        room = folder if folder in ("bench", "dist", "mutants", "soak") else "support"
        if taken := [imported for imported in imports(path) if wrong(imported, room)]:
            found[str(path.relative_to(TESTS))] = taken
    assert found == {}


def test_the_rule_knows_what_is_wrong() -> None:
    for imported in (
        "tests.e2e.conftest.Panel", "tests.e2e.test_codes.page", "tests.core.fakes.World", "tests.bench.console",
        "conftest.Panel", "test_codes.page", "tests",
    ):  # fmt: skip
        assert wrong(imported, "support"), imported
    for imported in ("tests.support.e2e.panel.Panel", "tests.support", "kapture_panel.core", "textwrap"):
        assert not wrong(imported, "support"), imported
