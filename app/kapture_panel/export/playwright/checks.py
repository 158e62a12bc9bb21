"""What a script checks of each step: what was seen when it was recorded, as far as it must be so every time.

Numbers in addresses and texts may be others the next time (of an order, a day), so they are never compared.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import SplitResult, urlsplit

from msgspec.structs import replace

from kapture_panel.core.basics.free_json import JsonObject, Params
from kapture_panel.core.catalogue.redaction import MASK
from kapture_panel.core.wire.targets import Target
from kapture_panel.export.playwright.code import call, has_element, literal, located
from kapture_panel.export.steps import Step

#: Roles whose element tells itself whether it is checked.
_CHECKED = ("checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio")
#: State of a target → the roles whose element tells it by an attribute of its own.
_STATES = {"pressed": ("button",), "selected": ("tab",)}
#: Of a part of an address that names one thing among many: it may be another one the next time.
_ONE_OF_MANY = re.compile(r"\d|\*\*\*")


def after(page: str, step: Step) -> list[str]:
    """The lines that check what came of a step."""
    if step.row is None:
        return []
    effects = step.row.effects
    if step.command == "close_tab":
        return [f"assert {page}.is_closed()"]
    if effects.get("url"):
        return arrived(page, effects["url"])
    confirmed = step.row.outcome == "confirmed"
    if step.command == "fill_form":
        fields = step.params["fields"] if confirmed else []
        return [line for at, one in enumerate(fields) for line in _holds(page, one, step.targets[at : at + 1])]
    if step.command == "fill" and confirmed:
        return _holds(page, step.params, step.targets)
    if step.command in ("type", "insert_text") and confirmed and not step.params.get("submit"):
        return _contains(page, step.params, step.targets)
    if step.command == "select" and confirmed:
        return _chosen(page, step)
    return _states(page, step, effects.get("target") or {}) if step.command == "click" else []


def arrived(page: str, url: Any) -> list[str]:
    """What checks the address of a page: its site, its path, and which parameters it has."""
    split = _split(url)
    if split is None:
        return []
    path = "/".join(r"[^/?#]*" if _ONE_OF_MANY.search(part) else re.escape(part) for part in split.path.split("/"))
    names = [pair.partition("=")[0] for pair in split.query.split("&") if pair]
    query = "".join(rf"(?=.*[?&]{re.escape(name)}(?:[=&#]|$))" for name in names if not _ONE_OF_MANY.search(name))
    pattern = f"^{query}{re.escape(f'{split.scheme}://{split.netloc}')}{path or '/'}(?:[?#]|$)"
    plain = pattern.isprintable() and '"' not in pattern
    written = f'r"{pattern}"' if plain else literal(pattern)
    return [f"expect({page}).to_have_url(re.compile({written}))"]


def _split(url: Any) -> SplitResult | None:
    if not isinstance(url, str) or not url.startswith(("http:", "https:")):
        return None
    try:
        split = urlsplit(url)
    except ValueError:
        return None
    return None if MASK in split.netloc else split


def _holds(page: str, params: Params, targets: Sequence[Target]) -> list[str]:
    """What a field holds that was filled."""
    field, kind = _field(page, params, targets)
    value = params["value"]
    if not field:
        return []
    if kind in ("checkbox", "radio"):
        return [call(f"expect({field})", "to_be_checked", checked=_is_true(value))] if isinstance(value, str) else []
    if kind.startswith("select-"):
        return [f"assert {{{literal(value)}}} <= chosen({field})"]
    if kind:
        return [call(f"expect({field})", "to_have_value", literal(value))]
    return [call(f"expect({field})", "to_have_text", literal(value), use_inner_text=True)]


def _contains(page: str, params: Params, targets: Sequence[Target]) -> list[str]:
    """What a field holds that was typed into, beside what stood in it."""
    field, kind = _field(page, params, targets)
    if not field or not params["text"]:
        return []
    text = literal(params["text"])
    if kind:
        return [call(f"expect({field})", "to_have_value", f"re.compile(re.escape({text}))")]
    return [call(f"expect({field})", "to_contain_text", text, use_inner_text=True)]


def _chosen(page: str, step: Step) -> list[str]:
    field, kind = _field(page, step.params, step.targets)
    params = step.params
    wanted = params.get("labels") or params.get("values") or [params.get("value", "")]
    if not field or not kind.startswith("select-") or not isinstance(wanted, list):
        return []
    return [f"assert {{{', '.join(map(literal, wanted))}}} <= chosen({field})"]


def _states(page: str, step: Step, changes: JsonObject) -> list[str]:
    """What the pressed element says of itself."""
    target = step.targets[0] if step.targets else Target()
    if not has_element(step.params) or not target.selector:
        return []
    element = recorded(page, target)
    lines = []
    if target.role in _CHECKED and isinstance(changes.get("checked"), list) and changes["checked"][1] != "mixed":
        lines.append(call(f"expect({element})", "to_be_checked", checked=changes["checked"][1]))
    for name, roles in _STATES.items():
        if target.role in roles and isinstance(changes.get(name), list):
            value = str(changes[name][1]).lower()
            lines.append(call(f"expect({element})", "to_have_attribute", literal(f"aria-{name}"), literal(value)))
    return lines


def _field(page: str, params: Params, targets: Sequence[Target]) -> tuple[str, str]:
    """The field that was meant, and its type: empty for text that is edited in the page itself.

    Without one, or where nobody knows how to read it, both are empty.
    """
    target = targets[0] if targets else Target()
    is_edited = target.role in ("textbox", "searchbox")
    if not has_element(params) or not target.selector or not (target.type or is_edited):
        return "", ""
    return recorded(page, target), target.type


def recorded(page: str, target: Target) -> str:
    """The locator of an element by its selector: what a button is called may be another word once it was pressed."""
    return located(page, {"selector": target.selector}, [replace(target, alone=False)])


def _is_true(value: str) -> bool:
    return value.lower() == "true"
