"""The places on other machines: named in a form, tested, taken out again; all of it in the real file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kapture_panel.core.doctor import Check
from kapture_panel.window.browsers.places_view import PlacesView
from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.roles import DETAIL, PILL
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import on_qt_loop, until

WELL = [Check("reach", "ok", "night: grid.example answers", ms=3), Check("session", "ok", "night: Chrome/140", ms=9)]
ILL = Check("session", "failed", "night: no browser came within 15 s", "try again later", ms=9)


def opened(window: MainWindow) -> PlacesView:
    window.activateWindow()
    window.shell.actions["places"].trigger()
    QApplication.processEvents()
    return window.rooms.browsers.places


def click(button: object) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)  # type: ignore[call-overload]


def file_of(instance: Instance) -> Path:
    return instance.folder / "browsers.toml"


def rows(view: PlacesView) -> list[list[object]]:
    return [[view.model.index(row).data(role) for role in (0, DETAIL, PILL)] for row in range(view.model.rowCount())]


def test_a_place_that_is_added_stands_in_the_file_and_is_tested(window: MainWindow, instance: Instance) -> None:
    file_of(instance).write_text('# mine\n[places.other]\ncdp = "ws://127.0.0.1:9"\n')
    _add(window, instance)
    assert file_of(instance).read_text() == (
        '# mine\n[places.other]\ncdp = "ws://127.0.0.1:9"\n\n'
        '[places.night]\ngrid = "https://grid.example:4444"\ntoken_file = "~/.token"\nat_once = 10\n'
    )


@on_qt_loop
async def _add(window: MainWindow, instance: Instance) -> None:
    instance.checks = WELL
    view = opened(window)
    view.form.name.setText(" night ")
    view.form.address.setText("https://grid.example:4444")
    view.form.token_file.setText("~/.token")
    view.form.at_once.setCurrentText("10")
    click(view.add)
    await until(lambda: rows(view)[-1][2] is not None and view.test.isEnabled(), "the end of the test")
    assert not view.problem.isVisible()
    assert rows(view)[1] == ["night", "https://grid.example:4444 · careful, at most 10 at once", ("works", "ok")]
    assert view.found.text() == "✓ Remote place: grid.example answers\n✓ Its browser: Chrome/140"
    assert view.form.read() == ("", {"grid": ""})


def test_what_is_wrong_is_told_and_nothing_is_written(window: MainWindow, instance: Instance) -> None:
    view = opened(window)
    assert view.nothing.isVisible()
    assert view.form.name.hasFocus()
    view.add.setFocus()
    click(view.add)
    assert view.form.problems == {"Name of the place": "Give the place a name"}
    assert view.form.name.hasFocus()
    view.form.name.setText("night")
    assert view.form.problems == {}
    click(view.add)
    assert view.form.problems == {"Address of the place": "Write the address of the place"}
    assert view.form.address.hasFocus()
    view.form.address.setText("http://grid.example")
    click(view.add)
    ((name, said),) = view.form.problems.items()
    assert name == "Address of the place"
    assert said.startswith("The address http: is open to everybody on the way")
    assert view.form.address.text() == "http://grid.example"
    label = next(one for one in view.form.findChildren(Label) if one.text() == said)
    assert 0 <= label.mapTo(view.form, QPoint()).y() - view.form.address.geometry().bottom() < 12, "under its line"
    assert label.geometry().bottom() < view.form.token_file.mapTo(view.form, QPoint()).y()
    assert not view.problem.isVisible()
    assert not file_of(instance).exists()


def test_a_file_that_cannot_be_read_is_told_with_its_line(window: MainWindow, instance: Instance) -> None:
    file_of(instance).write_text("[places.a\n")
    view = opened(window)
    assert "line 1, column 10" in view.problem.text()


def test_a_test_that_fails_says_where_and_can_be_made_again(window: MainWindow, instance: Instance) -> None:
    file_of(instance).write_text('[places.night]\ngrid = "https://grid.example"\n')
    _test(window, instance)


@on_qt_loop
async def _test(window: MainWindow, instance: Instance) -> None:
    view = opened(window)
    instance.checks = [WELL[0], ILL]
    instance.may_check.clear()
    click(view.test)
    await until(lambda: view.found.text() == "Testing …", "the beginning")
    assert not view.test.isEnabled()
    instance.may_check.set()
    await until(lambda: view.test.isEnabled(), "the end of the test")
    assert "✗ Its browser: no browser came within 15 s; try again later" in view.found.text()
    assert rows(view)[0][2] == ("does not work", "error")
    instance.checks = WELL
    click(view.test)
    await until(lambda: rows(view)[0][2] == ("works", "ok"), "the second test")


def test_a_place_is_removed_after_a_question(window: MainWindow, instance: Instance) -> None:
    file_of(instance).write_text('[places.night]\ngrid = "https://grid.example"\n\n[places.b]\ngrid = "https://b"\n')
    view = opened(window)
    click(view.remove)
    assert "night is taken out" in view.question.text()
    assert view.no.hasFocus()
    click(view.no)
    assert "night" in file_of(instance).read_text()
    click(view.remove)
    click(view.yes)
    assert file_of(instance).read_text().strip() == '[places.b]\ngrid = "https://b"'
    assert [row[0] for row in rows(view)] == ["b"]
    assert view.list.hasFocus()


def test_the_list_of_browsers_leads_to_it(window: MainWindow) -> None:
    window.activateWindow()
    window.shell.actions["browsers"].trigger()
    QApplication.processEvents()
    click(window.rooms.browsers.view.places)
    assert window.rooms.browsers.places.isVisible()
    assert window.rooms.browsers.places.form.name.hasFocus()
