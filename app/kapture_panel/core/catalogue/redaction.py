"""What is kept of a command: typed values as their length, secrets in addresses masked."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from kapture_panel.core.basics import private_file
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject, Params, Schema
from kapture_panel.core.catalogue import address_secrets
from kapture_panel.core.catalogue.catalogue import Catalogue, Command, without_null
from kapture_panel.core.wire.targets import Target

MASK = "***"
MAX_KEPT_CHARS = 2000
#: Keys that put a character into a field though their names are longer (`extension/tab/keys.js`).
_CHARACTER_KEYS = re.compile(r"Space|Plus|Numpad(?:\d|Add|Subtract|Multiply|Divide|Decimal)")
_SHIFT = re.compile(r"(?:Shift\+)+(?=.)", re.DOTALL)


def url(address: str) -> str:
    """`address` with its user info and the values of secret parameters masked; all else stays to the letter."""
    return _masked(address, address_secrets.in_address(address))


def _masked(value: str, found: list[address_secrets.Span]) -> str:
    starts = [0, *(end for _, end in found)]
    return MASK.join(value[start:end] for start, end in zip(starts, [*(s for s, _ in found), len(value)], strict=True))


def addresses(value: Any) -> Any:
    """JSON with each `url` in it masked."""
    if isinstance(value, list):
        return [addresses(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: url(item) if name == "url" and isinstance(item, str) else addresses(item) for name, item in value.items()
    }


def text(value: str) -> str:
    """`value` with every address in it masked and its length bounded."""
    masked = masked_text(value)
    return masked if len(masked) <= MAX_KEPT_CHARS else masked[: MAX_KEPT_CHARS - 1] + "…"


def masked_text(value: str) -> str:
    """`value` with every address in it masked."""
    return _masked(value, address_secrets.in_text(value))


def is_redacted(value: Any) -> bool:
    """Whether `value` stands for one that was not kept: `{"redacted": length}`, perhaps with its `fingerprint`."""
    return isinstance(value, dict) and "redacted" in value and not value.keys() - {"redacted", "fingerprint"}


def elements(targets: Sequence[Target]) -> list[Target]:
    """The elements a command named, as a row keeps them: what only had the focus is none of them."""
    named = [target for target in targets if not target.focus]
    if not named:
        return []
    return msgspec.convert(json_value(msgspec.to_builtins(named)), list[Target])


def key(path: Path) -> bytes:
    """The key of an instance's fingerprints, made when there is none."""
    kept, _warning = private_file.read(path, "the key of the history's fingerprints", _taken_key)
    if kept is None:
        kept = secrets.token_bytes(32)
        private_file.write(path, kept.hex())
    return kept


def _taken_key(kept: Any) -> bytes:
    made = bytes.fromhex(kept)
    if len(made) != 32:
        raise ValueError("it has another length")
    return made


class Keeper:
    """Decides what a row of the history holds of what was given.

    What is typed or chosen is written as its length before a command is sent, since nobody knows yet which field takes
    it. Once the answer says that no secret field was meant, more is kept: of what was chosen its words, of what was
    typed a fingerprint.

    Args:
        key: of the instance; equal texts have equal fingerprints, which nobody without it can work out. Without one
            there are none.
        records: whether the person wants typed text kept as it is; of secret fields it never is.
    """

    def __init__(self, catalogue: Catalogue, key: bytes = b"", records: Callable[[], bool] = lambda: False) -> None:
        self.catalogue = catalogue
        self._key = key
        self._records = records

    def params(self, command: Command, given: Params) -> Params:
        """What is written before the command is sent."""
        return {
            name: [self._step(step) for step in value] if _has_steps(command, name) else _of(command, name, value)
            for name, value in without_null(given).items()
        }

    def answered(
        self,
        command: Command,
        kept: Params,
        given: Params,
        targets: Sequence[Target],
        *,
        success: bool,
    ) -> Params:
        """What is written once it was answered.

        Args:
            kept: what `params` made of it.
            targets: what the answer tells of the elements that were meant, see `protocol.Response`.
        """
        if not targets:
            return kept
        are_plain = not any(target.secret for target in targets)
        fields = command.properties.get("fields")
        if fields is None:
            return {n: self._known(command.all_properties[n], given[n], v) if are_plain and n in given else v
                    for n, v in kept.items()}  # fmt: skip
        # An answer that has told another number of fields does not say which of them was secret.
        if not success or (len(targets) != len(given["fields"]) and not are_plain):
            return kept
        secret = [target.secret for target in targets] if not are_plain else [False] * len(kept["fields"])
        rows = zip(kept["fields"], given["fields"], secret, strict=False)
        return {**kept, "fields": [row if hidden else self._known(fields["items"], one, row)
                                   for row, one, hidden in rows]}  # fmt: skip

    def message(self, command: Command, given: Params, said: str) -> str:
        """`message`, knowing what the steps of a batch were given."""
        return text(self._without(self._texts(command, given), said))

    def effects(self, command: Command, given: Params, seen: JsonObject) -> JsonObject:
        """The effects of a command without what was typed by it."""
        texts = list(self._texts(command, given))
        kept = json_value(_mapped(seen, lambda said: self._without(texts, said)))
        assert isinstance(kept, dict)
        return kept

    def refused(self, given: Params, said: str) -> tuple[Params, str]:
        """Of parameters that were not checked, so that anything may be a secret: their names and lengths; and `said`
        without their values."""
        params = {text(name): {"redacted": len(str(value))} for name, value in without_null(given).items()}
        for value in map(str, _leaves(given)):
            said = self._without([value] if len(value) > 3 else [], said)
        return params, text(said)

    def _step(self, step: Any) -> Any:
        """A step of a batch: checked only when its turn comes, so all in it that nothing declares may be anything."""
        given = step.get("params")
        if not isinstance(given, dict):
            return _kept(step)
        try:
            inner = self.catalogue.get(step["command"])
        except KaptureError:
            return {"command": _kept(step["command"]), "params": _reduced(given)}
        known = inner.all_properties
        whole = {name: value for name, value in given.items() if name in known and not _has_steps(inner, name)}
        rest = {name: _reduced(value) for name, value in given.items() if name not in whole}
        return {"command": step["command"], "params": {**self.params(inner, whole), **rest}}

    def _known(self, schema: Schema, given: Any, kept: Any) -> Any:
        """What is kept of a value that went into no secret field."""
        if isinstance(given, list) and "items" in schema:
            return [self._known(schema["items"], one, was) for one, was in zip(given, kept, strict=False)]
        if isinstance(given, dict) and "properties" in schema:
            return {n: self._known(schema["properties"].get(n, {}), given[n], was) for n, was in kept.items()}
        if not isinstance(given, str) or not is_redacted(kept):
            return kept
        if schema.get("chosen") or self._records():
            return text(given)
        return {**kept, "fingerprint": self._fingerprint(given)} if self._key and given else kept

    def _fingerprint(self, given: str) -> str:
        return hmac.new(self._key, given.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()[:16]

    def _texts(self, command: Command, given: Params) -> Iterator[str]:
        for name, value in given.items():
            if not _has_steps(command, name):
                yield from _typed(command.all_properties.get(name, {}), value)
                continue
            for step in value:
                try:
                    inner = self.catalogue.get(step["command"])
                except KaptureError:
                    continue
                if isinstance(step.get("params"), dict):
                    yield from self._texts(inner, {n: v for n, v in step["params"].items() if n in inner.properties})

    @staticmethod
    def _without(texts: Iterable[str], said: str) -> str:
        for typed in texts:
            for shown in _ways_to_say(typed):
                said = said.replace(shown, MASK)
        return said


def params(command: Command, given: Params) -> Params:
    """`given` as history keeps it; a typed value becomes `{"redacted": length}`."""
    return {name: _of(command, name, value) for name, value in given.items()}


def has_redacted(kept: Any) -> bool:
    """Whether anything in `kept`, as `params` makes it, stands for a value that was not kept."""
    inner = kept.values() if isinstance(kept, dict) else kept if isinstance(kept, list) else ()
    return is_redacted(kept) or any(map(has_redacted, inner))


def _of(command: Command, name: str, value: Any) -> Any:
    return _redacted(command.all_properties.get(name, {}), value)


def _has_steps(command: Command, name: str) -> bool:
    return command.composite and name == "steps"


def _ways_to_say(typed: str) -> list[str]:
    """How a typed text may stand in a sentence; alone only when it is long enough to be no common word."""
    plain = [typed, quote(typed), quote(typed, safe="")] if len(typed) > 3 else []
    return [json.dumps(typed, ensure_ascii=False), json.dumps(typed), *plain]


def _typed(schema: Schema, value: Any) -> Iterator[str]:
    if schema.get("typed") and isinstance(value, str) and value:
        yield value
    elif isinstance(value, list) and "items" in schema:
        for item in value:
            yield from _typed(schema["items"], item)
    elif isinstance(value, dict) and "properties" in schema:
        for name, item in value.items():
            yield from _typed(schema["properties"].get(name, {}), item)


def _redacted(schema: Schema, value: Any) -> Any:
    """`value` with what its schema calls typed or chosen reduced to a length, however deep it lies."""
    if isinstance(value, str) and (schema.get("typed") or _is_chosen(schema, value)):
        return {"redacted": len(value)}
    if isinstance(value, list) and "items" in schema:
        return [_redacted(schema["items"], item) for item in value[:100]]
    if isinstance(value, dict) and "properties" in schema:
        return {name: _redacted(schema["properties"].get(name, {}), item) for name, item in value.items()}
    return _kept(value)


def _is_chosen(schema: Schema, value: str) -> bool:
    """Of a key only one that makes a character: "Enter" tells nothing."""
    chosen = schema.get("chosen")
    return bool(chosen) and (chosen != "character" or _makes_a_character(value))


def _makes_a_character(key: str) -> bool:
    """Whether a key, with Shift or without, writes something: a character, maybe with marks over it."""
    key = _SHIFT.sub("", key, count=1)
    if _CHARACTER_KEYS.fullmatch(key):
        return True
    return len(key) > 0 and all(unicodedata.category(mark).startswith("M") for mark in key[1:])


def _reduced(value: Any) -> Any:
    """`value` with every text in it reduced to its length."""
    if isinstance(value, str):
        return {"redacted": len(value)}
    if isinstance(value, list):
        return [_reduced(item) for item in value[:100]]
    if isinstance(value, dict):
        return {text(name): _reduced(item) for name, item in value.items()}
    return value


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _leaves(inner)
    else:
        yield value


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_mapped(item, change) for item in value]
    if isinstance(value, dict):
        return {name: _mapped(item, change) for name, item in value.items()}
    return value


def _kept(value: Any) -> Any:
    if isinstance(value, str):
        return text(value)
    if isinstance(value, list):
        return [_kept(item) for item in value[:100]]
    if isinstance(value, dict):
        return {key: _kept(item) for key, item in value.items()}
    return value


def json_value(value: Any) -> Any:
    """Any JSON value with its strings masked and bounded."""
    return _kept(value)
