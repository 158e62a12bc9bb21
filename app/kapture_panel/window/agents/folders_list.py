"""The folders whose files agents may read without a question."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from kapture_panel.core.gates.policy import Policy
from kapture_panel.window.widgets import rows, safe_text
from kapture_panel.window.widgets.buttons import icon_button
from kapture_panel.window.widgets.label import ElidedLabel, Label
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.theme import Theme

_ROW_PX = 26
#: More folders than these scroll.
_MOST_ROWS = 3


class FoldersList(QWidget):
    """A line for each, with what takes it away; those of the command line stay until the panel is started without.

    Args:
        do: does what may fail, and says why it did; whether it was done.
    """

    def __init__(
        self, policy: Policy, do: Callable[[Callable[[], None]], bool], subscriptions: Subscriptions, theme: Theme
    ) -> None:
        super().__init__()
        self._policy, self._do, self._theme = policy, do, theme
        inside = QWidget()
        inside.setProperty("kind", "page")
        self._rows = QVBoxLayout(inside)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(0)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setWidget(inside)
        self.add = QPushButton("Allow a folder …")
        self.add.setToolTip("Let agents read the files of a folder without a question")
        self.add.clicked.connect(lambda: self.ask())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self._area)
        # Screenshots and downloads of the panel itself may be read in any case, so it says whose.
        self.nothing = Label("No folder of yours yet")
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self.nothing)
        line.addWidget(self.add)
        line.addStretch(1)
        column.addLayout(line)
        subscriptions.connect(policy.rules.changed, self.fill)
        self.fill()

    def fill(self) -> None:
        """Show the folders that are open now."""
        had_focus = rows.has_focus(self)
        rows.take_out(self._rows)
        for folder in self._policy.allow_dirs:
            self._rows.addWidget(self._row(folder, is_kept=False))
        for folder in self._policy.rules.folders:
            self._rows.addWidget(self._row(folder, is_kept=True))
        count = self._rows.count()
        self.nothing.setVisible(not count)
        self._area.setVisible(count > 0)
        self._area.setFixedHeight(min(count, _MOST_ROWS) * _ROW_PX + 2)
        if had_focus:
            self.add.setFocus(Qt.FocusReason.OtherFocusReason)

    def ask(self) -> QFileDialog:
        """Let the person choose a folder to open."""
        dialog = QFileDialog(self, "Let agents read the files of which folder?")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.setDirectory(str(Path.home()))
        dialog.fileSelected.connect(self._on_chosen)
        dialog.open()
        return dialog

    def _row(self, folder: Path, *, is_kept: bool) -> QWidget:
        row = QWidget()
        row.setFixedHeight(_ROW_PX)
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(6)
        words = ElidedLabel(elide=Qt.TextElideMode.ElideMiddle)  # the last part is the folder
        shown = safe_text.line(str(folder), 400)
        words.show_line(shown if is_kept else f"{shown} (from the command line)")
        line.addWidget(words, 1)
        if is_kept:
            close = icon_button(self._theme, "mdi6.close", f"Close {shown}", lambda: self._close(folder))
            line.addWidget(close)
        return row

    def _on_chosen(self, path: str) -> None:
        """The folder it really is, which a link that changes later does not move."""
        self._do(lambda: self._policy.rules.set_folders([*self._policy.rules.folders, Path(path).resolve(strict=True)]))

    def _close(self, folder: Path) -> None:
        others = [other for other in self._policy.rules.folders if other != folder]
        self._do(lambda: self._policy.rules.set_folders(others))
