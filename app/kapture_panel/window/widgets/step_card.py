"""One step on the way in: a number that becomes a tick, a title, what to do."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.theme import mark


class StepCard(QFrame):
    """`tick` shows that the step is done.

    Args:
        done: what is said then.
    """

    def __init__(self, number: int, title: str, how: str, done: str) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._title = title
        self._done = done
        self.is_done = False
        self.badge = Label(str(number), kind="step")
        self.badge.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.badge.setFixedSize(22, 22)
        self.how = Label(how, kind="secondary")
        self.how.setWordWrap(True)
        self._head = head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.badge)
        head.addWidget(Label(title, kind="strong"), 1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(16, 14, 16, 16)
        self._column.setSpacing(10)
        self._column.addLayout(head)
        self._column.addWidget(self.how)
        self.setAccessibleName(f"Step {number}: {title}")

    def add(self, widget: QWidget, stretch: int = 0) -> None:
        """Put a widget under what to do."""
        self._column.addWidget(widget, stretch, Qt.AlignmentFlag.AlignLeft if not stretch else Qt.AlignmentFlag(0))

    def add_beside(self, widget: QWidget) -> None:
        """Put a widget at the right of the title."""
        self._head.addWidget(widget)

    def finish(self) -> None:
        """Leave what is over of the height below."""
        self._column.addStretch(1)

    def tick(self, said: str = "") -> None:
        """The step is done; `said` is what is said of it instead of the usual."""
        words = said or self._done
        if not self.is_done:
            self.is_done = True
            self.badge.setText("✓")
            mark(self.badge, tone="ok")
        self.how.setText(words)
        self.setAccessibleName(f"{self._title}: done. {words}")
