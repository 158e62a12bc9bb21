"""The history: a row before its action, every damage survived."""

from __future__ import annotations

import asyncio
import contextlib
import random
import sqlite3
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from kapture_panel.core import history, history_query
from kapture_panel.core.errors import KaptureError
from kapture_panel.core.history import History, Row
from tests.support.core.fakes import row

Store = Callable[[], History]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "history.sqlite3"


@pytest.fixture
def store(file: Path) -> Iterator[Store]:
    """Opens the history; each is closed at the end."""
    with contextlib.ExitStack() as ending:

        def opened() -> History:
            made = History(file)
            ending.callback(made.close)
            return made

        yield opened


def on_disk(file: Path) -> list[tuple[str, str]]:
    """(command, state) as another process sees them."""
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as other:
        return list(other.execute("SELECT command, state FROM commands ORDER BY id"))


async def flushed(made: History, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for the next batch to be written."""
    written, flush = asyncio.Event(), made.flush

    def watched() -> None:
        flush()
        written.set()

    monkeypatch.setattr(made, "flush", watched)
    await written.wait()
    monkeypatch.setattr(made, "flush", flush)


def filled(made: History, number: int, **fields: Any) -> list[Row]:
    return [made.begin(row(summary=f"row {index}", state="ok", **fields), durable=True) for index in range(number)]


def test_the_row_of_an_action_is_on_disk_before_begin_returns(store: Store, file: Path) -> None:
    made = store()
    seen: list[list[tuple[str, str]]] = []
    made.began.connect(lambda _row: seen.append(on_disk(file)))
    made.begin(row("click"), durable=True)
    assert seen == [[("click", "running")]]


async def test_rows_of_reads_wait_for_company(store: Store, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = store()
    for command in ("snapshot", "logs"):
        made.begin(row(command), durable=False)
    assert on_disk(file) == []
    await flushed(made, monkeypatch)
    assert on_disk(file) == [("snapshot", "running"), ("logs", "running")]


async def test_an_action_takes_waiting_reads_with_it(store: Store, file: Path) -> None:
    made = store()
    made.begin(row("snapshot"), durable=False)
    made.begin(row("click"), durable=True)
    assert on_disk(file) == [("snapshot", "running"), ("click", "running")]


async def test_an_outcome_replaces_the_running_row(store: Store, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = store()
    settled: list[Row] = []
    made.settled.connect(settled.append)
    kept = made.begin(row("click"), durable=True)
    kept.state, kept.ms, kept.effects = "ok", 12.5, {"changed": True}
    made.settle(kept)
    assert settled == [kept]
    await flushed(made, monkeypatch)
    assert on_disk(file) == [("click", "ok")]
    assert made.rows() == [kept]


async def test_a_batch_is_short(store: Store) -> None:
    assert history.BATCH_S <= 0.05


async def test_closing_writes_what_waits(file: Path) -> None:
    made = History(file)
    made.begin(row("logs"), durable=False)
    made.close()
    assert on_disk(file) == [("logs", "running")]


def test_what_ran_when_the_process_died_has_an_unknown_outcome(store: Store, file: Path) -> None:
    first = store()
    first.begin(row("click"), durable=True)
    first.begin(row("reload", state="ok"), durable=True)
    # The first is not closed: this is what a killed process leaves.
    assert [(kept.command, kept.state, kept.code) for kept in store().rows()] == [
        ("reload", "ok", ""), ("click", "unknown", "OUTCOME_UNKNOWN"),
    ]  # fmt: skip


def test_ids_go_on_where_they_ended(store: Store) -> None:
    last = filled(store(), 3)[-1]
    assert store().begin(row(), durable=True).id == last.id + 1


def test_rows_come_in_pages_newest_first(store: Store) -> None:
    made = store()
    written = filled(made, 7)
    pages, before = [], None
    while page := made.rows(before=before, limit=3):
        pages.append([kept.summary for kept in page])
        before = page[-1].id
    assert pages == [["row 6", "row 5", "row 4"], ["row 3", "row 2", "row 1"], ["row 0"]]
    assert made.rows(limit=1) == [written[-1]]
    assert len(made) == 7


SEARCHES = [
    "",
    "cmd:click",
    "-cmd:click status:error",
    "agent:CURSOR",
    "click",
    "CLICK shop",
    "claude cart",
    "100%",
    "a_b",
    "c:\\dir",
    "x  y",
    "error",
    "nothing",
    "t1",
    "%",
    "_",
]


@pytest.mark.parametrize("words", SEARCHES)
def test_a_search_finds_the_rows_that_have_every_word(store: Store, words: str) -> None:
    made = store()
    rows = [
        row("click", summary="opened the cart"),
        row("fill", site="other.example", summary="100% of a_b"),
        row("type", client="cursor", code="BUSY", state="error", summary="c:\\dir x y"),
        row("reload", summary="100 acb c:dir"),
    ]
    for kept in rows:
        made.begin(kept, durable=True)
    found = made.rows(matching=words)
    assert found == [kept for kept in reversed(rows) if history_query.parse(words).passes(kept)]
    if words == "100%":
        assert [kept.command for kept in found] == ["fill"]


def test_a_row_keeps_every_field(store: Store) -> None:
    made = store()
    kept = row(
        "fill", params={"value": {"redacted": 5}, "ref": "e1"}, state="error", code="STALE_REF", summary="gône ‽",
        ms=1.25, effects={"requests": [1]}, shot="a.png", tab_id="", url="",
        targets=[{"selector": "#a", "name": "Bÿ"}],
    )  # fmt: skip
    made.begin(kept, durable=True)
    assert made.rows() == [kept]


def test_a_history_is_read_without_being_changed(store: Store, file: Path) -> None:
    made = store()
    filled(made, 3)
    made.begin(row("reload"), durable=True)
    running = on_disk(file)
    assert history.read(file, limit=50_000) == made.rows()
    assert [kept.summary for kept in history.read(file, limit=1, matching="row")] == ["row 2"]
    assert on_disk(file) == running


def test_where_no_history_is_that_is_said(tmp_path: Path) -> None:
    with pytest.raises(KaptureError, match="no history in"):
        history.read(tmp_path / "history.sqlite3", limit=1)
    (tmp_path / "broken").write_bytes(b"nothing" * 1000)
    with pytest.raises(KaptureError, match="cannot be read"):
        history.read(tmp_path / "broken", limit=1)


def test_a_file_of_the_first_version_keeps_its_rows(store: Store, file: Path) -> None:
    with contextlib.closing(sqlite3.connect(file)) as old, old:
        old.executescript(
            "CREATE TABLE commands (id INTEGER PRIMARY KEY, at REAL NOT NULL, client TEXT NOT NULL, kind TEXT NOT NULL,"
            " tab_id TEXT NOT NULL, site TEXT NOT NULL, url TEXT NOT NULL, command TEXT NOT NULL, params TEXT NOT NULL,"
            " state TEXT NOT NULL, code TEXT NOT NULL, summary TEXT NOT NULL, ms REAL, effects TEXT NOT NULL,"
            " shot TEXT NOT NULL); PRAGMA user_version = 1"
        )
        old.execute(
            "INSERT INTO commands VALUES (7, ?, 'claude', 'agent', 't1', 'a.example', '', 'click', '{}', 'ok', '',"
            " 'old', 1.5, '{}', '')",
            (time.time(),),
        )
    made = store()
    (kept,) = made.rows()
    assert (kept.id, kept.summary, kept.targets) == (7, "old", [])
    made.begin(row(targets=[{"selector": "#a"}]), durable=True)
    made.close()
    assert [kept.targets for kept in store().rows()] == [[{"selector": "#a"}], []]
    assert sorted(path.name for path in file.parent.iterdir() if "damaged" in path.name) == []


def test_a_file_of_the_second_version_gets_the_pictures(store: Store, file: Path) -> None:
    with contextlib.closing(sqlite3.connect(file)) as old, old:
        old.executescript(
            "CREATE TABLE commands (id INTEGER PRIMARY KEY, at REAL NOT NULL, client TEXT NOT NULL, kind TEXT NOT NULL,"
            " tab_id TEXT NOT NULL, site TEXT NOT NULL, url TEXT NOT NULL, command TEXT NOT NULL, params TEXT NOT NULL,"
            " state TEXT NOT NULL, code TEXT NOT NULL, summary TEXT NOT NULL, ms REAL, effects TEXT NOT NULL,"
            " shot TEXT NOT NULL, targets TEXT NOT NULL DEFAULT '[]'); PRAGMA user_version = 2"
        )
        old.execute(
            "INSERT INTO commands VALUES (7, ?, 'claude', 'agent', 't1', 'a.example', '', 'click', '{}', 'ok', '',"
            " 'old', 1.5, '{}', '', '[{\"selector\": \"#a\"}]')",
            (time.time(),),
        )
    made = store()
    made.begin(row(before="b.jpg", after="a.jpg"), durable=True)
    made.close()
    assert [(kept.before, kept.after, kept.targets) for kept in store().rows()] == [
        ("b.jpg", "a.jpg", []), ("", "", [{"selector": "#a"}]),
    ]  # fmt: skip


def test_ids_of_a_part_and_the_rows_behind_them(store: Store) -> None:
    made = store()
    filled(made, 6)
    made.begin(row("fill"), durable=True)
    assert made.span == (1, 8)
    assert made.ids(history_query.parse("cmd:click"), before=8, down_to=4) == [6, 5, 4]
    assert [kept.id for kept in made.of([2, 6, 99])] == [6, 2]
    assert made.of([]) == []


def test_rows_are_read_in_parts_from_elsewhere(store: Store, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "_MAX_IDS", 4)
    made = store()
    filled(made, 6)
    made.begin(row("fill"), durable=True)
    query = history_query.parse("cmd:click")
    parts = list(history.read_in_parts(file, query, None, 7))
    assert [([kept.id for kept in rows], at) for rows, at in parts] == [([1, 2, 3, 4], 5), ([5, 6], 7)]
    chosen = list(history.read_in_parts(file, history_query.parse(""), [7, 1, 3, 2, 99], 8))
    assert [([kept.id for kept in rows], at) for rows, at in chosen] == [([1, 2, 3, 7], 4), ([], 5)]


def test_a_wrong_search_from_the_terminal_is_refused(store: Store, file: Path) -> None:
    store()
    with pytest.raises(KaptureError, match=r"status: takes ok, .*put a word in quotes") as raised:
        history.read(file, limit=1, matching="status:bad")
    assert raised.value.code == "INVALID_PARAMS"


def test_what_is_too_old_goes_while_the_panel_runs(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    made, now = store(), time.time()
    gone: list[tuple[list[int], list[str]]] = []
    made.removed.connect(lambda ids, names: gone.append((ids, names)))
    made.begin(row(at=now - history.MAX_AGE_S - 60, before="1.jpg", after="2.jpg"), durable=True)
    made.begin(row(at=now, before="2.jpg", after="3.jpg"), durable=True)
    made.trim()
    assert gone == [([1], ["1.jpg"])], "a picture that another row names stays"
    assert made.pictures() == {"2.jpg", "3.jpg"}
    filled(made, 3, at=now)
    monkeypatch.setattr(history, "MAX_ROWS", 3)
    made.trim()
    assert gone[1:] == [([2], ["2.jpg", "3.jpg"])]
    made.trim()
    assert len(gone) == 2
    assert [kept.id for kept in made.rows()] == [5, 4, 3]


def test_only_the_owner_can_read_the_files(store: Store, file: Path) -> None:
    filled(store(), 1)
    assert {path.stat().st_mode & 0o777 for path in file.parent.iterdir()} == {0o600}
    assert {path.name for path in file.parent.iterdir()} == {file.name, f"{file.name}-wal", f"{file.name}-shm"}


def test_rows_beyond_age_and_number_go_at_the_next_start(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    made, now = store(), time.time()
    made.begin(row("old", at=now - history.MAX_AGE_S - 60), durable=True)
    filled(made, 6, at=now)
    assert [kept.command for kept in store().rows()] == ["click"] * 6
    monkeypatch.setattr(history, "MAX_ROWS", 4)
    assert [kept.summary for kept in store().rows()] == ["row 5", "row 4", "row 3", "row 2"]


def test_what_is_deleted_leaves_the_file(file: Path) -> None:
    made = History(file)
    made.begin(row(at=time.time() - history.MAX_AGE_S - 60, summary="kanarienvogel"), durable=True)
    made.close()
    assert b"kanarienvogel" in file.read_bytes()
    History(file).close()
    assert b"kanarienvogel" not in file.read_bytes()


@pytest.mark.parametrize("content", [b"this is no database" * 100, b"SQLite format 3\x00" + b"\x07" * 5000])
def test_a_damaged_database_is_moved_aside_with_its_companions(
    store: Store, file: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    companions = [file.with_name(file.name + suffix) for suffix in ("", "-wal", "-shm")]
    for companion in companions:
        companion.write_bytes(content)
    made = store()
    assert made.rows() == []
    filled(made, 1)
    assert "damaged" in caplog.text
    aside = sorted(path for path in file.parent.iterdir() if ".damaged-" in path.name)
    assert aside
    assert all(path.read_bytes() == content for path in aside if path.name.endswith(("-wal", "damaged")))
    assert on_disk(file) == [("click", "ok")]


def test_a_database_of_another_shape_is_moved_aside(store: Store, file: Path) -> None:
    with contextlib.closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE commands (id INTEGER PRIMARY KEY, state TEXT, code TEXT, at REAL)")
    assert store().rows() == []
    assert [path for path in file.parent.iterdir() if ".damaged-" in path.name]


def test_a_database_in_use_is_not_taken_for_damaged(file: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(store(), 2)
    monkeypatch.setattr("kapture_panel.core.history.sqlite3.connect", partial(sqlite3.connect, timeout=0))
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(KaptureError, match="cannot be opened: database is locked"):
            History(file)
        other.execute("ROLLBACK")
    assert len(store()) == 2


def test_a_flipped_bit_anywhere_lets_the_panel_start(file: Path, tmp_path: Path) -> None:
    made = History(file)
    filled(made, 40, params={"ref": "e1"})
    made.close()
    whole, chance = file.read_bytes(), random.Random(7)
    for number in range(100):
        flipped = bytearray(whole)
        flipped[chance.randrange(len(whole) if number % 2 else 100)] ^= 1 << chance.randrange(8)
        copy = tmp_path / str(number) / "history.sqlite3"
        copy.parent.mkdir()
        copy.write_bytes(flipped)
        again = History(copy)
        assert len(again.rows(limit=100)) in range(41)
        again.begin(row(), durable=True)
        again.close()


def test_a_row_with_damaged_fields_hides_no_other(store: Store, file: Path) -> None:
    made = store()
    filled(made, 3)
    with contextlib.closing(sqlite3.connect(file)) as other:
        other.execute("UPDATE commands SET params = '{\"a', effects = '[1]', url = CAST(x'ff41' AS TEXT) WHERE id = 2")
        other.commit()
    assert [kept.params for kept in made.rows()] == [{}, {"damaged": '{"a'}, {}]
    assert made.rows()[1].url == "\ufffdA"
    assert made.rows()[1].effects == {"damaged": "[1]"}


class FullDisk:
    """Lets the database grow no further, like a full disk."""

    def __init__(self, made: History) -> None:
        self._db = made._db
        (pages,) = self._db.execute("PRAGMA page_count").fetchone()
        self._db.execute(f"PRAGMA max_page_count={pages}")

    def empty(self) -> None:
        self._db.execute("PRAGMA max_page_count=1000000")


LONG = {"code": "x" * 20_000}


async def test_without_a_record_there_is_no_action(store: Store) -> None:
    made = store()
    (kept,) = filled(made, 1)
    disk = FullDisk(made)
    began: list[Row] = []
    made.began.connect(began.append)
    with pytest.raises(KaptureError, match=r"full.*so nothing was done; free some disk space") as raised:
        made.begin(row(params=LONG), durable=True)
    assert raised.value.code == "INTERNAL"
    assert began == []
    assert made.rows() == [kept]
    disk.empty()
    made.begin(row("reload"), durable=True)
    assert [found.command for found in made.rows()] == ["reload", "click"]


async def test_reading_goes_on_when_the_disk_is_full(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    made = store()
    (kept,) = filled(made, 1)
    disk = FullDisk(made)
    waiting = made.begin(row("snapshot", params=LONG), durable=False)
    assert made.rows() == [kept]
    assert len(made) == 1
    assert "could not be written" in caplog.text
    disk.empty()
    assert made.rows() == [waiting, kept]
