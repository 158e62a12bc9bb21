"""What holds for all tests: properties are tried with the same examples each time, and a failure names its cause."""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

#: How many examples of a property are tried by `make test`; `make soak` tries more, and others each time.
EXAMPLES, SOAK_EXAMPLES = 30, 400

#: How long an example takes is no matter; a fixture that all examples share is meant.
_ALWAYS = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))
settings.register_profile("test", _ALWAYS, derandomize=True, max_examples=EXAMPLES)
settings.register_profile("soak", _ALWAYS, max_examples=SOAK_EXAMPLES)
settings.load_profile(os.environ.get("KAPTURE_TEST_PROFILE", "test"))

# What fails in a module of theirs says both sides, as in a test.
pytest.register_assert_rewrite("tests.support")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    """Fail with the one error itself: each MCP client around a test wraps it in groups, and pytest cuts those short."""
    try:
        return (yield)
    except BaseExceptionGroup as group:
        error: BaseException = group
        while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
            error = error.exceptions[0]
        raise error  # noqa: B904 - where it came from is the group, which says no more
