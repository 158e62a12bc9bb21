"""A list in a popup, as high as its rows while there is room for them."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QSize, Qt
from PySide6.QtWidgets import QListView

from kapture_panel.window.widgets.row_delegate import RowDelegate
from kapture_panel.window.widgets.theme import Theme

_LEAST_ROWS = 2


class RowsList(QListView):
    """Rows of two lines, see `RowDelegate`.

    Args:
        most_rows: more than these scroll, whatever room there is.
    """

    def __init__(self, model: QAbstractItemModel, theme: Theme, name: str, most_rows: int = 1000) -> None:
        super().__init__()
        self._most_rows = most_rows
        self.setModel(model)
        self.setItemDelegate(RowDelegate(theme, self))
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(name)
        for changed in (model.rowsInserted, model.rowsRemoved, model.modelReset):
            changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._rows_px(min(self._most_rows, self.model().rowCount())))

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self._rows_px(min(_LEAST_ROWS, self.model().rowCount())))

    def _rows_px(self, rows: int) -> int:
        return rows * max(0, self.sizeHintForRow(0)) + 2 * (self.frameWidth() + 1)
