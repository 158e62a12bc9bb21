"""The words of a command line as the parameters of a command. Standard library only: `kapture click` starts with it."""

from __future__ import annotations

import json
import os

from kapture_panel.core.catalogue.command_line import WAYS, Line, option

TYPE_CHECKING = False  # importing typing costs a tenth of a call
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, NoReturn

    from kapture_panel.core.basics.free_json import Params, Schema

#: Marks of a list's entries that may hold a comma: what is chosen, typed, or a path.
_FREE = ("chosen", "typed", "format")


class Wrong(Exception):
    """A command line that cannot be used: what is wrong with it, and the next step."""

    def __init__(self, what: str, next_step: str) -> None:
        super().__init__(what, next_step)
        self.what = what
        self.next_step = next_step


class Words:
    """Reads words as the parameters of commands.

    Args:
        lines: the commands by name; one that is made of others has steps that are command lines, too.
        read_input: reads all of standard input, for the word `-`.
    """

    def __init__(self, lines: Mapping[str, Line], read_input: Callable[[], str]) -> None:
        self._lines = lines
        self._read_input: Callable[[], str] | None = read_input

    def parameters(self, line: Line, words: Sequence[str]) -> Params:
        """`kapture click e5 --click-count 2`: words by their place, all else by name.

        Raises:
            Wrong: an option or a word too many, or one that is missing.
        """
        given: Params = {}
        plain: list[str] = []
        left = list(words)
        while left:
            word = left.pop(0)
            if word == "--":
                plain += left
                break
            if word.startswith("--"):
                self._take_option(line, given, word, left)
            else:
                plain.append(word)
        self._place(line, given, plain)
        return {name: _local(line.parameters[name], value) for name, value in given.items()}

    def named(self, line: Line, words: Sequence[str]) -> Params:
        """`kapture call click ref=e5 clickCount=2`: every word is key=value.

        Raises:
            Wrong: one is not.
        """
        given: Params = {}
        for word in words:
            name, equals, text = word.partition("=")
            if not equals:
                raise Wrong(f"{word!r} is not key=value", f"or without call: {line.usage}")
            given[name] = self.value(line, name, text)
        return given

    def value(self, line: Line, name: str, text: str) -> Any:
        """A parameter's value: text stays text, all else is JSON; what is neither is left to the panel to refuse."""
        schema = line.parameters.get(name, {})
        match schema.get("type"):
            case "string":
                return text
            case "array":
                return self._list(line, schema["items"], text)
            case "object" if text.lstrip()[:1] != "{":
                return _object(name, schema, text)
        return _json(text)

    # ---- options -----------------------------------------------------------------------------------------------------

    def _take_option(self, line: Line, given: Params, word: str, left: list[str]) -> None:
        name, equals, text = word.partition("=")
        known = {option(parameter): parameter for parameter in line.parameters}
        known |= {f"--{parameter}": parameter for parameter in line.parameters}  # as an error of the panel names it
        parameter = known.get(name)
        if parameter is None:
            positive = known.get(f"--{name.removeprefix('--no-')}")
            if not equals and positive and line.parameters[positive]["type"] == "boolean":
                given[positive] = False
                return
            _refuse_option(line, name)
        schema = line.parameters[parameter]
        if schema["type"] == "boolean" and not equals:
            given[parameter] = True
            return
        if not equals:
            if not left:
                raise Wrong(f"{name} needs a value", _told(schema))
            text = self._text(left.pop(0))
        value = self.value(line, parameter, text)
        if schema["type"] == "array" and isinstance(given.get(parameter), list) and isinstance(value, list):
            value = given[parameter] + value
        given[parameter] = value

    # ---- words -------------------------------------------------------------------------------------------------------

    def _place(self, line: Line, given: Params, plain: list[str]) -> None:
        open_words = [word for word in line.words if not _is_given(line, word, given)]
        spare = len(plain) - sum(map(line.needs, open_words))
        left = list(plain)
        for word in open_words:
            if not left or (not line.needs(word) and spare <= 0):
                continue
            spare -= not line.needs(word)
            if line.is_place(word):
                given.update(_target(line, word, left.pop(0)))
            elif line.parameters[word]["type"] == "array":
                given[word] = [one for text in left for one in self._entries(line, word, text)]
                left = []
            else:
                given[word] = self.value(line, word, _selector(line, word, self._text(left.pop(0))))
        missing = [word for word in open_words if line.needs(word) and not _is_given(line, word, given)]
        if missing:
            raise Wrong(f"{line.shown(missing[0])} is missing", f"usage: {line.usage}")
        if left:
            raise Wrong(f"{left[0]!r} is one word too many", f"usage: {line.usage}; quote a text of several words")

    def _entries(self, line: Line, name: str, text: str) -> list[Any]:
        """What one word adds to a list: of standard input every line."""
        if text != "-":
            return self._of_list(line, name, text)
        read = self._text(text)
        texts = [read] if read.lstrip()[:1] == "[" else filter(str.strip, read.splitlines())
        return [one for each in texts for one in self._of_list(line, name, each)]

    def _of_list(self, line: Line, name: str, text: str) -> list[Any]:
        found = self.value(line, name, text)
        return found if isinstance(found, list) else [found]

    def _text(self, word: str) -> str:
        if word != "-":
            return word
        if self._read_input is None:
            raise Wrong("standard input can be read only once", "give one - alone")
        read, self._read_input = self._read_input, None
        try:
            return read()
        except UnicodeDecodeError as error:
            raise Wrong(f"standard input is not UTF-8: byte {error.start + 1}", "convert it to UTF-8 first") from None

    def _list(self, line: Line, items: Schema, text: str) -> Any:
        """A list: JSON, or an entry; entries that cannot hold a comma may be several."""
        found = _json(text) if text.lstrip()[:1] == "[" else None
        if isinstance(found, list):
            return found
        if items.get("type") == "object":
            return [self._entry(line, items, text)]
        return [text] if any(items.get(mark) for mark in _FREE) else text.split(",")

    def _entry(self, line: Line, items: Schema, text: str) -> Any:
        """One entry of a list of objects: JSON, `e5=text` where it has a ref and a value, or a step's command line."""
        if text.lstrip()[:1] == "{":
            return _json(text)
        if line.is_composite:
            return self._step(text)
        ref, equals, value = text.partition("=")
        if equals and _is_ref(ref) and {"ref", "value"} <= items["properties"].keys():
            return {"ref": ref, "value": value}
        return text

    def _step(self, text: str) -> Params:
        import shlex

        try:
            words = shlex.split(text)
        except ValueError as error:
            raise Wrong(f"the step {text!r} cannot be read: {error}", "quote it as in a shell") from None
        line = self._lines.get(words.pop(0).replace("-", "_")) if words else None
        if line is None:
            raise Wrong(f"the step {text!r} names no command", "kapture call --help lists them")
        return {"command": line.name, "params": self.parameters(line, words)}


def _is_given(line: Line, word: str, given: Params) -> bool:
    names = line.place_parameters(word).values() if line.is_place(word) else [word]
    return any(name in given for name in names)


def _target(line: Line, word: str, text: str) -> Params:
    """A place in one word: `e5`, `//an/xpath`, `120,80`, or else a CSS selector."""
    names = line.place_parameters(word)
    x, _, y = text.partition(",")
    if _is_number(x) and _is_number(y):
        return {names["x"]: _json(x), names["y"]: _json(y)}
    way = "ref" if _is_ref(text) else "xpath" if text[:1] in ("/", "(") else "selector"
    return {names[way]: text}


def _is_ref(text: str) -> bool:
    # To compile a regular expression would take longer than all the rest of this module.
    return text[:1] == "e" and text[1:].isdecimal() and text.isascii()


def _is_number(text: str) -> bool:
    return isinstance(_json(text), (int, float))


def _selector(line: Line, word: str, text: str) -> str:
    """A selector's text, which a ref is not."""
    if word.lower().endswith(WAYS[0]) and _is_ref(text):
        raise Wrong(f"{line.name} takes a CSS selector, and {text} is a ref", f"kapture snapshot {text} shows it")
    return text


def _object(name: str, schema: Schema, text: str) -> Params:
    """An object as its values in their order: `0,0,400,300`."""
    names, values = list(schema["properties"]), text.split(",")
    if len(names) != len(values):
        raise Wrong(f"{option(name)} cannot be {text!r}", f"give {','.join(names)}, or JSON")
    return dict(zip(names, map(_json, values), strict=True))


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _local(schema: Schema, value: Any) -> Any:
    """Paths as those of the folder the call is made in: the panel runs in another one."""
    if isinstance(value, list):
        return [_local(schema.get("items", {}), one) for one in value]
    is_path = schema.get("format") == "path" and isinstance(value, str) and value
    return os.path.abspath(os.path.expanduser(value)) if is_path else value


def _told(schema: Schema) -> str:
    """What a parameter's value may be."""
    if "enum" in schema:
        return f"one of {', '.join(schema['enum'])}"
    described = schema.get("description", schema["type"])
    return f"{described} ({schema['unit']})" if "unit" in schema else str(described)


def _refuse_option(line: Line, name: str) -> NoReturn:
    from difflib import get_close_matches

    options = list(map(option, line.parameters))
    near = get_close_matches(name, options, n=2)
    hint = f"did you mean {' or '.join(near)}?" if near else f"see kapture {line.name} --help"
    raise Wrong(f"{line.name} has no option {name}", hint)
