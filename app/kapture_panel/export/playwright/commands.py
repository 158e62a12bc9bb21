"""How each command is said to Playwright: lines that do it on a page, which is given by its variable's name.

The table names every command there is, for that is what it is: a dictionary between two languages. Its test walks all
commands of the catalogue, and one that is new is left out of scripts with a word until it has a line here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.wire.targets import Target
from kapture_panel.export.playwright.code import address, call, has_element, literal, located
from kapture_panel.export.steps import Step

#: Names of keys that only Kapture knows, by what Playwright calls them; a test compares them with `tab/keys.js`.
KEYS = {
    "Ctrl": "Control",
    "Cmd": "Meta",
    "Command": "Meta",
    "Option": "Alt",
    "Esc": "Escape",
    "Return": "Enter",
    "Del": "Delete",
    "Left": "ArrowLeft",
    "Right": "ArrowRight",
    "Up": "ArrowUp",
    "Down": "ArrowDown",
    "Space": " ",
    "Plus": "+",
}


def _locator(page: str, step: Step) -> str:
    return located(page, step.params, step.targets)


def timeout_of(step: Step) -> Params:
    """How long a call may take, if that was said; if not, Playwright waits as long as the panel does."""
    return {"timeout": step.params.get("timeout")}


def _lines(*lines: str) -> list[str]:
    return list(lines)


def _navigate(page: str, step: Step) -> list[str]:
    until = {"domcontentloaded": "domcontentloaded", "none": "commit"}.get(step.params.get("waitUntil", ""))
    return _lines(call(page, "goto", address(step.params["url"]), wait_until=until, **timeout_of(step)))


def _wait(page: str, step: Step) -> list[str]:
    params = step.params
    state = params.get("state", "visible")
    if "time" in params:
        return _lines(call(page, "wait_for_timeout", literal(params["time"])))
    if "urlContains" in params:
        reached = f"lambda address: {literal(params['urlContains'])} in address"
        return _lines(call(page, "wait_for_url", reached, **timeout_of(step)))
    if "expression" in params:
        limit = f", timeout_ms={literal(params['timeout'])}" if "timeout" in params else ""
        return _lines(f"wait_until({page}, {literal(params['expression'])}{limit})")
    if not has_element(params) and "text" not in params:
        return _lines("# Left out: a wait for a point of the page.")
    if has_element(params):
        found = _locator(page, step)
    else:
        found = call(page, "get_by_text", literal(params["text"])) + ".first"
    if found.endswith(".first") and state != "attached":  # of several any is seen, or none
        found = call(found.removesuffix(".first"), "filter", visible=True) + ".first"
    return _lines(call(found, "wait_for", state=state, **timeout_of(step)))


def _click(page: str, step: Step) -> list[str]:
    params = step.params
    button = params.get("button") if params.get("button") != "left" else None
    count = params.get("clickCount") if params.get("clickCount") != 1 else None
    options = {"button": button, "click_count": count, "delay": params.get("holdMs") or None}
    held = params.get("modifiers") or []
    if has_element(params):
        return _lines(call(_locator(page, step), "click", **options, modifiers=held or None, **timeout_of(step)))
    return [
        *(call(f"{page}.keyboard", "down", literal(key)) for key in held),
        call(f"{page}.mouse", "click", literal(params["x"]), literal(params["y"]), **options),
        *(call(f"{page}.keyboard", "up", literal(key)) for key in reversed(held)),
    ]


def _hover(page: str, step: Step) -> list[str]:
    if has_element(step.params):
        return _lines(call(_locator(page, step), "hover", **timeout_of(step)))
    return _lines(call(f"{page}.mouse", "move", literal(step.params["x"]), literal(step.params["y"])))


def _fill(page: str, step: Step) -> list[str]:
    return _filled(page, step.params, step.targets, timeout_of(step))


def _filled(page: str, params: Params, targets: Sequence[Target], timeout: Params) -> list[str]:
    value = params["value"]
    if not has_element(params):
        return [*_focus(page, params), call(f"{page}.keyboard", "insert_text", literal(value))]
    locator = located(page, params, targets)
    kind = targets[0].type if targets else ""
    if kind in ("checkbox", "radio") and isinstance(value, str):
        return _lines(call(locator, "set_checked", literal(value.lower() == "true"), **timeout))
    if kind.startswith("select-"):
        return _lines(call(locator, "select_option", literal(value), **timeout))
    return _lines(call(locator, "fill", literal(value), **timeout))


def _fill_form(page: str, step: Step) -> list[str]:
    lines: list[str] = []
    for at, field in enumerate(step.params["fields"]):
        if not has_element(field) and "x" not in field:
            lines.append("# Left out: a field without a target.")
            continue
        lines += _filled(page, field, step.targets[at : at + 1], timeout_of(step))
    return lines


def _focus(page: str, params: Params) -> list[str]:
    """A click at the point that the parameters name, if they do."""
    if "x" not in params or "y" not in params:
        return []
    return _lines(call(f"{page}.mouse", "click", literal(params["x"]), literal(params["y"])))


def _type(page: str, step: Step) -> list[str]:
    params = step.params
    delay = params.get("delay") or None
    if has_element(params):
        locator = _locator(page, step)
        lines = _lines(call(locator, "clear", **timeout_of(step))) if params.get("clear") else []
        lines.append(call(locator, "press_sequentially", literal(params["text"]), delay=delay, **timeout_of(step)))
        if params.get("submit"):
            lines.append(call(locator, "press", literal("Enter"), **timeout_of(step)))
        return lines
    keyboard = f"{page}.keyboard"
    lines = _focus(page, params)
    if params.get("clear"):
        lines += [call(keyboard, "press", literal("ControlOrMeta+A")), call(keyboard, "press", literal("Delete"))]
    lines.append(call(keyboard, "type", literal(params["text"]), delay=delay))
    if params.get("submit"):
        lines.append(call(keyboard, "press", literal("Enter")))
    return lines


def _insert_text(page: str, step: Step) -> list[str]:
    element = has_element(step.params)
    focus = _lines(call(_locator(page, step), "focus", **timeout_of(step))) if element else _focus(page, step.params)
    return [*focus, call(f"{page}.keyboard", "insert_text", literal(step.params["text"]))]


def _press_key(page: str, step: Step) -> list[str]:
    params = step.params
    subject, limit = (_locator(page, step), timeout_of(step)) if has_element(params) else (f"{page}.keyboard", {})
    if params.get("action", "press") != "press":
        return _held_keys(page, step)
    # What a parameter of the script gives stays as it is.
    chord = "+".join(_keys(params["key"])) if isinstance(params["key"], str) else params["key"]
    press = call(subject, "press", literal(chord), **limit)
    count = params.get("count", 1)
    again = _lines(press) if count == 1 else _lines(f"for _ in range({literal(count)}):", f"    {press}")
    return again if has_element(params) else [*_focus(page, params), *again]


def _keys(chord: str) -> list[str]:
    """The keys of a chord, by Playwright's names."""
    return [KEYS.get(key, key) for key in re.split(r"(?<=[^+])\+", chord)]


def _held_keys(page: str, step: Step) -> list[str]:
    """Keys that stay down, or go up again."""
    params = step.params
    # What a parameter of the script gives is one key.
    keys = _keys(params["key"]) if isinstance(params["key"], str) else [params["key"]]
    if params["action"] == "up":
        return [call(f"{page}.keyboard", "up", literal(key)) for key in reversed(keys)]
    element = has_element(params)
    focus = _lines(call(_locator(page, step), "focus", **timeout_of(step))) if element else _focus(page, params)
    again = [call(f"{page}.keyboard", "down", literal(keys[-1]))] * (params.get("count", 1) - 1)
    return [*focus, *(call(f"{page}.keyboard", "down", literal(key)) for key in keys), *again]


def _select(page: str, step: Step) -> list[str]:
    params = step.params
    if not has_element(params):
        return _lines("# Left out: Playwright chooses no option at a point of the page.")
    locator = _locator(page, step)
    values = params["values"] if "values" in params else params.get("value")
    if step.targets and not step.targets[0].type.startswith("select-"):
        return _chosen_by_clicks(page, locator, step.targets[0], params.get("labels") or values, timeout_of(step))
    if "labels" in params:
        return _lines(call(locator, "select_option", label=params["labels"], **timeout_of(step)))
    return _lines(call(locator, "select_option", literal(values), **timeout_of(step)))


def _chosen_by_clicks(page: str, locator: str, target: Target, wanted: Any, timeout: Params) -> list[str]:
    """A list that the page has made itself: it is opened, unless it is open always, and its options are clicked."""
    options = wanted if isinstance(wanted, list) else [wanted]
    opened = [] if target.role in ("listbox", "radiogroup", "menu") else _lines(call(locator, "click", **timeout))
    return [*opened, *(call(call(page, "get_by_role", literal("option"), name=one, exact=True), "click", **timeout)
                       for one in options)]  # fmt: skip


def _scroll(page: str, step: Step) -> list[str]:
    params = step.params
    if "toX" in params or "toY" in params:
        to = {"left": params.get("toX"), "top": params.get("toY")}
        place = {name: value for name, value in to.items() if value is not None}
        return _lines(call(page, "evaluate", literal("place => scrollTo(place)"), literal(place)))
    if has_element(params) and "deltaX" not in params and "deltaY" not in params:
        return _lines(call(_locator(page, step), "scroll_into_view_if_needed", **timeout_of(step)))
    by = [literal(params.get(name) or 0) for name in ("deltaX", "deltaY")]
    if has_element(params):
        scrolls = step.row is not None and step.row.outcome == "confirmed"
        return _lines(f"turn_wheel({_locator(page, step)}, {', '.join(by)}, scrolls={scrolls})")
    if "x" in params and "y" in params:
        mouse = f"{page}.mouse"
        return _lines(call(mouse, "move", literal(params["x"]), literal(params["y"])), call(mouse, "wheel", *by))
    return _lines(f"scroll_page({page}, {', '.join(by)})")


def _drag(page: str, step: Step) -> list[str]:
    params = step.params
    end = {
        name: params[given]
        for name, given in (("selector", "toSelector"), ("xpath", "toXpath"), ("x", "toX"), ("y", "toY"))
        if given in params
    }
    goal, hold_ms = step.targets[1:2], params.get("holdMs")
    if has_element(params) and has_element(end) and not hold_ms:
        return _lines(call(_locator(page, step), "drag_to", located(page, end, goal), **timeout_of(step)))

    def over(place: Params, targets: Sequence[Target]) -> str:
        if has_element(place):
            return call(located(page, place, targets), "hover", **timeout_of(step))
        return call(f"{page}.mouse", "move", literal(place.get("x", 0)), literal(place.get("y", 0)), steps=8)

    mouse = f"{page}.mouse"
    hold = _lines(call(page, "wait_for_timeout", literal(hold_ms))) if hold_ms else []
    return [over(params, step.targets), call(mouse, "down"), *hold, over(end, goal), call(mouse, "up")]


def _upload(page: str, step: Step) -> list[str]:
    """What opens a chooser is clicked (the script's writer gives the chooser its files); others get them here."""
    params = step.params
    if not has_element(params):
        left_out = "uploads nothing at a point of the page" if "x" in params else "knows no file chooser that waits"
        return _lines(f"# Left out: Playwright {left_out}.")
    locator = _locator(page, step)
    if opens_chooser(step):
        return _lines(call(locator, "click", **timeout_of(step)))
    kind = step.targets[0].type if step.targets else "file"
    if kind == "file":
        return _lines(call(locator, "set_input_files", literal(params["paths"]), **timeout_of(step)))
    return _lines(f"drop_files({locator}, {literal(params['paths'])})")


def opens_chooser(step: Step) -> bool:
    """Whether a file chooser opened that takes files from a program."""
    chooser = step.row.effects.get("fileChooser") if step.row is not None else None
    return isinstance(chooser, dict) and not chooser.get("refused")


def _handle_dialog(_page: str, _step: Step) -> list[str]:
    return []


def _screenshot(page: str, step: Step) -> list[str]:
    params = step.params
    kind = params.get("format", "png")
    suffix = {"jpeg": ".jpg"}.get(kind, ".png")
    name = params["name"]
    path = re.sub(r"[^\w.-]+", "_", name) + suffix if isinstance(name, str) else name
    quality = params.get("quality") if kind == "jpeg" else None
    options = {"path": path, "type": "jpeg" if kind == "jpeg" else None, "quality": quality, **timeout_of(step)}
    if has_element(params):
        return _lines(call(_locator(page, step), "screenshot", **options))
    scrolled = {name: params[key] for name, key in (("left", "scrollX"), ("top", "scrollY")) if key in params}
    lines = _lines(call(page, "evaluate", literal("place => scrollTo(place)"), literal(scrolled))) if scrolled else []
    full = True if params.get("fullPage") else None
    return [*lines, call(page, "screenshot", **options, clip=params.get("clip"), full_page=full)]


def _inject(page: str, step: Step) -> list[str]:
    params = step.params
    if "url" in params:
        got = call(f"{page}.request", "get", literal(params["url"]), **timeout_of(step))
        return _lines(f"inject({page}, {call(got, 'text')})")
    kept = _lines(call(page, "add_init_script", literal(params["source"]))) if params.get("keep") else []
    return [*kept, f"inject({page}, {literal(params['source'])})"]


def _resize(page: str, step: Step) -> list[str]:
    width, height = step.params["width"], step.params["height"]
    if not width or not height:
        return _lines("# Left out: Playwright gives the window's own size back to no page.")
    return _lines(call(page, "set_viewport_size", literal({"width": width, "height": height})))


def _plain(method: str) -> Callable[[str, Step], list[str]]:
    return lambda page, _step: _lines(call(page, method))


def _loads(method: str) -> Callable[[str, Step], list[str]]:
    return lambda page, step: _lines(call(page, method, **timeout_of(step)))


#: By command; `new_tab` makes a page instead.
COMMANDS: dict[str, Callable[[str, Step], list[str]]] = {
    "navigate": _navigate,
    "go_back": _loads("go_back"),
    "go_forward": _loads("go_forward"),
    "reload": _loads("reload"),
    "close_tab": _plain("close"),
    "activate_tab": _plain("bring_to_front"),
    "wait": _wait,
    "click": _click,
    "hover": _hover,
    "drag": _drag,
    "fill": _fill,
    "fill_form": _fill_form,
    "type": _type,
    "insert_text": _insert_text,
    "press_key": _press_key,
    "select": _select,
    "scroll": _scroll,
    "upload_file": _upload,
    "handle_dialog": _handle_dialog,
    "screenshot": _screenshot,
    "evaluate": lambda page, step: _lines(f"run_code({page}, {literal(step.params['code'])})"),
    "inject_script": _inject,
    "set_offline": lambda page, step: _lines(call(f"{page}.context", "set_offline", literal(step.params["offline"]))),
    "resize": _resize,
}
