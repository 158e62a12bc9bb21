"""`kapture export --format har` of real requests: by the standard's schema, with bodies and without secrets."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tests.support.e2e.exports import kapture
from tests.support.e2e.panel import OpenAgent, Panel
from tests.support.tree import ROOT

pytestmark = pytest.mark.asyncio(loop_scope="session")

SCHEMA = json.loads((ROOT / "tests/vectors/har-1.2.json").read_text(encoding="utf-8"))
SEND = """
fetch("/api/slow?ms=1&token=canary-in-the-address", {
  method: "POST", headers: { "Content-Type": "application/json", Authorization: "Bearer canary-in-a-header" },
  body: JSON.stringify({ password: "canary-in-the-body", wanted: "a lamp" }),
}).then((answer) => answer.text())
"""


async def test_the_requests_of_a_page_are_an_archive_that_others_can_read(
    panel: Panel, agent: OpenAgent, shop: str, tmp_path: Path
) -> None:
    file = tmp_path / "shop.har"
    async with agent(f"{shop}/lab") as a:
        await a.call("evaluate", code=SEND)
        code, out, err = await kapture("export", "--format", "har", "-o", str(file), "--data-dir", str(panel.data.root))
        assert (code, err) == (0, ""), out
    told = json.loads(file.read_text())
    jsonschema.Draft6Validator(SCHEMA, format_checker=jsonschema.Draft6Validator.FORMAT_CHECKER).validate(told)
    assert out == f"{len(told['log']['entries'])} requests in {file}\n"
    assert "canary" not in file.read_text()
    entries = {entry["request"]["url"]: entry for entry in told["log"]["entries"]}
    page = entries[f"{shop}/lab"]
    assert page["response"]["status"] == 200
    assert "<title>Lab" in page["response"]["content"]["text"]
    sent = next(entry for url, entry in entries.items() if "/api/slow" in url)
    assert "a lamp" in sent["request"]["postData"]["text"]
    assert {"name": "token", "value": "***"} in sent["request"]["queryString"]
    pages = {page["id"]: page["title"] for page in told["log"]["pages"]}
    assert pages[page["pageref"]].startswith("Lab")
