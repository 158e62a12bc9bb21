"""What the extension tells of a request (`extension/tab/request_text.js`), taken apart for tables."""

from __future__ import annotations

import re
from typing import NamedTuple

Pairs = list[tuple[str, str]]

_FACT = re.compile(r"(status|type|time|source): (.*)")
_REDIRECT = re.compile(r"(redirected (?:from|to)) (.*)")
_HEADER = re.compile(r"  ([^:\s]+): ?(.*)")
_BODY = re.compile(r"(request|response) body(?: \((.*)\))?: ?(.*)")
_ID = re.compile(r"^r\d+ (?=[A-Z]+ )")


class Body(NamedTuple):
    """What was sent or came: `about` its kind and size, or why there is no `text`."""

    about: str
    text: str


class Parts(NamedTuple):
    """A request in its parts; what was not told is empty."""

    general: Pairs
    request_headers: Pairs
    response_headers: Pairs
    request_body: Body | None
    response_body: Body | None


def parts_of(told: str) -> Parts:
    """Take the text apart: the line of the request, facts, and then headers and body of each direction."""
    first, _, rest = told.partition("\n")
    general: Pairs = [("Request", _ID.sub("", first))]
    headers: dict[str, Pairs] = {"request": [], "response": []}
    bodies: dict[str, Body] = {}
    lines = rest.split("\n") if rest else []
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if line in ("request headers:", "response headers:"):
            found = headers[line.partition(" ")[0]]
            while at < len(lines) and (header := _HEADER.fullmatch(lines[at])):
                found.append((header[1], header[2]))
                at += 1
        elif body := _BODY.fullmatch(line):
            end = _end_of_body(lines, at, body[1])
            bodies[body[1]] = Body(body[2] or body[3], "\n".join(lines[at:end]))
            at = end
        elif fact := _FACT.fullmatch(line) or _REDIRECT.fullmatch(line):
            general.append((fact[1].capitalize(), fact[2]))
        elif line:
            general.append(("", line))
    return Parts(general, headers["request"], headers["response"], bodies.get("request"), bodies.get("response"))


def _end_of_body(lines: list[str], begin: int, which: str) -> int:
    """Nothing follows the body of an answer; the last headers of an answer follow that of a request."""
    if which == "response":
        return len(lines)
    ends = [at for at in range(begin, len(lines)) if lines[at] == "response headers:"]
    return ends[-1] if ends else len(lines)
