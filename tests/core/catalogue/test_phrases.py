"""What somebody wants in words: one verb phrase for each command, with what it is about in it."""

from __future__ import annotations

from typing import Any

import pytest

from kapture_panel import paths
from kapture_panel.core.catalogue import phrases
from kapture_panel.core.catalogue.catalogue import Catalogue

CATALOGUE = Catalogue(paths.catalogue())
#: Command, what is given → what is said after "wants to".
SAID: list[tuple[str, dict[str, Any], str]] = [
    ("evaluate", {"code": "1"}, "run code"),
    ("new_tab", {"url": "https://a.example/"}, "open a new tab"),
    ("upload_file", {"paths": ["/home/me/invoice.pdf"]}, "send the file invoice.pdf"),
    ("upload_file", {"paths": ["/a", "/b"]}, "send 2 files"),
    ("upload_file", {"paths": []}, "send no file"),
    ("read_image", {"path": "/home/me/a cat.png"}, "read the file a cat.png"),
    ("navigate", {"url": "https://user:pw@evil.example:8443/a?b"}, "go to evil.example:8443"),
    ("navigate", {"url": "https://evil.example\\@good.example/"}, "go to evil.example"),
    ("navigate", {"url": "localhost:8000/x"}, "go to localhost:8000"),
    ("navigate", {"url": "shop.example/x"}, "go to shop.example"),
    ("navigate", {"url": "mailto:a@b.example"}, "go to a mailto: address"),
    ("navigate", {}, "go to a blank page"),
    ("wait", {"text": "Thanks"}, "wait for the page"),
    ("wait", {"expression": "window.done"}, "run code until it is true"),
]


@pytest.mark.parametrize(("name", "params", "said"), SAID)
def test_a_wish_says_in_words_what_will_happen(name: str, params: dict[str, Any], said: str) -> None:
    assert phrases.wish(CATALOGUE.get(name), params) == said


def test_a_long_name_is_cut() -> None:
    said = phrases.wish(CATALOGUE.get("navigate"), {"url": f"https://{'a' * 300}.example/"})
    assert said.endswith("…")
    assert len(said) < 100


@pytest.mark.parametrize("command", list(CATALOGUE), ids=lambda command: command.short_name)
def test_every_command_has_a_verb_phrase_that_tells_only_of_its_own_parameters(command: Any) -> None:
    told = [command.wants, *(schema["wants"] for schema in command.properties.values() if "wants" in schema)]
    for phrase in told:
        assert phrase[0].islower()
        assert not phrase.endswith(".")
        assert set(phrases.placeholders(phrase)) <= command.properties.keys()
    assert "wants" not in str(command.tool_schema)
