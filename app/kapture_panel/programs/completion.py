"""`kapture completion`: what a shell needs to complete our command line, made from the parser and the catalogue."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from kapture_panel import paths
from kapture_panel.core.basics.free_json import Schema
from kapture_panel.core.catalogue import command_line
from kapture_panel.programs import call_help


@dataclass(frozen=True)
class Option:
    """One option: `takes` says whether a value follows, `values` which ones there are, if only these."""

    name: str
    said: str = ""
    takes: bool = False
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class Program:
    """What may follow a first word: options, and words of its own (`install cursor`)."""

    name: str
    said: str
    options: tuple[Option, ...] = ()
    words: tuple[str, ...] = field(default=())


def script(shell: str, parser: argparse.ArgumentParser) -> str:
    """The script for bash, zsh or fish."""
    return SHELLS[shell](tuple(programs(parser)))


def programs(parser: argparse.ArgumentParser) -> Iterator[Program]:
    """Every first word: our programs, then the commands of the catalogue."""
    ours = tuple(Option(name, said, takes=bool(value)) for name, value, said in call_help.OURS)
    for name, said, one in subparsers(parser):
        inner = list(subparsers(one))
        options = {option.name: option for each in (one, *(sub for _, _, sub in inner)) for option in _options(each)}
        words = tuple(word for word, _, _ in inner) or _words(one)
        yield Program(name, said, tuple(options.values()) or (ours if name == "call" else ()), words)
    _, lines = command_line.read(str(paths.catalogue()))
    for line in lines.values():
        own = tuple(_option(name, schema) for name, schema in line.parameters.items())
        yield Program(line.name, line.description, (*own, *ours))


def subparsers(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str, argparse.ArgumentParser]]:
    """The programs of a parser: name, help, parser."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            said = {choice.dest: choice.help or "" for choice in action._choices_actions}
            yield from ((name, said.get(name, ""), one) for name, one in action.choices.items())


def _options(parser: argparse.ArgumentParser) -> Iterator[Option]:
    for action in parser._actions:
        for name in action.option_strings:
            if name.startswith("--"):
                values = tuple(map(str, action.choices or ()))
                yield Option(name, action.help or "", takes=action.nargs != 0, values=values)


def _words(parser: argparse.ArgumentParser) -> tuple[str, ...]:
    found = (action.choices for action in parser._actions if not action.option_strings and action.choices)
    return tuple(str(word) for choices in found for word in choices)


def _option(name: str, schema: Schema) -> Option:
    is_flag = schema["type"] == "boolean"
    values = tuple(schema.get("enum", ()))
    return Option(command_line.option(name), str(schema.get("description", "")), takes=not is_flag, values=values)


def _first_sentence(said: str) -> str:
    """For the one line that a menu has, without what a shell would read as its own."""
    plain = said.split(". ")[0].split("; ")[0].split(": ")[0]
    return "".join(sign for sign in plain if sign not in "'\"`$\\[]%")


def _bash(known: tuple[Program, ...]) -> str:
    cases, values = [], []
    for one in known:
        words = " ".join([*(option.name for option in one.options), *one.words])
        cases.append(f"    {one.name}) COMPREPLY=($(compgen -W '{words}' -- \"$cur\")) ;;")
        for option in one.options:
            if option.values:
                listed = " ".join(option.values)
                values.append(
                    f"    {one.name},{option.name}) COMPREPLY=($(compgen -W '{listed}' -- \"$cur\")); return ;;"
                )
            elif option.takes:
                values.append(f"    {one.name},{option.name}) return ;;")
    firsts = " ".join(one.name for one in known)
    return "\n".join([
        "# bash completion of kapture; put it into ~/.local/share/bash-completion/completions/kapture",
        "_kapture() {",
        '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" first="${COMP_WORDS[1]}"',
        "  COMPREPLY=()",
        '  if [ "$COMP_CWORD" -eq 1 ]; then',
        f"    COMPREPLY=($(compgen -W '{firsts}' -- \"$cur\"))",
        "    return",
        "  fi",
        '  case "$first,$prev" in', *values, "  esac",
        '  case "$first" in', *cases, "  esac",
        "}",
        "complete -o default -F _kapture kapture",
    ])  # fmt: skip


def _zsh(known: tuple[Program, ...]) -> str:
    cases, values = [], []
    for one in known:
        listed = " ".join(f"'{option.name}:{_first_sentence(option.said)}'" for option in one.options)
        words = " ".join(f"'{word}'" for word in one.words)
        cases.append(f"    {one.name}) rest=({words}{' ' if words else ''}{listed}) ;;")
        for option in one.options:
            if option.values:
                values.append(f"    {one.name},{option.name}) compadd -- {' '.join(option.values)}; return ;;")
            elif option.takes:
                values.append(f"    {one.name},{option.name}) _files; return ;;")
    firsts = [f"    '{one.name}:{_first_sentence(one.said)}'" for one in known]
    return "\n".join([
        "#compdef kapture",
        "# zsh completion of kapture; put it as _kapture into a folder of your $fpath",
        "_kapture() {",
        "  local -a first rest",
        "  if (( CURRENT == 2 )); then",
        "    first=(", *firsts, "    )",
        "    _describe -t commands command first",
        "    return",
        "  fi",
        '  case "$words[2],$words[CURRENT-1]" in', *values, "  esac",
        '  case "$words[2]" in', *cases, "  esac",
        "  _describe -t options option rest || _files",
        "}",
        'if [ "$funcstack[1]" = _kapture ]; then _kapture; else compdef _kapture kapture; fi',
    ])  # fmt: skip


def _fish(known: tuple[Program, ...]) -> str:
    lines = ["# fish completion of kapture; put it into ~/.config/fish/completions/kapture.fish"]
    for one in known:
        said = _first_sentence(one.said)
        lines.append(f"complete -c kapture -n __fish_use_subcommand -f -a {one.name} -d '{said}'")
        seen = f"-n '__fish_seen_subcommand_from {one.name}'"
        if one.words:
            lines.append(f"complete -c kapture {seen} -f -a '{' '.join(one.words)}'")
        for option in one.options:
            takes = f" -x -a '{' '.join(option.values)}'" if option.values else " -r" if option.takes else ""
            name = option.name.removeprefix("--")
            lines.append(f"complete -c kapture {seen} -l {name}{takes} -d '{_first_sentence(option.said)}'")
    return "\n".join(lines)


#: Shell → what makes its script.
SHELLS: dict[str, Callable[[tuple[Program, ...]], str]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
