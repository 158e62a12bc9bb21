"""What the window offers to its rooms: the one thing of it they know."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from PySide6.QtWidgets import QMainWindow, QToolButton, QWidget

from kapture_panel.core.answer import Answer
from kapture_panel.core.basics.free_json import Params
from kapture_panel.window.widgets.actions import Actions
from kapture_panel.window.widgets.background import Background
from kapture_panel.window.widgets.dock import TitleBar
from kapture_panel.window.widgets.pictures import Pictures
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.theme import Theme
from kapture_panel.window.widgets.toasts import Toasts

#: Runs a command as the person, or looks by one: its name and its parameters; raises KaptureError.
RunCommand = Callable[[str, Params], Coroutine[Any, Any, Answer]]


@dataclass(frozen=True, eq=False)
class Call:
    """What calls a person who looks elsewhere: `title` is ours, `words` may be of a page or an agent; `deny` refuses
    it from where it is told."""

    title: str
    words: str
    deny: Callable[[], object] | None = None


@dataclass(frozen=True, eq=False)
class Way:
    """One way to look at the middle of the window: `words` are on the switch that stands in its title bar; Tab goes
    through `parts` in this order."""

    words: str
    view: QWidget
    title_bar: TitleBar
    parts: Sequence[QWidget]


class Shell(Protocol):
    """Each room puts its parts into the window by it when it is made.

    `host` is the window, over which sheets and cards lie; `subscriptions` end with it.
    """

    host: QMainWindow
    theme: Theme
    subscriptions: Subscriptions
    pictures: Pictures
    toasts: Toasts
    background: Background
    actions: Actions

    def add_dock(
        self, name: str, title: str, content: QWidget, title_bar: TitleBar, *, comes_by_itself: bool = False
    ) -> None:
        """Put `content` into a dock: its place is kept under `name`, and it is shown, hidden and floated as `title`.

        Args:
            comes_by_itself: it is in sight from `bring` to `send_away`, whatever else fills the window.
        """

    def bring(self, name: str, height_px: int) -> None:
        """Show a dock that comes by itself, without the focus, with `height_px` for its content where there is room."""

    def send_away(self, name: str) -> None:
        """Hide it again."""

    def set_middle(self, way: Way, on_return: Callable[[], object]) -> None:
        """Let a view stand in the middle of the window.

        Args:
            way: the first way to look at the middle.
            on_return: called when a page that filled the window is left for it.
        """

    def add_ways(self, ways: Sequence[Way]) -> None:
        """Offer more ways to look at the middle, all at once; the person's last choice is taken."""

    def next_way(self) -> None:
        """Look at the middle in the next way."""

    def show_way(self, part: QWidget) -> None:
        """Look at the middle in the way that holds `part`, if one does; a page that fills the window is left."""

    def add_page(self, page: QWidget) -> None:
        """Have `page` ready to fill the whole window."""

    def show_page(self, page: QWidget, first: QWidget) -> None:
        """Let a page fill the window, and give `first` the focus unless the page is there already."""

    def leave_page(self) -> None:
        """Go back from a page to the middle, the docks as they were."""

    def add_card(self, card: QWidget) -> None:
        """Let Tab go to what lies over the window before it goes through that, to the one added last first."""

    def order_tabs(self) -> None:
        """Make the order of Tab again, because widgets came or went."""

    def add_status_button(self, entry_name: str, words: str, tip: str) -> QToolButton:
        """A button at the right of the status line that does the action `entry_name`."""

    def go_to(self, name: str, part: QWidget) -> None:
        """Give `part` the focus, in sight; `name` is its dock's if it is in one."""

    def reveal(self, name: str) -> None:
        """Show a dock."""

    def raise_window(self) -> None:
        """Bring the window in front because the person asked for it."""

    def draw_attention(self, call: Call) -> None:
        """Tell a person who looks elsewhere that they are asked something."""

    def drop_attention(self, call: Call) -> None:
        """Take that back: it is settled."""

    def notify(self, title: str, words: str) -> None:
        """Have the desktop tell something that the hidden window cannot."""

    def copy(self, text: str, said: str) -> None:
        """Put `text` into the clipboard and say so."""

    def at_end(self, end: Callable[[], object]) -> None:
        """Call `end` when the window lets go of everything."""
