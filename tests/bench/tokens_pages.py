"""The pages of miniwob that `make bench-tokens` opens, and the calls that do each one's job.

Each page's task is that of the seed in `tokens.BEGIN`; `make bench-tokens ARGS='--answers click-test'` shows it.
"""

from __future__ import annotations

from typing import Any

#: A command and its parameters.
Call = tuple[str, dict[str, Any]]


def at(target: str) -> dict[str, str]:
    """The parameter that names an element: an XPath begins with a slash, all else is a selector."""
    return {"xpath": target} if target.startswith("/") else {"selector": target}


def text(words: str, element: str = "*") -> str:
    """The elements that show these words and nothing else; those of an SVG have no name of their own in XPath."""
    return f'//*[local-name()="{element}"][normalize-space()="{words}"]'


def click(target: str, **more: Any) -> Call:
    return "click", {**at(target), **more}


def fill(target: str, value: str) -> Call:
    return "fill", {**at(target), "value": value}


def fill_form(**values: str) -> Call:
    """Fill the fields with these ids."""
    return "fill_form", {"fields": [{"selector": f"#{field}", "value": value} for field, value in values.items()]}


def drag(target: str, **where: Any) -> Call:
    return "drag", {**at(target), **where}


def press(key: str, count: int = 1) -> Call:
    return "press_key", {"key": key, "count": count}


def select(target: str, label: str) -> Call:
    return "select", {**at(target), "labels": [label]}


SUBMIT = click("#subbtn")
#: What an agent reads after a call that shows something new.
CHANGES: Call = ("snapshot", {"diff": True})
LOOK: Call = ("snapshot", {"look": True})

POINTED: dict[str, tuple[Call, ...]] = {
    "click-test": (SUBMIT,),
    "click-button": (click(text("Yes", "button")),),
    "click-link": (click(text("Sapien", "span")),),
    "click-dialog-2": (click(text("Cancel", "button")),),
    "click-tab-2-hard": (click(text("2", "a")), CHANGES, click(text("gravida", "span"))),
    "click-collapsible-2-nodelay": (click(text("Section #1", "h3")), CHANGES, click(text("in.", "span"))),
    "click-menu": (("hover", at(text("Morna", "div"))), click(text("Gabriella", "div"))),
    "click-widget": (click("textarea"),),
    "click-color": (LOOK, click("#area [data-color=magenta]")),
    "click-shades": (*(click(f"#area span:nth-of-type({place})") for place in (2, 4, 6, 11, 12)), click("#submit")),
    "click-shape": (LOOK, click(text("X", "text"))),
    "click-pie-nodelay": (click(text("+", "tspan")), click(text("J", "tspan"))),
    "grid-coordinate": (click("[id='(-1,-2)']"),),
    "tic-tac-toe": (click("#ttt-4"), CHANGES, click("#ttt-0"), CHANGES, click("#ttt-8")),
    "navigate-tree": (click(".folder"), CHANGES, click(text("Cristin", "span"))),
    "email-inbox-forward-nl": (
        click(text("Allyson", "div")), ("snapshot", {}), click(".email-forward"), CHANGES,
        fill(".forward-sender", "Agnola"), click("#send-forward"),
    ),
    "odd-or-even": (
        click(".row:nth-of-type(1) .odd"), click(".row:nth-of-type(2) .odd"), click(".row:nth-of-type(3) .even"),
        click("#submit"),
    ),
    "order-food": (click("[data-id='0'] .add"), click("[data-id='10'] .add"), click("#submit-order button")),
    "highlight-text": (click("#randomText", clickCount=3), SUBMIT),
    "drag-box": (drag("#draggableSmall", toSelector="#draggableLarge"), SUBMIT),
    "drag-circle": (LOOK, drag("circle", toX=140, toY=110), SUBMIT),
    "drag-items": (drag(text("Morna", "li"), toXpath=text("Arlena", "li")),),
    "resize-textarea": (drag(".ui-resizable-se", toX=60, toY=120), click("#submit")),
}  # fmt: skip

FILLED: dict[str, tuple[Call, ...]] = {
    "click-option": (click("#ch1"), SUBMIT),
    "click-checkboxes-large": (fill_form(**{f"ch{number}": "true" for number in range(7)}), SUBMIT),
    "choose-list": (select("#options", "Kassi"), click(text("Submit", "button"))),
    "click-scroll-list": (select("#options", "Paulita"), click(text("Submit", "button"))),
    "form-sequence-3": (click(".selectric"), CHANGES, click(text("5ft 10in", "li")), click("#yes")),
    "use-autocomplete-nodelay": (
        ("type", {"selector": "#tags", "text": "Eq"}), CHANGES, click(text("Equatorial Guinea", "div")), SUBMIT,
    ),
    "choose-date-nodelay": (
        click("#datepicker"),
        ("batch", {"steps": [{"command": "click", "params": {"selector": ".ui-datepicker-prev"}}] * 8}),
        ("snapshot", {"interactiveOnly": True}),
        click(text("11", "a")),
        SUBMIT,
    ),
    "enter-date": (fill("#tt", "2012-10-16"), SUBMIT),
    "enter-password": (fill_form(password="e1b", verify="e1b"), SUBMIT),
    "login-user-popup": (
        click("#username"), CHANGES, click("#popup-cancel"), fill_form(username="keli", password="1b"), SUBMIT,
    ),
    "copy-paste": (fill("#answer-input", "Enim risus donec mi, odio accumsan tellus "), SUBMIT),
    "scroll-text": (("get_form_values", {}), fill("#answer-input", "dolor"), SUBMIT),
    "sign-agreement": (
        ("scroll", {"selector": "#text-area", "deltaY": 9000}), CHANGES, fill("#name", "Riley"), click("#agree"),
    ),
    "read-table-2": (fill_form(tt1="Ireland", tt2="Christianity"), SUBMIT),
    "search-engine": (
        fill("#search-text", "Macie"), click("#search"), CHANGES, click(text("3", "a")), CHANGES,
        click("[data-result='6']"),
    ),
    "use-spinner": (click(".ui-spinner-down", clickCount=5), SUBMIT),
    "use-slider-2": (
        click("#slider-1 span"), press("ArrowRight", 2), click("#slider-3 span"), press("ArrowLeft", 7), SUBMIT,
    ),
}  # fmt: skip

PAGES = {**POINTED, **FILLED}
