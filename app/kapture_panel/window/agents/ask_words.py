"""What a question says: in words what will happen, what matters for the answer, and all else as its details."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Literal
from urllib.parse import parse_qsl

from kapture_panel.core.basics import addresses
from kapture_panel.core.catalogue import phrases, redaction
from kapture_panel.core.gates.approvals import Ask, Scope
from kapture_panel.window.widgets import figures, safe_text
from kapture_panel.window.widgets.browser_names import BrowserNames

MAX_CODE_CHARS = 20_000
MAX_PARAMS_CHARS = 2000
#: Scope → what its button says.
BUTTONS: dict[Scope, str] = {"once": "Allow once", "session": "Allow for session", "always": "Always allow"}
#: What is decided together → what a person calls it.
_PERMISSIONS = {
    "interact": "acting in frames of {site}",
    "secret": "password, card and one-time-code fields on {site}",
    "navigate": "going to {site}",
    "execute": "running code on {site}",
}
#: Why a question that is not open any more cannot be answered.
CLOSED = {
    "expired": "Nobody answered in time, so the question expired. Nothing was done. The agent may ask again.",
    "outdated": "The question is out of date: {reason}. Nothing was done. The agent may ask again.",
}

#: What the sheet of rules is called.
_RULES = "What agents may do"
BECAUSE = "Deny with a reason …"
WHY_NOT = f"To tell the agent why, choose “{BECAUSE}”."

Look = Literal["", "strong", "secondary", "small"]


@dataclass(frozen=True)
class Run:
    """Some characters that look alike."""

    text: str
    look: Look = ""


@dataclass(frozen=True)
class Block:
    """A paragraph, or a block of code in its own ground."""

    runs: tuple[Run, ...]
    is_code: bool = False

    @property
    def text(self) -> str:
        """Its characters."""
        return "".join(run.text for run in self.runs)


def title(ask: Ask) -> str:
    """Who wants what, or wanted it."""
    return f"{name(ask)} {'wanted' if ask.state in CLOSED else 'wants'} to {wish(ask)}"


def name(ask: Ask) -> str:
    """What the client calls itself, made harmless."""
    return safe_text.line(ask.client.name, 60)


def wish(ask: Ask) -> str:
    """What it wants, made harmless."""
    return safe_text.line(phrases.wish(ask.command, ask.params), 160)


def headline(ask: Ask) -> str:
    """What it wants as a line of its own."""
    said = wish(ask)
    return said[:1].upper() + said[1:]


def essentials(ask: Ask, expiry_s: float, names: BrowserNames, *, has_yes: bool = True) -> list[Block]:
    """What is needed for the answer.

    Args:
        names: those of the browsers.
        has_yes: the buttons that allow are in sight.
    """
    blocks = [_words(Run(title(ask), "strong"))]
    if ask.state in CLOSED:
        blocks.append(_words(Run(CLOSED[ask.state].format(reason=safe_text.line(ask.reason, 200)))))
    blocks += [*_matter(ask), *_where(ask, names)]
    if ask.why:
        when = "were" if ask.state in CLOSED else "are"
        blocks.append(_words(Run(f"You {when} asked because it {safe_text.line(ask.why, 400)}.")))
    if ask.state == "open":
        clock = _clock(ask, expiry_s)
        # As long as each other: the field below stays where it is while a person writes into it.
        said = f"Its call ended, nothing was done; it may ask again until {clock}."
        if ask.waiting:
            said = f"You can answer until {clock}; without an answer nothing is done."
        blocks.append(_words(Run(said, "small")))
        if has_yes and (in_short := _in_short(ask)):
            blocks.append(_words(Run(in_short, "small")))
    return blocks


def _in_short(ask: Ask) -> str:
    """What the buttons do that need a word; all about them is in their tooltips."""
    said: dict[Scope, str] = {
        "session": f"“{BUTTONS['session']}”: no more questions about {_topic(ask)} until {name(ask)} disconnects.",
        "always": f"“{BUTTONS['always']}”: no more such questions until you change it in “{_RULES}”.",
    }
    return " ".join(words for scope, words in said.items() if scope in ask.scopes)


def details(ask: Ask, expiry_s: float) -> list[Block]:
    """The rest: who really asks, the exact call, what an answer comes to after the call."""
    client = ask.client
    known = [f"process {client.pid}"] if client.pid else []
    if client.program:
        known.append(f"started by {safe_text.line(client.parent, 60)} ({safe_text.line(client.program, 200)})")
    who = f"The {client.kind} calls itself “{name(ask)}”." + (f" It is {', '.join(known)}." if known else "")
    call = f"{ask.command.short_name} {json.dumps(_shown(ask), ensure_ascii=False)}"
    blocks = [
        _words(Run(who, "small")),
        Block((Run(safe_text.text(call, MAX_PARAMS_CHARS)),), is_code=True),
    ]
    if ask.state == "open":
        late = (
            f"If {name(ask)} gives up waiting and asks again before {_clock(ask, expiry_s)}, your answer still counts."
        )
        blocks.append(_words(Run(late, "small")))
    return blocks


def meanings(ask: Ask) -> dict[Scope, str]:
    """Each wider yes in words."""
    what = _topic(ask)
    program = safe_text.line(ask.client.program, 200)
    who = f"{name(ask)} started by {program}"
    said: dict[Scope, str] = {
        "session": f"no more questions about {what}, until {name(ask)} disconnects",
        "always": f"no more questions about {what}, for {who}, until you change it in {_RULES}",
    }
    return {scope: words for scope, words in said.items() if scope in ask.scopes}


def denial_for_session(ask: Ask) -> str:
    """A denial for longer in words; empty where none is offered."""
    if "session" not in ask.scopes:
        return ""
    return f"no more questions about {_topic(ask)}; the answer is no until {name(ask)} disconnects"


def _topic(ask: Ask) -> str:
    """What an answer for longer is about."""
    site = safe_text.line(ask.site, 100)
    kind, _, what = ask.permission.partition(" ")
    if kind == "command":
        return f"“{ask.command.title}” on {site}" if site else f"“{ask.command.title}”"
    if kind == "file":
        return f"files in {safe_text.line(what, 200)}" if what else "clearing the files of a field"
    return _PERMISSIONS.get(ask.permission, "the same").format(site=site)


def late_yes(ask: Ask, expiry_s: float) -> str:
    """What a yes came to that nobody waited for."""
    if ask.scope != "once":
        return f"{name(ask)}'s call had ended. Your answer holds from its next call on."
    clock = _clock(ask, expiry_s)
    return f"{name(ask)}'s call had ended. Your yes counts if it makes the same call again before {clock}."


def _clock(ask: Ask, expiry_s: float) -> str:
    """Until when the question is open."""
    return figures.clock(ask.made_at + expiry_s)[:5]


def _words(*runs: Run) -> Block:
    return Block(runs)


def _where(ask: Ask, names: BrowserNames) -> Iterator[Block]:
    """Each page the question is about, its host marked, and the browser it is in."""
    now, goes_to = "", None
    if ask.params.get("url"):  # or the page reads like where it would go
        now = "Was on: " if ask.state in CLOSED else "Now on: "
        goes_to = addresses.as_browsed(ask.params["url"]).rstrip("/")
    for shown in filter(None, ask.where.split("\n")):
        page = next((page for page in ask.scene.pages if page and shown.endswith(page)), "")
        if page.rstrip("/") == goes_to:
            continue  # said above
        said = safe_text.line(shown.removesuffix(page), 200)
        if addresses.is_blank(page):
            said, page = "a blank page", ""
        yield Block(
            (Run(f"{now}{said} " if page and said else f"{now}{said}", "secondary"), *_address(page, "secondary"))
        )
        now = ""
    if not ask.where and ask.site:
        yield _words(Run(safe_text.line(ask.site), "secondary"))
    browser = names.where(ask.scene.tab, ask.client, is_managed=ask.scene.is_managed)
    yield _words(Run(f"In {browser}", "secondary"))


def _matter(ask: Ask) -> Iterator[Block]:
    """The element, the code, the address and what it would tell, the files."""
    if ask.scene.element:
        yield _words(Run("On ", "secondary"), Run(safe_text.line(ask.scene.element, 200), "strong"))
    for key, schema in ask.command.properties.items():
        value = ask.params.get(key)
        if value is None:
            continue
        if schema.get("format") == "javascript" and value:
            yield Block((Run(safe_text.text(value, MAX_CODE_CHARS)),), is_code=True)
        elif key == "url" and value:
            yield Block(tuple(_address(addresses.as_browsed(value), "")))
        elif key in ("path", "paths"):
            yield from (_file(path) for path in (value if isinstance(value, list) else [value]))
    for host, told in _queries(ask):
        yield _words(Run(f"{safe_text.line(host, 60)} would be told {safe_text.text(told, 600)}"))


def _address(address: str, look: Look) -> Iterator[Run]:
    start, end = addresses.host_in(address)
    if start == end:  # what opens it is all that is known of it
        end = len(addresses.foreign(address))
    for part, is_host in ((address[:start], False), (address[start:end], True), (address[end:], False)):
        if part:
            yield Run(safe_text.line(part, 600), "strong" if is_host else look)


def _file(path: str) -> Block:
    shown = PurePath(path)
    try:
        size = figures.size(os.stat(path).st_size)  # noqa: PTH116 – as text, which may be no path at all
    except (OSError, ValueError):
        size = "not there"
    folder = safe_text.line(str(shown.parent), 400)
    return _words(Run(safe_text.line(shown.name, 200), "strong"), Run(f" · {size} · in {folder}", "secondary"))


def _queries(ask: Ask) -> Iterator[tuple[str, str]]:
    """(host, what its query says, decoded) of each address in what would be done: data leaves in them."""
    for value in _texts(_shown(ask)):
        parts = addresses.parts_of(value)
        pairs = parse_qsl(parts.query, keep_blank_values=True)
        if pairs and (parts.netloc or value[:1] in "/?"):
            yield parts.netloc or ask.site, ", ".join(f"{key} = {told}" for key, told in pairs)


def _shown(ask: Ask) -> Any:
    """The parameters; of what may go into a secret field, how long it is: who looks on must not read it here."""
    kept = redaction.params(ask.command, ask.params)
    is_shown = ask.scene.is_plain_field or not redaction.has_redacted(kept)
    return ask.params if is_shown else _without_values(kept)


def _without_values(kept: Any) -> Any:
    if redaction.is_redacted(kept) and isinstance(kept["redacted"], int):
        return f"{figures.count(kept['redacted'], 'character')}, not shown"
    if isinstance(kept, dict):
        return {name: _without_values(one) for name, one in kept.items()}
    return [_without_values(one) for one in kept] if isinstance(kept, list) else kept


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
