"""What a step leads to beside the page itself: dialogs, file choosers, downloads, windows; each is waited for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from kapture_panel.core.basics.free_json import JsonObject, Params
from kapture_panel.core.catalogue.redaction import MASK
from kapture_panel.export.playwright.checks import arrived
from kapture_panel.export.playwright.code import call, literal

_NUMBER = re.compile(r"\d")


@dataclass(frozen=True)
class Event:
    """Something that is waited for: `awaited` begins the block that leads to it, `name` is what it is called then."""

    name: str
    awaited: str
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)


def of_kind(effects: JsonObject, kind: str) -> list[JsonObject]:
    """The effects of a kind; what is damaged is none."""
    return [one for one in effects.get(kind) or [] if isinstance(one, dict)]


def dialogs(
    page: str, named: Callable[[str], str], seen: Sequence[JsonObject], answer: Params | None, timeout: Params
) -> Iterator[Event]:
    """The dialogs of a step: those that were answered by a rule, and one that the next step answers by `answer`."""
    ruled = [one for one in seen if one.get("open") is None]
    left_open = next((one for one in seen if one.get("open")), {})
    if len(ruled) + (answer is not None) > 1:
        accepts = [bool(one.get("accepted")) for one in ruled]
        accepts += [bool(answer.get("accept"))] if answer is not None else []
        yield Event("", "", [f"answer_dialogs({page}, {', '.join(map(literal, accepts))})"])
    elif answer is not None:
        yield _dialog(page, named("dialog"), left_open, answer, timeout)
    elif ruled:
        yield _dialog(page, named("dialog"), ruled[0], {"accept": bool(ruled[0].get("accepted"))}, timeout)


def _dialog(page: str, name: str, seen: JsonObject, answer: Params, timeout: Params) -> Event:
    """A dialog as it was seen, and its answer: the parameters of `handle_dialog`."""
    text = literal(answer["promptText"]) if "promptText" in answer else ""
    said = f"dialog.accept({text})" if answer.get("accept") else "dialog.dismiss()"
    checks = [f"assert {name}.value.type == {literal(seen['type'])}"] if seen.get("type") else []
    message = seen.get("message")
    if isinstance(message, str) and message and MASK not in message and not _NUMBER.search(message):
        checks.append(f"assert {name}.value.message == {literal(message)}")
    answering = f'{page}.once("dialog", lambda dialog: {said})'
    return Event(name, call(page, "expect_event", literal("dialog"), **timeout), [answering], checks)


def download_event(page: str, name: str, seen: JsonObject, timeout: Params) -> Event:
    """A download, and what its file is called; of a name with a number only the ending."""
    file, awaited = seen.get("fileName"), call(page, "expect_download", **timeout)
    if not isinstance(file, str) or MASK in file:
        return Event(name, awaited)
    suggested = f"{name}.value.suggested_filename"
    ending = PurePath(file).suffix
    check = f"assert {suggested} == {literal(file)}"
    if _NUMBER.search(file):
        check = f"assert {suggested}.endswith({literal(ending)})"
    return Event(name, awaited, after=[check])


def popup_event(page: str, number: int, seen: Sequence[JsonObject], timeout: Params) -> Event:
    """A window or tab that the page opened."""
    name = f"popup{number}"
    checks = arrived(f"page{number}", seen[0].get("url")) if seen else []
    return Event(name, call(page, "expect_popup", **timeout), after=[f"page{number} = {name}.value", *checks])
