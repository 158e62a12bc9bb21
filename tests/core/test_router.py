"""The one way of every command: validate, policy, row, executor, settled row, answer."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from kapture_panel import export
from kapture_panel.core import router
from kapture_panel.core.answer import Picture
from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.gates.policy import Policy
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.wire.effects import Effects
from kapture_panel.core.wire.protocol import EVERYTHING, NOTHING, Response
from tests.support.core.fakes import CATALOGUE, COMMANDS, World, failed, minimal, ok, picture, refused
from tests.support.core.router import running

CANARY = "kanari3nvogel"


@pytest.mark.parametrize("name", COMMANDS)
async def test_every_command_goes_the_same_way(world: World, name: str) -> None:
    world.tab()
    command = CATALOGUE.get(name)
    if command.result == "image":
        world.executor.answers[name] = picture()
    # Files are another story: the policy asks where they are, and its own tests tell it.
    world.router.gates.policy.allow_dirs = (Path("/"),)
    answer = await world.run(name, **minimal(command))
    assert answer.command is command
    row = world.row()
    assert (row.command, row.state, row.client, row.kind, row.id) == (name, "ok", "claude", "agent", answer.row_id)
    if command.scope == "panel":
        assert world.executor.sent == []
        assert answer.result == {"tabs": [{"tabId": "t1"}]}
    else:
        (sent,) = world.executor.sent
        assert sent.command == name
        assert sent.tab_id == ("t1" if command.scope == "tab" else "")
        assert sent.timeout_ms == 30_000
        expected = command.validate(minimal(command))
        assert sent.params == {key: value for key, value in expected.items() if key not in ("timeout", "tabId")}
        assert sent.grant == (NOTHING if command.asks else EVERYTHING)


async def test_an_answer_carries_all_the_extension_said(world: World) -> None:
    world.tab()
    world.executor.answers["click"] = ok(
        {"clicked": "button"}, effects={"changed": True}, lateEffects={"requests": 2}, snapshot="- button", ms=3.0
    )
    answer = await world.run("click", ref="e1", timeout=77)
    assert (answer.result, answer.effects, answer.late_effects) == (
        {"clicked": "button"}, Effects(changed=True), Effects(requests=2),
    )  # fmt: skip
    assert (answer.snapshot, answer.tab_id) == ("- button", "t1")
    assert answer.ms > 0
    assert world.executor.sent[0].timeout_ms == 77
    assert world.tabs.get("t1").last_ms == 3.0
    assert world.row().summary == "page changed"
    assert world.row().effects == {"changed": True}


async def test_the_row_of_an_action_is_on_disk_before_it_is_sent(world: World) -> None:
    world.tab()
    seen: list[tuple[str, str]] = []

    async def look(_params: dict[str, Any]) -> Response:
        with contextlib.closing(sqlite3.connect(world.folder / "history.sqlite3")) as other:
            seen.extend(other.execute("SELECT command, state FROM commands"))
        return ok()

    world.executor.answers["click"] = look
    await world.run("click", ref="e1")
    assert seen == [("click", "running")]


async def test_without_a_row_nothing_is_sent(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.tab()

    def full(_row: object, *, durable: bool) -> None:
        raise KaptureError("INTERNAL", "the history cannot be written")

    monkeypatch.setattr(world.history, "begin", full)
    assert (await refused(world, "click", ref="e1")).code == "INTERNAL"
    assert world.executor.sent == []
    assert world.agent.running == 0


@pytest.mark.parametrize(
    ("command", "params", "code"),
    [
        ("clik", {}, "INVALID_PARAMS"),
        ("click", {"ref": "e1", "button": "fourth"}, "INVALID_PARAMS"),
        ("click", {"ref": "e1", "tabId": "t9"}, "TAB_NOT_FOUND"),
        ("navigate", {"url": "javascript:1"}, "DENIED"),
    ],
)
async def test_what_is_refused_at_the_door_has_a_row_and_counts_as_a_call(
    world: World, command: str, params: dict[str, Any], code: str
) -> None:
    world.tab()
    error = await refused(world, command, **params)
    assert error.code == code
    assert world.executor.sent == []
    row = world.row()
    assert (len(world.history), row.state, row.code, row.command) == (1, "error", code, command)
    assert (row.summary, row.next_step) == (error.what.replace('"fourth"', "***"), error.next_step)
    assert (world.agent.calls, world.agent.running) == (1, 0)
    assert world.agent.errors == (code != "DENIED"), "what a gate stops is no error"


async def test_of_parameters_nobody_checked_a_row_has_names_and_lengths_alone(world: World) -> None:
    world.tab()
    for given in (
        {"selector": "#pin", "valeu": CANARY},
        {"selector": "#pin", "value": 48151623},
        {"selector": "#pin", "value": {"deep": [CANARY]}},
    ):
        assert (await refused(world, "fill", **given)).code == "INVALID_PARAMS"
        row = world.row()
        assert row.params["selector"] == {"redacted": 4}
        assert "48151623" not in repr(row)
        assert CANARY not in repr(row)


async def test_the_policy_is_for_agents_and_not_for_the_person(tmp_path: Path) -> None:
    world = World(tmp_path, Policy("read-only"))
    world.tab()
    assert (await refused(world, "click", ref="e1")).code == "DENIED"
    await world.run("logs")
    await world.router.run(world.person, "click", {"ref": "e1"})
    assert [(row.command, row.code) for row in world.history.rows()] == [
        ("click", ""),
        ("logs", ""),
        ("click", "DENIED"),
    ]
    world.history.close()


async def test_typed_text_is_nowhere_on_disk(world: World) -> None:
    world.tab(url=f"https://me:{CANARY}@a.example/?token={CANARY}")
    address = f"https://u:{CANARY}@a.example/?code={CANARY}"
    world.executor.answers |= {
        "click": ok(effects={"url": f"https://a.example/done?token={CANARY}", "newTabs": [{"url": address}]}),
        "reload": failed("NAVIGATION_FAILED", f"{address} could not be loaded"),
        "logs": ok(f"see {address}"),
    }
    await world.run("fill", ref="e1", value=CANARY)
    await world.run("type", text=CANARY)
    await world.run("handle_dialog", accept=True, promptText=CANARY)
    await world.run("navigate", url=address)
    await world.run("navigate", url=f"/login?token={CANARY}")
    await world.run("click", ref="e1")
    await world.run("logs")
    await refused(world, "reload")
    assert world.executor.sent[0].params["value"] == CANARY
    for key, (_, suffix, _) in export.FORMATS.items():
        export.write(world.folder / f"{key}{suffix}", key, world.history.rows()[::-1], world.folder, CATALOGUE)
    world.history.flush()
    for path in world.folder.rglob("*"):
        assert path.is_dir() or CANARY.encode() not in path.read_bytes(), path.name


async def test_commands_reach_the_executor_in_the_order_they_were_given(world: World) -> None:
    world.tab()
    world.executor.open.clear()
    given = [running(world, "press_key", key=str(number)) for number in range(20)]
    arrived = [await world.executor.arrived.get() for _ in given]
    assert [sent.params["key"] for sent in arrived] == [str(number) for number in range(20)]
    world.executor.open.set()
    await asyncio.gather(*given)


async def test_an_error_of_the_extension_settles_the_row(world: World) -> None:
    world.tab()
    world.executor.answers["click"] = failed("STALE_REF", "e1 is gone", nextStep="take a new snapshot", filled=0)
    error = await refused(world, "click", ref="e1")
    assert (error.code, error.message, error.details) == (
        "STALE_REF", "e1 is gone; take a new snapshot", {"filled": 0},
    )  # fmt: skip
    row = world.row()
    assert (row.state, row.code, row.summary, row.next_step) == (
        "error", "STALE_REF", "e1 is gone", "take a new snapshot",
    )  # fmt: skip
    assert row.ms is not None
    assert (world.agent.errors, world.agent.running) == (1, 0)


async def test_a_broken_connection_leaves_an_unknown_outcome(world: World) -> None:
    world.tab()
    settled: list[str] = []
    world.history.settled.connect(lambda row: settled.append(row.state))
    world.executor.answers["click"] = KaptureError("OUTCOME_UNKNOWN", "look at the page before trying again")
    assert (await refused(world, "click", ref="e1")).code == "OUTCOME_UNKNOWN"
    assert settled == ["unknown"]
    assert world.row().state == "unknown"


async def test_a_defect_settles_the_row_too(world: World) -> None:
    world.tab()

    async def broken(_params: dict[str, Any]) -> Response:
        raise ZeroDivisionError("division by zero")

    world.executor.answers["click"] = broken
    with pytest.raises(ZeroDivisionError):
        await world.run("click", ref="e1")
    assert (world.row().state, world.row().code) == ("error", "INTERNAL")
    assert (world.agent.errors, world.agent.running) == (1, 0)


async def test_one_client_has_so_many_commands_under_way_and_no_more(world: World) -> None:
    world.tab()
    world.executor.open.clear()
    calls = [running(world, "reload") for _ in range(router.MAX_RUNNING)]
    for _ in calls:
        await world.executor.arrived.get()
    error = await refused(world, "reload")
    assert error.code == "BUSY"
    assert "64 commands of this client are under way" in error.message
    other = tasks.spawn(world.router.run(Client("cursor", "agent"), "snapshot", {}), "another client")
    await world.executor.arrived.get()
    world.executor.open.set()
    await asyncio.gather(*calls, other)
    assert len(world.history) == router.MAX_RUNNING + 2
    await world.run("reload")


async def test_a_picture_is_stored_and_answered_with_its_bytes(world: World) -> None:
    world.tab()
    world.executor.answers["screenshot"] = picture(b"the picture", scale=0.5, x=3, y=4)
    answer = await world.run("screenshot", name="cart")
    assert answer.image == b"the picture"
    assert answer.shot is not None
    assert answer.shot.path.read_bytes() == b"the picture"
    assert answer.shot.name == "cart"
    assert answer.result == {
        "format": "png", "width": 20, "height": 10, "scale": 0.5, "x": 3, "y": 4, "path": str(answer.shot.path),
    }  # fmt: skip
    assert world.row().shot == answer.shot.path.name
    assert world.row().summary == "20 × 10 png"


async def test_every_answer_is_announced_and_no_error(world: World) -> None:
    world.tab()
    heard: list[tuple[str, str]] = []
    world.router.answered.connect(lambda client, answer: heard.append((client.name, answer.command.short_name)))
    await world.run("reload")
    world.executor.answers["click"] = failed("STALE_REF")
    await refused(world, "click", ref="e1")
    assert heard == [("claude", "reload")]


async def test_the_row_holds_what_was_given_and_not_the_defaults(world: World) -> None:
    world.tab()
    await world.run("click", selector="#buy")
    row = world.row()
    assert row.params == {"selector": "#buy"}
    assert (row.tab_id, row.site, row.url) == ("t1", "shop.example", "https://shop.example/cart")
    json.dumps(row.params)


async def test_an_error_that_repeats_what_was_typed_is_kept_without_it(world: World) -> None:
    world.tab()
    world.executor.answers["fill"] = KaptureError("INVALID_PARAMS", 'the field takes a number, not "my canary"')
    with pytest.raises(KaptureError, match="my canary"):
        await world.run("fill", selector="#a", value="my canary")
    assert "canary" not in repr(world.row())


async def test_a_look_of_the_person_leaves_no_row_and_chooses_no_tab(world: World) -> None:
    world.tab()
    answer = await world.router.look(world.person, "kapturemcp_get_page_metadata", {"tabId": "t1"})
    assert answer.tab_id == "t1"
    assert world.executor.sent[-1].quiet, "what an agent is to be told would be told to the person"
    world.executor.answers["get_page_metadata"] = failed("STALE_REF")
    with pytest.raises(KaptureError, match="went wrong"):
        await world.router.look(world.person, "kapturemcp_get_page_metadata", {"tabId": "t1"})
    assert len(world.history) == 0
    assert world.person.current_tab == ""


@pytest.mark.parametrize(("kind", "command"), [("agent", "get_page_metadata"), ("person", "reload")])
async def test_what_an_agent_asks_and_what_acts_is_no_look(kind: str, command: str, world: World) -> None:
    world.tab()
    client = world.person if kind == "person" else world.agent
    with pytest.raises(ValueError, match="not a look"):
        await world.router.look(client, f"kapturemcp_{command}", {"tabId": "t1"})
    assert world.executor.sent == []


async def test_a_screenshot_keeps_the_title_of_the_page_then(world: World) -> None:
    tab = world.tab()
    world.tabs.update(tab, title="Cart")
    world.executor.answers["screenshot"] = picture(b"bytes")
    first = await world.run("screenshot", name="full page")
    world.tabs.update(tab, title="Thank you")
    second = await world.run("screenshot", name="b")
    assert [answer.shot.title for answer in (first, second) if answer.shot] == ["Cart", "Thank you"]


async def test_a_panel_command_answers_a_picture_that_is_no_screenshot(world: World) -> None:
    async def read(_client: Client, _params: dict[str, Any]) -> Picture:
        return Picture(
            b"bytes", {"text": "Image from /a.png", "format": "png", "width": 3, "height": 2, "path": "/a.png"}
        )

    world.router = world.made(Policy(), read).router
    answer = await world.router.run(world.person, "read_image", {"path": "/a.png"})
    assert (answer.image, answer.shot, len(world.shots)) == (b"bytes", None, 0)
    assert world.row().summary == "3 × 2 of /a.png"


async def test_the_row_of_a_script_keeps_its_address_and_its_hash(world: World) -> None:
    world.tab()
    world.executor.answers["inject_script"] = ok(
        {"sha256": "ab" * 32, "bytes": 3, "value": 1}, effects={"changed": False}
    )
    await world.run("inject_script", url="https://a.example/a.js?token=s3cret")
    row = world.row()
    assert row.params == {"url": "https://a.example/a.js?token=***"}
    assert row.summary == f"sha256 {'ab' * 32} · no observable effect"
