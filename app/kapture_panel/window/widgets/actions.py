"""The table of what the window can do: menus, toolbar, tray, palette and the sheet of shortcuts all read it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from kapture_panel.core.stores.forgetting import Kind

#: The docks by their object names, in the order of reading.
DOCKS = {
    "tabs": "Tabs",
    "screenshots": "Screenshots",
    "agents": "Agents",
    "console": "Console",
    "history": "History",
}


#: What of the past can be forgotten, as History's menu says it and as it is said without that.
FORGET: dict[Kind, tuple[str, str]] = {
    "hour": ("The last hour …", "the last hour"),
    "tab": ("This tab …", "this tab"),
    "agent": ("This agent …", "this agent"),
    "site": ("This site …", "this site"),
    "everything": ("Everything …", "everything"),
}


@dataclass(frozen=True)
class Entry:
    """One thing to do.

    `words` stand in menus, `full` where the menu around them is missing; the first of `keys` is the one that is
    shown. `places` names the menus it stands in: menu, view, theme, tray. `part` names the one part of the window
    its keys work in: there `bind` gives them to that part's widget. Such an entry is an action of the window, without
    keys, where it can be done from elsewhere too.
    """

    name: str
    words: str
    group: str
    icon: str = ""
    keys: tuple[str, ...] = ()
    places: frozenset[str] = frozenset()
    full: str = ""
    part: str = ""

    @property
    def also(self) -> str:
        """Other words a person may look for it by."""
        return _ALSO.get(self.name, "")

    @property
    def shown_keys(self) -> str:
        """The first shortcut as the system writes it; empty without one."""
        return QKeySequence(self.keys[0]).toString(QKeySequence.SequenceFormat.NativeText) if self.keys else ""

    @property
    def title(self) -> str:
        """The words that need nothing around them."""
        return self.full or self.words


_MENU, _TRAY, _BOTH = frozenset({"menu"}), frozenset({"tray"}), frozenset({"menu", "tray"})
_VIEW, _THEME = frozenset({"view"}), frozenset({"theme"})

ENTRIES: tuple[Entry, ...] = (
    Entry("show_panel", "Show panel", "Panel", "mdi6.dock-window", places=_TRAY),
    Entry("palette", "Find a command, tab or action", "Panel", "mdi6.magnify", ("Ctrl+K",), _MENU),
    Entry("shortcuts", "Keyboard shortcuts", "Panel", "mdi6.keyboard-outline", ("F1",), _MENU),
    Entry("notices", "Notices", "Panel", "mdi6.bell-outline", ("F8",), _MENU),
    Entry("doctor", "Doctor", "Panel", "mdi6.stethoscope", ("F9",), _MENU, full="Doctor: check every connection"),
    Entry("welcome", "Getting started", "Panel", "mdi6.flag-outline", places=_MENU),
    Entry("pause", "Pause agents", "Agents", "mdi6.pause", ("Ctrl+.",), _BOTH, full="Pause or resume agents"),
    Entry("start_browser", "Start browser", "Browser", "mdi6.plus", ("Ctrl+B",), _BOTH),
    Entry("close_browser", "Close browser", "Browser", "mdi6.close-circle-outline", places=_MENU),
    Entry("own_browser", "Use your own browser …", "Browser", "mdi6.web", places=_MENU, full="Use your own browser"),
    Entry("browsers", "Your browsers", "Browser", "mdi6.monitor-multiple", ("F7",), _MENU),
    Entry("shoot", "Screenshot current tab", "Browser", "mdi6.camera-outline", places=_TRAY),
    Entry("add_agent", "Add to your agent …", "Agents", "mdi6.plus", places=_MENU, full="Add to your agent"),
    Entry("policy", "What agents may do", "Agents", "mdi6.shield-check-outline", ("F6",), _MENU),
    Entry("copy_config", "Copy MCP config", "Agents", "mdi6.content-copy", places=_BOTH),
    Entry("toggle_json", "Parameters as form or JSON", "Command", "mdi6.code-json", ("Ctrl+J",)),
    Entry("install_desktop", "Add to the launcher", "Panel", "mdi6.application-import", places=_MENU),
    Entry("export_history", "Export history …", "History", "mdi6.export-variant", places=_MENU, full="Export history"),
    Entry("clear_console", "Clear console", "Console", "mdi6.trash-can-outline", places=_MENU),
    Entry("clear_network", "Clear requests", "Console", "mdi6.trash-can-outline", places=_MENU),
    Entry("theme_system", "Follow the system", "Look", "mdi6.theme-light-dark", (), _THEME, "Look: follow the system"),
    Entry("theme_light", "Light", "Look", "mdi6.white-balance-sunny", places=_THEME, full="Look: light"),
    Entry("theme_dark", "Dark", "Look", "mdi6.weather-night", places=_THEME, full="Look: dark"),
    *(
        Entry(f"dock_{name}", title, "View", "mdi6.eye-outline", places=_VIEW, full=f"Show or hide {title.lower()}")
        for name, title in DOCKS.items()
    ),
    *(
        Entry(f"float_{name}", f"Float or dock {title.lower()}", "View", "mdi6.dock-window")
        for name, title in DOCKS.items()
    ),
    Entry("reset_layout", "Reset layout", "View", "mdi6.view-dashboard-outline", places=_VIEW),
    *(
        Entry(f"go_{name}", f"Go to {name}", "Go to", "mdi6.arrow-right-thin", (f"Ctrl+{number}",))
        for number, name in enumerate(("tabs", "commands", "screenshots", "agents", "console", "history", "network"), 1)
    ),
    Entry("quit", "Quit", "Panel", "mdi6.power", ("Ctrl+Q",), _BOTH, full="Quit Kapture Panel"),
    Entry("pick", "Pick the target in the page", "Command", "mdi6.crosshairs"),
    Entry("save_template", "Save as a template …", "Command", "mdi6.star-plus-outline", full="Save as a template"),
    Entry("copy_as", "Copy call or answer …", "Command", "mdi6.content-copy", full="Copy call or answer"),
    Entry("save_console", "Save console lines …", "Console", "mdi6.content-save-outline", full="Save console lines"),
    Entry("record_pictures", "Record pictures", "History", "mdi6.record-circle-outline"),
    Entry("record_typed", "Keep what is typed", "History", "mdi6.form-textbox"),
    *(
        Entry(f"forget_{kind}", words, "History", "mdi6.eraser", full=f"Forget {what}")
        for kind, (words, what) in FORGET.items()
    ),
    Entry("run", "Run the command", "Command", "mdi6.play", keys=("Ctrl+Enter", "Ctrl+Return"), part="command"),
    Entry("cancel", "Cancel the running command", "Command", "mdi6.stop", keys=("Escape",), part="command"),
    Entry("search_result", "Search in the result", "Command", "mdi6.magnify", ("Ctrl+F",), part="command"),
    Entry("next_place", "Next place that was found", "Command", keys=("Return", "Enter"), part="search"),
    Entry("previous_place", "Place before", "Command", keys=("Shift+Return", "Shift+Enter"), part="search"),
    Entry("close_search", "Close the search", "Command", keys=("Escape",), part="search"),
    Entry("copy_value", "Copy the chosen value of a tree", "Command", keys=("Ctrl+C",), part="tree"),
    Entry("open_chosen", "Open what is chosen", "Finder", keys=("Enter", "Return"), part="palette"),
    Entry("run_chosen", "Run the chosen command at once", "Finder", keys=("Ctrl+Enter", "Ctrl+Return"), part="palette"),
    Entry("close_overlay", "Close finder, shortcuts or another sheet", "Finder", keys=("Escape",), part="overlay"),
    Entry("copy_lines", "Copy the chosen lines", "Console", "mdi6.content-copy", ("Ctrl+C",), part="console"),
    Entry("open_line", "Open a line of several rows", "Console", keys=("Right",), part="console"),
    Entry("close_line", "Close a line of several rows", "Console", keys=("Left",), part="console"),
    Entry("close_request", "Close the details of a request", "Console", keys=("Escape",), part="network"),
    Entry("run_again", "Run the chosen row again", "History", "mdi6.replay", ("Enter", "Return"), part="history"),
    Entry("close_row", "Close the details of a row", "History", keys=("Escape",), part="history"),
    Entry("delete_shot", "Delete the chosen screenshot", "Screenshots", keys=("Del",), part="screenshots"),
    Entry("zoom_in", "Zoom in", "Screenshots", keys=("+", "="), part="lightbox"),
    Entry("zoom_out", "Zoom out", "Screenshots", keys=("-",), part="lightbox"),
    Entry("zoom_fit", "Show all of it", "Screenshots", keys=("F",), part="lightbox"),
    Entry("zoom_whole", "One pixel as one of the screen", "Screenshots", keys=("0",), part="lightbox"),
    Entry("copy_picture", "Copy the picture", "Screenshots", keys=("Ctrl+C",), part="lightbox"),
    Entry("save_picture", "Save the picture", "Screenshots", keys=("Ctrl+S",), part="lightbox"),
    Entry("open_picture", "Open it in a tab", "Screenshots", keys=("Ctrl+O",), part="lightbox"),
    Entry("remove_picture", "Delete it", "Screenshots", keys=("Del",), part="lightbox"),
    Entry("close_picture", "Close it", "Screenshots", keys=("Escape",), part="lightbox"),
)  # fmt: skip
#: What the palette finds them by, too.
_ALSO = {
    "quit": "stop exit end close leave shut down",
    "cancel": "stop abort end interrupt",
    "pause": "stop hold halt brake freeze resume go on",
    "close_browser": "stop quit exit end shut down disconnect",
    "browsers": "disconnect unpair remove paired",
    "policy": "rules permissions trust careful read-only allow block settings",
    "own_browser": "connect pair chrome edge brave",
    "start_browser": "open launch chrome",
    "go_agents": "disconnect agent stop show out",
    "shoot": "picture photo image save page",
    "save_template": "keep store preset",
    "save_console": "export download log file",
    "export_history": "save download file recording script",
    "record_pictures": "save screenshots flight recorder",
    "record_typed": "text values passwords recording privacy",
    **{f"forget_{kind}": "delete clear remove history erase privacy" for kind in FORGET},
    "doctor": "check test connection problem help",
    "shortcuts": "keys help keyboard",
    "notices": "messages notifications log",
    "add_agent": "install connect mcp client claude cursor vscode codex gemini zed windsurf",
    "welcome": "first page start help agents clients install",
    "install_desktop": "install start menu desktop icon",
    "clear_console": "empty delete log",
    "clear_network": "empty delete network",
    "theme_system": "theme colors auto",
    "theme_light": "theme colors white day",
    "theme_dark": "theme colors black night",
    "reset_layout": "restore docks default view",
    "toggle_json": "edit parameters raw",
}
_BY_NAME = {entry.name: entry for entry in ENTRIES}


def entry(name: str) -> Entry:
    """The entry called `name`; a name that is none is a defect (KeyError)."""
    return _BY_NAME[name]


def sequences(one: Entry) -> list[QKeySequence]:
    """The keys of an entry."""
    return [QKeySequence(keys) for keys in one.keys]


def bind(
    name: str,
    widget: QWidget,
    deed: Callable[[], object],
    context: Qt.ShortcutContext = Qt.ShortcutContext.WidgetWithChildrenShortcut,
) -> None:
    """Have the keys of the entry `name` do `deed` in `widget`, and in what it holds unless `context` says less."""
    for keys in sequences(entry(name)):
        shortcut = QShortcut(keys, widget)
        shortcut.setContext(context)
        shortcut.activated.connect(deed)
