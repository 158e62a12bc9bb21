"""What a command answers, in the form of an MCP tool result and of a terminal."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kapture_panel.core.answer import Answer, Picture
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.stores.console import ConsoleLine
from kapture_panel.core.wire import outcome
from kapture_panel.core.wire.dialogs import AnsweredDialog
from kapture_panel.hub.agent_door import plain_text, untrusted

MIME = {"png": "image/png", "jpeg": "image/jpeg", "webp": "image/webp"}


@dataclass
class Content:
    """`text` always; `structured` for small data only: several clients drop text that stands beside it;
    `images` as (base64, MIME type) each; `paged` is the end of `text` that pages itself, and `suffix` that of a file
    which holds the rest; `source` is where its words come from (`hub/agent_door/untrusted.py`)."""

    text: str
    structured: JsonObject | None = None
    images: tuple[tuple[str, str], ...] = ()
    paged: str = ""
    suffix: str = ".txt"
    source: str = ""


def content(answer: Answer, url: str = "") -> Content:
    """The answer for an agent, not marked yet; `url` is where its tab is."""
    made = _RENDERERS[_kind(answer)](answer)
    made.source = untrusted.source(answer, url)
    return made


def marked(content: Content) -> Content:
    """The same with a mark that says whose words it has."""
    if not content.source:
        return content
    if content.suffix == ".json" and content.text.startswith("{"):
        opened = json.dumps({untrusted.KEY: content.source}, ensure_ascii=False, separators=(",", ":"))
        told = f"{opened[:-1]},{content.text[1:]}"
        structured = content.structured and untrusted.with_mark(content.structured, content.source)
        return replace(content, text=told, structured=structured)
    return replace(content, text=untrusted.marked(content.text, content.source))


def for_people(answer: Answer, content: Content) -> str:
    """The answer as a person reads it in a terminal: lines instead of JSON."""
    if content.suffix != ".json":
        return content.text
    structured = _structured(answer)
    if answer.command.klass == "execute" and "value" in structured:
        # A script goes on with what its code gave, so effects stand below it, and only those that say something.
        value = structured.pop("value")
        if structured.keys() <= {"outcome", "effects"} and structured.get("effects") in (None, {"changed": False}):
            return plain_text.of_value(value)
        told = f"{plain_text.of_value(value)}\n{plain_text.of_answer(structured)}"
    else:
        told = plain_text.of_answer(structured)
    return told if answer.snapshot is None else f"{told}\n{answer.snapshot}"


def error_text(error: KaptureError) -> str:
    """An error for an agent: the code first, then the message with its next step."""
    return f"{error.code}: {error.message}{_late_line(error.details.get('lateEffects'))}"


def dialogs_said(dialogs: Sequence[AnsweredDialog]) -> str:
    """The dialogs a client's rule answered, a line each; empty when there were none."""
    lines = []
    for dialog in dialogs:
        message = json.dumps(dialog.message, ensure_ascii=False)
        done = "accepted" if dialog.accepted else "dismissed"
        lines.append(f"the page showed a dialog, {dialog.type} {message}; it was {done}")
        if dialog.more:
            lines.append(f"and {dialog.more} dialogs more, answered in the same way")
    return "\n".join(lines)


def _kind(answer: Answer) -> str:
    if answer.image is not None:
        return "image"
    if answer.command.short_name == "logs":
        return "logs"
    if answer.command.result == "text" or answer.snapshot is not None:
        return "text"
    return "json"


def _json(answer: Answer) -> Content:
    structured = _structured(answer)
    text = json.dumps(structured, ensure_ascii=False, separators=(",", ":"))
    return Content(text, None if answer.command.page_text else structured, suffix=".json")


def _structured(answer: Answer) -> JsonObject:
    result = answer.result if isinstance(answer.result, dict) else {"value": answer.result}
    merged = dict(result) | outcome.as_json(answer.outcome)
    if answer.effects is not None:
        merged["effects"] = _untold(answer.effects.as_json(), result)
    if answer.late_effects is not None:
        merged["lateEffects"] = answer.late_effects.as_json()
    return merged


def _untold(effects: JsonObject, result: JsonObject) -> JsonObject:
    """Effects without the address and title that the result of a navigation says already."""
    return {name: value for name, value in effects.items() if name not in ("url", "title") or result.get(name) != value}


def _text(answer: Answer) -> Content:
    if answer.snapshot is not None:
        told = json.dumps(_structured(answer), ensure_ascii=False, separators=(",", ":"))
        return Content(f"{told}\n{answer.snapshot}", paged=answer.snapshot, suffix=".json")
    text = str(answer.result) + _late(answer)
    return Content(text, images=tuple(map(_shown, answer.pictures)), paged=text if answer.command.paged else "")


def _logs(answer: Answer) -> Content:
    return Content(_log_text(answer) + _late(answer))


def _late(answer: Answer) -> str:
    return _late_line(answer.late_effects.as_json() if answer.late_effects is not None else None)


def _late_line(late_effects: JsonObject | None) -> str:
    """What came after the answer before this one, as a line below a text."""
    return f"\nlateEffects: {json.dumps(late_effects, ensure_ascii=False)}" if late_effects else ""


def _log_text(answer: Answer) -> str:
    lines = [ConsoleLine(answer.tab_id, **line) for line in answer.result["logs"]]
    if not lines:
        return "no console lines" + (" match" if answer.result["kept"] else " yet")
    shown = "\n".join(map(_log_line, lines))
    kept, dropped = answer.result["kept"], answer.result["dropped"]
    rest = f"\n({len(lines)} of {kept} lines, newest first{f'; {dropped} older ones dropped' if dropped else ''})"
    return shown + rest


def _log_line(line: ConsoleLine) -> str:
    # Further lines of a stack trace are indented: every line that begins with a time is a new one.
    text = line.text.replace("\n", "\n    ")
    source = f" ({line.source})" if line.source else ""
    context = "" if line.context == "page" else f" [{line.context}]"
    return f"{math.floor(line.at)} {line.level} {text}{source}{context}"


def _image(answer: Answer) -> Content:
    assert answer.image is not None
    # A picture that is not a screenshot brings its own words.
    said = str(answer.result["text"]) if "text" in answer.result else _shot_text(answer)
    return Content(said + _late(answer), images=(_shown(Picture(answer.image, answer.result)),))


def _shown(picture: Picture) -> tuple[str, str]:
    return base64.b64encode(picture.data).decode(), MIME[picture.result["format"]]


def _shot_text(answer: Answer) -> str:
    picture = answer.result
    scale, left, top = picture["scale"], picture["x"], picture["y"]
    divided = "" if scale == 1 else f" / {scale:.4g}"
    moved = f" + ({left:g}, {top:g})" if left or top else ""
    note = f"{picture['note']}; " if "note" in picture else ""
    return (
        f"{picture['width']} × {picture['height']} {picture['format']}, scale {scale:.4g}; {note}"
        f"click x, y = pixel{divided}{moved}. Saved as {picture['path']}"
    )


_RENDERERS = {"json": _json, "text": _text, "logs": _logs, "image": _image}
