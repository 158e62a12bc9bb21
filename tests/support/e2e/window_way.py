"""The whole way through the window."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from kapture_panel.window.history.history_model import COMMAND
from tests.support.e2e import way
from tests.support.e2e.way import Way

NAME = "Ada Lovelace, 1 Main-Street"


class WindowWay(Way):
    """What the person does, and what is to be seen after each step."""

    steps: ClassVar = ["start_browser", "choose_tab", "navigate", "fill", "click", "screenshot", "run_again", "quit"]

    async def start_browser(self) -> None:
        window, person = self.window, self.person
        await person.sees("the first page", lambda: window.rooms.welcome.view.isVisible() and window.isVisible())
        await person.look("first page")
        await person.clicks(window.rooms.welcome.view.start_button)
        await person.sees("a tab", lambda: window.rooms.welcome.view.browser.is_done)
        await person.comes_to_the_window()
        await person.look("browser started")
        await person.clicks(window.rooms.welcome.view.go_button)
        await person.sees(
            "the docks", lambda: window.rooms.tabs.view.isVisible() and window.rooms.tabs.view.list.isVisible()
        )

    async def choose_tab(self) -> None:
        window, person = self.window, self.person
        first = window.rooms.tabs.current
        assert first is not None
        await person.asks_in_the_terminal("new_tab", f"url={self.site}/lab")
        model = window.rooms.tabs.view.list.model()
        await person.sees("a second tab", lambda: model.rowCount() == 2)
        await person.comes_to_the_window()
        titles = [model.index(row, 0).data() for row in range(2)]
        assert len(set(titles)) == 2, titles
        for row in (1, 0):
            await person.clicks_row(window.rooms.tabs.view.list, model.index(row, 0))
            await person.sees("the tab chosen", partial(self._is_current, row))
        await person.look("tab chosen")

    def _is_current(self, row: int) -> bool:
        return self.window.rooms.tabs.view.list.currentIndex().row() == row

    async def navigate(self) -> None:
        window, person = self.window, self.person
        await person.presses("Ctrl+K")
        await person.sees("the palette", lambda: window.rooms.finder.view.edit.hasFocus())
        await person.types("navi")
        await person.sees(
            "what it found", lambda: window.rooms.finder.view.current and window.rooms.finder.view.edit.text()
        )
        await person.look("palette")
        await person.presses("Enter")
        await person.sees("the form", lambda: window.rooms.command.view.command.short_name == "navigate")
        await person.types(f"{self.site}/checkout")
        await self._run("Ctrl+Enter")
        await person.look("navigated")
        assert await self.page("location.pathname") == "/checkout"

    async def fill(self) -> None:
        window, person = self.window, self.person
        await person.clicks(window.toolbar.finder)
        await person.sees("the palette", lambda: window.rooms.finder.view.edit.hasFocus())
        await person.types("fill")
        found = await person.sees("Fill a field", lambda: self._found("Fill a field"))
        await person.clicks_row(window.rooms.finder.view.list, found)
        await person.sees("the form", lambda: window.rooms.command.view.command.short_name == "fill")
        await person.types("#full-name")
        form = window.rooms.command.view.params.form
        assert form is not None
        await person.clicks(form.field("value"))
        await person.types(NAME)
        await person.sees("what was typed", lambda: form.read().get("value") == NAME)
        await person.look("form filled")
        await self._run("Ctrl+Enter")
        await person.look("filled")
        assert await self.page("document.querySelector('#full-name').value") == NAME

    async def click(self) -> None:
        window, person = self.window, self.person
        await person.clicks(window.rooms.command.view.list.filter)
        await person.types("click")
        await person.sees("what it found", lambda: window.rooms.command.view.list.filter.text() == "click")
        await person.presses("Down")
        await person.sees("the form", lambda: window.rooms.command.view.command.short_name == "click")
        form = window.rooms.command.view.params.form
        assert form is not None
        assert form.target is not None
        field = form.target.focusProxy()
        assert field is not None
        await person.clicks(field)
        await person.types("#gift")
        await person.sees("what was typed", lambda: form.read().get("selector") == "#gift")
        await self._run("")
        await person.look("clicked")
        assert await self.page("document.querySelector('#gift').checked") is True

    async def screenshot(self) -> None:
        window, person = self.window, self.person
        await person.presses("Ctrl+K")
        await person.sees("the palette", lambda: window.rooms.finder.view.edit.hasFocus())
        await person.types("screenshot")
        await person.sees("Screenshot", lambda: self._found("Screenshot"))
        await person.presses("Enter")
        await person.sees("the form", lambda: window.rooms.command.view.command.short_name == "screenshot")
        await person.types("gift")
        await self._run("Ctrl+Enter")
        view = window.rooms.shots.view.view
        first = await person.sees("the thumbnail's place", lambda: view.model().rowCount() and view.model().index(0, 0))
        await person.sees("the thumbnail", lambda: view.isVisible() and person.colours(view, first) > 100)
        await person.sees("its picture in the answer", lambda: window.rooms.command.view.result.picture.isVisible())
        await person.look("screenshot")

    async def run_again(self) -> None:
        window, person = self.window, self.person
        table = window.rooms.history.view.table
        await person.sees("the newest row", lambda: self._commands()[0] == "Screenshot")
        row = table.model().index(self._commands().index("Click"), COMMAND)
        await person.clicks_row(table, row)
        await person.sees("all about the row", lambda: window.rooms.history.view.detail.isVisible())
        await person.look("history row")
        await person.clicks_row(table, row, times=2)
        await person.sees("the question", lambda: window.rooms.history.view.question.isVisible())
        await person.look("question")
        before = self.next_row
        await person.clicks(window.rooms.history.view.question.run_button)
        await person.sees("the run", lambda: self.next_row > before)
        await self._is_answered()
        await person.look("run again")
        assert await self.page("document.querySelector('#gift').checked") is False
        assert await self.page("document.querySelector('#full-name').value") == NAME

    async def quit(self) -> None:
        # Who called from the terminal counts as at work for a moment more, and quitting would ask about it.
        await self.person.sees("nobody at work", lambda: not self.window.rooms.agents.activity.at_work())
        await self.person.presses("Ctrl+Q")

    async def _run(self, keys: str) -> None:
        """Run by keys, or by the button, and see that it went well."""
        before = self.next_row
        command = self.window.rooms.command.view
        if keys:
            await self.person.presses(keys)
        else:
            await self.person.clicks(command.run_bar.run_button)
        await self.person.sees("the run", lambda: self.next_row > before)
        await self._is_answered()

    async def _is_answered(self) -> None:
        command = self.window.rooms.command.view
        await self.person.sees("the answer", lambda: command.task is None and command.result.head.pill.isVisible())
        said = f"{command.result.head.pill.text()} {command.result.message.text()}"
        assert command.result.head.pill.text() == "✓ done", said

    def _found(self, title: str) -> object:
        """The palette's current row when it is `title`."""
        find = self.window.rooms.finder.view.current
        return self.window.rooms.finder.view.list.currentIndex() if find is not None and find.words == title else None

    def _commands(self) -> list[str]:
        """What the history shows, the newest first."""
        model = self.window.rooms.history.view.table.model()
        return [str(model.index(row, COMMAND).data()) for row in range(model.rowCount())]


if __name__ == "__main__":
    raise SystemExit(way.main(WindowWay))
