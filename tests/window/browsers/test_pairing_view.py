"""The card of a browser that wants to be paired: what it says, what it does, and that it takes nothing."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.pairing import PairingRequest
from kapture_panel.window.browsers.pairing_view import PairingCard
from kapture_panel.window.shell.main_window import MainWindow
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import on_qt_loop, settle, until


def ask(instance: Instance, browser: str = "Chrome 156") -> PairingRequest:
    """A pair page has been greeted."""
    request = instance.pairing.begin("one", browser)
    instance.pairing.show(request, "048213")
    return request


async def card_of(window: MainWindow) -> PairingCard:
    """The card in sight, once its button takes clicks."""
    await until(
        lambda: window.rooms.browsers.pairing.card is not None and window.rooms.browsers.pairing.card.pair.isEnabled()
    )
    assert window.rooms.browsers.pairing.card is not None
    return window.rooms.browsers.pairing.card


@on_qt_loop
async def test_the_card_shows_the_code_and_one_click_says_yes(window: MainWindow, instance: Instance) -> None:
    request = ask(instance, "<b>Chrome</b>\u202e 156")
    card = await card_of(window)
    assert card.code.text() == "048 213"
    assert card.title.text() == "<b>Chrome</b> 156 wants to be paired"
    assert "Do both codes match?" in card.words.text()
    assert (card.pair.text(), card.refuse.text()) == ("Yes", "No")
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in card.findChildren(QLabel))
    assert window.rect().contains(window.rooms.browsers.pairing.geometry())
    assert window.rooms.browsers.pairing.y() == window.toolbar.geometry().bottom() + 1, "it slices nothing above it"
    assert card.refuse.width() >= 72
    QTest.mouseClick(card.pair, Qt.MouseButton.LeftButton)
    assert request.is_allowed
    assert not card.pair.isVisible()
    assert "on the browser's page" in card.words.text()
    instance.pairing.confirm(request)
    assert request.decided.is_set()
    instance.pairing.finish(request)
    await settle()
    assert not window.rooms.browsers.pairing.isVisible()


@pytest.mark.parametrize("size", [QSize(1000, 700), QSize(800, 600), QSize(800, 500)])
@on_qt_loop
async def test_in_a_small_window_the_card_lies_under_the_form(
    size: QSize, window: MainWindow, instance: Instance
) -> None:
    ask(instance)
    await card_of(window)
    window.resize(size)
    await settle()
    card, view = window.rooms.browsers.pairing.geometry(), window.rooms.command.view
    assert view.params.form is not None
    for part in (*view.params.form.fields[:2], view.run_bar, window.statusBar()):
        assert not card.intersects(QRect(part.mapTo(window, QPoint()), part.size())), part.accessibleName()
    assert window.rect().contains(card)
    window.rooms.welcome.show()
    await settle()
    assert window.rooms.browsers.pairing.y() == window.toolbar.geometry().bottom() + 1, "nothing is under this page"


@on_qt_loop
async def test_what_was_said_in_the_browser_is_told_and_is_not_enough(window: MainWindow, instance: Instance) -> None:
    request = ask(instance)
    card = await card_of(window)
    instance.pairing.confirm(request)
    assert card.words.text().endswith("Do both codes match?")
    assert not request.decided.is_set()
    assert card.pair.isVisible()


@on_qt_loop
async def test_it_takes_neither_the_focus_nor_a_click_meant_for_what_it_covers(
    window: MainWindow, instance: Instance
) -> None:
    window.activateWindow()
    window.rooms.command.view.list.list.setFocus()
    before = QApplication.focusWidget()
    request = ask(instance)
    card = window.rooms.browsers.pairing.card
    assert card is not None
    QTest.mouseClick(card.pair, Qt.MouseButton.LeftButton)
    await settle()
    assert not request.is_allowed
    assert QApplication.focusWidget() is before


@on_qt_loop
async def test_refusing_ends_it(window: MainWindow, instance: Instance) -> None:
    request = ask(instance)
    QTest.mouseClick((await card_of(window)).refuse, Qt.MouseButton.LeftButton)
    assert request.state == "refused"
    assert not window.rooms.browsers.pairing.isVisible()


@on_qt_loop
async def test_an_expired_code_says_so_with_the_next_step_until_it_is_closed(
    window: MainWindow, instance: Instance
) -> None:
    instance.pairing.expiry_s = 0.0
    ask(instance)
    await until(
        lambda: (
            window.rooms.browsers.pairing.card is not None
            and window.rooms.browsers.pairing.card.close_button.isVisible()
        )
    )
    card = window.rooms.browsers.pairing.card
    assert card is not None
    assert card.title.text() == "The code has expired"
    assert "“Try again”" in card.words.text()
    assert not card.code.isVisible()
    QTest.mouseClick(card.close_button, Qt.MouseButton.LeftButton)
    assert not window.rooms.browsers.pairing.isVisible()


@on_qt_loop
async def test_a_flood_shows_one_card(window: MainWindow, instance: Instance) -> None:
    shown = 0
    for _ in range(50):
        try:
            request = ask(instance)
        except KaptureError:
            continue
        shown += 1
        assert (
            len(
                window.rooms.browsers.pairing.findChildren(
                    PairingCard, options=Qt.FindChildOption.FindDirectChildrenOnly
                )
            )
            >= 1
        )
        instance.pairing.withdraw(request)
        assert window.rooms.browsers.pairing.card is None
    assert shown == 4
    await settle()
    assert window.rooms.browsers.pairing.findChildren(PairingCard) == []


@on_qt_loop
async def test_a_hidden_window_without_a_tray_shows_itself(window: MainWindow, instance: Instance) -> None:
    assert not window.tray.is_available
    window.hide()
    ask(instance)
    await until(window.isVisible)


@on_qt_loop
async def test_a_released_window_pairs_nobody(window: MainWindow, instance: Instance) -> None:
    request = ask(instance)
    window.release()
    assert request.state == "refused"
    with pytest.raises(KaptureError, match="no window to pair in"):
        ask(instance)
