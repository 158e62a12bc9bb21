"""What goes with a denial: why, for the agent, and whether it holds for the session."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.check_box import CheckBox
from kapture_panel.window.widgets.label import Label

_MAX_REASON_CHARS = 300


class AskDenial(QWidget):
    """Hidden until the person wants to say more than no.

    Args:
        for_session: what a denial for the whole session would mean; empty where there is none.
    """

    def __init__(self, for_session: str) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 4, 0)
        column.setSpacing(6)
        self.reason = QLineEdit()
        self.reason.setPlaceholderText("Reason for the agent")
        self.reason.setAccessibleName("Reason for a denial, told to the agent")
        self.reason.setToolTip("The agent is told this reason when you press Deny")
        self.reason.setMaxLength(_MAX_REASON_CHARS)
        column.addWidget(self.reason)
        self.for_session = CheckBox(self)
        self.for_session.setVisible(bool(for_session))
        if for_session:
            row = QHBoxLayout()
            words = Label("Deny for session", kind="small")
            words.setWordWrap(True)
            self.for_session.setAccessibleName(words.text())
            self.for_session.setAccessibleDescription(for_session)
            for widget in (self.for_session, words):
                widget.setToolTip(safe_text.tooltip(f"{words.text()}: {for_session}"))
            row.addWidget(self.for_session)
            row.addWidget(words, 1)
            column.addLayout(row)
        self.hide()
