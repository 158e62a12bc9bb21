"""The order of the history's rows: newest first, unless the person sorts by a column."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from kapture_panel.core.stores.history_row import Row

#: What rows are compared by: the text of a cell, a number, or the id.
Key = str | float


@dataclass(frozen=True)
class _Falling:
    """A rank that stands the other way round."""

    rank: tuple[Key, int]

    def __lt__(self, other: _Falling) -> bool:
        return other.rank < self.rank


class Order:
    """Rows by the key of a column, those with the same key by age.

    Args:
        column: the column a person sorts by.
        key_of: what a row is compared by there; None when its id says it.
    """

    def __init__(self, column: int, key_of: Callable[[Row], Key] | None, *, is_descending: bool) -> None:
        self.column = column
        self.is_descending = is_descending
        self.key_of = key_of
        self._keys: dict[int, Key] = {}

    @property
    def is_newest_first(self) -> bool:
        """Whether it is the order in which rows come."""
        return self.key_of is None and self.is_descending

    def note(self, row: Row) -> None:
        """Keep the key of a row."""
        if self.key_of is not None:
            self._keys[row.id] = self.key_of(row)

    def is_moved(self, row: Row) -> bool:
        """Whether a row that was noted belongs to another place now."""
        return self.key_of is not None and self._keys.get(row.id) != self.key_of(row)

    def rank(self, row_id: int) -> Any:
        """What a noted row is compared by: the smallest one stands first."""
        if self.key_of is None:
            return -row_id if self.is_descending else row_id
        rank = (self._keys[row_id], row_id)
        return _Falling(rank) if self.is_descending else rank

    def knows(self, row_id: int) -> bool:
        """Whether a row has a rank."""
        return self.key_of is None or row_id in self._keys

    def sorted(self, row_ids: Iterable[int]) -> list[int]:
        """Noted rows in this order."""
        if self.key_of is None:
            return sorted(row_ids, reverse=self.is_descending)
        return sorted(row_ids, key=lambda row_id: (self._keys[row_id], row_id), reverse=self.is_descending)
