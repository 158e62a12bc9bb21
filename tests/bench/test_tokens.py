"""The table of `make bench-tokens`, its record and its exit code; what it measures needs a browser and `make`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.tokens_pages import PAGES
from tests.bench.tokens_record import RECORD, Record, Row, finish, steady

ROWS = [Row("click-test", 3, 190), Row("enter-text", 4, 220)]


@pytest.fixture
def record(tmp_path: Path) -> Record:
    path = tmp_path / "tokens.json"
    path.write_text('{"click-test": [3, 184], "enter-text": [5, 220]}', encoding="utf-8")
    return Record(path)


def lines(printed: str) -> dict[str, list[str]]:
    """The words after the name of each line of the table."""
    return {words[0]: words[1:] for line in printed.splitlines() if (words := line.split())}


def test_each_job_and_the_sum_stand_beside_what_was_recorded(
    record: Record, capsys: pytest.CaptureFixture[str]
) -> None:
    assert finish(ROWS, record, renew=False) == 0
    found = lines(capsys.readouterr().out)
    assert found["click-test"] == ["3", "3", "190", "184", "+6"]
    assert found["enter-text"] == ["4", "5", "220", "220", "="]
    assert found["sum"] == ["7", "8", "410", "404", "+6"]


def test_a_job_that_was_never_recorded_has_nothing_beside_it(
    record: Record, capsys: pytest.CaptureFixture[str]
) -> None:
    assert finish([*ROWS, Row("click-link", 3, 100)], record, renew=False) == 0
    found = lines(capsys.readouterr().out)
    assert found["click-link"] == ["3", "–", "100", "–", "–"]
    assert found["sum"] == ["10", "–", "510", "–", "–"]


def test_a_job_that_is_not_done_is_named_and_fails_the_run_and_nothing_is_recorded(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert finish([ROWS[0], Row("enter-text", 2, 99, "the page's reward is -1")], record, renew=True) == 1
    printed = capsys.readouterr().out
    assert "not done: enter-text: the page's reward is -1" in printed
    assert "1 of 2 jobs are not done, nothing recorded" in printed
    assert lines(printed)["sum"] == ["5", "–", "289", "–", "–"]
    assert Record(tmp_path / "tokens.json").of("click-test") == Row("click-test", 3, 184)


def test_what_is_recorded_is_what_the_next_run_is_put_beside(tmp_path: Path) -> None:
    assert finish(ROWS, Record(tmp_path / "new.json"), renew=True) == 0
    assert [Record(tmp_path / "new.json").of(row.page) for row in ROWS] == ROWS


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            '{"found":"<main>","waited":9}',
            '{"found":"<main>","waited":12,"lateEffects":{"consoleErrors":["a } \\" b"]}}',
        ),
        ('{"effects":{"changed":true}}', '{"effects":{"consoleErrors":["HTTP 500"],"requests":12,"changed":true}}'),
        ('{"effects":{"changed":true}}', '{"effects":{"changed":true,"requests":3}}'),
        ('{"clicked":"<a>","x":1}', '{"clicked":"<a>","waitedMs":249,"x":1}'),
        ("# Page\n- text: a", '# Page\n- text: a\nlateEffects: {"consoleErrors": ["b"]}'),
        ('{"untrusted":"http://127.0.0.1:4000"}', '{"untrusted":"http://127.0.0.1:51234"}'),
        ("Saved as /data/shots/1.png", "Saved as /var/tmp/abc/shots/1.png"),
    ],
)
def test_what_differs_from_run_to_run_counts_the_same(first: str, second: str) -> None:
    assert steady(first, Path("/var/tmp/abc")) == steady(second, Path("/var/tmp/abc"))


def test_what_is_answered_counts() -> None:
    assert steady('{"effects":{"changed":true}}', Path("/x")) == '{"effects":{"changed":true}}'
    assert steady("- text: consoleErrors", Path("/x")) == "- text: consoleErrors"


def test_forty_pages_are_done_and_each_was_recorded() -> None:
    record = Record(RECORD)
    assert len(PAGES) == 40
    assert [page for page in PAGES if record.of(page) is None] == []
