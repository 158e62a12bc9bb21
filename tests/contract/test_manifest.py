"""The extension's manifest: the pinned id, and not one permission too many."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import struct
from typing import Any

import pytest

from kapture_panel import __version__
from kapture_panel.core.wire.handshake import EXTENSION_ID
from tests.support.tree import EXTENSION, ROOT


@pytest.fixture(scope="module")
def manifest() -> Any:
    return json.loads((EXTENSION / "manifest.json").read_text(encoding="utf-8"))


def test_the_key_gives_the_pinned_id(manifest: Any) -> None:
    # Chromium: the first 128 bits of the key's SHA-256, each hex digit written as a letter from a to p.
    digest = hashlib.sha256(base64.b64decode(manifest["key"], validate=True)).hexdigest()[:32]
    assert "".join(chr(ord("a") + int(digit, 16)) for digit in digest) == EXTENSION_ID


def test_the_permissions_are_these_and_no_others(manifest: Any) -> None:
    assert manifest["permissions"] == ["alarms", "debugger", "storage", "tabGroups", "tabs"]
    asking = {key for key in manifest if "permission" in key}
    assert asking == {"permissions"}


@pytest.mark.parametrize(
    "key",
    ["content_scripts", "externally_connectable", "web_accessible_resources", "host_permissions", "oauth2", "sandbox",
     "optional_permissions", "optional_host_permissions", "update_url", "chrome_url_overrides"],
)  # fmt: skip
def test_there_is_no_way_in_for_a_page(manifest: Any, key: str) -> None:
    assert key not in manifest


def test_the_content_policy_is_not_loosened(manifest: Any) -> None:
    assert "unsafe" not in json.dumps(manifest.get("content_security_policy", {}))


def test_the_version_is_the_packages(manifest: Any) -> None:
    assert manifest["version"] == __version__
    assert f'version = "{__version__}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_every_file_it_names_is_there(manifest: Any) -> None:
    pages = [manifest["action"]["default_popup"], manifest["devtools_page"]]
    named = [manifest["background"]["service_worker"], *pages, *manifest["icons"].values()]
    assert all((EXTENSION / name).is_file() for name in named)


def test_the_icons_have_the_size_they_say(manifest: Any) -> None:
    for size, name in manifest["icons"].items():
        header = (EXTENSION / name).read_bytes()[:24]
        assert struct.unpack(">II", header[16:24]) == (int(size), int(size))


def test_the_worker_takes_messages_and_ports_of_its_own_pages_alone() -> None:
    source = (EXTENSION / "background.js").read_text(encoding="utf-8")
    assert "onMessageExternal" not in source
    assert "onConnectExternal" not in source
    assert source.count("onMessage.addListener") == source.count("onConnect.addListener") == 1
    assert source.count("isFromExtension(sender)") == 2
    assert source.count("isFromExtension(port.sender)") == 1


def test_no_page_of_ours_has_a_script_or_a_style_of_its_own_in_it() -> None:
    pages = list(EXTENSION.rglob("*.html"))
    assert len(pages) >= 5
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert re.findall(r"<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=", text) == [], page


def test_no_page_of_ours_makes_markup_of_text() -> None:
    for script in EXTENSION.rglob("*.js"):
        text = script.read_text(encoding="utf-8")
        assert (
            re.findall(r"innerHTML|outerHTML\s*=|insertAdjacentHTML|document\.write|\beval\(|new Function", text) == []
        ), script
