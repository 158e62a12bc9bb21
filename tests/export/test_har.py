"""An HTTP archive of several tabs."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import jsonschema

from kapture_panel import __version__
from kapture_panel.core.stores.network_log import Request
from kapture_panel.export import har
from tests.support.tree import ROOT

SCHEMA = json.loads((ROOT / "tests/vectors/har-1.2.json").read_text(encoding="utf-8"))
LOST = Request("t3", "r1", 1500.0, "GET", "fetch", "https://a.example/?token=***", 200, ms=12.5, bytes=7)


def archive(tab_id: str, *starts: str, title: str = "") -> har.Archive:
    """What a tab tells of requests that began at these moments."""
    entry: dict[str, Any] = {"pageref": "tab", **har._brief(LOST)}
    page = {"startedDateTime": "1970-01-01T00:00:01.000Z", "id": "tab", "title": "its address", "pageTimings": {}}
    log = {"pages": [page], "entries": [{**entry, "startedDateTime": start} for start in starts]}
    return har.Archive(tab_id, title, json.dumps({"log": log}))


def test_the_requests_of_all_tabs_are_in_one_archive_in_order() -> None:
    first, second = "1970-01-01T00:00:01.000Z", "1970-01-01T00:00:02.000Z"
    text, number = har.made([archive("t1", second, title="Shop"), archive("t2", first), archive("t4")], [LOST])
    told = json.loads(text)
    jsonschema.Draft6Validator(SCHEMA, format_checker=jsonschema.Draft6Validator.FORMAT_CHECKER).validate(told)
    log = told["log"]
    assert number == 3
    assert [entry.get("pageref") for entry in log["entries"]] == ["t2", None, "t1"]
    assert {page["id"]: page["title"] for page in log["pages"]} == {"t1": "Shop", "t2": "its address"}
    assert log["creator"] == {"name": "Kapture Panel", "version": __version__}
    assert log["entries"][1]["comment"] == "headers and bodies are no longer kept"


def test_a_request_without_an_answer_says_why() -> None:
    text, _ = har.made([], [Request("t1", "r1", 0.0, "GET", "fetch", "https://a.example/", failure="net::ERR")])
    told = json.loads(text)
    jsonschema.Draft6Validator(SCHEMA, format_checker=jsonschema.Draft6Validator.FORMAT_CHECKER).validate(told)
    assert told["log"]["entries"][0]["response"]["status"] == 0
    assert told["log"]["entries"][0]["comment"].startswith("failed: net::ERR; ")


def test_only_its_owner_reads_the_file(tmp_path: Path) -> None:
    har.write(tmp_path / "a.har", "{}")
    assert stat.S_IMODE((tmp_path / "a.har").stat().st_mode) == 0o600
