"""The start page: what it may hold, that its words are those of the extension, and how it comes into a tab."""

from __future__ import annotations

import re
import sys

import pytest

from kapture_panel import paths
from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.hub.browsers import start_page

PAGE = paths.resources() / "start_page" / "start.html"


Told = list[tuple[str, JsonObject, str]]


async def shown() -> Told:
    """What the browser is told when the page is shown."""
    told: Told = []

    async def call(method: str, params: JsonObject, session: str) -> JsonObject:
        told.append((method, params, session))
        return {"sessionId": "S1", "frameTree": {"frame": {"id": "F1"}}}

    await start_page.show(call, "T1", PAGE)
    return told


async def test_it_is_written_into_the_tabs_own_page_which_is_let_go_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    assert await shown() == [
        ("Target.attachToTarget", {"targetId": "T1", "flatten": True}, ""),
        ("Page.getFrameTree", {}, "S1"),
        ("Page.setDocumentContent", {"frameId": "F1", "html": PAGE.read_text(encoding="utf-8")}, "S1"),
        ("Target.detachFromTarget", {"sessionId": "S1"}, ""),
    ]


async def test_on_macos_it_names_the_key_that_stops_agents_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    (html,) = [params["html"] for method, params, _ in await shown() if method == "Page.setDocumentContent"]
    assert "Press <kbd>⌘</kbd> <kbd>.</kbd> in the panel" in html
    assert "Ctrl" not in html


def test_it_runs_nothing_loads_nothing_and_leaves_the_tab_its_title() -> None:
    assert not re.search(r"<script|<title|<link|<a\b|<img|\bon\w+=|https?:|url\(", PAGE.read_text(encoding="utf-8"))


def test_it_uses_the_words_of_the_icon_and_of_the_popup() -> None:
    page = PAGE.read_text(encoding="utf-8")
    toolbar = (paths.extension() / "browser" / "toolbar.js").read_text(encoding="utf-8")
    badges = re.findall(r'text: "([^"]+)", color', toolbar)
    assert re.findall(r"<dt>([^<]+)</dt>", page) == badges
    popup = (paths.extension() / "popup" / "popup.html").read_text(encoding="utf-8")
    assert "<em>Pause agents</em>" in page
    assert ">Pause agents</button>" in popup
