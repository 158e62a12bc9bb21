"""Adding Kapture to a client from the window: the change is shown, and made only when it is wanted."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kapture_panel.installing import plans
from kapture_panel.installing.clients import CLIENTS, AgentClient, Surroundings
from kapture_panel.window.agents.agent_setup import AgentSetup
from kapture_panel.window.shell.main_window import MainWindow
from tests.support.core.installing.samples import SAMPLES
from tests.support.patience import PATIENCE_S
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import bury, on_qt_loop, settle, until

VARIABLES = {name for client in CLIENTS for patterns in client.files.values() for pattern in patterns
             if (name := pattern.partition("/")[0].removeprefix("$")) != "~"}  # fmt: skip


#: Cursor's file with another installation of Kapture.
ANOTHER = json.dumps({"mcpServers": {"kapture": {"command": "/another/kapture", "args": ["mcp"]}}})


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder where nothing of the machine's own is known."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    assert Surroundings.of_user().home == str(folder)
    return folder


@pytest.fixture
def fresh(qapp: QApplication, instance: Instance, home: Path) -> Iterator[MainWindow]:
    made = MainWindow(instance.core, instance.backend)
    made.resize(1000, 700)
    made.show()
    qapp.processEvents()
    yield made
    made.release()
    made.close()
    bury(made)


def cursor(home: Path, text: str = SAMPLES["cursor"]) -> Path:
    path = home / ".cursor" / "mcp.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


async def offered(setup: AgentSetup) -> None:
    await until(lambda: setup.card.isVisible() and setup.card.apply.isVisible(), "the change")


async def told(setup: AgentSetup) -> str:
    await until(lambda: setup.card.isVisible() and not setup.card.apply.isVisible(), "what came of it")
    return f"{setup.card.title.text()}\n{setup.card.words.text()}"


@on_qt_loop
async def test_a_change_is_shown_applied_and_taken_back_by_keys_alone(
    fresh: MainWindow, home: Path, instance: Instance
) -> None:
    path, setup = cursor(home), fresh.rooms.agents.setup
    setup.choose("Cursor")
    setup.add.setFocus()
    QTest.keyClick(setup.add, Qt.Key.Key_Space)
    await offered(setup)
    assert setup.card.title.text() == "Add to Cursor"
    assert str(path) in setup.card.words.text()
    assert '+        "kapture": {' in setup.card.diff.toPlainText()
    assert "@@" not in setup.card.diff.toPlainText()
    assert path.read_text() == SAMPLES["cursor"]
    assert setup.card.apply.hasFocus()
    QTest.keyClick(setup.card.apply, Qt.Key.Key_Space)
    said = await told(setup)
    assert said.startswith("Cursor: done\nCursor lists it in its settings")
    assert f"Changed: {path}\nCopy of the old file: {path}.kapture-" in said
    command = json.loads(instance.backend.mcp_config)["mcpServers"]["kapture"]["command"]
    assert f'"command": {json.dumps(command)}' in path.read_text()
    assert setup.card.cancel.hasFocus()
    QTest.keyClick(setup.card.cancel, Qt.Key.Key_Space)
    assert setup.snippet.isVisible()
    assert setup.list.hasFocus(), "two more Enters take nothing out again"
    await until(setup.remove.isVisible, "that it is added")
    assert setup.list.hasFocus()
    assert setup.where.text() == "Kapture is added here. There is nothing left to do by hand."
    assert not setup.add.isVisible()
    setup.remove.click()
    await offered(setup)
    assert setup.card.words.text() == f"This makes {path} as it was before, from the copy beside it, which goes."
    assert '-        "kapture": {' in setup.card.diff.toPlainText()
    setup.card.apply.click()
    await until(lambda: path.read_text() == SAMPLES["cursor"], "the file as it was")
    assert "Changed:" in await told(setup)
    assert list(path.parent.iterdir()) == [path]


@on_qt_loop
async def test_it_begins_with_a_client_that_is_on_this_computer_and_tells_them_from_the_others(
    fresh: MainWindow, home: Path
) -> None:
    setup = fresh.rooms.agents.setup
    fresh.shell.leave_page()
    (home / ".codex").mkdir()
    fresh.shell.actions["add_agent"].trigger()
    await until(lambda: setup.client.name == "Codex", "the client that is here")
    rows = {item.text(): item for item in map(setup.list.item, range(setup.list.count()))}
    assert rows["Codex"].toolTip() == rows["Other program"].toolTip() == ""
    assert rows["Cursor"].toolTip() == "Not found on this computer. You can add Kapture to it all the same"
    assert rows["Cursor"].foreground() != rows["Codex"].foreground()
    setup.choose("Cursor")
    await settle()
    assert setup.where.text().startswith("Cursor was not found on this computer. Press Add, or do it by hand.")
    fresh.shell.leave_page()
    fresh.shell.actions["add_agent"].trigger()
    await settle()
    assert setup.client.name == "Cursor", "what the person chose stays"


@on_qt_loop
async def test_a_change_that_is_not_wanted_is_not_made(fresh: MainWindow, home: Path) -> None:
    path, setup = cursor(home), fresh.rooms.agents.setup
    setup.choose("Cursor")
    setup.add.click()
    await offered(setup)
    setup.card.cancel.click()
    assert setup.snippet.isVisible()
    assert setup.add.hasFocus()
    setup.add.click()
    await offered(setup)
    QTest.keyClick(setup.card.diff, Qt.Key.Key_Escape)
    assert setup.snippet.isVisible()
    assert setup.add.hasFocus()
    setup.add.click()
    await offered(setup)
    setup.choose("Zed")  # another client is chosen while it is shown
    assert setup.snippet.isVisible()
    assert path.read_text() == SAMPLES["cursor"]
    assert list(path.parent.iterdir()) == [path]


@on_qt_loop
async def test_the_file_of_a_client_that_is_not_here_yet_can_be_made(fresh: MainWindow, home: Path) -> None:
    setup = fresh.rooms.agents.setup
    setup.choose("Zed")
    setup.add.click()
    await offered(setup)
    assert setup.card.title.text() == "Add to Zed, which does not seem to be installed. You can add it all the same"
    assert "Kapture creates it" in setup.card.words.text()
    QTest.mouseClick(setup.card.apply, Qt.MouseButton.LeftButton)
    said = await told(setup)
    assert said.startswith("Zed: done")
    path = next(home.rglob("settings.json"))
    assert f"Made: {path}" in said
    assert "Changed" not in said
    assert "kapture" in path.read_text()
    setup.card.cancel.click()
    setup.remove.click()
    await offered(setup)
    assert setup.card.words.text() == f"This deletes {path}: nothing but Kapture is in it."
    setup.card.apply.click()
    assert f"Removed: {path}" in await told(setup)
    assert not path.exists()


@on_qt_loop
async def test_whatever_keeps_it_from_being_done_is_said_in_place(fresh: MainWindow, home: Path) -> None:
    setup = fresh.rooms.agents.setup
    setup.choose("Cursor")
    path = cursor(home, '{"mcpServers": {,}}')
    setup.add.click()
    said = await told(setup)
    assert "line 1, column 17: a name in double quotes" in said
    path.write_text("{}")
    setup.choose("Claude Code")
    setup.choose("Cursor")
    setup.add.click()
    await offered(setup)
    path.write_text('{"a": 1}')
    setup.card.apply.click()
    assert "has changed meanwhile; nothing was written" in await told(setup)
    assert path.read_text() == '{"a": 1}'
    setup.choose("Codex")
    setup.remove.click()
    assert "There is nothing to remove" in await told(setup)


@on_qt_loop
async def test_remove_is_offered_only_where_kapture_was_added(fresh: MainWindow, home: Path) -> None:
    setup = fresh.rooms.agents.setup
    path = cursor(home, ANOTHER)
    setup.choose("Cursor")
    await until(setup.remove.isVisible, "that it is added")
    assert setup.where.text().startswith("Another installation of Kapture is added here. Press Add")
    assert setup.add.isVisible()
    setup.choose("Zed")
    assert not setup.remove.isVisible()
    path.write_text("{}")
    setup.choose("Cursor")
    await settle()
    assert setup.add.isVisible()
    assert not setup.remove.isVisible()


@on_qt_loop
async def test_an_answer_about_a_client_that_was_left_is_dropped(
    fresh: MainWindow, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup = fresh.rooms.agents.setup
    cursor(home, ANOTHER)
    may_answer = {"Cursor": threading.Event(), "Zed": threading.Event()}
    asked: list[str] = []
    added = plans.added

    def held(client: AgentClient, *given: Any) -> plans.Added:
        asked.append(client.name)
        if client.name in may_answer:
            may_answer[client.name].wait(PATIENCE_S)
        return added(client, *given)

    monkeypatch.setattr(plans, "added", held)
    setup.choose("Cursor")
    setup.choose("Zed")
    may_answer["Cursor"].set()
    await until(lambda: "Zed" in asked, "the look at its file")
    await settle()  # the answer about Cursor's came before that, and is heard by now
    is_told_of_cursor = setup.remove.isVisible()
    may_answer["Zed"].set()
    assert "Cursor" in asked
    assert not is_told_of_cursor


@on_qt_loop
async def test_what_came_of_it_stands_right_above_close_and_a_diff_is_as_high_as_its_lines(
    fresh: MainWindow, home: Path
) -> None:
    cursor(home)
    setup, card = fresh.rooms.agents.setup, fresh.rooms.agents.setup.card
    setup.choose("Cursor")
    setup.add.click()
    await offered(setup)
    await settle()
    lines = card.diff.document().size().height()
    assert card.diff.height() < (lines + 2) * card.diff.fontMetrics().lineSpacing()
    card.apply.click()
    await told(setup)
    await settle()
    assert card.cancel.y() - card.words.geometry().bottom() < card.cancel.height()


@on_qt_loop
async def test_when_add_goes_its_focus_does_not_fall_on_remove(fresh: MainWindow, home: Path) -> None:
    setup = fresh.rooms.agents.setup
    setup.choose("Cursor")
    await settle()
    setup.add.setFocus()
    here = {"mcpServers": {"kapture": {"command": setup._server.command, "args": list(setup._server.args)}}}
    cursor(home, json.dumps(here))
    setup._look_up()
    await until(lambda: not setup.add.isVisible(), "that it is added")
    assert setup.copy.hasFocus()


def test_a_client_we_know_nothing_of_can_only_be_copied_for(fresh: MainWindow, instance: Instance) -> None:
    setup = fresh.rooms.agents.setup
    setup.choose("Other program")
    assert not setup.add.isVisible()
    assert not setup.remove.isVisible()
    setup.copy.click()
    assert json.loads(QApplication.clipboard().text()) == json.loads(instance.backend.mcp_config)
    setup.choose("Cursor")
    assert [button.accessibleName() for button in (setup.add, setup.remove, setup.copy)] == [
        "Add to Cursor", "Remove from Cursor", "Copy for Cursor",
    ]  # fmt: skip


def test_the_agents_part_and_the_menu_lead_there(fresh: MainWindow) -> None:
    fresh.shell.leave_page()
    fresh.rooms.agents.view.add.click()
    assert fresh.rooms.welcome.view.isVisible()
    fresh.shell.leave_page()
    fresh.shell.actions["add_agent"].trigger()
    assert fresh.rooms.agents.setup.list.isVisible()


@on_qt_loop
async def test_all_of_it_is_seen_in_a_small_window(fresh: MainWindow, home: Path) -> None:
    cursor(home)
    fresh.rooms.agents.setup.choose("Cursor")
    fresh.rooms.agents.setup.add.click()
    await offered(fresh.rooms.agents.setup)
    view = fresh.rooms.welcome.view
    # Words that wrap get their height in more than one round of layouts.
    await until(lambda: view.verticalScrollBar().maximum() == 0, "all of it in sight")
    assert view.horizontalScrollBar().maximum() == 0


@on_qt_loop
async def test_a_change_is_coloured_and_wraps(fresh: MainWindow, home: Path) -> None:
    others = {f"other-{number}": {"command": "other"} for number in range(9)}
    cursor(home).write_text(json.dumps({"mcpServers": others}, indent=2))
    setup = fresh.rooms.agents.setup
    setup.choose("Cursor")
    setup.add.click()
    await offered(setup)
    theme, document = fresh.shell.theme, setup.card.diff.document()
    blocks = [document.findBlockByNumber(at) for at in range(document.blockCount())]
    colours = {}
    for block in blocks:
        formats = block.layout().formats()
        if block.text()[:1] in ("+", "…") and not block.text().startswith("+++"):
            colours[block.text()[0]] = formats[0].format.foreground().color().name()
    assert colours["+"] == theme.color("ok").name()
    assert colours["…"] == theme.color("text_secondary").name()
    assert setup.card.diff.horizontalScrollBar().maximum() == 0
    fresh.resize(800, 600)
    await settle()
    assert setup.card.diff.horizontalScrollBar().maximum() == 0


def test_the_buttons_stay_where_they_are_whichever_client_is_chosen(fresh: MainWindow) -> None:
    setup = fresh.rooms.agents.setup
    places = set()
    for row in range(setup.list.count()):
        setup.list.setCurrentRow(row)
        QApplication.processEvents()
        places.add(setup.copy.mapTo(fresh, setup.copy.rect().bottomLeft()).y())
    assert len(places) == 1


@on_qt_loop
async def test_the_step_is_ticked_once_the_file_is_written(fresh: MainWindow, home: Path, instance: Instance) -> None:
    cursor(home)
    setup, step = fresh.rooms.agents.setup, fresh.rooms.welcome.view.agent
    setup.choose("Cursor")
    setup.add.click()
    await offered(setup)
    assert not step.is_done
    setup.card.apply.click()
    await told(setup)
    assert step.is_done
    assert step.how.text() == "Cursor has Kapture now. Restart Cursor. You can add another."
    instance.add_agent()
    assert step.how.text() == "An agent is connected. You can add another."
