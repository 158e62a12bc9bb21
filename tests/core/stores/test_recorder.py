"""The flight recorder: pictures around actions, none of them in the agent's way."""

from __future__ import annotations

import asyncio
import base64
import json
from pathlib import Path
from typing import Any

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.settings import RECORD_PICTURES
from kapture_panel.core.stores import recorder
from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.stores.network_log import Request
from kapture_panel.core.stores.recorder import Recorder
from kapture_panel.core.wire.protocol import Response
from tests.support.core.fakes import CATALOGUE, World, failed, ok, picture


class Recorded(World):
    """A world whose actions leave pictures; `now` is its clock."""

    def __init__(self, folder: Path) -> None:
        self.now = 100.0
        super().__init__(folder, clock=lambda: self.now)
        self.settings, self.pictures, self.recorder = self.state.settings, self.state.recordings, self.core.recorder
        self.settings.set(RECORD_PICTURES, True)
        self.taken = 0
        self.executor.answers["screenshot"] = self._picture

    async def _picture(self, _params: dict[str, Any]) -> Response:
        self.taken += 1
        return picture(f"picture {self.taken}".encode(), format="jpeg")

    async def act(self, command: str = "click", **params: Any) -> Row:
        """Run a command and wait for its picture."""
        await self.run(command, **(params or {"ref": "e1"}))
        await self.idle()
        return self.row()

    async def idle(self) -> None:
        """Wait for the pictures under way."""
        for task in tuple(self.recorder._running.values()):
            await asyncio.wait([task])

    def content(self, name: str) -> str:
        """What was in the picture."""
        return (self.pictures.folder / name).read_bytes().decode()

    @property
    def sent(self) -> list[str]:
        return [sent.command for sent in self.executor.sent]


@pytest.fixture
async def recorded(tmp_path: Path) -> Any:
    made = Recorded(tmp_path)
    made.tab()
    yield made
    await made.recorder.close()
    made.history.close()


async def test_an_action_has_a_picture_before_and_after_it(recorded: Recorded) -> None:
    row = await recorded.act()
    assert recorded.sent == ["screenshot", "click", "screenshot"]
    assert (recorded.content(row.before), recorded.content(row.after)) == ("picture 1", "picture 2")
    shot = recorded.executor.sent[0]
    assert (shot.params["format"], shot.params["quality"]) == ("jpeg", 50)
    assert {"width", "height", "scale"}.isdisjoint(shot.params), "the page would be shown smaller for a moment"
    assert shot.timeout_ms == recorder.TIMEOUT_MS
    assert [sent.quiet for sent in recorded.executor.sent] == [True, False, True], "what agents are told stays theirs"
    assert len(recorded.history) == 1, "a picture has no row of its own"
    assert len(recorded.shots) == 0, "and is not a screenshot"
    (file, _) = recorded.pictures.folder.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600


async def test_the_answer_does_not_wait_for_the_picture_after(recorded: Recorded) -> None:
    recorded.executor.open.clear()
    running = tasks.spawn(recorded.run("click", ref="e1"), "click")
    await recorded.executor.arrived.get()
    recorded.executor.open.set()
    await recorded.executor.arrived.get()
    held = asyncio.Event()

    async def slow(_params: dict[str, Any]) -> Response:
        await held.wait()
        return picture(b"late", format="jpeg")

    recorded.executor.answers["screenshot"] = slow
    await running
    assert recorded.row().after == ""
    held.set()
    await recorded.idle()
    assert recorded.content(recorded.row().after) == "late"


async def test_a_picture_of_a_row_that_was_forgotten_meanwhile_is_not_kept(recorded: Recorded) -> None:
    held = asyncio.Event()

    async def slow(_params: dict[str, Any]) -> Response:
        await held.wait()
        return picture(b"late", format="jpeg")

    recorded.settings.set(RECORD_PICTURES, False)
    running = tasks.spawn(recorded.run("click", ref="e1"), "click")
    await recorded.executor.arrived.get()
    recorded.settings.set(RECORD_PICTURES, True)
    recorded.executor.answers["screenshot"] = slow
    await running
    recorded.history.forget("1", ())
    held.set()
    await recorded.idle()
    assert list(recorded.pictures.folder.iterdir()) == []
    assert len(recorded.history) == 0


async def test_a_forgotten_picture_is_not_the_one_before_the_next_action(recorded: Recorded) -> None:
    first = await recorded.act()
    recorded.history.forget("1", ())
    assert list(recorded.pictures.folder.iterdir()) == []
    second = await recorded.act()
    assert second.before not in ("", first.after)
    assert (recorded.pictures.folder / second.before).is_file()


async def test_nothing_is_recorded_unless_the_person_wants_it(recorded: Recorded) -> None:
    recorded.settings.set(RECORD_PICTURES, False)
    row = await recorded.act()
    assert recorded.sent == ["click"]
    assert (row.before, row.after) == ("", "")


async def test_an_upload_is_an_action_too(recorded: Recorded, tmp_path: Path) -> None:
    file = tmp_path / "invoice.pdf"
    file.write_text("1042")
    recorded.core.router.gates.policy.allow_dirs = (tmp_path,)
    row = await recorded.act("upload_file", ref="e1", paths=[str(file)])
    assert (row.command, recorded.content(row.before), recorded.content(row.after)) == (
        "upload_file", "picture 1", "picture 2",
    )  # fmt: skip


async def test_reads_leave_no_picture(recorded: Recorded) -> None:
    await recorded.act("snapshot", interactiveOnly=True)
    assert recorded.sent == ["snapshot"]


async def test_the_picture_after_is_the_one_before_the_next_action(recorded: Recorded) -> None:
    first = await recorded.act()
    await recorded.act("snapshot", interactiveOnly=True)
    second = await recorded.act()
    assert second.before == first.after
    assert recorded.taken == 3


async def test_it_is_so_in_a_tab_of_an_isolated_conversation(recorded: Recorded) -> None:
    recorded.agent.session = recorded.tabs.get("t1").session = "0123456789ab"
    first = await recorded.act()
    second = await recorded.act()
    assert (second.before, recorded.taken) == (first.after, 3)
    assert (recorded.pictures.folder / "0123456789ab" / first.after).exists()


@pytest.mark.parametrize("what", ["time", "navigation", "title", "request", "wait", "off"])
async def test_it_is_taken_anew_when_something_happened(recorded: Recorded, what: str) -> None:
    first = await recorded.act()
    tab = recorded.tabs.get("t1")
    if what == "time":
        recorded.now += recorder.FRESH_S + 0.1
    elif what == "navigation":
        recorded.tabs.navigated.emit(tab)
    elif what == "title":
        recorded.tabs.update(tab, title="(1) Cart")
    elif what == "request":
        recorded.recorder.on_requests([Request("t1", "r1", 1.0, "GET", "fetch", "https://a.example")])
    elif what == "wait":
        await recorded.act("wait", time=1)
    else:
        recorded.settings.set(RECORD_PICTURES, False)
        await recorded.act()
        recorded.settings.set(RECORD_PICTURES, True)
    second = await recorded.act()
    assert second.before
    assert second.before != first.after


async def test_a_tab_with_a_dialog_is_left_alone(recorded: Recorded) -> None:
    recorded.tabs.update(recorded.tabs.get("t1"), state="dialog")
    await recorded.recorder.before(recorded.tabs.get("t1"), CATALOGUE.get("click"))
    assert recorded.sent == []
    await recorded.run("handle_dialog", accept=True)
    assert recorded.sent == ["handle_dialog"]


@pytest.mark.parametrize("why", [failed("COMMAND_TIMEOUT"), KaptureError("TAB_DISCONNECTED", "gone")])
async def test_a_tab_that_gives_no_picture_still_does_what_it_is_told(
    recorded: Recorded, why: Response | KaptureError
) -> None:
    recorded.executor.answers["screenshot"] = why
    for _ in range(6):
        row = await recorded.act()
        assert (row.state, row.before, row.after) == ("ok", "", "")
    assert recorded.sent.count("screenshot") == recorder.MAX_FAILURES, "and is not asked for ever"
    recorded.tabs.navigated.emit(recorded.tabs.get("t1"))
    recorded.executor.answers["screenshot"] = recorded._picture
    assert (await recorded.act()).after


async def test_an_extension_that_never_answers_is_not_waited_for(
    recorded: Recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder, "TIMEOUT_MS", 10)
    monkeypatch.setattr(recorder, "GRACE_S", 0.01)

    async def never(_params: dict[str, Any]) -> Response:
        await asyncio.Event().wait()
        return ok()

    recorded.executor.answers["screenshot"] = never
    assert (await recorded.act()).state == "ok"


async def test_an_action_that_failed_has_pictures_too(recorded: Recorded) -> None:
    recorded.executor.answers["click"] = failed("ELEMENT_NOT_FOUND")
    with pytest.raises(KaptureError):
        await recorded.run("click", ref="e1")
    await recorded.idle()
    row = recorded.row()
    assert (row.state, bool(row.before), bool(row.after)) == ("error", True, True)


async def test_a_new_tab_shows_what_it_opened_on_and_a_closed_one_nothing(recorded: Recorded) -> None:
    recorded.executor.answers["new_tab"] = ok({"tabId": "t1"})
    row = await recorded.act("new_tab", url="https://a.example")
    assert (row.before, bool(row.after)) == ("", True)

    async def close(_params: dict[str, Any]) -> Response:
        recorded.tabs.remove(recorded.tabs.get("t1"))
        return ok()

    recorded.executor.answers["close_tab"] = close
    row = await recorded.act("close_tab", tabId="t1")
    assert row.after == ""


async def test_pictures_go_with_their_rows(recorded: Recorded, monkeypatch: pytest.MonkeyPatch) -> None:
    first = await recorded.act()
    second = await recorded.act()
    assert second.before == first.after
    monkeypatch.setattr("kapture_panel.core.stores.history_file.MAX_ROWS", 1)
    recorded.history.trim()
    left = {path.name for path in recorded.pictures.folder.iterdir()}
    assert left == {second.before, second.after}, "one that another row shows too stays"


async def test_what_no_row_names_goes_at_the_start(recorded: Recorded) -> None:
    row = await recorded.act()
    recorded.pictures.add(base64.b64decode("AA=="), name="t1", tab_id="t1", format="jpeg")
    again = recorder.store(recorded.shots.folder)
    Recorder(CATALOGUE, recorded.tabs, recorded.history, recorded.executor, again, recorded.settings)
    assert {path.name for path in again.folder.iterdir()} == {row.before, row.after}


async def test_a_full_disk_costs_the_picture_alone(recorded: Recorded, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_given: Any, **_named: Any) -> Any:
        raise OSError(28, "no space left")

    monkeypatch.setattr(recorded.pictures, "add", full)
    assert (await recorded.act()).state == "ok"


async def test_names_are_kept_in_the_file(recorded: Recorded) -> None:
    row = await recorded.act()
    recorded.history.flush()
    (kept,) = recorded.history.rows()
    assert (kept.before, kept.after) == (row.before, row.after)
    assert json.dumps(kept.before)
