"""Rows as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kapture_panel import export
from kapture_panel.core.stores.history_row import Row
from kapture_panel.export import json_lines
from tests.support.core.fakes import row

ROWS = [row(id=1, params={"url": "https://ü.example/"}), row("fill", id=2, targets=[{"selector": "#a"}])]


def test_an_array_and_lines_hold_every_field_in_the_order_given() -> None:
    nowhere = Path("nowhere")
    assert [Row(**one) for one in json.loads(json_lines.array(ROWS, nowhere))] == ROWS
    assert [Row(**json.loads(line)) for line in json_lines.lines(ROWS, nowhere).splitlines()] == ROWS


@pytest.mark.parametrize("key", export.FORMATS)
def test_every_format_is_written_for_its_owner_alone(key: str, tmp_path: Path) -> None:
    file = tmp_path / f"out{export.FORMATS[key][1]}"
    export.write(file, key, ROWS, tmp_path)
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.read_text(encoding="utf-8").strip()


@pytest.mark.parametrize("key", export.FORMATS)
def test_an_empty_history_makes_an_empty_export(key: str, tmp_path: Path) -> None:
    export.write(tmp_path / "out", key, [], tmp_path)
