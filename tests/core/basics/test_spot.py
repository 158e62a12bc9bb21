"""Where something is wrong, as editors count."""

from __future__ import annotations

import pytest

from kapture_panel.core.basics.spot import Unreadable


@pytest.mark.parametrize(
    ("position", "place"), [(0, (1, 1)), (2, (1, 3)), (3, (2, 1)), (5, (2, 3)), (7, (3, 1)), (8, (4, 1))]
)
def test_lines_and_columns_count_from_one(position: int, place: tuple[int, int]) -> None:
    spot = Unreadable.at("wrong", "ab\ncd\r\n\n", position)
    assert (spot.line, spot.column) == place
    assert spot.reason == "wrong"
