"""Print the manual page: `python -m kapture_panel.programs.manual > packaging/man/kapture.1`."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator

from kapture_panel import paths
from kapture_panel.core.catalogue import command_line
from kapture_panel.core.catalogue.command_line import Line
from kapture_panel.programs import arguments, call_help, completion, terminal

_EXIT_CODES = (
    ("0", "The program or the command succeeded."),
    ("1", "It failed; standard error says why and what to do next."),
    ("2", "Wrong usage; nothing was done."),
    ("3", "No panel is running."),
)
_ENVIRONMENT = (
    ("KAPTURE_HOME", "The panel's data folder. --data-dir overrides it."),
    ("KAPTURE_SESSION", "The session of a call. --session overrides it."),
)
_EXAMPLES = (
    ("Open a page and look at it", "kapture navigate https://example.com/\nkapture snapshot"),
    ("Press what the snapshot called e5", "kapture click e5"),
    ("Fill in a field from a file", "kapture fill e7 - < address.txt"),
)


def text(parser: argparse.ArgumentParser) -> str:
    """The whole page, in the macros of man(7)."""
    return "\n".join([*_head(), *_of_programs(parser), *_of_commands(), *_tail()]) + "\n"


def _head() -> Iterator[str]:
    yield from (
        '.\\" Made by kapture_panel.programs.manual; make generated makes it.',
        ".TH KAPTURE 1",
        ".SH NAME",
        "kapture \\- drive the tabs of a real browser, by hand and through AI agents",
        ".SH SYNOPSIS",
        ".B kapture",
        "[options]",
        ".br",
        ".B kapture",
        ".I program",
        "[options]",
        ".br",
        ".B kapture",
        ".I command",
        "[words] [options]",
        ".SH DESCRIPTION",
        _plain("Without a program the panel's window opens. Any other first word is a command, which runs in the "
               "running panel as an agent's does: the policy, the questions and the history apply to it."),
    )  # fmt: skip


def _of_programs(parser: argparse.ArgumentParser) -> Iterator[str]:
    yield ".SH OPTIONS"
    yield from _options(parser)
    yield ".SH PROGRAMS"
    for name, said, one in completion.subparsers(parser):
        yield f".SS kapture {_plain(name)}"
        yield _plain(f"{said[:1].upper()}{said[1:]}.")
        yield from _options(one)
        inner = [word for word, _, _ in completion.subparsers(one)]
        if inner:
            yield ".PP"
            yield _plain(f"One of: {', '.join(inner)}.")


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        if action.option_strings and "--help" not in action.option_strings:
            takes = "" if action.nargs == 0 else action.metavar or "|".join(map(str, action.choices or ())) or "VALUE"
            yield from _entry(f"{', '.join(action.option_strings)} {takes}".strip(), action.help or "")


def _of_commands() -> Iterator[str]:
    groups, lines = command_line.read(str(paths.catalogue()))
    yield ".SH COMMANDS"
    yield _plain(f"TARGET and TO are one word: {call_help.PLACE}. {call_help.STDIN} Every command also takes:")
    for name, value, said in call_help.OURS:
        yield from _entry(f"{name} {value}".strip(), said)
    for group, title in groups.items():
        yield f".SS {_plain(title)}"
        for line in lines.values():
            if line.group == group:
                yield from _entry(line.usage, f"{line.description}.{_own(line)}")


def _own(line: Line) -> str:
    """The options that are the command's own; those it shares with others are told by its help."""
    own = [given for given, _ in call_help.rows_of(line) if given.split()[0] not in _SHARED and "," not in given]
    return f" Options: {', '.join(own)}." if own else ""


_SHARED = ("--snapshot", "--wait", "--timeout", "--tab-id")


def _tail() -> Iterator[str]:
    for title, rows in (("EXIT STATUS", _EXIT_CODES), ("ENVIRONMENT", _ENVIRONMENT)):
        yield f".SH {title}"
        for name, said in rows:
            yield from _entry(name, said)
    yield ".SH EXAMPLES"
    for number, (said, script) in enumerate(_EXAMPLES):
        yield from ([".PP"] if number else [])
        yield from (_plain(f"{said}:"), ".PP", ".RS 4", ".nf", _plain(script), ".fi", ".RE")


def _entry(name: str, said: str) -> Iterator[str]:
    yield from (".TP", f".B {' '.join(_plain(name).splitlines())}", _plain(said) or "\\&")


def _plain(said: str) -> str:
    """A text as roff shows it: no line is a macro, a hyphen stays one, and no line is too long to be read."""
    quoted = said.replace("\\", "\\e").replace("-", "\\-").replace("…", "...").replace("’", "'")
    wrapped = [short for line in quoted.splitlines() for short in textwrap.wrap(line, 78, break_on_hyphens=False)]
    return "\n".join(f"\\&{line}" if line.startswith((".", "'")) else line for line in wrapped)


if __name__ == "__main__":
    terminal.say(text(arguments.parser()), end="")
