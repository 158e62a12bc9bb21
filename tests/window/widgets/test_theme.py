"""Two looks from one file of tokens, both readable."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QToolButton

from kapture_panel import paths
from kapture_panel.core.basics.settings import Settings
from kapture_panel.window.command.result_search import mark_color
from kapture_panel.window.shell.tray import MARKS
from kapture_panel.window.widgets.theme import Theme
from tests.support.window.contrast import contrast

TOKENS = json.loads((paths.resources() / "theme" / "tokens.json").read_text())
GROUNDS = ("bg", "surface", "sunken", "hover", "selected")
INKS = ("text", "text_secondary", "ok", "warn", "error", "accent", "driving")
PAIRS = [
    *((ink, ground) for ink in INKS for ground in GROUNDS),
    *((ink, f"{ink}_bg") for ink in ("ok", "warn", "error", "driving")),
    # The question of the history stands on the ground of a warning.
    *((ink, "warn_bg") for ink in ("text", "text_secondary")),
    ("on_accent", "accent"),
]
#: What is not text, or text that cannot be used just now: the mark of the focus before what it takes the place of,
#: edges of check boxes, icons, dots, what is disabled.
SHAPES = [
    *(("accent", ground) for ground in (*GROUNDS, "border", "warn_bg")),
    *(("error", ground) for ground in ("surface", "border")),
    *(("text_muted", ground) for ground in ("surface", "bg")),
    # The ring inside a primary button, and the gap outside it.
    ("on_accent", "accent"),
    ("surface", "accent"),
    ("warn_bg", "accent"),
]


@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), PAIRS)
def test_text_meets_wcag_aa(look: str, ink: str, ground: str) -> None:
    colors = TOKENS[look]
    assert contrast(colors[ink], colors[ground]) >= 4.5


@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize(("shape", "ground"), SHAPES)
def test_what_is_no_text_stands_off(look: str, shape: str, ground: str) -> None:
    colors = TOKENS[look]
    assert contrast(colors[shape], colors[ground]) >= 3


@pytest.mark.parametrize("look", ["light", "dark"])
def test_no_rule_of_the_template_puts_text_on_a_ground_it_cannot_be_read_on(look: str) -> None:
    colors = TOKENS[look]
    template = (paths.resources() / "theme" / "panel.qss").read_text()
    pairs = set()
    for rule in re.findall(r"\{((?:[^{}]|\{\w+\})*)\}", template):
        for prefix in ("", "selection-"):
            ink = re.search(rf"(?<![\w-]){prefix}color: \{{(\w+)\}}", rule)
            ground = re.search(rf"(?<![\w-]){prefix}background(?:-color)?: \{{(\w+)\}}", rule)
            if ink and ground:
                pairs.add((ink[1], ground[1]))
    assert len(pairs) > 8
    assert [pair for pair in pairs if contrast(colors[pair[0]], colors[pair[1]]) < 4.5] == []


@pytest.mark.parametrize("is_dark", [False, True])
def test_a_word_that_was_found_can_be_read(is_dark: bool, theme: Theme) -> None:
    theme.set_mode("dark" if is_dark else "light")
    mark, ground = mark_color(theme), theme.color("surface")
    share = mark.alphaF()
    pairs = zip((mark.red(), mark.green(), mark.blue()), (ground.red(), ground.green(), ground.blue()), strict=True)
    mixed = "".join(f"{round(over * share + under * (1 - share)):02x}" for over, under in pairs)
    assert contrast(theme.color("text").name(), f"#{mixed}") >= 4.5


@pytest.mark.parametrize("tone", [mark.tone for mark in MARKS.values() if mark])
def test_the_sign_in_the_tray_stands_off_its_dot(tone: str, theme: Theme) -> None:
    assert contrast(theme.vivid("on_accent").name(), theme.vivid(tone).name()) >= 3


def test_both_looks_have_the_same_tokens() -> None:
    assert TOKENS["light"].keys() == TOKENS["dark"].keys()


def test_every_placeholder_of_the_template_is_filled(theme: Theme) -> None:
    assert not re.search(r"\{\w+\}", theme.style_sheet())


def test_no_colour_is_written_outside_the_theme() -> None:
    folder = Path(str(paths.__file__)).parent / "window"
    literal = re.compile(r"#[0-9a-fA-F]{6}\b|Qt\.GlobalColor|QColor\(\d")
    sources = [*folder.rglob("*.py"), paths.resources() / "theme" / "panel.qss"]
    assert [source.name for source in sources if literal.search(source.read_text())] == []


def test_the_palette_follows_the_mode_and_the_mode_is_kept(qapp: QApplication, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "settings.json")
    theme = Theme(qapp, settings, paths.resources() / "theme")
    theme.set_mode("dark")
    assert qapp.palette().color(QPalette.ColorRole.Window) == QColor(TOKENS["dark"]["surface"])
    theme.set_mode("light")
    assert qapp.palette().color(QPalette.ColorRole.Window) == QColor(TOKENS["light"]["surface"])
    assert Settings(tmp_path / "settings.json").get("theme") == "light"
    theme.release()


def test_the_system_is_followed_live_only_when_that_was_chosen(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theme = Theme(qapp, Settings(tmp_path / "settings.json"), paths.resources() / "theme")
    changes: list[bool] = []
    theme.changed.connect(lambda: changes.append(theme.is_dark))
    monkeypatch.setattr(Theme, "is_dark", property(lambda self: self.mode != "light"))
    qapp.styleHints().colorSchemeChanged.emit(qapp.styleHints().colorScheme())
    assert changes == [True]
    assert qapp.palette().color(QPalette.ColorRole.Window) == QColor(TOKENS["dark"]["surface"])
    theme.set_mode("light")
    changes.clear()
    qapp.styleHints().colorSchemeChanged.emit(qapp.styleHints().colorScheme())
    assert changes == []
    theme.release()


def test_a_damaged_mode_is_the_systems(qapp: QApplication, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "settings.json")
    settings.set("theme", "pink")
    theme = Theme(qapp, settings, paths.resources() / "theme")
    assert theme.mode == "system"
    theme.release()


def test_tinted_icons_follow_the_theme_and_are_forgotten_with_their_button(theme: Theme, qapp: QApplication) -> None:
    button = QToolButton()
    theme.tint(button, "mdi6.refresh")
    before = button.icon().cacheKey()
    theme.set_mode("dark")
    assert button.icon().cacheKey() != before
    button.deleteLater()
    qapp.processEvents()
    theme.set_mode("light")
