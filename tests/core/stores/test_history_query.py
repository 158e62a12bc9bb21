"""The search of the history: what each word means, and that SQL and Python mean the same."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kapture_panel.core.stores import history_query
from kapture_panel.core.stores.history import History
from kapture_panel.core.stores.history_query import KEYS, completions, parse, word_at
from kapture_panel.core.stores.history_row import Row
from tests.support.core.fakes import row

NOW = time.mktime((2026, 5, 17, 12, 0, 0, 0, 0, -1))
HOUR = 3600


def found(text: str, *rows: Row) -> list[int]:
    query = parse(text, NOW)
    return [number for number, kept in enumerate(rows) if query.passes(kept)]


ROWS = (
    row("click", client="claude code", site="shop.example", summary="opened the cart", state="ok", at=NOW - 30),
    row(
        "fill", client="codex", site="ÜBER.example", state="error", code="STALE_REF", tab_id="k3x9a", at=NOW - 2 * HOUR
    ),
    row("fill_form", client="you", kind="person", site="other.example", state="ok", at=NOW - 26 * HOUR),
    row("snapshot", client="codex", site="shop.example", state="cancelled", at=NOW - 80 * HOUR),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [0, 1, 2, 3]),
        ("agent:codex", [1, 3]),
        ("AGENT:CODEX status:err", [1]),
        ('agent:"claude code"', [0]),
        ('agent:"claude"', []),
        ("site:über", [1]),
        ("über STALE", [1]),
        ("cmd:fill", [1, 2]),
        ('cmd:"fill"', [1]),
        ("cmd:click cmd:snapshot", [0, 3]),
        ("-cmd:snapshot -cmd:click", [1, 2]),
        ("-cart", [1, 2, 3]),
        ('"the cart"', [0]),
        ('"cart the"', []),
        ("tab:k3x", [1]),
        ("kind:person", [2]),
        ("status:ok status:error shop", [0]),
        ("after:1h", [0]),
        ("after:10:30", [0]),
        ("before:today", [2, 3]),
        ("after:yesterday before:today", [2]),
        ("before:2026-05-15", [3]),
        ("before:2026-05-17T10:30", [1, 2, 3]),
        ("-after:3h", [2, 3]),
        ("agent: status:", [0, 1, 2, 3]),
        ('cart "', [0]),
    ],
)
def test_each_word_finds_what_it_says(text: str, expected: list[int]) -> None:
    assert found(text, *ROWS) == expected
    assert parse(text, NOW).problems == ()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("status:bad", "status: takes ok, error, cancelled, unknown or running, not bad"),
        ("kind:robot", "kind: takes person, terminal or agent, not robot"),
        ("before:25:99", "before:25:99 is not a time; write it like 10:30"),
        ("after:99999d", None),
        ("after:9999999999d", "is not a time"),
        ("agnet:x", "agnet: is not a key here, so it is searched as text; the keys are agent: site:"),
        ('"agnet:x"', None),
        ("https://shop.example", None),
        ("a " * 60, "only the first 50 words"),
    ],
)
def test_a_word_that_cannot_be_meant_so_is_explained(text: str, problem: str | None) -> None:
    problems = parse(text, NOW).problems
    assert (problem in problems[0]) if problem else problems == ()


def test_a_wrong_word_takes_no_other_with_it() -> None:
    assert found("status:bad agent:codex", *ROWS) == [1, 3]


WORDS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        [
            *(f"{key}:" for key in KEYS),
            "agent:",
            "-cmd:fill",
            '"',
            "-",
            "status:e",
            "after:1h",
            "ü",
            "İ",
            "ß",
            "\x00",
            "%",
        ]
    ),
)


@given(st.lists(WORDS, max_size=8).map(" ".join), st.integers(0, 40))
def test_no_text_whatever_raises(text: str, position: int) -> None:
    query = parse(text)
    start, end = word_at(text, position)
    assert 0 <= start <= end
    completions(text, min(position, len(text)), {})
    with sqlite3.connect(":memory:") as db:
        history_query.prepare(db)
        db.execute(
            "CREATE TABLE commands (at REAL, client TEXT, site TEXT, command TEXT, tab_id TEXT, state TEXT, kind TEXT,"
            " code TEXT, summary TEXT, next_step TEXT)"
        )
        condition, arguments = query.where()
        db.execute(f"SELECT 1 FROM commands WHERE {condition}", arguments).fetchall()
    db.close()


PLAIN = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)


@given(
    text=st.lists(st.one_of(PLAIN, st.sampled_from(["cmd:a", "-site:ß", "status:o", "before:1h"])), max_size=4).map(
        " ".join
    ),
    fields=st.fixed_dictionaries(
        {"client": PLAIN, "site": PLAIN, "command": PLAIN, "summary": PLAIN, "next_step": PLAIN}
    ),
)
def test_sql_and_python_find_the_same(text: str, fields: dict[str, str]) -> None:
    db = sqlite3.connect(":memory:")
    history_query.prepare(db)
    kept = row(state="ok", at=time.time(), **fields)
    names = ("at", "client", "site", "command", "tab_id", "state", "kind", "code", "summary", "next_step")
    db.execute(f"CREATE TABLE commands ({', '.join(names)})")
    marks = ", ".join("?" * len(names))
    db.execute(f"INSERT INTO commands VALUES ({marks})", [getattr(kept, name) for name in names])
    query = parse(text, titles={"a": "Ab ß", fields["command"]: "ba"})
    condition, arguments = query.where()
    assert bool(db.execute(f"SELECT 1 FROM commands WHERE {condition}", arguments).fetchall()) == query.passes(kept)
    db.close()


def test_a_history_finds_the_same_and_a_flipped_bit_ends_no_search(tmp_path: Path) -> None:
    made = History(tmp_path / "history.sqlite3")
    for kept in ROWS:
        made.begin(kept, durable=True)
    made._db.execute("UPDATE commands SET summary = CAST(x'ff41' AS TEXT) WHERE command = 'fill'")
    assert [kept.command for kept in made.rows(matching="site:ÜBER a")] == ["fill"]
    made.close()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("st", ["status:"]),
        ("-si", ["-site:"]),
        ("x a", ["agent:", "after:"]),
        ("status:e", ["status:error", "status:cancelled"]),
        ("cmd:lic", ["cmd:click"]),
        ("agent:cla", ['agent:"claude code"']),
        ("", []),
        ("zzz", []),
        ("cmd:click", []),
    ],
)
def test_keys_and_values_are_completed(text: str, expected: list[str]) -> None:
    values = {"cmd": ["click", "fill"], "agent": ["claude code", "codex"]}
    assert completions(text, len(text), values) == expected
