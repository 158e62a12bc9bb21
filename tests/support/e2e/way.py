"""What a person does in the window of a whole program by real mouse and keys, one step after the other.

A way is a module that is run: `python -m tests.support.e2e.NAME SITE PICTURES OPTION …`. SITE is the demo site's
address, PICTURES a folder or "-"; the options are `kapture`'s.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from tests.support import panel_program
from tests.support.e2e.person import Person
from tests.support.patience import PATIENCE_S

if TYPE_CHECKING:
    from kapture_panel.hub.hub import Hub
    from kapture_panel.window.shell.main_window import MainWindow

_DONE = "done: "
#: Longer than the person waits for one thing, so that it is told what never came.
_WITHIN_S = 2 * PATIENCE_S


class Way:
    """`steps` are the methods that are gone through."""

    steps: ClassVar[list[str]]

    def __init__(self, hub: Hub, window: MainWindow, person: Person, site: str) -> None:
        self.hub, self.window, self.person, self.site = hub, window, person, site

    async def go(self) -> None:
        """All of it."""
        for step in self.steps:
            await getattr(self, step)()
            print(f"{_DONE}{step}", flush=True)

    @property
    def next_row(self) -> int:
        """The number that the history's next row gets. A command has begun when it is another one, also one that is
        over again before it is looked for."""
        _, number = self.hub.state.history.span
        return number

    async def page(self, code: str) -> Any:
        """What `code` comes to in the current tab, asked by an agent of its own."""
        tab = self.window.rooms.tabs.current
        assert tab is not None
        said = await self.person.asks_in_the_terminal("evaluate", f"tabId={tab.tab_id}", f"code={code}", "--json")
        return json.loads(said)["result"].get("value")


def main(way: type[Way]) -> int:
    """Go the way beside the program that the command line asks for; its exit code."""
    site, pictures, root = sys.argv[1], sys.argv[2], sys.argv[sys.argv.index("--data-dir") + 1]

    async def beside(hub: Hub, window: MainWindow) -> None:
        person = Person(window, root, None if pictures == "-" else Path(pictures))
        try:
            async with asyncio.timeout(_WITHIN_S):
                await way(hub, window, person, site).go()
        finally:
            person.close()

    return panel_program.run(sys.argv[3:], beside)


def see(way: type[Way], site: str, root: Path, environment: dict[str, str]) -> None:
    """Have `way` gone in a process of its own, and see that it went to its end.

    Args:
        environment: names the display and the session bus.
    """
    place = {**environment, "QT_QPA_PLATFORM": "xcb"}
    place.pop("WAYLAND_DISPLAY", None)
    done = subprocess.run(
        [sys.executable, "-m", way.__module__, site, os.environ.get("KAPTURE_PICTURES", "-"),
         "--data-dir", str(root), "--port", "0"],
        env=place, cwd=Path(__file__).parents[3], capture_output=True, text=True, check=False,
        timeout=_WITHIN_S + PATIENCE_S,
    )  # fmt: skip
    said = done.stdout + done.stderr
    assert [line.removeprefix(_DONE) for line in said.splitlines() if line.startswith(_DONE)] == way.steps, said
    assert done.returncode == 0, said
