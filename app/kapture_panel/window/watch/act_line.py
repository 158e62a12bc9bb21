"""One line: who does what in the tab, and what came of it."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from kapture_panel.window.watch.acts import Act
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.buttons import icon_button, text_button
from kapture_panel.window.widgets.label import ElidedLabel, Label
from kapture_panel.window.widgets.theme import Theme

_POINT = "Point at a place (Ctrl+press), with a note to the agent"
_NOTHING = "Nothing was done here yet."


class ActLine(QWidget):
    """Stands under the page; its height is always the same, so that nothing jumps. `video`, `point` and
    `step` are what the person can do there themselves."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("kind", "title-bar")
        self.setFixedHeight(theme.px("dock_title"))
        self.who = Label(kind="pill", tone="driving")
        self.what = ElidedLabel(kind="secondary")
        self.what.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.outcome = Label(kind="pill", tone="neutral")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(10, 0, 8, 0)
        self._row.setSpacing(8)
        self._row.addWidget(self.who)
        self._row.addWidget(self.what, 1)
        self._row.addWidget(self.outcome)
        self.point = icon_button(theme, "mdi6.comment-arrow-left-outline", _POINT)
        self.step = text_button(theme, "mdi6.gesture-tap", "Step in")
        self.step.setToolTip(safe_text.tooltip("Work in the page yourself. Agents cannot act in this tab meanwhile."))
        self.video = icon_button(theme, "mdi6.video-outline", "Record this tab as a video")
        self._row.addWidget(self.video)
        self._row.addWidget(self.point)
        self._row.addWidget(self.step)
        self.act: Act | None = None
        self.show_act(None)

    def show_act(self, act: Act | None) -> None:
        """Tell what is done, or was done last; None for nothing."""
        self.act = act
        self.who.setVisible(act is not None)
        self.outcome.setVisible(act is not None and act.outcome != "")
        self.what.show_line(act.what if act is not None else _NOTHING)
        if act is not None:
            self.who.setText(act.who)
            self.who.set_tone("driving" if act.row.state == "running" else "neutral")
            self.outcome.setText(act.outcome)
            self.outcome.set_tone(act.tone)
            self.outcome.setToolTip(safe_text.tooltip(act.why))
