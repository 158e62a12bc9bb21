"""A row in the file and back."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from tests.support.core.fakes import row
from tests.support.core.history_store import Store, filled


def test_a_row_keeps_every_field(store: Store) -> None:
    made = store()
    kept = row(
        "fill", params={"value": {"redacted": 5}, "ref": "e1"}, state="error", code="STALE_REF", summary="gône ‽",
        ms=1.25, effects={"requests": [1]}, shot="a.png", tab_id="", url="",
        targets=[{"selector": "#a", "name": "Bÿ"}],
    )  # fmt: skip
    made.begin(kept, durable=True)
    assert made.rows() == [kept]


def test_a_row_with_damaged_fields_hides_no_other(store: Store, file: Path) -> None:
    made = store()
    filled(made, 3)
    with contextlib.closing(sqlite3.connect(file)) as other:
        other.execute(
            "UPDATE commands SET params = '{\"a', effects = '[1]', targets = '[{\"role\": 1}]',"
            " url = CAST(x'ff41' AS TEXT) WHERE id = 2"
        )
        other.commit()
    assert [kept.params for kept in made.rows()] == [{}, {"damaged": '{"a'}, {}]
    assert made.rows()[1].url == "\ufffdA"
    assert made.rows()[1].effects == {"damaged": "[1]"}
    assert made.rows()[1].targets == []
