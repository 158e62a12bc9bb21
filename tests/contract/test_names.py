"""Nothing names a command but the catalogue, its handlers, and the few places that have a reason."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from kapture_panel import paths
from kapture_panel.core.catalogue.catalogue import PREFIX, Catalogue
from kapture_panel.hub.agent_door.mcp import prompts
from tests.support.tree import EXTENSION, PACKAGE, modules, parsed

NAMES = {command.short_name for command in Catalogue(paths.catalogue())}
#: Names that are ordinary words as well; they count where they are compared with a command's name.
WORDS = {
    "batch", "click", "drag", "evaluate", "fill", "hover", "logs", "navigate", "reload", "resize", "screenshot",
    "scroll", "select", "snapshot", "type", "wait",
}  # fmt: skip
#: A command's name, by whatever it is called there.
NAMED = {"short_name", "command"}

GIVES = "it gives the command itself, on somebody's behalf"
#: Where a command is named, and why no mark in the catalogue can say the same.
PYTHON = {
    "core/gates/close_look.py": f"{GIVES}: the person sees what is asked about",
    "core/stores/recorder.py": f"{GIVES}: pictures are screenshots",
    "demo/job.py": f"{GIVES}: the demo's agent",
    "export/har.py": f"{GIVES}: tabs make archives of their requests",
    "export/playwright/checks.py": "what is checked after each command is another thing for each",
    "export/playwright/commands.py": "how each command is said in another language; its test walks all commands",
    "export/playwright/script.py": "a new tab is a page of its own, not a line on one",
    "export/steps.py": "new tabs, addresses and answers to dialogs are steps of a kind of their own",
    "hub/agent_door/answers.py": "console lines are told as a browser tells them",
    "hub/agent_door/mcp/prompts.py": "a prompt leaves out the steps whose tools are not offered",
    "hub/agent_door/mcp/resources.py": f"{GIVES}: a resource is what a command answers",
    "hub/extension_door/executor.py": f"{GIVES}, and puts together what several browsers answer",
    "hub/extension_door/panel_browsers.py": f"{GIVES}: the first tab of a browser it started",
    "hub/panel_commands/batch.py": "its handler",
    "hub/panel_commands/images.py": "its handler",
    "hub/panel_commands/tabs.py": "its handler",
    "programs/export.py": f"{GIVES}: whose tabs are asked for their requests",
    "programs/run.py": f"{GIVES}: a script waits for its elements",
    "window/command/command_view.py": "the first page's command",
    "window/page/network_view.py": f"{GIVES}: the body of a request",
    "window/shots/shot_commands.py": f"{GIVES}: what a menu or button is for",
    "window/tabs/room.py": f"{GIVES}: what its buttons are for",
    "window/watch/room.py": f"{GIVES}: what its buttons are for",
    "window/watch/videos.py": f"{GIVES}: what its buttons are for",
    "window/tabs/tabs_view.py": f"{GIVES}: a tab's menu",
}
EXTENSION_FILES = {
    "browser/opener.js": "a connected tab goes to its address by the command's handler",
    "devtools/panel.js": "the command that is shown first",
}


def named_in(module: Path) -> Iterator[str]:
    """The commands that `module` names."""
    for node in ast.walk(parsed(PACKAGE / module)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            name = node.value.removeprefix(PREFIX)
            if name in NAMES and (name != node.value or name not in WORDS):
                yield name
        if isinstance(node, ast.Compare) and getattr(node.left, "attr", getattr(node.left, "id", "")) in NAMED:
            found = [one.value for part in node.comparators for one in ast.walk(part) if isinstance(one, ast.Constant)]
            yield from (name for name in map(str, found) if name in NAMES)


def test_a_command_is_named_where_that_has_a_reason_and_nowhere_else() -> None:
    found = {module.as_posix(): sorted(names) for module in modules() if (names := set(named_in(module)))}
    assert found.keys() == PYTHON.keys(), found


def test_so_it_is_in_the_extension() -> None:
    named = re.compile(rf"""["'`]{PREFIX}\w+["'`]|shortName ===""")
    found = {path.relative_to(EXTENSION) for path in EXTENSION.rglob("*.js") if named.search(path.read_text("utf-8"))}
    assert {path.as_posix() for path in found} == EXTENSION_FILES.keys()


@pytest.mark.parametrize("path", [*PACKAGE.rglob("*.py"), *EXTENSION.rglob("*.js")], ids=lambda path: path.name)
def test_every_command_that_words_send_somebody_to_exists(path: Path) -> None:
    said = re.findall(rf"{PREFIX}([a-z_]+)\b(?!\*)", path.read_text("utf-8"))
    assert {name for name in said if name.strip("_") and name not in NAMES} == set()


def test_the_tools_of_prompts_exist() -> None:
    assert prompts.NEEDED <= NAMES
