"""Forgetting: what of the past goes, what stays, and that nothing of it is left in a file."""

from __future__ import annotations

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
from kapture_panel.core.stores.outputs import Outputs
from kapture_panel.core.stores.requests import Requests
from kapture_panel.core.stores.shots import Shots
from tests.support.core.fakes import row

OLD, NEW = "kanari3nvogel", "zeisig4gruen"


class Past:
    """The stores of an instance: an afternoon of two agents in two tabs on two sites."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.history = History(folder / "history.sqlite3")
        self.shots = Shots(folder / "screenshots")
        self.recordings = recorder.store(folder / "screenshots")
        self.outputs = Outputs(folder / "output")
        self.console = Console()
        self.requests = Requests()
        self.forgetting = Forgetting(
            self.history, self.shots, self.recordings, self.outputs, self.console, self.requests
        )
        self.history.removed.connect(self._delete)
        self.now = time.time()

    def _delete(self, _ids: list[int], names: list[str]) -> None:
        for shot in self.recordings:
            if shot.path.name in names:
                self.recordings.remove(shot)

    def put(self, word: str, ago_s: float, client: str, tab_id: str, site: str, state: str = "ok") -> Row:
        """A command with a picture of each kind, lines and a request around it."""
        taken = self.shots.add(b"picture", name=word, tab_id=tab_id, format="png")
        after = self.recordings.add(b"picture", name=word, tab_id=tab_id, format="jpeg")
        made = row(
            "screenshot", at=self.now - ago_s, client=client, tab_id=tab_id, site=site, ms=5.0, state=state,
            summary=word * 50, shot=taken.path.name, after=after.path.name,
        )  # fmt: skip
        self.history.begin(made, durable=True)
        at = (self.now - ago_s) * 1000
        self.console.append(tab_id, [{"at": at, "level": "log", "text": word}])
        self.requests.take(tab_id, [{"id": f"r{made.id}", "at": at, "url": word}])
        return made

    def words(self) -> list[str]:
        return [one.summary[: len(one.summary) // 50] for one in self.history.rows()[::-1]]

    def files(self) -> bytes:
        """All bytes on disk."""
        return b"".join(path.read_bytes() for path in self.folder.rglob("*") if path.is_file())


@pytest.fixture
def past(tmp_path: Path) -> Iterator[Past]:
    made = Past(tmp_path)
    yield made
    made.history.close()


@pytest.fixture
def afternoon(past: Past) -> Past:
    past.put("one", 3 * HOUR_S, "claude", "t1", "shop.example")
    past.put("two", 2 * HOUR_S, "codex", "t2", "bank.example")
    past.put("three", 60, "claude", "t1", "bank.example")
    past.put("four", 30, "codex", "t2", "shop.example", state="running")
    return past


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
    afternoon: Past, scope: Scope, left: list[str], tabs_left: list[str], running: int
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


def test_the_last_hour_goes_with_its_lines(afternoon: Past) -> None:
    told = afternoon.forgetting.forget(last_hour(lambda: afternoon.now))
    assert (told.rows, told.running, told.lines, told.requests) == (1, 1, 2, 2)
    assert afternoon.words() == ["one", "two", "four"]
    assert [line.text for line in afternoon.console.lines()] == ["one", "two"]
    assert [request.url for request in afternoon.requests.all()] == ["one", "two"]


def test_every_kind_of_scope_has_a_condition(past: Past) -> None:
    for kind in KINDS:
        assert past.forgetting.amount(Scope(kind, "x")) == Amount()


async def test_pictures_go_with_their_rows_and_a_shared_one_stays(past: Past) -> None:
    one = past.put("one", 50, "claude", "t1", "shop.example")
    two = past.put("two", 40, "codex", "t1", "shop.example")
    two.before = one.after
    past.history.settle(two)
    past.history.flush()
    told = past.forgetting.forget(Scope("agent", "claude"))
    assert told.pictures == 1
    assert [shot.name for shot in past.shots] == ["two"]
    assert {shot.path.name for shot in past.recordings} >= {one.after}


def test_everything_takes_pictures_no_row_names_too(past: Past) -> None:
    past.shots.add(b"picture", name="asked for", tab_id="t9", format="png", width=2, height=1)
    past.recordings.add(b"picture", name="lost", tab_id="t9", format="jpeg")
    assert past.forgetting.forget(Scope("everything")).pictures == 2
    assert [path for path in past.folder.rglob("*") if path.suffix in (".png", ".jpg", ".json")] == []


def test_everything_takes_histories_that_were_moved_aside(past: Past) -> None:
    for suffix in ("", "-wal"):
        (past.folder / f"history.sqlite3.damaged-20260101-000000{suffix}").write_text(OLD, encoding="utf-8")
    past.forgetting.forget(Scope("tab", "t1"))
    assert OLD.encode() in past.files()
    past.forgetting.forget(Scope("everything"))
    assert OLD.encode() not in past.files()


def test_long_answers_go_with_the_commands_they_answered(past: Past) -> None:
    name = past.outputs.add("long")
    past.put("old", 5 * HOUR_S, "claude", "t1", "shop.example")
    assert past.forgetting.amount(Scope("agent", "claude")).answers == 0
    past.put("fresh", 0.5, "codex", "t1", "shop.example")
    assert past.forgetting.forget(Scope("agent", "codex")).answers == 1
    with pytest.raises(KeyError):
        past.outputs.path(name)


async def test_no_byte_of_it_is_left_in_the_files(past: Past) -> None:
    for number in range(200):
        past.put(OLD, 10 + number, "claude", "t1", "shop.example")
    past.put(NEW, 5, "codex", "t2", "shop.example")
    assert OLD.encode() in past.files()
    wal = past.history.path.with_name("history.sqlite3-wal")
    assert OLD.encode() in wal.read_bytes()
    past.forgetting.forget(Scope("agent", "claude"))
    assert OLD.encode() not in past.files()
    assert wal.stat().st_size == 0
    assert NEW.encode() in past.files()


async def test_a_reader_puts_the_emptying_of_the_log_off_until_the_next_row(past: Past) -> None:
    past.put(OLD, 10, "claude", "t1", "shop.example")
    with history_file._reading(past.history.path) as other:
        other.execute("BEGIN")
        other.execute("SELECT COUNT(*) FROM commands").fetchone()
        past.history._db.execute("PRAGMA busy_timeout=0")
        past.forgetting.forget(Scope("everything"))
        assert past.words() == []
        assert OLD.encode() in past.files()
    past.put(NEW, 5, "codex", "t2", "shop.example")
    assert OLD.encode() not in past.files()


async def test_what_still_goes_on_with_a_forgotten_row_brings_it_not_back(past: Past) -> None:
    made = past.put("one", 10, "claude", "t1", "shop.example")
    past.forgetting.forget(Scope("everything"))
    made.after = "late.jpg"
    past.history.settle(made)
    past.history.flush()
    assert past.words() == []
    assert past.history.has_forgotten(made)


async def test_a_command_goes_on_and_its_row_is_settled(past: Past) -> None:
    going = past.put("going", 10, "claude", "t1", "shop.example", state="running")
    past.forgetting.forget(Scope("everything"))
    going.state, going.summary = "ok", "done" * 50
    past.history.settle(going)
    past.history.flush()
    assert past.words() == ["done"]
    assert past.history.rows()[0].state == "ok"


async def test_rows_that_wait_to_be_written_are_forgotten_too(past: Past) -> None:
    waiting = row("snapshot", at=past.now, state="ok", summary=OLD)
    past.history.begin(waiting, durable=False)
    assert past.forgetting.forget(last_hour()).rows == 1
    past.history.flush()
    assert OLD.encode() not in past.files()


def test_a_history_that_cannot_be_written_forgets_nothing(past: Past) -> None:
    past.put("one", 10, "claude", "t1", "shop.example")
    past.history._db.execute("PRAGMA query_only=ON")
    with pytest.raises(KaptureError, match="nothing was forgotten"):
        past.forgetting.forget(Scope("everything"))
    assert past.words() == ["one"]
    assert len(list(past.shots)) == 1
    past.history._db.execute("PRAGMA query_only=OFF")


def test_the_window_hears_which_rows_went(past: Past) -> None:
    made = past.put("one", 10, "claude", "t1", "shop.example")
    heard: list[list[int]] = []
    past.history.removed.connect(lambda ids, _names: heard.append(ids))
    past.forgetting.forget(Scope("tab", "t1"))
    assert heard == [[made.id]]
