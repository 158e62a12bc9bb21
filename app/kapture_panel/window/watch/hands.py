"""The person's mouse, keys, input method and clipboard, given to the page they have stepped into."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer
from PySide6.QtGui import (
    QGuiApplication,
    QInputMethodEvent,
    QKeyEvent,
    QMouseEvent,
    QWheelEvent,
)

from kapture_panel.core.wire.watching import Composition, Input, KeyInput, MouseInput, TextInput
from kapture_panel.window.watch.page_view import PageView
from kapture_panel.window.widgets.entries import pastes

#: A mouse that moves is told of this often.
MOVE_MS = 16
#: What a wheel tells for one notch, and so far a page scrolls for it.
_NOTCH = 120
_NOTCH_PX = 100.0
Button = Literal["none", "left", "middle", "right", "back", "forward"]
_BUTTONS: dict[Qt.MouseButton, tuple[Button, int]] = {
    Qt.MouseButton.LeftButton: ("left", 1),
    Qt.MouseButton.RightButton: ("right", 2),
    Qt.MouseButton.MiddleButton: ("middle", 4),
    Qt.MouseButton.BackButton: ("back", 8),
    Qt.MouseButton.ForwardButton: ("forward", 16),
}
_MODIFIERS = {
    Qt.KeyboardModifier.AltModifier: 1,
    Qt.KeyboardModifier.ControlModifier: 2,
    Qt.KeyboardModifier.MetaModifier: 4,
    Qt.KeyboardModifier.ShiftModifier: 8,
}
_ALT_CONTROL = 1 | 2
_KEYS = {
    Qt.Key.Key_Return: "Enter", Qt.Key.Key_Enter: "Enter", Qt.Key.Key_Tab: "Tab", Qt.Key.Key_Backtab: "Tab",
    Qt.Key.Key_Backspace: "Backspace", Qt.Key.Key_Delete: "Delete", Qt.Key.Key_Escape: "Escape",
    Qt.Key.Key_Insert: "Insert", Qt.Key.Key_Home: "Home", Qt.Key.Key_End: "End", Qt.Key.Key_PageUp: "PageUp",
    Qt.Key.Key_PageDown: "PageDown", Qt.Key.Key_Left: "ArrowLeft", Qt.Key.Key_Up: "ArrowUp",
    Qt.Key.Key_Right: "ArrowRight", Qt.Key.Key_Down: "ArrowDown", Qt.Key.Key_Menu: "ContextMenu",
    Qt.Key.Key_CapsLock: "CapsLock", Qt.Key.Key_Alt: "Alt", Qt.Key.Key_Control: "Control", Qt.Key.Key_Meta: "Meta",
    Qt.Key.Key_Shift: "Shift",
    **{Qt.Key(Qt.Key.Key_F1.value + number): f"F{number + 1}" for number in range(12)},
}  # fmt: skip
_NAMED = {key.value: name for key, name in _KEYS.items()}


class Hands(QObject):
    """Stands between a page view and its events as long as it is `on`.

    Args:
        page: what the person sees of the page.
        give: takes what they do, in order.
        kept: whether a key stays the window's own, such as the one that gives the tab back.
    """

    def __init__(self, page: PageView, give: Callable[[Input], object], kept: Callable[[QKeyEvent], bool]) -> None:
        super().__init__(page)
        self._page = page
        self._give = give
        self._kept = kept
        self._is_on = False
        self._count = 0
        self._pressed_at = QPointF()
        self._pressed_ms = 0
        self._move: MouseInput | None = None
        self._moving = QTimer(self, singleShot=True, interval=MOVE_MS)
        self._moving.timeout.connect(self._flush)
        page.installEventFilter(self)

    @property
    def is_on(self) -> bool:
        """Whether what the person does goes to the page."""
        return self._is_on

    def turn(self, is_on: bool) -> None:
        """Begin, with the focus on the page, or end."""
        self._is_on = is_on
        self._move = None
        self._page.setMouseTracking(is_on)
        self._page.setFocusPolicy(Qt.FocusPolicy.StrongFocus if is_on else Qt.FocusPolicy.NoFocus)
        self._page.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, is_on)
        if is_on:
            self._page.setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Take what is the page's."""
        if not self._is_on:
            return False
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if not self._kept(event):
                event.accept()  # no shortcut of the window's
            return False
        if isinstance(event, QKeyEvent):
            return self._on_key(event)
        if isinstance(event, QWheelEvent):
            return self._on_wheel(event)
        if isinstance(event, QInputMethodEvent):
            return self._on_input_method(event)
        if isinstance(event, QMouseEvent):
            return self._on_mouse(event)
        return False

    def _on_mouse(self, event: QMouseEvent) -> bool:
        at = self._page.in_page(event.position())
        button, _bit = _BUTTONS.get(event.button(), ("none", 0))
        buttons = sum(bit for one, (_name, bit) in _BUTTONS.items() if event.buttons() & one)
        told = MouseInput(
            act="move", x=at.x(), y=at.y(), button=button, buttons=buttons, modifiers=_mask(event.modifiers())
        )
        if event.type() == QEvent.Type.MouseMove:
            told.button = next((name for name, bit in _BUTTONS.values() if buttons & bit), "none")
            self._move = told
            if not self._moving.isActive():
                self._moving.start()
            return True
        self._flush()
        if event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick):
            if not self._page.holds(event.position()):
                return True
            self._page.setFocus(Qt.FocusReason.MouseFocusReason)
            told.act, told.count = "down", self._counted(event)
            self._give(told)
        elif event.type() == QEvent.Type.MouseButtonRelease:
            told.act, told.count = "up", max(self._count, 1)
            self._give(told)
        return True

    def _counted(self, event: QMouseEvent) -> int:
        """Which press in a row at the same place this is."""
        hints = QGuiApplication.styleHints()
        is_near = (event.position() - self._pressed_at).manhattanLength() <= hints.mouseDoubleClickDistance()
        is_soon = event.timestamp() - self._pressed_ms <= hints.mouseDoubleClickInterval()
        is_second = event.type() == QEvent.Type.MouseButtonDblClick
        self._count = 2 if is_second else self._count + 1 if is_near and is_soon and self._count else 1
        self._pressed_at, self._pressed_ms = event.position(), event.timestamp()
        return self._count

    def _flush(self) -> None:
        self._moving.stop()
        move, self._move = self._move, None
        if move is not None and self._is_on:
            self._give(move)

    def _on_wheel(self, event: QWheelEvent) -> bool:
        self._flush()
        at, by = self._page.in_page(event.position()), QPointF(event.pixelDelta())
        if by.isNull():
            by = QPointF(event.angleDelta()) * (_NOTCH_PX / _NOTCH)
        self._give(
            MouseInput(
                act="wheel", x=at.x(), y=at.y(), deltaX=-by.x(), deltaY=-by.y(), modifiers=_mask(event.modifiers())
            )
        )
        return True

    def _on_key(self, event: QKeyEvent) -> bool:
        is_down = event.type() == QEvent.Type.KeyPress
        if self._kept(event):
            return False
        self._flush()
        if is_down and pastes(event):
            self._give(TextInput(text=QGuiApplication.clipboard().text(), pasted=True))
            return True
        name, modifiers = _key(event)
        if name:
            self._give(KeyInput(key=name, down=is_down, modifiers=modifiers, repeat=event.isAutoRepeat()))
        return True

    def _on_input_method(self, event: QInputMethodEvent) -> bool:
        if event.commitString():
            self._give(TextInput(text=event.commitString()))
        else:
            text = event.preeditString()
            self._give(Composition(text=text, start=len(text), end=len(text)))
        event.accept()
        return True


def _mask(modifiers: Qt.KeyboardModifier) -> int:
    mask = sum(bit for one, bit in _MODIFIERS.items() if modifiers & one)
    if sys.platform == "darwin":  # Qt calls Command Control there
        mask = mask & ~6 | (4 if mask & 2 else 0) | (2 if mask & 4 else 0)
    return mask


def _key(event: QKeyEvent) -> tuple[str, int]:
    """What a key is called, and the modifiers that are held with it; empty for one that has no name."""
    modifiers = _mask(event.modifiers())
    if name := _NAMED.get(event.key()):
        return name, modifiers
    text = event.text()
    if text and text.isprintable():
        # AltGr makes signs of its own, and is not a Control.
        return text, modifiers & ~_ALT_CONTROL if modifiers & _ALT_CONTROL == _ALT_CONTROL else modifiers
    return (chr(event.key()).lower(), modifiers) if 32 <= event.key() < 127 else ("", modifiers)
