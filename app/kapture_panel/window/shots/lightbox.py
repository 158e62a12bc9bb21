"""One screenshot in its own window, with page coordinates under the cursor."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import ceil
from pathlib import Path

from PySide6.QtCore import QMimeData, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget

from kapture_panel.core.stores.shots import Shot
from kapture_panel.window.shots.entries import ENTRIES
from kapture_panel.window.shots.facts import FactsLabel
from kapture_panel.window.widgets import figures, safe_text
from kapture_panel.window.widgets.buttons import icon_button
from kapture_panel.window.widgets.canvas import Canvas, ZoomArea
from kapture_panel.window.widgets.desktop_opening import open_path
from kapture_panel.window.widgets.entries import bind
from kapture_panel.window.widgets.label import ElidedLabel, Label
from kapture_panel.window.widgets.pictures import Pictures
from kapture_panel.window.widgets.save_dialog import SaveDialog
from kapture_panel.window.widgets.segments import Segments
from kapture_panel.window.widgets.theme import Theme
from kapture_panel.window.widgets.toasts import Toasts

_SHARE_OF_SCREEN = 0.8
_BAR_PX = 40
_MARGIN_PX = 8
#: So much of a name tells pictures apart.
_LEAST_NAME_PX = 60


class Lightbox(QWidget):
    """Not modal; any number may be open.

    Args:
        data: the picture, where it is in no store: then there is nothing to open or to delete.

    `failed` tells why something did not work, `saved` where the picture was saved, both after it was said here.
    `aimed` tells that the person clicked a place of the page (x and y in CSS pixels from its upper left corner,
    wherever it is scrolled to now), `open_asked` and `remove_asked` what is to be done with the screenshot.
    """

    failed = Signal(str)
    saved = Signal(str)
    aimed = Signal(float, float)
    open_asked = Signal()
    remove_asked = Signal()

    def __init__(
        self, shot: Shot, theme: Theme, pictures: Pictures, parent: QWidget, data: bytes | None = None
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._data = data
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._shot = shot
        self._pictures = pictures
        self.setWindowTitle(f"{safe_text.line(shot.name, 80)} – Kapture Panel")
        self.setProperty("kind", "page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._make_picture()
        self._make_zoom()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._bar(theme))
        column.addWidget(self.area, 1)
        bind(ENTRIES["close_picture"], self, self.close)
        self.toasts = Toasts(self, theme)
        self.resize(self._first_size(parent))
        pictures.load(self._source, None, self, self._on_read)

    def _make_picture(self) -> None:
        self.canvas = Canvas()
        self.area = ZoomArea(self.canvas)
        self.area.setProperty("kind", "sunken")
        #: Over the picture's corner: in the head they would keep room free that the name needs.
        self.coordinates = Label(kind="pill", tone="neutral")
        self.coordinates.setParent(self.area)
        self.coordinates.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.coordinates.hide()
        self.canvas.pointed.connect(self._on_pointed)
        self.canvas.clicked.connect(self._on_clicked)
        if self._shot.width:
            self.canvas.setToolTip("Click to put this place into the form; drag to move, turn the wheel to zoom")

    def _make_zoom(self) -> None:
        self.zoom = Segments(("Fit", "100 %"), "Zoom")
        self.zoom.buttons[0].setToolTip("Fit to the window (F)")
        self.zoom.buttons[1].setToolTip("Actual size: one pixel of the picture is one pixel of the screen (0)")
        self.zoom.choose([0])
        self.zoom.picked.connect(self._on_zoom_picked)
        self._percent = Label(kind="small")
        self.area.zoomed.connect(self._on_zoomed)
        bind(ENTRIES["zoom_in"], self, lambda: self.area.step(1))
        bind(ENTRIES["zoom_out"], self, lambda: self.area.step(-1))
        bind(ENTRIES["zoom_whole"], self, lambda: self.area.set_zoom(1.0))
        bind(ENTRIES["zoom_fit"], self, self.area.fit)

    def _bar(self, theme: Theme) -> QWidget:
        """What picture it is, and what can be done with it."""
        shot = self._shot
        self._name = ElidedLabel(kind="strong")
        self._name.show_line(shot.name)
        self._name.setMinimumWidth(min(_LEAST_NAME_PX, self._name.sizeHint().width()))
        sides = f"{shot.width} × {shot.height}" if shot.width else ""
        title = safe_text.line(shot.title, 80)
        said = (sides, figures.size(shot.size_bytes), figures.clock(shot.taken_at), title)
        facts = FactsLabel(list(filter(None, said)))
        holder = QWidget()
        bar = QHBoxLayout(holder)
        bar.setContentsMargins(12, 0, 12, 0)
        bar.setSpacing(10)
        bar.addWidget(self._name)
        bar.addWidget(facts, 1)
        bar.addWidget(self._percent)
        bar.addWidget(self.zoom)
        buttons = QHBoxLayout()
        buttons.setSpacing(2)
        for icon, name, key, act in self._actions():
            buttons.addWidget(icon_button(theme, icon, f"{name} ({ENTRIES[key].shown_keys})", act))
            bind(ENTRIES[key], self, act)
        bar.addLayout(buttons)
        holder.setProperty("kind", "title-bar")
        holder.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        holder.setFixedHeight(_BAR_PX)
        return holder

    def _actions(self) -> list[tuple[str, str, str, Callable[[], object]]]:
        """Icon, words, the entry with the keys, and what is done."""
        always: list[tuple[str, str, str, Callable[[], object]]] = [
            ("mdi6.content-copy", "Copy", "copy_picture", self.copy),
            ("mdi6.content-save-outline", "Save", "save_picture", self.ask_where),
        ]
        if self._data is not None:
            return always
        return [
            *always,
            ("mdi6.open-in-new", "Open in a tab", "open_picture", self.open_asked.emit),
            ("mdi6.trash-can-outline", "Delete", "remove_picture", self.remove_asked.emit),
        ]

    @property
    def shot(self) -> Shot:
        """What is shown."""
        return self._shot

    def page_position(self, pixel: QPointF) -> tuple[float, float]:
        """CSS pixels from the upper left corner of the page for a pixel of the picture."""
        shot = self._shot
        return shot.scroll_x + shot.x + pixel.x() / shot.scale, shot.scroll_y + shot.y + pixel.y() / shot.scale

    @property
    def _source(self) -> Path | bytes:
        return self._shot.path if self._data is None else self._data

    def copy(self) -> None:
        """Put the picture on the clipboard, for most programs as it is stored: making another would take its time."""
        self._pictures.fetch(self._source, self, self._on_fetched)

    def ask_where(self) -> None:
        """Ask for a file and save there."""
        path = self._shot.path
        dialog = SaveDialog(self, "Save screenshot", path.name, path.suffix)
        dialog.fileSelected.connect(self.save)
        dialog.open()

    def save(self, path: str) -> None:
        """Copy the file as it was taken; `saved` or `failed` tells when that is done."""
        self._pictures.save(self._source, Path(path), self, partial(self._on_saved, path))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_coordinates()

    def _on_fetched(self, data: bytes) -> None:
        content = QMimeData()
        content.setImageData(self.canvas.image)
        kind = self._shot.path.suffix.removeprefix(".").replace("jpg", "jpeg")
        if data and kind:
            content.setData(f"image/{kind}", data)
        QApplication.clipboard().setMimeData(content)
        self.toasts.tell("Picture copied", tone="ok")

    def _on_saved(self, path: str, problem: str) -> None:
        if problem:
            self.toasts.tell("Saving failed", problem, "error")
            self.failed.emit(problem)
            return
        way = ("Show in folder", lambda: open_path(Path(path).parent, self.toasts))
        self.toasts.tell("Saved", path, "ok", action=way)
        self.saved.emit(path)

    def _say(self, words: str) -> None:
        self.coordinates.setText(words)
        self.coordinates.setVisible(bool(words))
        self._place_coordinates()

    def _place_coordinates(self) -> None:
        self.coordinates.adjustSize()
        self.coordinates.move(_MARGIN_PX, self.area.height() - self.coordinates.height() - _MARGIN_PX)

    def _on_read(self, image: QImage) -> None:
        if image.isNull():
            self._say("The picture is no longer kept")
            return
        self.canvas.show_image(image)
        self.area.fit()

    def _on_pointed(self, pixel: QPointF | None) -> None:
        if pixel is None:
            self._say("")
        elif self._shot.width:
            x, y = self.page_position(pixel)
            self._say(f"page x {x:.0f}  y {y:.0f}")
        else:
            # A picture from an earlier run: its place in the page is not known any more.
            self._say(f"picture x {pixel.x():.0f}  y {pixel.y():.0f}")

    def _on_clicked(self, pixel: QPointF) -> None:
        if self._shot.width:
            self.aimed.emit(*self.page_position(pixel))

    def _on_zoom_picked(self, number: int) -> None:
        if number == 0:
            self.area.fit()
        else:
            self.area.set_zoom(1.0)

    def _on_zoomed(self, zoom: float) -> None:
        self._percent.setText(f"{zoom * 100:.0f} %")
        self._percent.setHidden(zoom == 1.0)  # the button beside it says so
        self.zoom.choose([0] if self.area.is_fit else [1] if zoom == 1.0 else [])

    def _first_size(self, parent: QWidget) -> QSize:
        room = parent.screen().availableSize() * _SHARE_OF_SCREEN
        ratio = self.devicePixelRatioF()
        # With the frame, or what would be seen pixel by pixel is made a little smaller, and blurred.
        frame = 2 * self.area.frameWidth()
        own = QSize(ceil(self._shot.width / ratio) + frame, ceil(self._shot.height / ratio) + frame + _BAR_PX)
        return own.expandedTo(QSize(640, 420)).boundedTo(room)
