"""Item roles every model and delegate of the window agrees on."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt

#: What an index may come as.
Index = QModelIndex | QPersistentModelIndex

#: The store's own object behind a row.
ITEM = int(Qt.ItemDataRole.UserRole) + 1
#: Name of the theme colour a cell is written in.
TONE = int(Qt.ItemDataRole.UserRole) + 2
#: Second line of a two-line row.
DETAIL = int(Qt.ItemDataRole.UserRole) + 3
#: `(text, tone)` of the pill at a row's right, or None.
PILL = int(Qt.ItemDataRole.UserRole) + 4
#: What stands at the right end of the second line and is never cut, or None.
ASIDE = int(Qt.ItemDataRole.UserRole) + 5
#: What stands above the first row of a group, or None.
HEADING = int(Qt.ItemDataRole.UserRole) + 6
#: The beginning of the second line that ASIDE gives way to, or nothing.
UNCUT = int(Qt.ItemDataRole.UserRole) + 7
