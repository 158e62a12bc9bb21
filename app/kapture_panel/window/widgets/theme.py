"""Colours, sizes and fonts: the only place of the window that knows any."""

from __future__ import annotations

import json
import weakref
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Literal

import qtawesome
from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QFont, QIcon, QPalette
from PySide6.QtWidgets import QAbstractButton, QApplication, QPushButton, QWidget

from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.basics.settings import Settings

Mode = Literal["system", "light", "dark"]
#: What an icon with words beside it has around it, in all.
ICON_GAP_PX = 4
MODES: tuple[Mode, ...] = ("system", "light", "dark")
_ROLES: dict[QPalette.ColorRole, str] = {
    QPalette.ColorRole.Window: "surface",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Base: "surface",
    QPalette.ColorRole.AlternateBase: "bg",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.PlaceholderText: "text_secondary",
    QPalette.ColorRole.Button: "surface",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.BrightText: "error",
    QPalette.ColorRole.Highlight: "selected",
    QPalette.ColorRole.HighlightedText: "text",
    QPalette.ColorRole.Accent: "accent",
    QPalette.ColorRole.Link: "accent",
    QPalette.ColorRole.LinkVisited: "driving",
    QPalette.ColorRole.ToolTipBase: "surface",
    QPalette.ColorRole.ToolTipText: "text",
    QPalette.ColorRole.Light: "surface",
    QPalette.ColorRole.Midlight: "hover",
    QPalette.ColorRole.Mid: "border",
    QPalette.ColorRole.Dark: "border",
    QPalette.ColorRole.Shadow: "border",
}
_DISABLED = (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText)


class Theme(QObject):
    """The look in force; `changed` is emitted after the application has taken a new one.

    Colours and fonts are there at once, the style sheet from `dress` on: a widget that is put into another one is
    styled again with all it holds, so a window is put together first.

    Args:
        app: gets palette, fonts and style sheet.
        settings: keeps the mode under `theme`.
        folder: holds `tokens.json` and `panel.qss`.
    """

    changed = Signal()

    def __init__(self, app: QApplication, settings: Settings, folder: Path) -> None:
        super().__init__(app)
        self._app = app
        self._settings = settings
        self._tokens: JsonObject = json.loads((folder / "tokens.json").read_text(encoding="utf-8"))
        self._template = (folder / "panel.qss").read_text(encoding="utf-8")
        kept = settings.get("theme", "system")
        self._mode: Mode = kept if kept in MODES else "system"
        self._tinted: weakref.WeakKeyDictionary[QObject, Callable[[], None]] = weakref.WeakKeyDictionary()
        self._is_dressed = False
        self._colors: dict[str, str] = {}
        app.styleHints().colorSchemeChanged.connect(self.on_system_changed)
        self._apply()

    @property
    def mode(self) -> Mode:
        """What the person chose."""
        return self._mode

    @property
    def is_dark(self) -> bool:
        """Whether the dark colours are shown."""
        if self._mode == "system":
            return self._app.styleHints().colorScheme() == Qt.ColorScheme.Dark
        return self._mode == "dark"

    def set_mode(self, mode: Mode) -> None:
        """Choose and keep a mode."""
        if mode != self._mode:
            self._mode = mode
            self._settings.set("theme", mode)
            self._apply()

    def on_system_changed(self) -> None:
        """Follow the system, when that was chosen."""
        if self._mode == "system":
            self._apply()

    def dress(self) -> None:
        """Give the application its style sheet, now and at each change."""
        self._is_dressed = True
        self._app.setStyleSheet(self.style_sheet())

    def release(self) -> None:
        """Stop following the system."""
        self._app.styleHints().colorSchemeChanged.disconnect(self.on_system_changed)

    def color(self, role: str) -> QColor:
        """The colour of a token such as `accent` or `text_secondary`."""
        return QColor(self._colors[role])

    def vivid(self, role: str) -> QColor:
        """The colour of a token as it stands out on grounds that are not ours, such as the desktop's panel."""
        return QColor(self._tokens["dark"][role])

    def px(self, name: str) -> int:
        """A size token in device-independent pixels."""
        return int(self._tokens["size_px"][name])

    def font(self, *, small: bool = False, bold: bool = False) -> QFont:
        """The font of words."""
        font = QFont(self._tokens["font"]["sans"])
        font.setPixelSize(self._tokens["font"]["small_px" if small else "size_px"])
        if bold:
            font.setWeight(QFont.Weight.DemiBold)
        return font

    def mono(self) -> QFont:
        """The font of code, addresses and columns."""
        font = QFont(self._tokens["font"]["mono"])
        font.setStyleHint(QFont.StyleHint.Monospace)
        font.setPixelSize(self._tokens["font"]["mono_px"])
        return font

    def icon(self, name: str, role: str = "text_secondary") -> QIcon:
        """A qtawesome icon in a token's colour; it keeps that colour, see `tint` for one that follows."""
        icon: QIcon = qtawesome.icon(name, color=self._colors[role], color_disabled=self._colors["text_muted"])
        return icon

    def tint(
        self, button: QAbstractButton | QAction, name: str, role: str = "text_secondary", size_px: int = 16
    ) -> None:
        """Give `button` an icon that follows the theme."""
        if isinstance(button, QAbstractButton):
            # Words beside an icon keep off it; the icon stands in the middle of its room.
            has_room = isinstance(button, QPushButton) and button.property("kind") != "chip"
            beside_px = ICON_GAP_PX if has_room else 0
            button.setIconSize(QSize(size_px + beside_px, size_px))
        reference = weakref.ref(button)

        def paint() -> None:
            alive = reference()
            if alive is not None:
                alive.setIcon(self.icon(name, role))

        paint()
        self._tinted[button] = paint
        button.destroyed.connect(partial(self._tinted.pop, button, None))

    def _apply(self) -> None:
        wanted = {
            "system": Qt.ColorScheme.Unknown,
            "light": Qt.ColorScheme.Light,
            "dark": Qt.ColorScheme.Dark,
        }
        # So that window frames and native dialogs follow too, where the platform can.
        if self._app.styleHints().colorScheme() != wanted[self._mode]:
            self._app.styleHints().setColorScheme(wanted[self._mode])
        self._colors = self._tokens["dark" if self.is_dark else "light"]
        # A style sheet in place of another takes three times as long as taking off the one and putting on the other.
        self._app.setStyleSheet("")
        self._app.setPalette(self.palette())
        self._app.setFont(self.font())
        if self._is_dressed:
            self._app.setStyleSheet(self.style_sheet())
        for paint in list(self._tinted.values()):
            paint()
        self.changed.emit()

    def palette(self) -> QPalette:
        """The colours as Qt's roles."""
        palette = QPalette()
        for role, token in _ROLES.items():
            palette.setColor(role, self.color(token))
        for role in _DISABLED:
            palette.setColor(QPalette.ColorGroup.Disabled, role, self.color("text_muted"))
        return palette

    def style_sheet(self) -> str:
        """The template with every `{token}` filled in."""
        sheet = self._template
        font = self._tokens["font"]
        values: dict[str, object] = {
            **self._colors,
            **{f"{name}_px": value for name, value in self._tokens["size_px"].items()},
            **{name: font[name] for name in ("size_px", "small_px", "mono_px")},
            **{name: ", ".join(f'"{family}"' for family in font[name]) for name in ("sans", "mono")},
        }
        for name, value in values.items():
            sheet = sheet.replace("{" + name + "}", str(value))
        return sheet


def mark(widget: QWidget, **properties: object) -> None:
    """Set dynamic properties the style sheet selects by, and have it looked at again."""
    for name, value in properties.items():
        widget.setProperty(name, value)
    # What was never shown gets its style then, with the properties it has by then.
    if widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
        widget.style().unpolish(widget)
        widget.style().polish(widget)
