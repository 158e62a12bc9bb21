"""Pieces of a Playwright script: literals, calls, addresses, and the locator of an element."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.wire.targets import Target

#: Elements of these parts of a selector are frames, where nothing else says so.
_FRAME = re.compile(r"(?:^|[\s>+~])i?frame(?:[#.\[:][^\s>+~]*)?$")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
#: What Playwright knows as roles.
_ROLES = frozenset(
    {"alert", "alertdialog", "application", "article", "banner", "blockquote", "button", "caption", "cell", "checkbox",
     "code", "columnheader", "combobox", "complementary", "contentinfo", "definition", "deletion", "dialog",
     "directory", "document", "emphasis", "feed", "figure", "form", "generic", "grid", "gridcell", "group", "heading",
     "img", "insertion", "link", "list", "listbox", "listitem", "log", "main", "marquee", "math", "menu", "menubar",
     "menuitem", "menuitemcheckbox", "menuitemradio", "meter", "navigation", "none", "note", "option", "paragraph",
     "presentation", "progressbar", "radio", "radiogroup", "region", "row", "rowgroup", "rowheader", "scrollbar",
     "search", "searchbox", "separator", "slider", "spinbutton", "status", "strong", "subscript", "superscript",
     "switch", "tab", "table", "tablist", "tabpanel", "term", "textbox", "time", "timer", "toolbar", "tooltip", "tree",
     "treegrid", "treeitem"}
)  # fmt: skip


def literal(value: Any) -> str:
    """`value` as a Python literal in printable characters, `{"parameter": NAME}` as that name."""
    if isinstance(value, str):
        return f'"{"".join(_ESCAPES.get(one) or (one if one.isprintable() else _escaped(one)) for one in value)}"'
    if isinstance(value, dict):
        if value.keys() == {"parameter"}:
            return str(value["parameter"])
        return "{" + ", ".join(f"{literal(name)}: {literal(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    return repr(value)


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def call(subject: str, method: str, *values: str, **options: Any) -> str:
    """A call; options that are None are left out."""
    given = [f"{name}={literal(value)}" for name, value in options.items() if value is not None]
    return f"{subject}.{method}({', '.join([*values, *given])})"


def address(url: Any) -> str:
    """An address as `goto` takes it: with a scheme, as the panel adds it."""
    if isinstance(url, str) and re.match(r"(localhost|127\.[\d.]+)(:\d+)?([/?#]|$)", url, re.IGNORECASE):
        return literal(f"http://{url}")
    if isinstance(url, str) and re.match(r"[\w.-]+(:\d+)?([/?#]|$)", url) and url != "about:blank":
        return literal(f"https://{url}")
    return literal(url)


def located(page: str, params: Params, targets: Sequence[Target]) -> str:
    """The locator of the element that `params` name; `targets` tells what the row kept of it.

    An element an agent named by a ref is found by role and name, if nothing else had them, as a reader would; a
    selector somebody wrote stays as it is.
    """
    # The panel takes the first of several; Playwright would refuse them.
    if isinstance(params.get("xpath"), str):
        return call(page, "locator", literal(f"xpath={params['xpath']}")) + ".first"
    selector = params.get("selector", params.get("xpath"))
    if not isinstance(selector, str):
        return call(page, "locator", literal(selector)) + ".first"
    target = targets[0] if targets else Target()
    parts = [part.strip() for part in selector.split(">>>")]
    kinds = target.through
    if len(kinds) != len(parts) - 1:
        kinds = ["frame" if _FRAME.search(part) else "shadow" for part in parts[:-1]]
    found = page
    for part, kind in zip(parts[:-1], kinds, strict=True):
        found = call(found, "frame_locator" if kind == "frame" else "locator", literal(f"css={part}"))
    recorded = target.selector == selector
    if recorded and target.alone and target.role in _ROLES and target.name:
        return call(found, "get_by_role", literal(target.role), name=target.name, exact=True)
    first = "" if recorded else ".first"
    return call(found, "locator", literal(f"css={parts[-1]}")) + first


def has_element(params: Params) -> bool:
    return "selector" in params or "xpath" in params
