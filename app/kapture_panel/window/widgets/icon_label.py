"""An icon among words."""

from __future__ import annotations

from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.theme import Theme


class IconLabel(Label):
    """Decoration, in a colour that follows the theme: what it shows is said beside it."""

    def __init__(self, theme: Theme, icon: str, role: str = "text_secondary", size_px: int = 18) -> None:
        super().__init__()
        self._theme, self._icon, self._role, self._size_px = theme, icon, role, size_px
        self.setFixedSize(size_px, size_px)
        theme.changed.connect(self._draw)
        self._draw()

    def _draw(self) -> None:
        self.setPixmap(self._theme.icon(self._icon, self._role).pixmap(self._size_px, self._size_px))
