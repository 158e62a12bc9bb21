"""Rows that are too old, or more than are kept, go while the panel runs."""

from __future__ import annotations

import asyncio
import time

import pytest

from kapture_panel.core.stores import history, history_file
from tests.support.core.fakes import row
from tests.support.core.history_store import Store, filled


def test_what_is_too_old_goes_while_the_panel_runs(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    made, now = store(), time.time()
    gone: list[tuple[list[int], list[str]]] = []
    made.removed.connect(lambda ids, names: gone.append((ids, names)))
    made.begin(row(at=now - history_file.MAX_AGE_S - 60, before="1.jpg", after="2.jpg"), durable=True)
    made.begin(row(at=now, before="2.jpg", after="3.jpg"), durable=True)
    made.trim()
    assert gone == [([1], ["1.jpg"])], "a picture that another row names stays"
    assert made.pictures() == {"2.jpg", "3.jpg"}
    filled(made, 3, at=now)
    monkeypatch.setattr(history_file, "MAX_ROWS", 3)
    made.trim()
    assert gone[1:] == [([2], ["2.jpg", "3.jpg"])]
    made.trim()
    assert len(gone) == 2
    assert [kept.id for kept in made.rows()] == [5, 4, 3]


async def test_more_rows_than_are_kept_go_a_few_at_a_time(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once an hour would hold up the window: 130 ms for 30,000."""
    monkeypatch.setattr(history_file, "MAX_ROWS", 20)
    monkeypatch.setattr(history, "TRIMMED_ROWS", 5)
    made = store()
    gone: list[list[int]] = []
    made.removed.connect(lambda ids, _names: gone.append(ids))
    for _ in range(40):
        before = len(gone)
        made.begin(row("click"), durable=True)
        assert len(made.rows()) == len(made)
        assert len(gone) == before, "not while rows are asked for"
        await asyncio.sleep(0)
    assert max(map(len, gone)) <= 5
    assert [row_id for ids in gone for row_id in ids] == list(range(1, 41 - len(made)))
    assert 20 <= len(made) < 25


async def test_closing_takes_no_rows_away(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Who listens may be closed by then."""
    monkeypatch.setattr(history_file, "MAX_ROWS", 1)
    monkeypatch.setattr(history, "TRIMMED_ROWS", 3)
    made, later = store(), store()
    for one, is_durable in ((made, True), (later, False)):
        one.removed.connect(lambda ids, _names: pytest.fail(f"{ids} went"))
        for _ in range(5):
            one.begin(row("logs"), durable=is_durable)
        one.close()
    await asyncio.sleep(0)
    assert caplog.records == []
    assert len(store()) == 1
