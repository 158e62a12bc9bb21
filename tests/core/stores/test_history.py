"""The history: a row before its action."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.stores import history, history_file, history_query
from kapture_panel.core.stores.history import History, Trouble
from kapture_panel.core.stores.history_row import Row
from tests.support.core.fakes import row
from tests.support.core.history_store import Store, filled, on_disk


async def flushed(made: History, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for the next batch to be written."""
    written, flush = asyncio.Event(), made.flush

    def watched() -> None:
        flush()
        written.set()

    monkeypatch.setattr(made, "flush", watched)
    await written.wait()
    monkeypatch.setattr(made, "flush", flush)


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


async def test_an_outcome_that_must_last_is_on_disk_at_once(store: Store, file: Path) -> None:
    made = store()
    kept = made.begin(row("click"), durable=True)
    kept.state = "ok"
    made.settle(kept, durable=True)
    assert on_disk(file) == [("click", "ok")]


async def test_a_batch_is_short(store: Store) -> None:
    assert history.BATCH_S <= 0.025


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


def test_ids_of_a_part_and_the_rows_behind_them(store: Store) -> None:
    made = store()
    filled(made, 6)
    made.begin(row("fill"), durable=True)
    assert made.span == (1, 8)
    assert made.ids(history_query.parse("cmd:click"), before=8, down_to=4) == [6, 5, 4]
    assert [kept.id for kept in made.of([2, 6, 99])] == [6, 2]
    assert made.of([]) == []


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


def mended(made: History) -> asyncio.Event:
    """Set once rows can be written again."""
    told = asyncio.Event()
    made.trouble_changed.connect(lambda trouble: told.set() if trouble is None else None)
    return told


async def test_reading_goes_on_when_the_disk_is_full(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(history, "RETRY_S", 0.01)
    made = store()
    (kept,) = filled(made, 1)
    disk = FullDisk(made)
    waiting = made.begin(row("snapshot", params=LONG), durable=False)
    is_mended = mended(made)
    assert made.rows() == [kept]
    assert len(made) == 1
    assert "could not be written" in caplog.text
    disk.empty()
    await is_mended.wait()
    assert made.rows() == [waiting, kept]


async def test_while_nothing_can_be_written_no_look_at_the_history_tries_it(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    made = store()
    (kept,) = filled(made, 1)
    disk = FullDisk(made)
    for _ in range(3):
        made.settle(made.begin(row("snapshot", params=LONG), durable=False))
        assert made.rows() == [kept]
    assert caplog.text.count("could not be written") == 1
    disk.empty()
    made.begin(row("click"), durable=True)
    assert [found.command for found in made.rows()] == ["click", "snapshot", "snapshot", "snapshot", "click"]


async def test_a_batch_is_written_in_time_again_after_the_disk_was_full(
    store: Store, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "RETRY_S", 3600)  # it is not this that writes it
    made = store()
    filled(made, 1)
    disk = FullDisk(made)
    made.begin(row("snapshot", params=LONG), durable=False)
    len(made)
    made.begin(row("snapshot"), durable=False)
    disk.empty()
    made.begin(row("click"), durable=True)
    made.begin(row("logs"), durable=False)
    await flushed(made, monkeypatch)
    assert on_disk(file)[-1] == ("logs", "running")


async def test_the_rows_that_wait_for_a_full_disk_are_bounded_and_what_is_lost_is_logged_once(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(history, "MAX_WAITING", 3)
    made = store()
    acting, *_ = filled(made, 2)
    disk = FullDisk(made)
    slow = made.begin(row("evaluate", params=LONG), durable=False)
    assert len(made) == 2
    for _ in range(5):
        read = made.begin(row("snapshot", params=LONG), durable=False)
        read.state = "ok"
        made.settle(read)
    acting.summary = slow.summary = "over"
    slow.state = "ok"
    made.settle(acting)
    made.settle(slow)
    assert len(made._unwritten) == 3 + 1, "the outcome of an action is no new row"
    assert "were lost" not in caplog.text
    disk.empty()
    made.begin(row("click"), durable=True)
    made.begin(row("click"), durable=True)
    assert [(found.id, found.command) for found in made.rows()][2:5] == [
        (8, "snapshot"), (7, "snapshot"), (3, "evaluate"),
    ]  # fmt: skip
    assert made.of([acting.id])[0].summary == "over"
    assert caplog.text.count("3 rows of reads and refused calls were lost") == 1


async def test_that_nothing_can_be_written_is_told_until_it_can_be_again(
    store: Store, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No command need come for that: a person who frees the disk sees it."""
    monkeypatch.setattr(history, "RETRY_S", 0.01)
    made = store()
    filled(made, 1)
    told: list[Trouble | None] = []
    made.trouble_changed.connect(told.append)
    mended = asyncio.Event()
    made.trouble_changed.connect(lambda trouble: mended.set() if trouble is None else None)
    disk = FullDisk(made)
    tries = 0
    try_writing = history_file.try_writing

    def counted(db: sqlite3.Connection) -> None:
        nonlocal tries
        tries += 1
        if tries == 5:
            disk.empty()
        try_writing(db)

    monkeypatch.setattr(history_file, "try_writing", counted)
    for _ in range(3):
        with pytest.raises(KaptureError):
            made.begin(row(params=LONG), durable=True)
    assert told == [made.trouble] == [Trouble("the disk is full", f"free some space on the disk of {file.parent}")]
    await mended.wait()
    assert (told[1:], made.trouble, tries) == ([None], None, 5)
    assert [kept.id for kept in made.rows()] == [1], "what was tried leaves no row"


async def test_a_write_that_succeeds_mends_it_at_once(store: Store) -> None:
    made = store()
    filled(made, 1)
    disk = FullDisk(made)
    with pytest.raises(KaptureError):
        made.begin(row(params=LONG), durable=True)
    disk.empty()
    told: list[Trouble | None] = []
    made.trouble_changed.connect(told.append)
    made.begin(row(), durable=True)
    assert told == [None]


async def test_another_fault_than_a_full_disk_is_told_in_its_words(
    store: Store, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = store()
    made._db.execute("PRAGMA query_only=ON")
    with pytest.raises(KaptureError):
        made.begin(row(), durable=True)
    assert made.trouble is not None
    assert "attempt to write a readonly database" in made.trouble.what
    made._db.execute("PRAGMA query_only=OFF")


async def test_a_history_that_closes_while_the_disk_is_full_tries_no_more(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "RETRY_S", 0.001)
    tried: list[object] = []
    monkeypatch.setattr(history_file, "try_writing", tried.append)
    made = History(file)
    filled(made, 1)
    FullDisk(made)
    with pytest.raises(KaptureError):
        made.begin(row(params=LONG), durable=True)
    made.close()
    loop, over = asyncio.get_running_loop(), asyncio.Event()
    loop.call_later(history.RETRY_S * 3, over.set)
    await over.wait()
    assert tried == []


def test_a_text_that_is_no_unicode_keeps_no_row_from_the_file(store: Store, file: Path) -> None:
    made = store()
    made.begin(row("click", params={"selector": "a\udcffb"}, summary="a \ud800 b"), durable=True)
    made.begin(row("fill"), durable=True)
    assert on_disk(file) == [("click", "running"), ("fill", "running")]
    _, kept = made.rows()
    assert (kept.params, kept.summary) == ({"selector": "a?b"}, "a ? b")
