"""Another program has the panel's port: who, and what can be done."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.window.shell.port_taken import PortTaken
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.theme import Theme


class Ports:
    """Those that are taken, by whom."""

    def __init__(self) -> None:
        self.taken = {61822: "nginx (pid 7)"}

    def check(self, port: int) -> None:
        if port in self.taken:
            raise KaptureError("BUSY", f"port {port} on 127.0.0.1 is taken by {self.taken[port]}", "end it")


@pytest.fixture
def ports() -> Ports:
    return Ports()


@pytest.fixture
def asking(ports: Ports, theme: Theme, qtbot: QtBot) -> PortTaken:
    made = PortTaken(61822, "port 61822 on 127.0.0.1 is taken by nginx (pid 7)", 50123, ports.check)
    qtbot.addWidget(made)
    made.show()
    return made


def test_it_says_who_has_the_port_and_goes_on_once_it_is_free(asking: PortTaken, ports: Ports, qtbot: QtBot) -> None:
    assert asking.why.text() == "Port 61822 on 127.0.0.1 is taken by nginx (pid 7)."
    ports.taken[61822] = "caddy (pid 8)"
    asking.again.click()
    assert asking.why.text() == "Port 61822 on 127.0.0.1 is taken by caddy (pid 8)."
    ports.taken.clear()
    with qtbot.waitSignal(asking.chosen) as chosen:
        asking.again.click()
    assert chosen.args == [61822]
    assert not asking.isVisible()


def test_it_says_how_a_paired_browser_follows_to_another_port(asking: PortTaken) -> None:
    said = " ".join(label.text() for label in asking.findChildren(Label))
    assert "still looks for the panel at 61822: unpair it in its popup, then pair again." in said


def test_another_port_can_be_chosen(asking: PortTaken, ports: Ports, qtbot: QtBot) -> None:
    assert asking.edit.text() == "50123"
    ports.taken[50123] = "somebody"
    asking.other.click()
    assert "50123" in asking.why.text()
    asking.edit.clear()
    asking.other.click()
    asking.edit.setText("50124")
    with qtbot.waitSignal(asking.chosen) as chosen:
        QTest.keyClick(asking.edit, Qt.Key.Key_Return)
    assert chosen.args == [50124]


def test_closing_it_gives_up_once(asking: PortTaken) -> None:
    told: list[object] = []
    asking.chosen.connect(told.append)
    asking.quit.click()
    asking.close()
    assert told == [None]
