"""The person's own browsers that may connect, and the way to take one off."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from kapture_panel.core.registry.paired import PairedBrowser
from kapture_panel.window.browsers.browsers_model import BrowsersModel
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.browser_names import called
from kapture_panel.window.widgets.buttons import text_button
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.overlay import CornerOverlay
from kapture_panel.window.widgets.roles import ITEM
from kapture_panel.window.widgets.rows_list import RowsList
from kapture_panel.window.widgets.theme import Theme

_SIZE_PX = QSize(420, 400)
_MAX_NAME_CHARS = 40


class BrowsersView(CornerOverlay):
    """`unpaired` carries the browser, `renamed` also what it is to be called, `add_asked` leads to the guide,
    `places_asked` to other machines."""

    renamed = Signal(object, str)
    unpaired = Signal(object)
    add_asked = Signal()
    places_asked = Signal()

    def __init__(self, host: QWidget, model: BrowsersModel, theme: Theme) -> None:
        super().__init__(host, "Your browsers", _SIZE_PX)
        self._model = model
        head = self.head("Your browsers", theme)
        #: The one whose name is in the field.
        self._named: PairedBrowser | None = None
        self.list = RowsList(model, theme, "Paired browsers")
        self.list.selectionModel().currentChanged.connect(self._show)
        model.modelReset.connect(self._on_reset)
        self.nothing = Label("None of your own browsers is paired.", kind="secondary")
        self.add = text_button(theme, "mdi6.plus", "Add a browser", self._on_add)
        self.places = text_button(theme, "mdi6.server-network", "Add a remote place", self._on_places)
        self.unpair = text_button(theme, "mdi6.link-off", "Unpair", self._on_unpair)
        self.name = QLineEdit()
        self.name.setMaxLength(_MAX_NAME_CHARS)
        self.name.editingFinished.connect(self._on_named)
        self._name_label = Label("Your name for it", kind="secondary")
        self._name_label.setBuddy(self.name)
        naming = QHBoxLayout()
        naming.addWidget(self._name_label)
        naming.addWidget(self.name, 1)
        self.question = Label(kind="secondary")
        self.question.setWordWrap(True)
        self.yes = QPushButton("Unpair it")
        self.yes.clicked.connect(self._on_yes)
        self.no = QPushButton("Keep it")
        self.no.clicked.connect(self._ask_nothing)
        self.yes.setProperty("kind", "danger")
        # The question with its buttons is one block; where it stands is else the way to it.
        about = QHBoxLayout()
        about.addStretch(1)
        for button in (self.unpair, self.no, self.yes):
            about.addWidget(button)
        adding = QHBoxLayout()
        adding.setSpacing(8)
        adding.addWidget(self.add)
        adding.addWidget(self.places)
        adding.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 10, 10, 10)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.nothing)
        column.addWidget(self.list, 1)
        column.addLayout(naming)
        column.addWidget(self.question)
        column.addLayout(about)
        column.addLayout(adding)

    @property
    def current(self) -> PairedBrowser | None:
        """The chosen browser."""
        found: PairedBrowser | None = self.list.currentIndex().data(ITEM)
        return found

    def first(self) -> QWidget:
        """The list, or without one the way to the first browser."""
        return self.list if self._model.rowCount() else self.add

    def open(self) -> None:
        """Show them as they are now."""
        if self.isHidden():
            self._model.refresh()
            self._on_reset()
        super().open()

    def _on_reset(self) -> None:
        if not self.list.currentIndex().isValid():
            install = self._named.install if self._named is not None else ""
            self.list.setCurrentIndex(self._model.index(self._model.row_of(install)))
        self._show()

    def _show(self) -> None:
        """What belongs to the chosen browser; what is typed as its name stays when a browser comes or goes."""
        browser = self.current
        for part in (self._name_label, self.name):
            part.setVisible(browser is not None)
        if browser is not None and self._named is not browser:
            self.name.setText(browser.name)
            self.name.setPlaceholderText(safe_text.line(browser.browser, 60))
            self.name.setAccessibleName(f"Your name for {safe_text.line(browser.browser, 60)}")
        self._named = browser
        has_rows = self._model.rowCount() > 0
        self.nothing.setVisible(not has_rows)
        self.list.setVisible(has_rows)
        self._ask_nothing()

    def _ask_nothing(self) -> None:
        is_chosen = self.current is not None
        for part, is_shown in ((self.question, False), (self.yes, False), (self.no, False), (self.unpair, is_chosen)):
            had_focus = part.hasFocus()
            part.setVisible(is_shown)
            if had_focus and not is_shown and self.isVisible():
                self.first().setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_named(self) -> None:
        name = self.name.text().strip()
        if self._named is not None and name != self._named.name:
            self.renamed.emit(self._named, name)

    def _on_unpair(self) -> None:
        if self.current is None:
            return
        name = called(self.current)
        self.question.setText(
            f"Unpair {name}? It can then no longer connect, and its tabs are disconnected, until you pair it again."
        )
        for part in (self.question, self.yes, self.no):
            part.show()
        self.no.setFocus(Qt.FocusReason.OtherFocusReason)
        self.unpair.hide()

    def _on_yes(self) -> None:
        if self.current is not None:
            self.unpaired.emit(self.current)

    def _on_add(self) -> None:
        self.dismiss()
        self.add_asked.emit()

    def _on_places(self) -> None:
        self.dismiss()
        self.places_asked.emit()
