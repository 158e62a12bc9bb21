"""What a failure says."""

from __future__ import annotations


def innermost(error: BaseException) -> BaseException:
    """The one error that groups of one are wrapped around; a group of several is itself."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error
