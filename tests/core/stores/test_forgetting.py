"""Forgetting: what of the history goes, what stays, and that nothing of it is left in a file."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.stores import history_file, recorder
from kapture_panel.core.stores.console import Console
from kapture_panel.core.stores.forgetting import HOUR_S, KINDS, Amount, Forgetting, Scope, last_hour
from kapture_panel.core.stores.history import History
from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.stores.network_log import NetworkLog
from kapture_panel.core.stores.notes import Notes
from kapture_panel.core.stores.outputs import Outputs
from kapture_panel.core.stores.shots import Shots
from kapture_panel.core.stores.upload_copies import UploadCopies
from kapture_panel.core.stores.videos import Videos
from kapture_panel.core.wire.events import ConsoleSaid, RequestSeen
from kapture_panel.core.wire.results import Pointed
from tests.support.core.fakes import row

OLD, NEW = "kanari3nvogel", "zeisig4gruen"


class Stores:
    """The stores of an instance: an afternoon of two agents in two tabs on two sites."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.history = History(folder / "history.sqlite3")
        self.shots = Shots(folder / "screenshots")
        self.recordings = recorder.store(folder / "screenshots")
        self.videos = Videos(folder / "videos")
        self.outputs = Outputs(folder / "output")
        self.upload_copies = UploadCopies(folder / "uploads")
        self.console = Console()
        self.requests = NetworkLog()
        self.notes = Notes(self.shots)
        self.forgetting = Forgetting(
            self.history,
            self.shots,
            self.recordings,
            self.videos,
            self.outputs,
            self.upload_copies,
            self.console,
            self.requests,
            self.notes,
        )
        self.history.removed.connect(self._delete)
        self.now = time.time()

    def _delete(self, _ids: list[int], names: list[str]) -> None:
        for shot in self.recordings:
            if shot.path.name in names:
                self.recordings.remove(shot)

    def put(
        self, word: str, ago_s: float, client: str, tab_id: str, site: str, state: str = "ok", ms: float = 5.0
    ) -> Row:
        """A command with a picture of each kind, lines and a request around it."""
        taken = self.shots.add(b"picture", name=word, tab_id=tab_id, format="png")
        after = self.recordings.add(b"picture", name=word, tab_id=tab_id, format="jpeg")
        made = row(
            "screenshot", at=self.now - ago_s, client=client, tab_id=tab_id, site=site, ms=ms, state=state,
            summary=word * 50, shot=taken.path.name, after=after.path.name,
        )  # fmt: skip
        self.history.begin(made, durable=True)
        at = (self.now - ago_s) * 1000
        self.console.append(tab_id, [ConsoleSaid(at=at, level="log", text=word)])
        self.requests.take(tab_id, [RequestSeen(id=f"r{made.id}", at=at, url=word)])
        return made

    def words(self) -> list[str]:
        return [one.summary[: len(one.summary) // 50] for one in self.history.rows()[::-1]]

    def files(self) -> bytes:
        """All bytes on disk."""
        return b"".join(path.read_bytes() for path in self.folder.rglob("*") if path.is_file())


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[Stores]:
    made = Stores(tmp_path)
    yield made
    made.history.close()


@pytest.fixture
def afternoon(stores: Stores) -> Stores:
    stores.put("one", 3 * HOUR_S, "claude", "t1", "shop.example")
    stores.put("two", 2 * HOUR_S, "codex", "t2", "bank.example")
    stores.put("three", 60, "claude", "t1", "bank.example")
    stores.put("four", 30, "codex", "t2", "shop.example", state="running")
    return stores


@pytest.mark.parametrize(
    ("scope", "left", "tabs_left", "running"),
    [
        (Scope("tab", "t1"), ["two", "four"], ["t2"], 0),
        (Scope("agent", "claude"), ["two", "four"], ["t2"], 0),
        (Scope("agent", "codex"), ["one", "three", "four"], ["t1"], 1),
        (Scope("site", "bank.example"), ["one", "four"], [], 0),
        (Scope("site", "elsewhere.example"), ["one", "two", "three", "four"], ["t1", "t2"], 0),
        (Scope("everything"), ["four"], [], 1),
    ],
    ids=str,
)
def test_what_is_named_goes_and_the_rest_stays(
    afternoon: Stores, scope: Scope, left: list[str], tabs_left: list[str], running: int
) -> None:
    told = afternoon.forgetting.amount(scope)
    assert told == afternoon.forgetting.forget(scope)
    assert (told.rows, told.running) == (4 - len(left), running)
    assert afternoon.words() == left
    assert {line.tab_id for line in afternoon.console.lines()} == set(tabs_left)
    assert {request.tab_id for request in afternoon.requests.all()} == set(tabs_left)
    assert told.lines == 4 - len(afternoon.console.lines())
    assert told.requests == 4 - len(afternoon.requests.all())
    assert afternoon.forgetting.amount(scope).rows == 0


def test_the_last_hour_goes_with_its_lines(afternoon: Stores) -> None:
    told = afternoon.forgetting.forget(last_hour(lambda: afternoon.now))
    assert (told.rows, told.running, told.lines, told.requests) == (1, 1, 2, 2)
    assert afternoon.words() == ["one", "two", "four"]
    assert [line.text for line in afternoon.console.lines()] == ["one", "two"]
    assert [request.url for request in afternoon.requests.all()] == ["one", "two"]


def test_every_kind_of_scope_has_a_condition(stores: Stores) -> None:
    for kind in KINDS:
        assert stores.forgetting.amount(Scope(kind, "x")) == Amount()


async def test_pictures_go_with_their_rows_and_a_shared_one_stays(stores: Stores) -> None:
    one = stores.put("one", 50, "claude", "t1", "shop.example")
    two = stores.put("two", 40, "codex", "t1", "shop.example")
    two.before = one.after
    stores.history.settle(two)
    stores.history.flush()
    told = stores.forgetting.forget(Scope("agent", "claude"))
    assert told.pictures == 1
    assert [shot.name for shot in stores.shots] == ["two"]
    assert {shot.path.name for shot in stores.recordings} >= {one.after}


def test_everything_takes_pictures_no_row_names_too(stores: Stores) -> None:
    stores.shots.add(b"picture", name="asked for", tab_id="t9", format="png", width=2, height=1)
    stores.recordings.add(b"picture", name="lost", tab_id="t9", format="jpeg")
    assert stores.forgetting.forget(Scope("everything")).pictures == 2
    assert [path for path in stores.folder.rglob("*") if path.suffix in (".png", ".jpg", ".json")] == []


def test_everything_takes_histories_that_were_moved_aside(stores: Stores) -> None:
    for suffix in ("", "-wal"):
        (stores.folder / f"history.sqlite3.damaged-20260101-000000{suffix}").write_text(OLD, encoding="utf-8")
    stores.forgetting.forget(Scope("tab", "t1"))
    assert OLD.encode() in stores.files()
    stores.forgetting.forget(Scope("everything"))
    assert OLD.encode() not in stores.files()


def test_long_answers_go_with_the_commands_they_answered(stores: Stores) -> None:
    name = stores.outputs.add("long")
    os.utime(stores.outputs.path(name), (stores.now, stores.now))
    stores.put("old", 5 * HOUR_S, "claude", "t1", "shop.example")
    assert stores.forgetting.amount(Scope("agent", "claude")).answers == 0
    stores.put("fresh", 0.5, "codex", "t1", "shop.example")
    assert stores.forgetting.forget(Scope("agent", "codex")).answers == 1
    with pytest.raises(KeyError):
        stores.outputs.path(name)


def uploaded(stores: Stores, row: Row, name: str = "theirs.txt") -> Path:
    """The copy of the person's own file for the upload with this row."""
    theirs = stores.folder / name
    theirs.write_text("the person's own", encoding="utf-8")
    with theirs.open("rb") as opened:
        copy = stores.upload_copies.give(row.id, opened.fileno(), name)
    assert copy is not None
    return copy


def test_the_copy_of_an_upload_goes_with_its_command(stores: Stores) -> None:
    stores.put("old", 5 * HOUR_S, "claude", "t1", "shop.example")
    copy = uploaded(stores, stores.put("fresh", 0.5, "codex", "t1", "shop.example"))
    assert stores.forgetting.amount(Scope("agent", "claude")).uploads == 0
    assert stores.forgetting.forget(Scope("agent", "codex")).uploads == 1
    assert (copy.exists(), (stores.folder / "theirs.txt").exists()) == (False, True)


@pytest.mark.parametrize("scope", [Scope("agent", "claude"), Scope("site", "shop.example")])
def test_the_copy_of_another_command_stays_that_was_given_while_this_one_waited(stores: Stores, scope: Scope) -> None:
    """The page of that one may still have to send it."""
    stores.put("wait", 60, "claude", "t1", "shop.example", ms=120_000.0)
    copy = uploaded(stores, stores.put("upload", 30, "codex", "t1", "bank.example"))
    assert stores.forgetting.forget(scope).uploads == 0
    assert copy.exists()


@pytest.mark.parametrize("scope", [Scope("hour"), Scope("everything")])
def test_the_copy_of_an_upload_that_is_under_way_stays(stores: Stores, scope: Scope) -> None:
    running = uploaded(stores, stores.put("runs", 1, "codex", "t1", "shop.example", state="running"), "runs.txt")
    over = uploaded(stores, stores.put("over", 2, "codex", "t1", "shop.example"), "over.txt")
    lost = uploaded(stores, row(id=99), "lost.txt")  # retention took its row
    assert stores.forgetting.forget(scope).uploads == 2
    assert (running.exists(), over.exists(), lost.exists()) == (True, False, False)


async def test_no_byte_of_it_is_left_in_the_files(stores: Stores) -> None:
    for number in range(200):
        stores.put(OLD, 10 + number, "claude", "t1", "shop.example")
    stores.put(NEW, 5, "codex", "t2", "shop.example")
    assert OLD.encode() in stores.files()
    wal = stores.history.path.with_name("history.sqlite3-wal")
    assert OLD.encode() in wal.read_bytes()
    stores.forgetting.forget(Scope("agent", "claude"))
    assert OLD.encode() not in stores.files()
    assert wal.stat().st_size == 0
    assert NEW.encode() in stores.files()


async def test_a_reader_puts_the_emptying_of_the_log_off_until_the_next_row(stores: Stores) -> None:
    stores.put(OLD, 10, "claude", "t1", "shop.example")
    with history_file._reading(stores.history.path) as other:
        other.execute("BEGIN")
        other.execute("SELECT COUNT(*) FROM commands").fetchone()
        stores.history._db.execute("PRAGMA busy_timeout=0")
        stores.forgetting.forget(Scope("everything"))
        assert stores.words() == []
        assert OLD.encode() in stores.files()
    stores.put(NEW, 5, "codex", "t2", "shop.example")
    assert OLD.encode() not in stores.files()


async def test_what_still_goes_on_with_a_forgotten_row_brings_it_not_back(stores: Stores) -> None:
    made = stores.put("one", 10, "claude", "t1", "shop.example")
    stores.forgetting.forget(Scope("everything"))
    made.after = "late.jpg"
    stores.history.settle(made)
    stores.history.flush()
    assert stores.words() == []
    assert stores.history.has_forgotten(made)


async def test_a_command_goes_on_and_its_row_is_settled(stores: Stores) -> None:
    going = stores.put("going", 10, "claude", "t1", "shop.example", state="running")
    stores.forgetting.forget(Scope("everything"))
    going.state, going.summary = "ok", "done" * 50
    stores.history.settle(going)
    stores.history.flush()
    assert stores.words() == ["done"]
    assert stores.history.rows()[0].state == "ok"


async def test_rows_that_wait_to_be_written_are_forgotten_too(stores: Stores) -> None:
    waiting = row("snapshot", at=stores.now, state="ok", summary=OLD)
    stores.history.begin(waiting, durable=False)
    assert stores.forgetting.forget(last_hour()).rows == 1
    stores.history.flush()
    assert OLD.encode() not in stores.files()


def test_a_history_that_cannot_be_written_forgets_nothing(stores: Stores) -> None:
    stores.put("one", 10, "claude", "t1", "shop.example")
    stores.history._db.execute("PRAGMA query_only=ON")
    with pytest.raises(KaptureError, match="nothing was forgotten"):
        stores.forgetting.forget(Scope("everything"))
    assert stores.words() == ["one"]
    assert len(list(stores.shots)) == 1
    stores.history._db.execute("PRAGMA query_only=OFF")


def test_the_window_hears_which_rows_went(stores: Stores) -> None:
    made = stores.put("one", 10, "claude", "t1", "shop.example")
    heard: list[list[int]] = []
    stores.history.removed.connect(lambda ids, _names: heard.append(ids))
    stores.forgetting.forget(Scope("tab", "t1"))
    assert heard == [[made.id]]


def test_a_note_of_a_site_goes_with_it(stores: Stores) -> None:
    for site in ("shop.example", "mail.example"):
        picture = stores.shots.add(b"picture", name="note", tab_id="t1", format="jpeg")
        stores.notes.add("t1", f"https://{site}/", site, "this one", Pointed(), 1, 2, picture)
    assert stores.forgetting.amount(Scope("site", "shop.example")).pictures == 1
    stores.forgetting.forget(Scope("site", "shop.example"))
    assert [note.site for note in stores.notes] == ["mail.example"]
    assert len(stores.shots) == 1
    stores.forgetting.forget(Scope("tab", "t1"))
    assert list(stores.notes) == []
