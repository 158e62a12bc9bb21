"""What holds for all tests: properties are tried with the same examples each time, and a failure names its cause."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

#: How many examples of a property are tried by `make test`; `make soak` tries more, and others each time.
EXAMPLES, SOAK_EXAMPLES = 30, 250

#: How long an example takes does not matter; a fixture that all examples share is meant.
_ALWAYS = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))
settings.register_profile("test", _ALWAYS, derandomize=True, max_examples=EXAMPLES)
settings.register_profile("soak", _ALWAYS, max_examples=SOAK_EXAMPLES)
settings.load_profile(os.environ.get("KAPTURE_TEST_PROFILE", "test"))

#: Whole programs, browsers and windows: their files take longest.
LONG = {Path(__file__).parent / name for name in ("e2e", "installing", "programs", "window")}

# What fails in a module of theirs says both sides, as in a test.
pytest.register_assert_rewrite("tests.support")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep Python's collector away from the tests themselves: they live as long as the run, and going through them
    took a third of the time in which they are found."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the long files, in the order by lot: one that began last would end the run alone."""
    items.sort(key=lambda item: LONG.isdisjoint(item.path.parents))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Tell the seed of the order; at the top, where its plug-in tells it, `-q` leaves it out."""
    terminalreporter.write_line(f"order by lot: --randomly-seed={config.getoption('randomly_seed')}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    """Fail with the one error itself: each MCP client around a test wraps it in groups, and pytest cuts those short."""
    try:
        return (yield)
    except BaseExceptionGroup as group:
        from tests.support.failures import innermost  # what is imported above is not rewritten any more

        error = innermost(group)
        raise error from error.__cause__


#: Widgets that a test left, and that are told of once.
_left: list[object] = []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Generator[None, object, object]:
    """Fail a test that leaves widgets: each later window's style sheet would style them again, for seconds."""
    done = yield
    widgets = sys.modules.get("PySide6.QtWidgets")
    if widgets is not None and widgets.QApplication.instance() is not None:
        from tests.support.window.qt_loop import bury_all

        bury_all([])
        tops = [top for top in widgets.QApplication.topLevelWidgets() if top.parent() is None]
        new = [top for top in tops if top not in _left]
        _left[:] = tops
        assert new == [], "widgets are left; see `bury`"
    return done
