"""The network log as an HTTP archive (HAR 1.2): what each tab's extension tells of its requests, in one file.

Secrets are masked before a request leaves the extension, as in the log; bodies are there as far as the browser still
has them, binary ones not at all.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from kapture_panel import __version__
from kapture_panel.core.basics import private_file, sanitize
from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.stores.network_log import Request

#: What it is called, the suffix of its file, and a file's name.
TITLE, SUFFIX, FILE_NAME = "HTTP archive (HAR)", ".har", "kapture-network.har"
COMMAND = "kapturemcp_list_requests"


@dataclass(frozen=True)
class Archive:
    """What a tab answered to `COMMAND` with the format "har": text."""

    tab_id: str
    title: str
    text: str


def made(archives: Iterable[Archive], lost: Sequence[Request] = ()) -> tuple[str, int]:
    """One archive of those of several tabs, and how many requests are in it, oldest first.

    Args:
        lost: requests that no extension can tell more of, such as those of tabs that were closed.
    """
    pages: list[JsonObject] = []
    entries: list[JsonObject] = []
    for archive in archives:
        log = json.loads(archive.text)["log"]
        if log["entries"]:
            pages += [{**page, "id": archive.tab_id, "title": archive.title or page["title"]} for page in log["pages"]]
            entries += [{**entry, "pageref": archive.tab_id} for entry in log["entries"]]
    entries += [_brief(request) for request in lost]
    entries.sort(key=lambda entry: str(entry["startedDateTime"]))
    creator = {"name": "Kapture Panel", "version": __version__}
    log = {"version": "1.2", "creator": creator, "pages": pages, "entries": entries}
    return sanitize.json_text({"log": log}, indent=1), len(entries)


def write(path: Path, text: str) -> None:
    """Write an archive into a file only its owner can read.

    Raises:
        OSError: the file cannot be written.
    """
    with os.fdopen(private_file.emptied(path), "w", encoding="utf-8") as file:
        file.write(text)


def _brief(request: Request) -> JsonObject:
    """A request of which only the line of the list is left."""
    took = max(0.0, request.ms or 0.0)
    said = [f"failed: {request.failure}" if request.failure else "", "headers and bodies are no longer kept"]
    return {
        "startedDateTime": _iso(request.at),
        "time": took,
        "request": {
            "method": request.method, "url": request.url, "httpVersion": "", "cookies": [], "headers": [],
            "queryString": [], "headersSize": -1, "bodySize": -1,
        },
        "response": {
            "status": request.status or 0, "statusText": "", "httpVersion": "", "cookies": [], "headers": [],
            "content": {"size": request.bytes, "mimeType": ""}, "redirectURL": "", "headersSize": -1, "bodySize": -1,
        },
        "cache": {},
        "timings": {"send": 0, "wait": took, "receive": 0},
        "comment": "; ".join(filter(None, said)),
    }  # fmt: skip


def _iso(at_ms: float) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
