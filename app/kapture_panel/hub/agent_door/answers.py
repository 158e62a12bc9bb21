"""What a command answers, in the form of an MCP tool result and of a terminal."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, replace
from typing import Any

from kapture_panel.core.answer import Answer
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.stores.console import ConsoleLine
from kapture_panel.hub.agent_door import untrusted

MIME = {"png": "image/png", "jpeg": "image/jpeg", "webp": "image/webp"}


@dataclass
class Content:
    """`text` always; `structured` for small data only: several clients drop text that stands beside it;
    `image` as (base64, MIME type); `paged` is the end of `text` that pages itself, and `suffix` that of a file which
    holds the rest; `source` is where its words come from (`hub/agent_door/untrusted.py`)."""

    text: str
    structured: dict[str, Any] | None = None
    image: tuple[str, str] | None = None
    paged: str = ""
    suffix: str = ".txt"
    source: str = ""


#: What these answer goes on by a cursor.
PAGED = frozenset({"snapshot", "get_filtered_aria_tree"})


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


def error_text(error: KaptureError) -> str:
    """An error for an agent: the code first, then the message with its next step."""
    return f"{error.code}: {error.message}{_late(error.details.get('lateEffects'))}"


def dialogs_said(dialogs: list[dict[str, Any]]) -> str:
    """The dialogs a client's rule answered, a line each; empty when there were none."""
    lines = []
    for dialog in dialogs:
        message = json.dumps(dialog["message"], ensure_ascii=False)
        done = "accepted" if dialog["accepted"] else "dismissed"
        lines.append(f"the page showed a dialog, {dialog['type']} {message}; it was {done}")
        if dialog.get("more"):
            lines.append(f"and {dialog['more']} dialogs more, answered in the same way")
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


def _structured(answer: Answer) -> dict[str, Any]:
    result = answer.result if isinstance(answer.result, dict) else {"value": answer.result}
    merged = dict(result)
    if answer.effects is not None:
        merged["effects"] = answer.effects
    if answer.late_effects:
        merged["lateEffects"] = answer.late_effects
    return merged


def _text(answer: Answer) -> Content:
    if answer.snapshot is not None:
        told = json.dumps(_structured(answer), ensure_ascii=False, separators=(",", ":"))
        return Content(f"{told}\n{answer.snapshot}", paged=answer.snapshot, suffix=".json")
    text = str(answer.result) + _late(answer.late_effects)
    return Content(text, paged=text if answer.command.short_name in PAGED else "")


def _logs(answer: Answer) -> Content:
    return Content(_log_text(answer) + _late(answer.late_effects))


def _late(late_effects: dict[str, Any] | None) -> str:
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
    return f"{line.at:.0f} {line.level} {text}{source}{context}"


def _image(answer: Answer) -> Content:
    assert answer.image is not None
    data = base64.b64encode(answer.image).decode()
    # A picture that is no screenshot brings its own words.
    said = str(answer.result["text"]) if "text" in answer.result else _shot_text(answer)
    return Content(said + _late(answer.late_effects), image=(data, MIME[answer.result["format"]]))


def _shot_text(answer: Answer) -> str:
    picture = answer.result
    scale, left, top = picture["scale"], picture["x"], picture["y"]
    mapping = "x, y of a pixel are its position in the picture"
    if scale != 1:
        mapping = f"divide a pixel's position by {scale:.4g}"
    if left or top:
        mapping += f", then add {left:g}, {top:g}" if scale != 1 else f" plus {left:g}, {top:g}"
    note = f"{picture['note']}; " if "note" in picture else ""
    return (
        f"{picture['width']} × {picture['height']} {picture['format']}, scale {scale:.4g}; {note}"
        f"for click x, y: {mapping}. Saved as {picture['path']}"
    )


_RENDERERS = {"json": _json, "text": _text, "logs": _logs, "image": _image}
