"""Use your own browser: load the extension, pair, connect a tab; each step ticks itself off when it happens."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QPushButton, QScrollArea, QVBoxLayout, QWidget

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.paired import InstalledBrowser, PairedBrowser, PairedBrowsers
from kapture_panel.core.registry.pairing import PairingDesk, PairingRequest
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.window.browsers.browser_setup import BrowserSetup
from kapture_panel.window.widgets.buttons import text_button
from kapture_panel.window.widgets.combo_box import ComboBox
from kapture_panel.window.widgets.flow_layout import FlowLayout
from kapture_panel.window.widgets.icon_label import IconLabel
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.step_card import StepCard
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.theme import Theme

_WIDTH_PX = 680
_FALLBACK = "chrome://extensions"
_COMPARE = (
    "The extension opens a page with a code, and the panel shows a card with a code. If both codes match, press Yes on "
    "the page and on the card."
)
_AGAIN = {
    "expired": "The code has expired. Press “Try again” on the browser's page for a new one.",
    "refused": "You said No. Press “Try again” on the browser's page to ask once more.",
    "withdrawn": "The browser's page was closed. Press Kapture's icon in that browser and “Pair with Kapture Panel”.",
}


class BrowserSetupView(QScrollArea):
    """Takes the whole window until the person goes on (`left`).

    `copied` carries what to put into the clipboard and what it is; `folder_asked` a folder to open; `failed` why
    something could not be done.
    """

    left = Signal()
    copied = Signal(str, str)
    folder_asked = Signal(object)
    failed = Signal(str)

    def __init__(
        self,
        own: BrowserSetup,
        desk: PairingDesk,
        paired: PairedBrowsers,
        tabs: Tabs,
        subscriptions: Subscriptions,
        theme: Theme,
    ) -> None:
        super().__init__()
        self._own = own
        self._paired = paired
        self._browsers: list[InstalledBrowser] = []
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("Use your own browser")
        self._make_load_step(theme)
        self.pair = StepCard(
            2, "Pair it with this panel", _COMPARE, "It stays paired until you unpair it, here or in that browser."
        )
        self.connect_tab = StepCard(
            3,
            "Connect a tab",
            "In that browser open a web page, press Kapture's icon beside the address, then “Connect this tab”. "
            "Agents see no other tab.",
            "A tab is connected.",
        )
        self.connect_tab.add(_where_the_icon_is(theme), 1)
        self.back = QPushButton("Go to the panel")
        self.back.clicked.connect(self.left.emit)
        self._lay_out()
        subscriptions.connect(desk.asked, self._on_asked)
        subscriptions.connect(desk.settled, self._on_settled)
        subscriptions.connect(paired.added, self._on_paired)
        subscriptions.connect(tabs.added, self._on_tab)

    def _make_load_step(self, theme: Theme) -> None:
        """Which browser, its page of extensions, and the folder to choose there."""
        self.load = StepCard(
            1,
            "Load the extension",
            "Open the browser and paste the copied address into its address bar: no program may open that page for "
            "you. On that page switch on “Developer mode”, press “Load unpacked” and choose the folder below.",
            "The extension is loaded.",
        )
        self.choice = ComboBox()
        self.choice.setAccessibleName("Browser")
        self.choice.view().setAccessibleName("Browsers on this computer")
        self.choice.currentIndexChanged.connect(lambda _row: self._show_choice())
        self.open_button = text_button(theme, "mdi6.open-in-new", "Open and copy the address", self._on_open)
        self.open_button.setProperty("kind", "primary")
        theme.tint(self.open_button, "mdi6.open-in-new", "on_accent")
        self.address_button = text_button(theme, "mdi6.content-copy", "Copy the address", self._copy_address)
        self.folder = QLineEdit()
        self.folder.setReadOnly(True)
        self.folder.setAccessibleName("Folder of the extension")
        self.folder_button = text_button(theme, "mdi6.content-copy", "Copy folder", self._copy_folder)
        self.show_button = text_button(theme, "mdi6.folder-open-outline", "Open folder", self._on_show_folder)
        self.load.add(_row(self.choice, self.open_button, self.address_button), 1)
        self.load.add(_row(self.folder, self.folder_button, self.show_button), 1)

    def begin(self) -> None:
        """Have the extension in its folder, and look which browsers there are."""
        self._browsers = self._own.installed()
        self.choice.clear()
        self.choice.addItems([browser.name for browser in self._browsers])
        self.choice.setVisible(bool(self._browsers))
        self.open_button.setVisible(bool(self._browsers))
        self._show_choice()
        try:
            folder = str(self._own.place_extension())
        except KaptureError as error:
            self.failed.emit(error.message)
            folder = ""
        self.folder.setText(folder)
        for button in (self.folder_button, self.show_button):
            button.setEnabled(bool(folder))

    @property
    def address(self) -> str:
        """Of the page where the chosen browser loads extensions."""
        row = self.choice.currentIndex()
        return self._browsers[row].extensions if 0 <= row < len(self._browsers) else _FALLBACK

    def _show_choice(self) -> None:
        words = f"Open {self.choice.currentText()} and copy the address"
        self.open_button.setText(words)
        self.open_button.setAccessibleName(words)
        self.address_button.setText(f"Copy {self.address}")
        self.address_button.setAccessibleName(f"Copy the address {self.address}")

    def _copy_address(self) -> None:
        self.copied.emit(self.address, f"Copied {self.address}")

    def _copy_folder(self) -> None:
        self.copied.emit(self.folder.text(), "Folder copied")

    def _on_open(self) -> None:
        browser = self._browsers[self.choice.currentIndex()]
        self._copy_address()
        try:
            self._own.open_window(browser)
        except KaptureError as error:
            self.failed.emit(error.message)

    def _on_show_folder(self) -> None:
        self.folder_asked.emit(Path(self.folder.text()))

    def _on_asked(self, _request: PairingRequest) -> None:
        self.load.tick()
        if not self.pair.is_done:
            self.pair.how.setText(_COMPARE)

    def _on_settled(self, request: PairingRequest) -> None:
        if not self.pair.is_done and request.state in _AGAIN:
            self.pair.how.setText(_AGAIN[request.state])

    def _on_paired(self, _browser: PairedBrowser) -> None:
        self.load.tick()
        self.pair.tick()

    def _on_tab(self, tab: Tab) -> None:
        if self._paired.find(tab.install) is not None:
            self.connect_tab.tick()

    def _lay_out(self) -> None:
        body = QWidget()
        body.setMaximumWidth(_WIDTH_PX)
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(Label("Use your own browser", kind="headline"))
        hint = Label(
            "Agents use your log-ins, but only in the tabs you connect. For Chrome, Chromium, Edge and Brave.",
            kind="secondary",
        )
        hint.setWordWrap(True)
        column.addWidget(hint)
        for step in (self.load, self.pair, self.connect_tab):
            column.addWidget(step)
        column.addWidget(self.back, 0, Qt.AlignmentFlag.AlignLeft)
        page = QWidget()
        page.setProperty("kind", "page")
        outer = QHBoxLayout(page)
        outer.setContentsMargins(32, 32, 32, 24)
        outer.addStretch(1)
        outer.addWidget(body, 100, Qt.AlignmentFlag.AlignTop)
        outer.addStretch(1)
        self.setWidget(page)


def _where_the_icon_is(theme: Theme) -> QWidget:
    """Browsers keep new icons behind a puzzle piece until they are pinned."""
    steps = (
        ("mdi6.puzzle-outline", "The puzzle piece beside the address lists extensions;"),
        ("mdi6.pin-outline", "the pin keeps Kapture's icon in sight."),
    )
    hint = QWidget()
    flow = FlowLayout(6, 4)
    for icon, words in steps:
        flow.addWidget(IconLabel(theme, icon))
        flow.addWidget(Label(words, kind="secondary"))
    hint.setLayout(flow)
    return hint


def _row(first: QWidget, *more: QWidget) -> QWidget:
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(8)
    row.addWidget(first, 1 if isinstance(first, QLineEdit) else 0)
    for widget in more:
        row.addWidget(widget)
    if not isinstance(first, QLineEdit):
        row.addStretch(1)
    return made
