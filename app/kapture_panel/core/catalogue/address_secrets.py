"""Where secrets are in an address: its user info, and the values of parameters whose names tell one.

The extension finds them in the same way (basics/address_secrets.js); tests/vectors/addresses.json holds both to it. All
is found in place. So what is not a secret stays to the letter, and each step costs no more than the length of its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

Span = tuple[int, int]

#: Words that tell a secret wherever they stand in a name.
WITHIN = (
    "token", "code", "key", "sig", "pass", "pwd", "secret", "auth", "session", "sessid", "jwt", "otp", "cvc", "cvv",
    "card", "credential", "assertion",
)  # fmt: skip
#: Words that do so as a whole word of a name alone: "sid" is part of "side", "pin" of "shipping".
WHOLE = ("sid", "ticket", "pin", "hash", "access", "nonce")
#: Schemes whose "@" follows no user info.
NO_USER_INFO = (
    "mailto", "sip", "sips", "xmpp", "acct", "im", "data", "javascript", "about", "tel", "sms", "urn", "cid", "mid",
    "npm", "jsr",
)  # fmt: skip
#: An address within an address is encoded once more each time. What is encoded more often is taken for a secret.
MAX_DEPTH = 8

_WITHIN = re.compile("|".join(WITHIN), re.IGNORECASE)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_NAME = re.compile(r"[\w.$~%\[\]-]+", re.ASCII)
_PERCENT = re.compile(r"%[0-7][0-9a-f]", re.IGNORECASE)
#: What stands for another character: of an address, and of a string in JSON.
_ESCAPE = re.compile(r"%([0-7][0-9a-f])|\\u00([0-7][0-9a-f])|\\([\"\\/])", re.IGNORECASE)
_QUERY = re.compile(r"[?#]")
_FIELDS = re.compile(r"[?&#]")
_SEMICOLON = re.compile(";")
_PATH_END = re.compile(r"[;?]")
_PART = re.compile(r"[?&#][^?&#]*")
_END = re.compile(r"[&#]")
_PATH_PARAMETER = re.compile(r";([^;=/]*)=([^;/]+)")
_SEGMENT = re.compile(r"([/\\]*)([^/\\]+)")
#: A browser reads "http:host", "http:///host" and "http:\\host" as "http://host".
_BROWSED = re.compile(r"(?<![a-z0-9+.-])(?:https?|wss?|ftp):", re.IGNORECASE)
_BROWSED_END = re.compile(r"(?:https?|wss?|ftp):\Z", re.IGNORECASE)
_SCHEME_END = re.compile(r"[a-z0-9+.-]:\Z|(?:^|\W)\Z", re.IGNORECASE)
_AFTER_HOST = ("/", "\\", "?", "#")
_PORT_END = re.compile(r":[0-9]+\Z")
_JSON_NAME = re.compile(r'"([^"\\]*)"\s*:\s*')
_JSON_SCALAR = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)|(-?[0-9][0-9.e+-]*)', re.IGNORECASE | re.DOTALL)
#: What an address can reach to within a text.
_RUN = re.compile(r"[^\s\"'<>\\]+(?:\\+[^\s\"'<>\\]+)*")
_MAY_HOLD_ONE = re.compile(r"[=@%]")
#: A text that is one address alone may hold quotes.
_ONE_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*:[/\\]\S*", re.IGNORECASE)
#: A parameter whose value is JSON with its quotes as they are.
_JSON_VALUE = re.compile(r"[?&#;][^\s=&?#;\"'<>]*=([\[{]\s*[\"\[{][^\r\n&#]*)")


def in_address(address: str) -> list[Span]:
    """The places of the secrets in an address, in order, none within another."""
    return _merged(_found(address, 0, whole=True))


def in_text(text: str) -> list[Span]:
    """The same in any text, of all the addresses in it."""
    if _ONE_ADDRESS.fullmatch(text):
        return in_address(text)
    if not _MAY_HOLD_ONE.search(text):
        return []
    found: list[Span] = []
    for run in _RUN.finditer(text):
        if _MAY_HOLD_ONE.search(run.group()):
            found += _moved(_found(run.group(), 0), run.start())
    for value in _JSON_VALUE.finditer(text):
        found += _moved(_found(value[1], 1), value.start(1))
    return _merged(found)


def tells_secret(name: str) -> bool:
    """Whether the name of a parameter tells that its value is a secret, however often it is encoded."""
    for _ in range(MAX_DEPTH):
        if _WITHIN.search(name) or any(word.lower() in WHOLE for word in _WORD.findall(name)):
            return True
        if not _ESCAPE.search(name):
            return False
        name, _places = _decoded(name)
    return True


def _found(text: str, depth: int, *, whole: bool = False, nested: bool = False) -> Iterator[Span]:
    """The places in one address.

    Args:
        whole: it is known to be one, and all of it.
        nested: it was the value of a parameter, and may itself be "name=value".
    """
    if "@" in text:
        yield from _user_infos(text, whole=whole)
    path_end = _at(_FIELDS, text)
    for match in _PATH_PARAMETER.finditer(text, 0, path_end):
        if tells_secret(match[1]):
            yield match.span(2)
    yield from _in_fields(text, 0 if nested else path_end, nested=nested)
    if whole or depth:
        yield from _in_json(text)
    for start, end, is_value in _pieces(text, path_end) if _ESCAPE.search(text) else ():
        piece = text[start:end]
        if not _ESCAPE.search(piece):
            continue
        if depth < MAX_DEPTH:
            plain, places = _decoded(piece)
            inner = _found(plain, depth + 1, nested=nested or is_value)
            yield from ((start + places[first], start + places[last]) for first, last in inner)
        elif _PERCENT.search(piece):
            yield start, end


def _user_infos(text: str, *, whole: bool) -> Iterator[Span]:
    query = _at(_QUERY, text)
    yield from _user_infos_of(text, 0, query, whole=whole)
    for part in _PART.finditer(text, query):
        name_end = part.group().find("=")
        yield from _user_infos_of(text, part.start() + (name_end if name_end >= 0 else 0) + 1, part.end())


def _user_infos_of(text: str, start: int, end: int, *, whole: bool = False) -> Iterator[Span]:
    before = ""
    for match in _SEGMENT.finditer(text, start, end):
        slashes, segment = match.groups()
        at = segment.rfind("@")
        if at > 0:
            browsed = _BROWSED.search(segment, 0, at)
            first = browsed.end() if browsed else 0
            follows_scheme = slashes and (
                _BROWSED_END.search(before[-6:]) or (slashes == "//" and _SCHEME_END.search(before[-2:]))
            )
            is_bare = match.start() == start and not slashes and _is_bare(segment, at)
            if is_bare and not whole:
                is_bare = text[match.end() : match.end() + 1] in _AFTER_HOST or _PORT_END.search(segment) is not None
            if first < at and (browsed or follows_scheme or is_bare):
                yield match.start(2) + first, match.start(2) + at
        before = segment


def _is_bare(segment: str, at: int) -> bool:
    """Whether it is "user:password@host" without a scheme."""
    name, colon, password = segment[:at].partition(":")
    return bool(name and colon and password) and name.lower() not in NO_USER_INFO


def _in_fields(text: str, start: int, *, nested: bool) -> Iterator[Span]:
    """The values of secret parameters; a value may be "name=value" again, or hold more of them behind ";"."""
    done = start
    first = text[start : _at(_FIELDS, text, start)] if nested else ""
    parts = [(start, first, False), *((p.start() + 1, p.group()[1:], True) for p in _PART.finditer(text, start))]
    for offset, part, is_opened in parts:
        if "=" not in part:
            continue
        last = len(part.rstrip("="))
        position = 0
        for link in part.split("=")[:-1]:
            value = position + len(link) + 1
            _, semicolon, name = link.rpartition(";")
            # Only what begins a parameter may be called as it likes.
            is_name = semicolon or (is_opened and position == 0) or _NAME.fullmatch(name)
            if offset + value > done and value < last and is_name and tells_secret(name):
                end = _at(_END, text, offset + value)
                if semicolon:
                    end = min(_at(_PATH_END if not is_opened else _SEMICOLON, text, offset + value), end)
                yield offset + value, end
                done = end
            position = value


def _in_json(text: str) -> Iterator[Span]:
    done = 0
    for match in _JSON_NAME.finditer(text):
        if match.start() < done or not tells_secret(match[1]):
            continue
        if text.startswith(("{", "["), match.end()):
            yield match.end(), len(text)  # nobody knows where it ends
            return
        value = _JSON_SCALAR.match(text, match.end())
        if value:
            done = value.end()
            yield value.span(1 if value[2] is None else 2)


def _pieces(text: str, path_end: int) -> Iterator[tuple[int, int, bool]]:
    """What was encoded as one: the path, and each parameter; whether it is a parameter."""
    yield 0, path_end, False
    start = path_end
    while start < len(text):
        end = _at(_END, text, start + 1)
        yield start + 1, end, True
        start = end


def _decoded(text: str) -> tuple[str, list[int]]:
    """`text` with its escapes taken back once, and the place of each of its characters; all else is as it was."""
    parts: list[str] = []
    places: list[int] = []
    done = 0
    for match in _ESCAPE.finditer(text):
        parts += text[done : match.start()], match[3] or chr(int(match[1] or match[2], 16))
        places += range(done, match.start() + 1)
        done = match.end()
    parts.append(text[done:])
    places += range(done, len(text) + 1)
    return "".join(parts), places


def _at(pattern: re.Pattern[str], text: str, start: int = 0) -> int:
    match = pattern.search(text, start)
    return match.start() if match else len(text)


def _moved(found: Iterator[Span], by: int) -> Iterator[Span]:
    return ((start + by, end + by) for start, end in found)


def _merged(found: Iterator[Span] | list[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(found):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        elif start < end:
            merged.append((start, end))
    return merged
