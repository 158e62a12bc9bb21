"""What a question says: words first, then what matters for the answer, all else as details."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QFont, QTextCursor

from kapture_panel import paths
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.gates.approvals import Ask, Scene
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.window.agents import ask_words
from kapture_panel.window.agents.ask_text import AskText
from kapture_panel.window.widgets.browser_names import BrowserNames
from kapture_panel.window.widgets.theme import Theme
from tests.support.window.qt_loop import bury

CATALOGUE = Catalogue(paths.catalogue())
NAMES = BrowserNames(lambda install: "Chrome – Work" if install == "work" else "")
PAGE = "https://shop.example/cart"


def ask(name: str, params: dict[str, Any], *, is_managed: bool = True, tab: Tab | None = None, **more: Any) -> Ask:
    agent = Client("claude-code", "agent", pid=7, parent="claude", program="/usr/bin/claude")
    return Ask(
        "a1", agent, CATALOGUE.get(name), params, "shop.example", f"Cart – {PAGE}", 0.0,
        scene=Scene(tab, (PAGE,), is_managed), waiting=1, **more,
    )  # fmt: skip


def said(asked: Ask) -> list[str]:
    return [block.text for block in ask_words.essentials(asked, 600, NAMES)]


def test_the_first_words_say_who_wants_what() -> None:
    assert said(ask("evaluate", {"code": "1"}))[0] == "claude-code wants to run code"
    assert said(ask("new_tab", {}))[0] == "claude-code wants to open a new tab"
    assert said(ask("upload_file", {"paths": ["/home/me/invoice.pdf"]}))[0] == (
        "claude-code wants to send the file invoice.pdf"
    )


def test_code_stands_by_itself_and_a_wait_for_code_shows_it_too() -> None:
    for name, params in (("evaluate", {"code": "let a = 1"}), ("wait", {"expression": "let a = 1"})):
        (code,) = [block for block in ask_words.essentials(ask(name, params), 600, NAMES) if block.is_code]
        assert code.text == "let a = 1"


def test_a_file_is_told_with_its_size_and_folder(tmp_path: Path) -> None:
    invoice = tmp_path / "invoice.pdf"
    invoice.write_bytes(b"x" * 12_345)
    assert f"invoice.pdf · 12 kB · in {tmp_path}" in said(ask("upload_file", {"paths": [str(invoice)]}))
    assert f"gone.pdf · not there · in {tmp_path}" in said(ask("upload_file", {"paths": [str(tmp_path / "gone.pdf")]}))


@pytest.mark.parametrize("url", ["https://me:pw@evil.example/a", "https://evil.example\\@shop.example/a"])
def test_the_host_of_an_address_is_marked(url: str) -> None:
    (shown,) = [b for b in ask_words.essentials(ask("navigate", {"url": url}), 600, NAMES) if b.text == url]
    assert [run.text for run in shown.runs if run.look == "strong"] == ["evil.example"]


def test_an_address_of_another_program_is_told_once_with_its_scheme_marked_beside_where_the_tab_is() -> None:
    asked = ask("navigate", {"url": "mailto:bob@b.example"}, why="opens a mailto: address, which may start a program")
    blocks = ask_words.essentials(asked, 600, NAMES)
    assert "\n".join(block.text for block in blocks).count("bob@b.example") == 1
    assert blocks[0].text == "claude-code wants to go to a mailto: address"
    assert [run.text for run in blocks[1].runs if run.look == "strong"] == ["mailto"]
    assert blocks[2].text == f"Now on: Cart – {PAGE}"
    assert said(ask("click", {"selector": "#a"}))[1] == f"Cart – {PAGE}"


def test_where_it_would_go_is_told_once_and_a_blank_page_in_words() -> None:
    asked = ask("navigate", {"url": "https://bank.example"})
    blank, there = "about:blank", "https://bank.example/"
    asked.where, asked.scene = f"{blank} – {blank}\n{there}", Scene(None, (blank, there))
    words = "\n".join(said(asked))
    assert "Now on: a blank page" in words
    assert blank not in words
    assert words.count("https://bank.example") == 1


def test_a_question_that_is_closed_speaks_of_what_was() -> None:
    asked = ask("navigate", {"url": "https://evil.example/?q=1"})
    assert any(line.startswith("Now on: ") for line in said(asked))
    asked.state = "outdated"
    assert said(asked)[0] == "claude-code wanted to go to evil.example"
    assert any(line.startswith("Was on: ") for line in said(asked))
    assert not any(line.startswith("Now on: ") for line in said(asked))


def test_a_title_that_looks_like_an_address_has_no_host() -> None:
    asked = ask("evaluate", {"code": "1"})
    asked.where = f"Pay – https://bank.example – {PAGE}"
    where = ask_words.essentials(asked, 600, NAMES)[2]
    assert [run.text for run in where.runs if run.look == "strong"] == ["shop.example"]


def test_it_says_which_browser() -> None:
    assert "In the panel's browser" in said(ask("evaluate", {"code": "1"}))
    own = Tab("t1", PAGE, "Cart", "install", browser="Google Chrome 156")
    assert "In Google Chrome, your own browser" in said(ask("evaluate", {"code": "1"}, is_managed=False, tab=own))
    named = Tab("t2", PAGE, "Cart", "work", browser="Google Chrome 156")
    assert "In Chrome – Work, your own browser" in said(ask("evaluate", {"code": "1"}, is_managed=False, tab=named))
    assert "In your own browser" in said(ask("connect_tab", {"browserTabId": 1}, is_managed=False))


def test_it_says_when_it_is_an_agents_own_browser_and_on_which_machine() -> None:
    near = Tab("t1", PAGE, "Cart", "install", managed=True, session="s1", driver="codex")
    far = Tab("t2", PAGE, "Cart", "install", managed=True, session="s2", place="grid")
    assert "In codex's own browser" in said(ask("evaluate", {"code": "1"}, tab=near))
    assert "In claude-code's own browser on grid" in said(ask("evaluate", {"code": "1"}, tab=far))
    first = ask("new_tab", {})
    first.client.session, first.client.place = "s2", "grid"
    assert "In claude-code's own browser on grid" in said(first)


def test_all_else_is_under_details() -> None:
    asked = ask("click", {"selector": "#pay"}, permission="interact", scopes=("once", "session", "always"))
    assert "#pay" not in "".join(said(asked))
    on_pay = ask("click", {"selector": "#pay"})
    on_pay.scene = Scene(None, (PAGE,), element="button “<b>Pay</b>”")
    assert said(on_pay)[1] == "On button “<b>Pay</b>”"
    details = [block.text for block in ask_words.details(asked, 600)]
    assert details[0] == "The agent calls itself “claude-code”. It is process 7, started by claude (/usr/bin/claude)."
    assert details[1] == 'click {"selector": "#pay"}'
    assert not any("no more questions" in line for line in details), "that is said once, above"


@pytest.mark.parametrize(("name", "params", "call"), [
    ("fill", {"selector": "#pw", "value": "/?a=hunter2"},
     'fill {"selector": "#pw", "value": "11 characters, not shown"}'),
    ("type", {"text": "x"}, 'type {"text": "1 character, not shown"}'),
    ("fill_form", {"fields": [{"selector": "#pw", "value": "hunter2"}]},
     'fill_form {"fields": [{"selector": "#pw", "value": "7 characters, not shown"}]}'),
    ("press_key", {"key": "a"}, 'press_key {"key": "1 character, not shown"}'),
    ("press_key", {"key": "Enter"}, 'press_key {"key": "Enter"}'),
])  # fmt: skip
def test_what_would_go_into_a_secret_field_is_nowhere(name: str, params: dict[str, Any], call: str) -> None:
    asked = ask(name, params)
    asked.scene = Scene(None, (PAGE,))
    assert [block.text for block in ask_words.details(asked, 600) if block.is_code] == [call]
    assert not any("would be told" in line for line in said(asked))


@pytest.fixture
def text(theme: Theme) -> Iterator[AskText]:
    made = AskText(theme)
    yield made
    bury(made)


def test_the_text_colours_code_and_makes_hosts_stand_out(text: AskText, theme: Theme) -> None:
    text.show_blocks(ask_words.essentials(ask("evaluate", {"code": "return '👩‍👧' + 'b'"}), 600, NAMES))

    def look_of(words: str) -> Any:
        cursor = text.document().find(words)
        assert not cursor.isNull(), words
        cursor.setPosition(cursor.selectionStart() + 1, QTextCursor.MoveMode.MoveAnchor)
        return cursor.charFormat()

    assert look_of("return").foreground().color() == theme.color("accent")
    assert look_of("'b'").foreground().color() == theme.color("ok")
    assert look_of(" + ").foreground().color() == theme.color("text")
    assert look_of("shop.example").fontWeight() == QFont.Weight.DemiBold
    theme.set_mode("dark")
    assert look_of("return").foreground().color() == theme.color("accent")


def test_nothing_that_is_shown_is_markup(text: AskText) -> None:
    asked = ask("evaluate", {"code": "<b>x</b>"})
    asked.client.name = "<i>claude</i>"
    text.show_blocks(ask_words.essentials(asked, 600, NAMES))
    assert "<i>claude</i> wants to run code" in text.toPlainText()
    assert "<b>x</b>" in text.toPlainText()
