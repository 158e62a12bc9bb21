"""History rows as a script for Playwright's sync API in Python, elements by role and name where that is enough."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from kapture_panel.core.basics import plain
from kapture_panel.core.stores.history_row import Row
from kapture_panel.export.steps import LeftOut, Parameter, Plan, Step, plan

_HEAD = '''\
"""Recorded by Kapture Panel: {steps} steps.

Needs: pip install playwright && playwright install chromium
"""

import argparse
{getpass}
from playwright.sync_api import Page, sync_playwright


def run({signature}) -> None:
'''
_MAIN = """

def main() -> None:
    parser = argparse.ArgumentParser(description="Do again what was recorded.")
    parser.add_argument("--executable-path", help="the browser to use instead of Playwright's own")
    parser.add_argument("--headless", action="store_true", help="without a window")
    parser.add_argument("--no-sandbox", action="store_true", help="for containers")
{options}    options = parser.parse_args()
    with sync_playwright() as p:
        browser = p.chromium.launch(
            executable_path=options.executable_path,
            headless=options.headless,
            args=["--no-sandbox"] if options.no_sandbox else [],
        )
        run({arguments})
        browser.close()


if __name__ == "__main__":
    main()
"""
#: Elements of these parts of a selector are frames, where nothing else says so.
_FRAME = re.compile(r"(?:^|[\s>+~])i?frame(?:[#.\[:][^\s>+~]*)?$")
#: Code that is more than one expression's value, which Playwright would read otherwise.
_STATEMENTS = re.compile(r"\b(?:return|await|function)\b|;|=>")


def script(rows: Sequence[Row], _pictures: Path) -> str:
    """A Python program that does again what `rows`, oldest first, did."""
    planned = plan(rows)
    body = list(_Writer(planned).lines())
    if not _does(body):
        body.append("pass")
    secrets = any(parameter.secret for parameter in planned.parameters)
    head = _HEAD.format(
        steps=len(planned.steps),
        getpass="import getpass\n" if secrets else "",
        signature=", ".join(["page: Page", *(f"{parameter.name}: str" for parameter in planned.parameters)]),
    )
    options = "".join(_option(parameter) for parameter in planned.parameters)
    page = "browser.new_context().new_page()"  # what browser.new_page() makes stays alone in its context
    arguments = ", ".join([page, *(_argument(parameter) for parameter in planned.parameters)])
    return head + "".join(f"    {line}\n" for line in body) + _MAIN.format(options=options, arguments=arguments)


def _option(parameter: Parameter) -> str:
    length = "" if parameter.length is None else f" ({parameter.length} characters when it was recorded)"
    secret = "; asked for when it is left out" if parameter.secret else ""
    # argparse formats its help with %.
    text = _py(f"{plain.line(parameter.label, 80)}{length}{secret}".replace("%", "%%"))
    needed = "" if parameter.secret else ", required=True"
    return f'    parser.add_argument("--{parameter.name}"{needed}, help={text})\n'


def _argument(parameter: Parameter) -> str:
    if not parameter.secret:
        return f"options.{parameter.name}"
    return f"options.{parameter.name} or getpass.getpass({_py(plain.line(parameter.label, 80) + ': ')})"


class _Writer:
    """Writes the body of `run`: lines without their indentation."""

    def __init__(self, planned: Plan) -> None:
        self._plan = planned
        self._pages: dict[str, str] = {}

    def lines(self) -> Iterator[str]:
        steps = self._plan.steps
        said = ""
        for item in self._plan.items:
            if isinstance(item, LeftOut):
                told = f"# Left out: {plain.line(item.row.command, 60)}, {plain.line(item.why, 200)}."
                if told != said:
                    yield told
                said = told
                continue
            said = ""
            after = steps[steps.index(item) + 1 :]
            yield from self._step(item, after)

    def _step(self, step: Step, later: Sequence[Step]) -> Iterator[str]:
        if step.command == "new_tab":
            yield from self._new_tab(step)
            return
        page = self._pages[step.tab]
        write = _COMMANDS.get(step.command)
        if write is None:
            yield f"# Left out: Playwright has nothing like {plain.line(step.command, 60)}."
            return
        if step.dialog:
            answer = next(one for one in later if one.tab == step.tab)
            yield _answering(page, answer.params)
        lines = list(write(page, step))
        if step.opens:
            number = len(self._pages) + 1
            self._pages[step.opens] = f"page{number}"
            yield f"with {page}.expect_popup() as popup{number}:"
            yield from (f"    {line}" for line in (lines if _does(lines) else [*lines, "pass"]))
            yield f"page{number} = popup{number}.value"
        else:
            yield from lines

    def _new_tab(self, step: Step) -> Iterator[str]:
        first = not self._pages
        page = "page" if first else f"page{len(self._pages) + 1}"
        self._pages[step.opens] = page
        if not first:
            yield f"{page} = page.context.new_page()"
        url = step.params.get("url", "about:blank")
        if url != "about:blank":
            yield f"{page}.goto({_address(url)})"


def _does(lines: Sequence[str]) -> bool:
    return any(not line.startswith("#") for line in lines)


def _py(value: Any) -> str:
    """`value` as a Python literal in printable characters, `{"parameter": NAME}` as that name."""
    if isinstance(value, str):
        return f'"{"".join(_ESCAPES.get(one) or (one if one.isprintable() else _escaped(one)) for one in value)}"'
    if isinstance(value, dict):
        if value.keys() == {"parameter"}:
            return str(value["parameter"])
        return "{" + ", ".join(f"{_py(name)}: {_py(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_py, value)) + "]"
    return repr(value)


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _call(subject: str, method: str, *values: str, **options: Any) -> str:
    """A call; options that are None are left out."""
    given = [f"{name}={_py(value)}" for name, value in options.items() if value is not None]
    return f"{subject}.{method}({', '.join([*values, *given])})"


def _address(url: Any) -> str:
    """An address as `goto` takes it: with a scheme, as the panel adds it."""
    if isinstance(url, str) and re.match(r"(localhost|127\.[\d.]+)(:\d+)?([/?#]|$)", url, re.IGNORECASE):
        return _py(f"http://{url}")
    if isinstance(url, str) and re.match(r"[\w.-]+(:\d+)?([/?#]|$)", url) and url != "about:blank":
        return _py(f"https://{url}")
    return _py(url)


def _located(page: str, params: dict[str, Any], targets: Sequence[dict[str, Any]]) -> str:
    """The locator of the element that `params` name; `targets` tells what the row kept of it.

    An element an agent named by a ref is found by role and name, if nothing else had them, as a reader would; a
    selector somebody wrote stays as it is.
    """
    if isinstance(params.get("xpath"), str):
        return _call(page, "locator", _py(f"xpath={params['xpath']}"))
    selector = params.get("selector", params.get("xpath"))
    if not isinstance(selector, str):
        return _call(page, "locator", _py(selector))
    target = targets[0] if targets else {}
    parts = [part.strip() for part in selector.split(">>>")]
    kinds = target.get("through")
    if not isinstance(kinds, list) or len(kinds) != len(parts) - 1:
        kinds = ["frame" if _FRAME.search(part) else "shadow" for part in parts[:-1]]
    found = page
    for part, kind in zip(parts[:-1], kinds, strict=True):
        found = _call(found, "frame_locator" if kind == "frame" else "locator", _py(f"css={part}"))
    recorded = target.get("selector") == selector
    if recorded and target.get("alone") and target.get("role") in _ROLES and isinstance(target.get("name"), str):
        return _call(found, "get_by_role", _py(target["role"]), name=target["name"], exact=True)
    # The panel takes the first of several; Playwright would refuse them.
    first = "" if recorded else ".first"
    return _call(found, "locator", _py(f"css={parts[-1]}")) + first


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


def _has_element(params: dict[str, Any]) -> bool:
    return "selector" in params or "xpath" in params


def _locator(page: str, step: Step) -> str:
    return _located(page, step.params, step.targets)


def _lines(*lines: str) -> list[str]:
    return list(lines)


def _navigate(page: str, step: Step) -> list[str]:
    until = {"domcontentloaded": "domcontentloaded", "none": "commit"}.get(step.params.get("waitUntil", ""))
    return _lines(_call(page, "goto", _address(step.params["url"]), wait_until=until))


def _wait(page: str, step: Step) -> list[str]:
    params = step.params
    state = params.get("state", "visible")
    if "time" in params:
        return _lines(_call(page, "wait_for_timeout", _py(params["time"])))
    if "urlContains" in params:
        return _lines(_call(page, "wait_for_url", f"lambda address: {_py(params['urlContains'])} in address"))
    if "expression" in params:
        return _lines(_call(page, "wait_for_function", _py(params["expression"])))
    if _has_element(params):
        return _lines(_call(_locator(page, step), "wait_for", state=state))
    if "text" in params:
        return _lines(_call(_call(page, "get_by_text", _py(params["text"])) + ".first", "wait_for", state=state))
    return _lines("# Left out: a wait for a point of the page.")


def _click(page: str, step: Step) -> list[str]:
    params = step.params
    button = params.get("button") if params.get("button") != "left" else None
    count = params.get("clickCount") if params.get("clickCount") != 1 else None
    held = params.get("modifiers") or []
    if _has_element(params):
        locator = _locator(page, step)
        return _lines(_call(locator, "click", button=button, click_count=count, modifiers=held or None))
    return [
        *(_call(f"{page}.keyboard", "down", _py(key)) for key in held),
        _call(f"{page}.mouse", "click", _py(params["x"]), _py(params["y"]), button=button, click_count=count),
        *(_call(f"{page}.keyboard", "up", _py(key)) for key in reversed(held)),
    ]


def _hover(page: str, step: Step) -> list[str]:
    if _has_element(step.params):
        return _lines(_call(_locator(page, step), "hover"))
    return _lines(_call(f"{page}.mouse", "move", _py(step.params["x"]), _py(step.params["y"])))


def _fill(page: str, step: Step) -> list[str]:
    return _filled(page, step.params, step.targets)


def _filled(page: str, params: dict[str, Any], targets: Sequence[dict[str, Any]]) -> list[str]:
    value = params["value"]
    if not _has_element(params):
        return [*_focus(page, params), _call(f"{page}.keyboard", "insert_text", _py(value))]
    locator = _located(page, params, targets)
    kind = targets[0].get("type") if targets else None
    if kind in ("checkbox", "radio") and isinstance(value, str):
        return _lines(_call(locator, "set_checked", _py(value.lower() == "true")))
    if isinstance(kind, str) and kind.startswith("select-"):
        return _lines(_call(locator, "select_option", _py(value)))
    return _lines(_call(locator, "fill", _py(value)))


def _fill_form(page: str, step: Step) -> list[str]:
    lines: list[str] = []
    for at, field in enumerate(step.params["fields"]):
        if not _has_element(field) and "x" not in field:
            lines.append("# Left out: a field without a target.")
            continue
        lines += _filled(page, field, step.targets[at : at + 1])
    return lines


def _focus(page: str, params: dict[str, Any]) -> list[str]:
    """A click at the point that the parameters name, if they do."""
    if "x" not in params or "y" not in params:
        return []
    return _lines(_call(f"{page}.mouse", "click", _py(params["x"]), _py(params["y"])))


def _type(page: str, step: Step) -> list[str]:
    params = step.params
    delay = params.get("delay") or None
    if _has_element(params):
        locator = _locator(page, step)
        lines = _lines(_call(locator, "clear")) if params.get("clear") else []
        lines.append(_call(locator, "press_sequentially", _py(params["text"]), delay=delay))
        if params.get("submit"):
            lines.append(_call(locator, "press", _py("Enter")))
        return lines
    keyboard = f"{page}.keyboard"
    lines = _focus(page, params)
    if params.get("clear"):
        lines += [_call(keyboard, "press", _py("ControlOrMeta+A")), _call(keyboard, "press", _py("Delete"))]
    lines.append(_call(keyboard, "type", _py(params["text"]), delay=delay))
    if params.get("submit"):
        lines.append(_call(keyboard, "press", _py("Enter")))
    return lines


def _insert_text(page: str, step: Step) -> list[str]:
    element = _has_element(step.params)
    focus = _lines(_call(_locator(page, step), "focus")) if element else _focus(page, step.params)
    return [*focus, _call(f"{page}.keyboard", "insert_text", _py(step.params["text"]))]


def _press_key(page: str, step: Step) -> list[str]:
    params = step.params
    subject = _locator(page, step) if _has_element(params) else f"{page}.keyboard"
    press = _call(subject, "press", _py(params["key"]))
    count = params.get("count", 1)
    again = _lines(press) if count == 1 else _lines(f"for _ in range({_py(count)}):", f"    {press}")
    return again if _has_element(params) else [*_focus(page, params), *again]


def _select(page: str, step: Step) -> list[str]:
    params = step.params
    if not _has_element(params):
        return _lines("# Left out: Playwright chooses no option at a point of the page.")
    locator = _locator(page, step)
    if "labels" in params:
        return _lines(_call(locator, "select_option", label=params["labels"]))
    return _lines(_call(locator, "select_option", _py(params["values"] if "values" in params else params.get("value"))))


def _scroll(page: str, step: Step) -> list[str]:
    params = step.params
    if "toX" in params or "toY" in params:
        to = {"left": params.get("toX"), "top": params.get("toY")}
        place = {name: value for name, value in to.items() if value is not None}
        return _lines(_call(page, "evaluate", _py("place => scrollTo(place)"), _py(place)))
    by = {"left": params.get("deltaX") or 0, "top": params.get("deltaY") or 0}
    if not _has_element(params):
        return _lines(_call(page, "evaluate", _py("by => scrollBy(by)"), _py(by)))
    if "deltaX" in params or "deltaY" in params:
        return _lines(_call(_locator(page, step), "evaluate", _py("(box, by) => box.scrollBy(by)"), _py(by)))
    return _lines(_call(_locator(page, step), "scroll_into_view_if_needed"))


def _drag(page: str, step: Step) -> list[str]:
    params = step.params
    end = {
        name: params[given]
        for name, given in (("selector", "toSelector"), ("xpath", "toXpath"), ("x", "toX"), ("y", "toY"))
        if given in params
    }
    goal = step.targets[1:2]
    if _has_element(params) and _has_element(end):
        return _lines(_call(_locator(page, step), "drag_to", _located(page, end, goal)))

    def over(place: dict[str, Any], targets: Sequence[dict[str, Any]]) -> str:
        if _has_element(place):
            return _call(_located(page, place, targets), "hover")
        return _call(f"{page}.mouse", "move", _py(place.get("x", 0)), _py(place.get("y", 0)), steps=8)

    mouse = f"{page}.mouse"
    return _lines(over(params, step.targets), _call(mouse, "down"), over(end, goal), _call(mouse, "up"))


def _upload(page: str, step: Step) -> list[str]:
    if not _has_element(step.params):
        return _lines("# Left out: Playwright uploads nothing at a point of the page.")
    return _lines(_call(_locator(page, step), "set_input_files", _py(step.params["paths"])))


def _answering(page: str, params: dict[str, Any]) -> str:
    """What answers the dialog that the next line opens."""
    text = _py(params["promptText"]) if "promptText" in params else ""
    answer = f"dialog.accept({text})" if params.get("accept") else "dialog.dismiss()"
    return f'{page}.once("dialog", lambda dialog: {answer})'


def _handle_dialog(_page: str, _step: Step) -> list[str]:
    return []


def _screenshot(page: str, step: Step) -> list[str]:
    params = step.params
    kind = params.get("format", "png")
    suffix = {"jpeg": ".jpg"}.get(kind, ".png")
    name = params["name"]
    path = re.sub(r"[^\w.-]+", "_", name) + suffix if isinstance(name, str) else name
    quality = params.get("quality") if kind == "jpeg" else None
    options = {"path": path, "type": "jpeg" if kind == "jpeg" else None, "quality": quality}
    if _has_element(params):
        return _lines(_call(_locator(page, step), "screenshot", **options))
    scrolled = {name: params[key] for name, key in (("left", "scrollX"), ("top", "scrollY")) if key in params}
    lines = _lines(_call(page, "evaluate", _py("place => scrollTo(place)"), _py(scrolled))) if scrolled else []
    full = True if params.get("fullPage") else None
    return [*lines, _call(page, "screenshot", **options, clip=params.get("clip"), full_page=full)]


def _evaluate(page: str, step: Step) -> list[str]:
    code = step.params["code"]
    if isinstance(code, str) and _STATEMENTS.search(code):
        code = f"async () => {{\n{code}\n}}"
    return _lines(_call(page, "evaluate", _py(code)))


def _inject(page: str, step: Step) -> list[str]:
    params = step.params
    if "url" in params:
        return _lines(_call(page, "add_script_tag", url=params["url"]))
    kept = _lines(_call(page, "add_init_script", _py(params["source"]))) if params.get("keep") else []
    return [*kept, _call(page, "add_script_tag", content=params["source"])]


def _resize(page: str, step: Step) -> list[str]:
    width, height = step.params["width"], step.params["height"]
    if not width or not height:
        return _lines("# Left out: Playwright gives the window's own size back to no page.")
    return _lines(_call(page, "set_viewport_size", _py({"width": width, "height": height})))


def _plain(method: str) -> Callable[[str, Step], list[str]]:
    return lambda page, _step: _lines(_call(page, method))


#: Command → lines that do it on a page, which is given by its variable's name; `new_tab` makes a page instead.
_COMMANDS: dict[str, Callable[[str, Step], list[str]]] = {
    "navigate": _navigate,
    "go_back": _plain("go_back"),
    "go_forward": _plain("go_forward"),
    "reload": _plain("reload"),
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
    "evaluate": _evaluate,
    "inject_script": _inject,
    "set_offline": lambda page, step: _lines(_call(f"{page}.context", "set_offline", _py(step.params["offline"]))),
    "resize": _resize,
}
