"""The one place of the programs that prints: no page and no agent writes to the person's terminal through it."""

from __future__ import annotations

import os
import sys

from kapture_panel.core.basics import sanitize

TYPE_CHECKING = False  # what only some programs need is imported where they need it: a call takes milliseconds
if TYPE_CHECKING:
    import logging
    from typing import Any


class ReaderGone(BrokenPipeError):
    """Whoever read standard output has enough, as `head` has."""


def say(text: str = "", *, end: str = "\n", flush: bool = False) -> None:
    """Print `text` without the characters a terminal obeys; newlines and tabs stay, nothing is cut."""
    _print(_clean(text), end=end, flush=flush)


def say_json(value: Any, *, flush: bool = False) -> None:
    """Print `value` as one line of JSON that reads back to exactly the same."""
    _print(sanitize.json_text(value), flush=flush)


def complain(text: str) -> None:
    """Print `text` like `say`, on standard error."""
    print(_clean(text), file=sys.stderr)


def ask_secret(question: str) -> str:
    """What the person types without it being shown."""
    import getpass

    return getpass.getpass(sanitize.line(question))


def read_input() -> str:
    """All of standard input, without the end of its last line."""
    text = sys.stdin.read()
    return text.removesuffix("\n").removesuffix("\r")


def stop_printing() -> None:
    """Print nothing more, after `ReaderGone`."""
    # The interpreter flushes at its end, and would complain then.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def is_live() -> bool:
    """Whether lines that were printed can be printed over."""
    return sys.stdout is not None and sys.stdout.isatty()


def say_above(lines_up: int, text: str) -> None:
    """Print one line over the one that many lines above the cursor, and come back."""
    _print(f"\x1b[{lines_up}A\r{_clean(text)}\x1b[K\x1b[{lines_up}B\r", end="", flush=True)


def shows_errors() -> bool:
    """Whether a person sees what `complain` says."""
    return sys.stderr is not None and sys.stderr.isatty()


def log_handler() -> logging.Handler:
    """What prints log records on standard error, cleaned like all else."""
    import logging

    class Cleaned(logging.StreamHandler):  # type: ignore[type-arg] # its parameter exists for checkers alone
        def format(self, record: logging.LogRecord) -> str:
            return _clean(super().format(record))

    return Cleaned()


def _print(text: str, *, end: str = "\n", flush: bool = False) -> None:
    try:
        print(text, end=end, flush=flush)
    except BrokenPipeError as error:
        raise ReaderGone(*error.args) from None


def _clean(text: str) -> str:
    return sanitize.text(text, len(text))
