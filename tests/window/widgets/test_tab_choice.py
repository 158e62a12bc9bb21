"""The choice of a tab follows the registry, and does nothing where a tab is called as before."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.tab_choice import TabChoice


def words(choice: TabChoice) -> list[str]:
    return [choice.itemText(at) for at in range(choice.count())]


@pytest.fixture
def tabs() -> Tabs:
    return Tabs()


@pytest.fixture
def choice(tabs: Tabs, subscriptions: Subscriptions, qtbot: QtBot) -> TabChoice:
    made = TabChoice(tabs, subscriptions, "Which tab")
    qtbot.addWidget(made)
    return made


def test_a_tab_that_changes_is_looked_for_only_when_its_name_does(
    choice: TabChoice, tabs: Tabs, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_for: list[str] = []
    find = choice.findData

    def on_find(tab_id: str) -> int:
        looked_for.append(tab_id)
        return find(tab_id)

    monkeypatch.setattr(choice, "findData", on_find)
    tab = Tab("t1", "https://a.example/", "First", "install")
    tabs.add(tab)
    tabs.begin(tab, "claude-code")
    tabs.end(tab)
    assert (words(choice), looked_for) == (["All tabs", "First"], [])
    tabs.update(tab, title="Second")
    assert (words(choice), looked_for) == (["All tabs", "Second"], ["t1"])


def test_a_tab_that_was_closed_long_ago_comes_back_as_any_other(choice: TabChoice, tabs: Tabs) -> None:
    for number in range(25):
        tab = Tab(f"t{number}", "https://a.example/", f"Page {number}", "install")
        tabs.add(tab)
        tabs.remove(tab)
    assert words(choice)[:2] == ["All tabs", "Page 5 (closed)"]
    tabs.add(Tab("t0", "https://a.example/", "Page 0", "install"))
    tabs.add(Tab("t24", "https://a.example/", "Page 24", "install"))
    assert words(choice)[-2:] == ["Page 24", "Page 0"]
    choice.setCurrentIndex(choice.count() - 1)
    assert choice.tab_id == "t0"
