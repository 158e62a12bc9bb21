"""The history's file: every version read, every damage survived, nothing left of what went."""

from __future__ import annotations

import contextlib
import random
import sqlite3
import time
from functools import partial
from pathlib import Path

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.stores import history_file, history_query
from kapture_panel.core.stores.history import History
from kapture_panel.core.wire.targets import Target
from tests.support.core.fakes import row
from tests.support.core.history_store import Store, filled, on_disk


def test_a_history_is_read_without_being_changed(store: Store, file: Path) -> None:
    made = store()
    filled(made, 3)
    made.begin(row("reload"), durable=True)
    running = on_disk(file)
    assert history_file.read(file, limit=50_000) == made.rows()
    assert [kept.summary for kept in history_file.read(file, limit=1, matching="row")] == ["row 2"]
    assert on_disk(file) == running


def test_little_of_the_file_stays_in_memory(file: Path) -> None:
    """SQLite's own 2 MB filled within minutes, and stayed."""
    db, _warning = history_file.open_file(file)
    with contextlib.closing(db):
        (cache_size,) = db.execute("PRAGMA cache_size").fetchone()
    kib = -cache_size
    assert 0 < kib <= 512


def test_where_no_history_is_that_is_said(tmp_path: Path) -> None:
    with pytest.raises(KaptureError, match="no history in"):
        history_file.read(tmp_path / "history.sqlite3", limit=1)
    (tmp_path / "broken").write_bytes(b"nothing" * 1000)
    with pytest.raises(KaptureError, match="cannot be read"):
        history_file.read(tmp_path / "broken", limit=1)


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
            " 'old; as it was', 1.5, '{}', '')",
            (time.time(),),
        )
        old.execute(
            "INSERT INTO commands VALUES (8, ?, 'claude', 'agent', 't1', 'a.example', '', 'click', '{}', 'error',"
            " 'STALE_REF', 'e1 is gone; take a new snapshot; or wait', 1.5, '{}', '')",
            (time.time(),),
        )
    made = store()
    failed, kept = made.rows()
    assert (kept.id, kept.summary, kept.next_step, kept.targets) == (7, "old; as it was", "", [])
    assert (failed.summary, failed.next_step) == ("e1 is gone", "take a new snapshot; or wait")
    assert failed.said == "e1 is gone; take a new snapshot; or wait"
    assert (kept.ms, kept.waited_ms) == (1.5, 0)
    made.forget("id = ?", [8])
    made.begin(row(targets=[{"selector": "#a"}]), durable=True)
    made.close()
    assert [kept.targets for kept in store().rows()] == [[Target(selector="#a")], []]
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
            " 'old; as it was', 1.5, '{}', '', '[{\"selector\": \"#a\"}]')",
            (time.time(),),
        )
    made = store()
    made.begin(row(before="b.jpg", after="a.jpg"), durable=True)
    made.close()
    assert [(kept.before, kept.after, kept.targets) for kept in store().rows()] == [
        ("b.jpg", "a.jpg", []), ("", "", [Target(selector="#a")]),
    ]  # fmt: skip


def _version(file: Path, sets: int | None = None) -> int:
    with contextlib.closing(sqlite3.connect(file)) as db, db:
        if sets is not None:
            db.execute(f"PRAGMA user_version={sets}")
        return int(db.execute("PRAGMA user_version").fetchone()[0])


@pytest.mark.parametrize("version", range(1, 8))
def test_an_upgrade_that_was_cut_off_or_undone_by_an_older_panel_is_made_again(
    store: Store, file: Path, version: int
) -> None:
    made = store()
    made.begin(row(state="error", summary="one; two", next_step="three", place="grid"), durable=True)
    made.close()
    newest = _version(file)
    _version(file, sets=version)
    again = store()
    assert again.warning == ""
    assert [(kept.summary, kept.next_step, kept.place) for kept in again.rows()] == [("one; two", "three", "grid")]
    again.close()
    assert _version(file) == newest


def test_a_file_of_a_newer_panel_keeps_its_version(store: Store, file: Path) -> None:
    store().close()
    _version(file, sets=1000)
    made = store()
    filled(made, 1)
    assert (len(made), made.warning) == (1, "")
    made.close()
    assert _version(file) == 1000


def test_an_upgrade_is_made_as_a_whole_or_not_at_all(store: Store, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = store()
    filled(made, 1)
    made.close()
    with contextlib.closing(sqlite3.connect(file)) as old, old:
        old.execute("ALTER TABLE commands DROP COLUMN waited_ms")
    _version(file, sets=7)

    def fill_the_disk(_db: sqlite3.Connection) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(history_file, "trim", fill_the_disk)
        with pytest.raises(KaptureError, match="disk is full"):
            History(file)
    with contextlib.closing(sqlite3.connect(file)) as old:
        assert "waited_ms" not in {name for _number, name, *_rest in old.execute("PRAGMA table_info(commands)")}
    assert _version(file) == 7
    assert len(store()) == 1


def test_rows_are_read_in_parts_from_elsewhere(store: Store, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_file, "_MAX_IDS", 4)
    made = store()
    filled(made, 6)
    made.begin(row("fill"), durable=True)
    query = history_query.parse("cmd:click")
    parts = list(history_file.read_in_parts(file, query, None, 7))
    assert [([kept.id for kept in rows], at) for rows, at in parts] == [([1, 2, 3, 4], 5), ([5, 6], 7)]
    chosen = list(history_file.read_in_parts(file, history_query.parse(""), [7, 1, 3, 2, 99], 8))
    assert [([kept.id for kept in rows], at) for rows, at in chosen] == [([1, 2, 3, 7], 4), ([], 5)]


def test_a_wrong_search_from_the_terminal_is_refused(store: Store, file: Path) -> None:
    store()
    with pytest.raises(KaptureError, match=r"status: takes ok, .*put a word in quotes") as raised:
        history_file.read(file, limit=1, matching="status:bad")
    assert raised.value.code == "INVALID_PARAMS"


def test_only_the_owner_can_read_the_files(store: Store, file: Path) -> None:
    filled(store(), 1)
    assert {path.stat().st_mode & 0o777 for path in file.parent.iterdir()} == {0o600}
    assert {path.name for path in file.parent.iterdir()} == {file.name, f"{file.name}-wal", f"{file.name}-shm"}


def test_rows_beyond_age_and_number_go_at_the_next_start(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    made, now = store(), time.time()
    made.begin(row("old", at=now - history_file.MAX_AGE_S - 60), durable=True)
    filled(made, 6, at=now)
    assert [kept.command for kept in store().rows()] == ["click"] * 6
    monkeypatch.setattr(history_file, "MAX_ROWS", 4)
    assert [kept.summary for kept in store().rows()] == ["row 5", "row 4", "row 3", "row 2"]


def test_what_is_deleted_leaves_the_file(file: Path) -> None:
    made = History(file)
    made.begin(row(at=time.time() - history_file.MAX_AGE_S - 60, summary="kanarienvogel"), durable=True)
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
    assert f"{file}.damaged-" in made.warning
    assert "a new one has begun" in made.warning
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
    monkeypatch.setattr("kapture_panel.core.stores.history_file.sqlite3.connect", partial(sqlite3.connect, timeout=0))
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(KaptureError, match="cannot be opened: database is locked"):
            History(file)
        other.execute("ROLLBACK")
    whole = store()
    assert (len(whole), whole.warning) == (2, "")


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
