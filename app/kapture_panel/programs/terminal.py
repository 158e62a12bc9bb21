"""The one place of the programs that prints: no page and no agent writes to the person's terminal through it."""

from __future__ import annotations

import getpass
import logging
import sys
from typing import Any

from kapture_panel.core.basics import sanitize


def say(text: str = "", *, end: str = "\n", flush: bool = False) -> None:
    """Print `text` without the characters a terminal obeys; newlines and tabs stay, nothing is cut."""
    print(_clean(text), end=end, flush=flush)


def say_json(value: Any, *, flush: bool = False) -> None:
    """Print `value` as one line of JSON that reads back to exactly the same."""
    print(sanitize.json_text(value), flush=flush)


def complain(text: str) -> None:
    """Print `text` like `say`, on standard error."""
    print(_clean(text), file=sys.stderr)


def ask_secret(question: str) -> str:
    """What the person types without it being shown."""
    return getpass.getpass(sanitize.line(question))


def is_live() -> bool:
    """Whether lines that were printed can be printed over."""
    return sys.stdout.isatty()


def say_above(lines_up: int, text: str) -> None:
    """Print one line over the one that many lines above the cursor, and come back."""
    print(f"\x1b[{lines_up}A\r{_clean(text)}\x1b[K\x1b[{lines_up}B\r", end="", flush=True)


def shows_errors() -> bool:
    """Whether a person sees what `complain` says."""
    return sys.stderr is not None and sys.stderr.isatty()


class LogHandler(logging.StreamHandler[Any]):
    """Prints log records on standard error, cleaned like all else."""

    def format(self, record: logging.LogRecord) -> str:
        """The record's line."""
        return _clean(super().format(record))


def _clean(text: str) -> str:
    return sanitize.text(text, len(text))
