"""What every field of a form is."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QApplication, QSizePolicy, QVBoxLayout, QWidget

from kapture_panel.core.basics.free_json import Params
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.theme import Theme, mark

_WITHOUT_NUMBER = {"code", "text"}


class Field(QWidget):
    """Edits one parameter, or several that go together.

    A field that nobody touched reads as nothing, so that the command's default applies.

    Args:
        names: the parameters it edits.
        title: what a person reads beside it.
        is_required: whether the command fails without it.
    """

    edited = Signal()
    #: Whether the field takes the whole width of the form.
    is_wide = True
    #: Whether it takes the room of the labels, too, and stands below its own.
    is_whole = False

    def __init__(self, names: tuple[str, ...], title: str, *, is_required: bool = False) -> None:
        super().__init__()
        self.names = names
        self.title = title
        self.is_required = is_required
        if not self.is_wide:
            self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._note = Label(kind="small")
        self._error = Label(kind="error")
        for label in (self._note, self._error):
            label.setWordWrap(True)
            label.hide()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)
        self._column.addWidget(self._note)
        self._column.addWidget(self._error)
        self.edited.connect(lambda: self.show_error(""))
        self.edited.connect(lambda: self._say_why(""))

    def read(self) -> Params:
        """The parameters as they stand, those left alone missing."""
        raise NotImplementedError

    def write(self, params: Params) -> None:
        """Show the field's part of `params`; what is missing is shown as left alone."""
        raise NotImplementedError

    @property
    def is_set(self) -> bool:
        """Whether it holds a value of the person's."""
        return bool(self.read())

    @property
    def asks(self) -> str:
        """The sentence that asks for a value: "Enter a name"."""
        words = self.title if self.title.isupper() else self.title[0].lower() + self.title[1:]
        if words.endswith("s") or words in _WITHOUT_NUMBER:
            return f"Enter the {words}"
        return f"Enter {'an' if words[0] in 'aeiou' else 'a'} {words}"

    @property
    def targets(self) -> list[Field]:
        """The fields in it that name a place in the page."""
        return []

    def wear(self, theme: Theme) -> None:
        """Take the icons and colours of a theme."""

    def set_narrow(self, is_narrow: bool) -> None:
        """Make do with less width, or take the usual one."""

    def propose(self, value: str) -> None:
        """Offer a value where nobody gave one."""

    def open_empty(self, chars: int) -> None:
        """Ask for a value again that was not kept, which had `chars` characters."""
        self.write({})

    def open_emptied(self, value: Any) -> None:
        """Ask again for the parts of `value` that were not kept, each `{"redacted": length}`."""
        self.write({})

    def show_error(self, message: str) -> None:
        """Say under the field what is wrong with it; empty when nothing is."""
        self._error.setText(safe_text.line(message))
        self._error.setVisible(bool(message))
        for widget in self._marked():
            if bool(widget.property("invalid")) != bool(message):
                mark(widget, invalid=bool(message))

    def event(self, event: QEvent) -> bool:
        # What is typed would disappear under a tooltip that stays.
        if event.type() == QEvent.Type.ToolTip:
            focused = QApplication.focusWidget()
            if focused is not None and self.isAncestorOf(focused):
                event.accept()
                return True
        return super().event(event)

    @property
    def error(self) -> str:
        """What is said under the field."""
        return self._error.text()

    def _hold(self, widget: QWidget, name: str = "") -> None:
        """Take `widget` in above the message, under the field's name."""
        if not widget.accessibleName():
            widget.setAccessibleName(name or self.title)
        self._column.insertWidget(self._column.count() - 2, widget)
        self.setFocusProxy(widget)

    def _say_why(self, words: str = "Typed values are not kept, for your privacy.") -> None:
        """Say under the field why it asks again, until it is edited."""
        self._note.setText(words)
        self._note.setVisible(bool(words))

    def _marked(self) -> list[QWidget]:
        """The widgets that turn red with an error."""
        return []
