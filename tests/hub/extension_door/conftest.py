"""The extension's door, open for one test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from kapture_panel.hub.extension_door import panel_browsers
from tests.support.hub import extension_door
from tests.support.hub.extension_door import FakeBrowser, Setting


@pytest.fixture
async def setting(ending: AsyncExitStack, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AsyncIterator[Setting]:
    FakeBrowser.started, FakeBrowser.may_start, FakeBrowser.error = asyncio.Queue(), asyncio.Event(), None
    FakeBrowser.may_start.set()
    monkeypatch.setattr(panel_browsers, "ManagedBrowser", FakeBrowser)
    monkeypatch.setattr(extension_door, "ManagedBrowser", FakeBrowser)
    made = Setting(ending, tmp_path)
    await made.connections.listener.open(0)
    yield made
    await made.close()
