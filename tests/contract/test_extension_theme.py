"""The extension's pages look like the window: one file of colours and sizes, and it is the theme's."""

from __future__ import annotations

import json
import re

from tests.support.tree import EXTENSION, ROOT

TOKENS = json.loads((ROOT / "resources/theme/tokens.json").read_text(encoding="utf-8"))
THEME = (EXTENSION / "theme.css").read_text(encoding="utf-8")
_GENERIC = {"system-ui", "sans-serif", "ui-monospace", "monospace"}


def test_every_colour_and_size_is_the_themes_and_none_is_missing() -> None:
    declared = dict(re.findall(r"--([\w-]+): ([^;]+);", THEME))
    wanted = {name.replace("_", "-"): f"{px}px" for name, px in TOKENS["size_px"].items()}
    wanted |= {
        name.replace("_", "-"): f"light-dark({color}, {TOKENS['dark'][name]})"
        for name, color in TOKENS["light"].items()
    }
    wanted |= {
        f"font-{name}": f"{TOKENS['font'][key]}px"
        for name, key in (("size", "size_px"), ("small", "small_px"), ("mono-size", "mono_px"))
    }
    fonts = {name: declared.pop(f"font-{name}") for name in ("sans", "mono")}
    assert declared == wanted
    for name, families in fonts.items():
        assert [one.strip(' "') for one in families.split(",") if one.strip(' "') not in _GENERIC] == TOKENS["font"][
            name
        ]


def test_no_other_style_has_colours_of_its_own() -> None:
    styles = [path for path in EXTENSION.rglob("*.css") if path.name != "theme.css"]
    assert len(styles) >= 5
    for style in styles:
        text = style.read_text(encoding="utf-8")
        assert re.findall(r"#[0-9a-fA-F]{3,8}\b(?=[;\s,)])|\brgba?\(|\bhsla?\(", text) == [], style


def test_every_name_a_style_uses_is_declared() -> None:
    declared = set(re.findall(r"--([\w-]+):", THEME))
    for style in EXTENSION.rglob("*.css"):
        used = set(re.findall(r"var\(--([\w-]+)\)", style.read_text(encoding="utf-8")))
        assert used <= declared, style


def test_every_page_takes_the_theme_first() -> None:
    for page in EXTENSION.rglob("*.html"):
        styles = re.findall(r'<link rel="stylesheet" href="([^"]+)"', page.read_text(encoding="utf-8"))
        assert styles[:2] == ["../theme.css", "../controls.css"] or page.name == "devtools.html"
