"""The status line says how much there is, and cuts nothing."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QToolButton

from kapture_panel.core.doctor import CHAIN, Check
from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets import figures
from kapture_panel.window.widgets.label import Label
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import on_qt_loop, settle, until


@on_qt_loop
async def test_the_status_bar_counts(window: MainWindow, instance: Instance) -> None:
    assert window.shell.status.words == "ws://127.0.0.1:61822 · 0 tabs · 0 agents"
    tab = instance.add_tab()
    agent = instance.add_agent()
    await instance.router.run(agent, "click", {"selector": "#a", "tabId": tab.tab_id})
    status = window.shell.status
    await until(lambda: "1 tab · 1 agent · last command " in status.words)
    told = status.words
    await instance.router.look(instance.person, "list_tabs", {})
    await settle()
    assert status.words == told, "what is in no history is no command of anybody"
    assert all(label.toolTip() for label in status.findChildren(Label))


@on_qt_loop
async def test_the_status_bar_the_answer_and_the_history_say_the_same_time(
    window: MainWindow, instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = itertools.count(start=1)
    # A clock on which every look takes a second: two of them are never the same.
    clock = SimpleNamespace(perf_counter=lambda: float(next(ticks)))
    monkeypatch.setattr("kapture_panel.core.call.time", clock)
    tab = instance.add_tab()
    answer = await instance.router.run(instance.add_agent(), "click", {"selector": "#a", "tabId": tab.tab_id})
    (row,) = instance.history.of([answer.row_id])
    assert answer.ms == row.ms
    await until(lambda: f"last command {figures.duration(row.ms)}" in window.shell.status.words)


@on_qt_loop
async def test_the_status_bar_leaves_out_the_last_command_before_it_cuts_anything(
    window: MainWindow, instance: Instance
) -> None:
    tab = instance.add_tab()
    status, doctor = window.shell.status, window.rooms.doctor.button
    await instance.router.run(instance.add_agent(), "click", {"selector": "#a", "tabId": tab.tab_id})
    await until(lambda: "last command" in status.words)

    def seen() -> list[str]:
        labels = [label for label in status.findChildren(Label) if label.isVisible()]
        assert all(one.width() >= one.sizeHint().width() for one in [*labels, *status.findChildren(QToolButton)])
        return [label.text() for label in labels]

    window.resize(800, 600)
    await settle()
    assert len(seen()) == 5
    doctor.setText("Doctor: 10 links fine, 3 not in use yet")
    await settle()
    assert len(seen()) == 4
    window.resize(1000, 600)
    await settle()
    assert len(seen()) == 5


@on_qt_loop
async def test_the_status_bar_says_what_the_doctor_found_last(window: MainWindow, instance: Instance) -> None:
    assert window.rooms.doctor.button.text() == "Doctor"
    sound = [Check(link, "ok", "fine") for link in CHAIN]
    for checks, said, tone in (
        (sound, f"Doctor: all {len(CHAIN)} links fine", "ok"),
        ([*sound[:-1], Check("tab", "idle", "no tab")], f"Doctor: {len(CHAIN) - 1} links fine, 1 not in use yet", ""),
        ([*sound[:-1], Check("tab", "failed", "gone")], "Doctor: 1 problem", "error"),
    ):
        instance.checks = checks
        window.rooms.doctor.button.click()
        await until(lambda said=said: window.rooms.doctor.button.text() == said, said)  # type: ignore[misc]
        assert window.rooms.doctor.button.property("tone") == tone
        assert window.rooms.doctor.view.isVisible()
        window.rooms.doctor.view.dismiss()
