"""The parameters share the middle of the window with the answer, and say what the command does."""

from __future__ import annotations

from kapture_panel.window.shell.main_window import MainWindow
from tests.support.window.fakes import Instance, failed, ok
from tests.support.window.qt_loop import on_qt_loop, settle, until


async def run(window: MainWindow) -> None:
    """Run what is in the form, to the end."""
    view = window.rooms.command.view
    view.run()
    await until(lambda: view.task is None, "the answer")
    await settle()


def test_the_form_and_its_json_say_in_a_sentence_what_the_command_does(window: MainWindow, instance: Instance) -> None:
    view = window.rooms.command.view
    for command in instance.catalogue:
        view.list.choose(command.name)
        words = view.params.what.text()
        assert words in (command.help, f"{command.help or command.description}.")
        assert words.endswith(".")
    view.toggle_json()
    assert view.params.what.isVisible()


@on_qt_loop
async def test_until_there_is_an_answer_the_form_has_its_room(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1")
    window.resize(1000, 700)
    window.reset_layout()
    view = window.rooms.command.view
    view.list.choose("kapturemcp_click")
    assert view.params.form is not None
    view.params.form.open_options()
    await settle()
    assert view.params.verticalScrollBar().maximum()
    assert view.result.height() <= view.result._hint.sizeHint().height() + 8


@on_qt_loop
async def test_in_the_lowest_window_the_first_field_is_whole_beside_an_answer(
    window: MainWindow, instance: Instance
) -> None:
    instance.add_tab("t1")
    window.resize(800, 500)
    window.reset_layout()
    view = window.rooms.command.view
    view.list.choose("kapturemcp_snapshot")
    instance.executor.answers["snapshot"] = ok({"a": [1, 2]})
    await run(window)
    target, viewport = view.params.targets[0], view.params.viewport()
    for corner in (target.rect().topLeft(), target.rect().bottomLeft()):
        assert viewport.rect().contains(target.mapTo(viewport, corner))
    views = view.result.head.views
    assert views.height() >= views.sizeHint().height()


@on_qt_loop
async def test_a_form_that_goes_on_behind_the_run_bar_is_ruled_off(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1")
    window.resize(800, 600)
    window.reset_layout()
    view = window.rooms.command.view
    view.list.choose("kapturemcp_go_back")
    await settle()
    assert not view.run_bar.property("edge")
    view.list.choose("kapturemcp_screenshot")
    view.params.fill({"name": "a"})
    instance.executor.answers["screenshot"] = failed("STALE_REF", "e5 is gone")
    await run(window)
    assert view.run_bar.property("edge")
    bar = view.params.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert not view.run_bar.property("edge")


@on_qt_loop
async def test_the_list_begins_with_its_first_heading_where_the_chosen_command_is_in_sight(
    window: MainWindow, instance: Instance
) -> None:
    view = window.rooms.command.view
    for height in (500, 900, 600):
        window.resize(1000, height)
        await settle()
    assert view.command.short_name == "navigate"
    assert view.list.list.verticalScrollBar().value() == 0
