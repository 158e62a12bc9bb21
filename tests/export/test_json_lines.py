"""Rows as JSON."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from kapture_panel import export
from kapture_panel.core.stores.history_row import Row
from kapture_panel.export import json_lines
from tests.support.core.fakes import CATALOGUE, row

ROWS = [row(id=1, params={"url": "https://ü.example/"}), row("fill", id=2, targets=[{"selector": "#a"}])]


def test_an_array_and_lines_hold_every_field_in_the_order_given() -> None:
    nowhere = Path("nowhere")
    assert msgspec.json.decode(json_lines.array(ROWS, nowhere, CATALOGUE), type=list[Row]) == ROWS
    assert msgspec.json.Decoder(Row).decode_lines(json_lines.lines(ROWS, nowhere, CATALOGUE)) == ROWS


@pytest.mark.parametrize("key", export.FORMATS)
def test_every_format_is_written_for_its_owner_alone(key: str, tmp_path: Path) -> None:
    file = tmp_path / f"out{export.FORMATS[key][1]}"
    export.write(file, key, ROWS, tmp_path, CATALOGUE)
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.read_text(encoding="utf-8").strip()


@pytest.mark.parametrize("key", export.FORMATS)
def test_an_empty_history_makes_an_empty_export(key: str, tmp_path: Path) -> None:
    export.write(tmp_path / "out", key, [], tmp_path, CATALOGUE)
