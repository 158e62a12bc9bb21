"""How a person wants the columns of a table: how wide, which ones, and sorted by which; kept in the settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kapture_panel.core.basics.settings import Settings

_MOST_PX = 4000


class ColumnChoices:
    """Columns are numbers here and names in the settings, so that a new column changes no choice.

    Args:
        settings: keep the choices.
        name: under this name.
        columns: the names of all columns.
        usual_order: the column rows are sorted by, and whether downwards, until one is chosen.
    """

    def __init__(self, settings: Settings, name: str, columns: Sequence[str], usual_order: tuple[int, bool]) -> None:
        self._settings, self._name, self._columns = settings, name, columns
        self._usual_order = usual_order
        #: What is seen never, and what is seen before others where there is little room.
        self.hidden: set[int] = set()
        self.shown: set[int] = set()
        self.widths: dict[int, int] = {}
        self.order = usual_order
        self._take(settings.get(name))

    def hide(self, column: int, is_hidden: bool) -> None:
        """Show a column no more, or again."""
        (self.hidden.add if is_hidden else self.hidden.discard)(column)
        (self.shown.discard if is_hidden else self.shown.add)(column)
        self._keep()

    def set_width(self, column: int, px: int) -> None:
        """Make a column so wide."""
        self.widths[column] = px
        self._keep()

    def set_order(self, column: int, is_descending: bool) -> None:
        """Sort by a column."""
        self.order = (column, is_descending)
        self._keep()

    def forget(self) -> None:
        """Go back to the usual widths, columns and order."""
        self.hidden.clear()
        self.shown.clear()
        self.widths.clear()
        self.order = self._usual_order
        self._keep()

    def _keep(self) -> None:
        names, (column, is_descending) = self._columns, self.order
        self._settings.set(
            self._name,
            {
                "hidden": [names[one] for one in sorted(self.hidden)],
                "shown": [names[one] for one in sorted(self.shown)],
                "widths": {names[one]: width for one, width in sorted(self.widths.items())},
                "order": [names[column], is_descending],
            },
        )

    def _take(self, kept: Any) -> None:
        """Take what was kept; what is not a choice of these columns is left out."""
        if not isinstance(kept, dict):
            return
        number = {name: at for at, name in enumerate(self._columns)}
        widths, order = kept.get("widths"), kept.get("order")
        for key, taken in (("hidden", self.hidden), ("shown", self.shown)):
            names = kept.get(key)
            if isinstance(names, list):
                taken |= {number[name] for name in names if isinstance(name, str) and name in number}
        if isinstance(widths, dict):
            self.widths = {
                number[name]: px
                for name, px in widths.items()
                if name in number and type(px) is int and 0 < px <= _MOST_PX
            }
        match order:
            case [str(name), bool(is_descending)] if name in number:
                self.order = (number[name], is_descending)
