"""A data folder of an older version opens: what the person had there is there, and its extension is told to reload."""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import ast
import asyncio
import contextlib
import json
import re
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass
from pathlib import Path

from PySide6.QtWidgets import QApplication

from kapture_panel import export, paths
from kapture_panel.core.basics.settings import NATURAL_MOUSE, SHOW_CURSOR
from kapture_panel.core.gates.rules import Rules
from kapture_panel.core.stores.history_row import Row, exported
from kapture_panel.core.wire.handshake import Pairing
from kapture_panel.export.kapture_script import Script
from kapture_panel.hub.agent_door.profiles.files import Profiles
from kapture_panel.hub.extension_door import ports
from kapture_panel.hub.host.instance import Instance
from kapture_panel.hub.hub import Hub, Options
from kapture_panel.paths import DataDir
from kapture_panel.programs import panel as program
from kapture_panel.window.command.forms.kept_values import KeptValues
from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets.app import make_application
from tests.support import upgrading
from tests.support.hub.fakes import FakeExtension
from tests.support.rows import naming
from tests.support.upgrading import Left
from tests.support.window.history import shown
from tests.support.window.qt_loop import bury, on_qt_loop, until

#: The rows as they were written, oldest first.
COMMANDS = [
    "list_tabs", "navigate", "fill", "fill", "select", "click", "snapshot", "click", "wait", "batch", "press_key",
    "reload", "click", "navigate", "screenshot", "count_elements",
]  # fmt: skip


@dataclass(frozen=True)
class Upgraded:
    """What an older version left, and today's program over it."""

    left: Left
    hub: Hub
    window: MainWindow


@contextlib.asynccontextmanager
async def opened(data: Path) -> AsyncIterator[tuple[Hub, MainWindow]]:
    """The panel's whole program over a data folder."""
    places = DataDir.open(str(data))
    instance = Instance(places.lock)
    assert instance.acquire(lambda: False)
    try:
        options = Options(port=0, headless=True)
        async with program.opened(places, instance, options, asyncio.Event()) as (hub, window):
            window.show()
            yield hub, window
        bury(window)
    finally:
        instance.release()


def rows_of(hub: Hub) -> list[Row]:
    return hub.state.history.rows()[::-1]


async def the_history_is_shown_whole_and_goes_on(up: Upgraded) -> None:
    ids = list(range(len(COMMANDS), 0, -1))
    await until(lambda: shown(up.window) == ids)
    rows = rows_of(up.hub)
    assert [row.command for row in rows] == COMMANDS
    assert {row.kind for row in rows} == {"agent", "person", "terminal"}
    failed = {row.command: (row.code, row.said) for row in rows if row.state == "error"}
    assert failed == {
        "click": ("ELEMENT_NOT_FOUND", 'nothing matches "#cancel"; look at a snapshot'),
        "wait": ("COMMAND_TIMEOUT", "not done after 300 ms; give a longer timeout or check the page"),
    }
    await up.hub.core.router.run(up.hub.state.person, "list_tabs", {})
    await until(lambda: shown(up.window) == [len(COMMANDS) + 1, *ids])


async def the_history_is_searched(up: Upgraded) -> None:
    found = {
        "status:error": ["wait", "click"],
        "cmd:navigate agent:helper": ["navigate"],
        "kind:person": ["screenshot", "fill"],
        "#cancel": ["click"],
        "-kind:agent site:127.0.0.1": ["count_elements", "screenshot", "fill"],
    }
    for search, commands in found.items():
        assert [row.command for row in up.hub.state.history.rows(matching=search)] == commands, search
    up.window.rooms.history.view.filter.setText("status:error")
    await until(lambda: shown(up.window) == [9, 8])
    up.window.rooms.history.view.filter.clear()


async def the_history_is_exported_in_every_format(up: Upgraded) -> None:
    rows, texts = rows_of(up.hub), {}
    for key, (_title, suffix, _export) in export.FORMATS.items():
        path = up.left.data / f"exported{suffix}"
        export.write(path, key, rows, up.hub.state.shots.folder, up.hub.state.catalogue)
        texts[key] = path.read_text(encoding="utf-8")
    assert json.loads(texts["json"]) == [exported(row) for row in rows]
    assert len(texts["jsonl"].splitlines()) == len(rows)
    assert len(re.findall(r'<img [^>]*src="data:image/(?:jpeg|webp);base64,', texts["html"])) == 3
    assert "nothing matches &#34;#cancel&#34;" in texts["html"]
    assert "<dd>5 characters, not kept</dd>" in texts["html"]
    assert "page.get_by_role" in texts["playwright"]
    ast.parse(texts["playwright"])
    script = Script(texts["kapture"], "the script", up.hub.state.catalogue)
    assert script.missing({}) == ["url", "quantity", "password"]


async def pictures_are_there(up: Upgraded) -> None:
    (shot,) = up.hub.state.shots
    assert (shot.name, shot.width, shot.height) == ("order", 1000, 657)
    pictured = [row for row in rows_of(up.hub) if row.before]
    assert [row.command for row in pictured] == ["click"]
    recordings = up.hub.state.shots.folder / "recordings"
    assert all((recordings / name).read_bytes()[:2] == b"\xff\xd8" for name in (pictured[0].before, pictured[0].after))


async def the_pairing_holds(up: Upgraded) -> None:
    (paired,) = up.left.kept("paired.json")
    (known,) = up.hub.state.paired
    assert asdict(known) == {**paired, "name": ""}, "older versions gave no name"
    browser = FakeExtension(up.hub.port, Pairing(known.install, known.key), role="browser")
    assert (await browser.connect())["type"] == "registered"
    await until(lambda: up.hub.state.paired.is_here(known.install))
    await browser.close()


async def its_extension_is_told_to_reload_and_finds_the_new_one_where_it_was(up: Upgraded) -> None:
    assert up.left.hello["install"] in [known.install for known in up.hub.state.paired]
    old = FakeExtension(up.hub.port, Pairing(up.left.hello["install"], "unused"), role="browser")
    old.hello = up.left.hello
    refused = await old.connect()
    assert refused["type"] == "refused"
    assert refused["message"].endswith("reload the extension on its browser's extensions page")
    await old.close()
    shipped = {path.relative_to(paths.extension()) for path in paths.extension().rglob("*") if path.is_file()}
    assert {
        path.relative_to(up.left.data / "extension") for path in (up.left.data / "extension").rglob("*.*")
    } == shipped
    assert up.left.kept("extension/panel.json")["port"] == up.hub.port


def test_the_browsers_paired_there_find_the_panel_where_they_look_for_it(tmp_path: Path) -> None:
    left = upgrading.unpack(tmp_path)
    port = left.kept("extension/panel.json")["port"]
    assert ports.wanted(DataDir.open(str(left.data)), None) == (port, 0)


def test_rules_are_kept(tmp_path: Path) -> None:
    left = upgrading.unpack(tmp_path)
    rules, kept = Rules(DataDir.open(str(left.data)).policy), left.kept("policy.json")
    told = [{**asdict(rule), "matter": rule.permission} for rule in rules]
    assert all(rule.pop("permission") == rule["matter"] for rule in told)
    assert {rule.pop("command") for rule in told} == {""}, "rules for single commands came later"
    assert sorted(map(sorted, (rule.items() for rule in told))) == sorted(
        map(sorted, (r.items() for r in kept["rules"]))
    )
    assert len(kept["rules"]) == 3
    assert (rules.default("own"), rules.default("managed"), rules.warning) == ("trusting", None, "")
    assert asdict(rules.rate) == kept["rate"]


async def settings_and_templates_are_kept(up: Upgraded) -> None:
    state = up.hub.state
    assert up.window.shell.theme.mode == "dark"
    assert (state.settings.choice(NATURAL_MOUSE), state.settings.choice(SHOW_CURSOR)) == ("on", "auto")
    kept = KeptValues(state.settings)
    templates = {name: kept.templates(state.catalogue.get(name)) for name in ("fill", "navigate")}
    assert templates == {
        "fill": {"Three pieces": {"selector": "#quantity", "value": "3"}},
        "navigate": {"Shop": {"url": "http://shop.example/"}},
    }
    assert kept.last(state.catalogue.get("screenshot")) == {"name": "order", "format": "jpeg", "quality": 30}


async def a_profile_of_the_persons_own_is_read(up: Upgraded) -> None:
    profiles = Profiles([paths.resources() / "profiles", up.left.data / "profiles"], up.hub.state.catalogue)
    shop = profiles.get("shop")
    assert list(shop.tools) == ["order", "page"]
    assert list(shop.tools["page"].routes) == ["read", "go"]
    assert (shop.answer_bytes, shop.errors["ELEMENT_NOT_FOUND"]) == (5000, "nothing there")


async def nothing_is_moved_aside_as_damaged(up: Upgraded) -> None:
    assert [path.name for path in up.left.data.rglob("*damaged*")] == []


#: Each looks at one thing; the last adds a row.
LOOKS = (
    the_history_is_searched,
    the_history_is_exported_in_every_format,
    pictures_are_there,
    the_pairing_holds,
    its_extension_is_told_to_reload_and_finds_the_new_one_where_it_was,
    settings_and_templates_are_kept,
    a_profile_of_the_persons_own_is_read,
    nothing_is_moved_aside_as_damaged,
    the_history_is_shown_whole_and_goes_on,
)


def test_what_an_older_version_left_is_there(tmp_path: Path) -> None:
    app = QApplication.instance() or make_application(["kapture-tests"])
    assert app is not None
    left = upgrading.unpack(tmp_path)

    @on_qt_loop
    async def whole() -> None:
        async with opened(left.data) as (hub, window):
            for look in LOOKS:
                with naming(look.__name__):
                    await look(Upgraded(left, hub, window))

    whole()
