"""Where the keyboard is while the panel acts in a page."""

from __future__ import annotations

import os
from typing import ClassVar

from PySide6.QtWidgets import QPushButton
from Xlib import X
from Xlib.display import Display

from kapture_panel.window.command.forms.match_edit import MatchEdit
from tests.support.e2e import way
from tests.support.e2e.way import Way

TYPED = "and on"


class KeysWay(Way):
    """What the person does, and what is to be seen after each step."""

    steps: ClassVar = [
        "start_browser",
        "run_click",
        "type_on",
        "press_enter",
        "choose_by_click",
        "pick",
        "show_browser",
        "quit",
    ]

    async def start_browser(self) -> None:
        window, person = self.window, self.person
        await person.sees("the first page", lambda: window.rooms.welcome.view.isVisible() and window.isVisible())
        window.raise_window()
        await person.presses("Enter")  # the button that starts one has the focus
        await person.sees("a tab", lambda: window.rooms.tabs.current is not None)
        tab = window.rooms.tabs.current
        assert tab is not None
        await person.asks_in_the_terminal("navigate", f"tabId={tab.tab_id}", f"url={self.site}/checkout")
        await self.page("globalThis.presses = 0; addEventListener('click', () => presses += 1, true)")
        window.raise_window()
        await person.sees("the window", window.isActiveWindow)
        window.shell.leave_page()

    async def run_click(self) -> None:
        window, person = self.window, self.person
        await person.presses("Ctrl+K")
        await person.sees("the palette", lambda: window.rooms.finder.view.edit.hasFocus())
        await person.types("click")
        await person.presses("Enter")
        await person.sees("the form", lambda: window.rooms.command.view.command.short_name == "click")
        await person.types("#gift")
        for times in (1, 2, 3):
            before = self.next_row
            await person.presses("Ctrl+Enter")
            await self._is_run("the run", before)
            assert await self.page("presses") == times

    async def type_on(self) -> None:
        """What is typed at once after a run is typed where the person is."""
        window, person = self.window, self.person
        form = window.rooms.command.view.params.form
        assert form is not None
        before = self.next_row
        await person.presses("Ctrl+Enter")
        person.types_blindly(TYPED)
        await self._is_run("the run", before)
        await person.sees("what was typed", lambda: form.read().get("selector") == f"#gift{TYPED}")
        assert window.isActiveWindow()
        assert self._is_on_top(), "the browser lies over the panel"

    async def press_enter(self) -> None:
        """An Enter runs once more, and does not press what the page has the focus on."""
        window, person = self.window, self.person
        form = window.rooms.command.view.params.form
        assert form is not None
        assert form.target is not None
        form.target.write({"selector": "#gift"})
        presses, before = await self.page("presses"), self.next_row
        await person.presses("Ctrl+Enter")
        await self._is_run("the run", before)
        before = self.next_row
        person.types_blindly("\n")
        await self._is_run("the second run", before)
        assert await self.page("presses") == presses + 2

    async def choose_by_click(self) -> None:
        """What is typed after a click on a command, and on another kind of target, goes into the form."""
        window, person = self.window, self.person
        await person.clicks(window.rooms.command.view.list.filter)
        await person.types("fill")
        await person.sees("what it found", lambda: window.rooms.command.view.list.filter.text() == "fill")
        view = window.rooms.command.view.list.list
        rows = [view.model().index(row, 0) for row in range(view.model().rowCount())]
        await person.clicks_row(view, next(row for row in rows if row.data() == "Fill a field"))
        await person.sees("the form", lambda: window.rooms.command.view.command.short_name == "fill")
        form = window.rooms.command.view.params.form
        assert form is not None
        await person.types("#full")
        await person.sees("what was typed", lambda: form.read().get("selector") == "#full")
        ref = next(one for one in form.findChildren(QPushButton) if one.text() == "ref")
        await person.clicks(ref)
        await person.types("e5")
        await person.sees("what was typed", lambda: form.read().get("ref") == "e5")

    async def pick(self) -> None:
        """The page comes in front, and after the choice the panel; the next field that is needed has the keyboard."""
        window, person = self.window, self.person
        form = window.rooms.command.view.params.form
        assert form is not None
        assert form.target is not None
        middle = await self.page(
            "(() => { document.querySelector('#full-name').scrollIntoView({ block: 'center' });"
            " const box = document.querySelector('#full-name').getBoundingClientRect();"
            " return [screenX + (outerWidth - innerWidth) / 2 + box.x + box.width / 2,"
            " screenY + outerHeight - innerHeight + box.y + box.height / 2] })()"
        )
        await person.clicks(form.target.pick_button)
        await person.sees("the page in front", lambda: not window.isActiveWindow() and not self._is_on_top())
        person.clicks_at(*middle)
        await person.sees("the choice", lambda: form.read().get("selector") == "#full-name")
        await person.sees("the panel", lambda: window.isActiveWindow() and self._is_on_top())
        await person.types("Ada")
        await person.sees("what was typed", lambda: form.read().get("value") == "Ada")
        await person.look("picked")
        edit = form.target.focusProxy()
        assert isinstance(edit, MatchEdit)
        assert edit.said == "1 match"
        tab = window.rooms.tabs.current
        assert tab is not None
        await person.asks_in_the_terminal("navigate", f"tabId={tab.tab_id}", f"url={self.site}/lab")
        await person.sees("no match of the page before", lambda: edit.said == "")

    async def show_browser(self) -> None:
        """The browser comes in front, and has the keyboard, though an agent has just acted in it."""
        window, person = self.window, self.person
        tab = window.rooms.tabs.current
        assert tab is not None
        await person.asks_in_the_terminal("click", f"tabId={tab.tab_id}", "selector=h1")
        await person.clicks(window.toolbar.start_button)
        await person.sees("the browser in front", lambda: not window.isActiveWindow() and not self._is_on_top())
        window.raise_window()
        await person.sees("the panel again", lambda: window.isActiveWindow() and self._is_on_top())

    async def quit(self) -> None:
        # Who called from the terminal counts as at work for a moment more, and quitting would ask about it.
        await self.person.sees("nobody at work", lambda: not self.window.rooms.agents.activity.at_work())
        await self.person.presses("Ctrl+Q")

    async def _is_run(self, what: str, before: int) -> None:
        """See that a command has begun since the history's next row had the number `before`, and is over."""
        view = self.window.rooms.command.view
        await self.person.sees(what, lambda: self.next_row > before)
        await self.person.sees(f"the answer to {what}", lambda: view.task is None)

    def _is_on_top(self) -> bool:
        """Whether ours is the uppermost of the windows that are shown."""
        display = Display(os.environ["DISPLAY"])
        try:
            root = display.screen().root
            ours = display.create_resource_object("window", int(self.window.winId()))
            while (parent := ours.query_tree().parent) != root:
                ours = parent
            shown = [one for one in root.query_tree().children if one.get_attributes().map_state == X.IsViewable]
            large = [one for one in shown if one.get_geometry().width > 100]
            return bool(large[-1] == ours)
        finally:
            display.close()


if __name__ == "__main__":
    raise SystemExit(way.main(KeysWay))
