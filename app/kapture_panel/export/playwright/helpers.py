"""Functions that a script brings along when one of its lines calls them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Helper:
    """A function's source, and what it needs: modules, lines from other modules, names of Playwright."""

    source: str
    modules: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    playwright: tuple[str, ...] = ()


#: For a place that takes files by a drop: made in its own document, whichever frame that is in.
_DROP_FILES = '''\
def drop_files(target: Locator, paths: list[str]) -> None:
    read = [(Path(path).name, base64.b64encode(Path(path).read_bytes()).decode()) for path in paths]
    target.evaluate(
        """(target, read) => {
            const dataTransfer = new DataTransfer();
            for (const [name, data] of read)
                dataTransfer.items.add(new File([Uint8Array.from(atob(data), (one) => one.charCodeAt(0))], name));
            for (const kind of ["dragenter", "dragover", "drop"])
                target.dispatchEvent(
                    new DragEvent(kind, { bubbles: true, cancelable: true, composed: true, dataTransfer }),
                );
        }""",
        read,
    )
'''
#: The wheel goes to what is under the mouse, and a page scrolls some time after it was turned.
_TURN_WHEEL = '''\
def turn_wheel(target: Locator, by_x: float, by_y: float, *, scrolls: bool) -> None:
    """Turn the mouse wheel over `target`; with `scrolls`, until that has scrolled something."""
    target.hover()
    if scrolls:
        target.evaluate(
            """() => {
                globalThis.wheelTurned = new Promise((resolve) =>
                    addEventListener("scrollend", () => resolve(true), { capture: true, once: true }),
                );
            }"""
        )
    target.page.mouse.wheel(by_x, by_y)
    if scrolls:
        late = "new Promise((resolve) => setTimeout(resolve, 30000, false))"
        assert target.evaluate(f"() => Promise.race([globalThis.wheelTurned, {late}])"), "the wheel scrolled nothing"
'''
#: A page that does not scroll leaves the wheel to what lies in the middle of the window.
_SCROLL_PAGE = '''\
def scroll_page(page: Page, by_x: float, by_y: float) -> None:
    """Scroll the page, or what lies in its middle where the page itself does not scroll."""
    moved, width, height = page.evaluate(
        """([left, top]) => {
            const before = [scrollX, scrollY];
            scrollBy({ left, top, behavior: "instant" });
            return [scrollX !== before[0] || scrollY !== before[1], innerWidth, innerHeight];
        }""",
        [by_x, by_y],
    )
    if not moved:
        page.mouse.move(width / 2, height / 2)
        page.mouse.wheel(by_x, by_y)
'''
#: Past the page's own policy for scripts, as the command does.
_INJECT = '''\
def inject(page: Page, source: str) -> None:
    """Run a script in the page."""
    said = page.context.new_cdp_session(page).send("Runtime.evaluate", {"expression": source})
    assert "exceptionDetails" not in said, said["exceptionDetails"]
'''
#: `wait_for_function` is stopped by a page's policy for scripts. A value that is a function would be called.
_WAIT_UNTIL = '''\
def wait_until(page: Page, expression: str, *, timeout_ms: int = 30_000) -> None:
    """Wait until JavaScript code has, or promises, a value that counts as true in the page."""
    end = time.monotonic() + timeout_ms / 1000
    asked = expression.rstrip("; \\n")
    while not page.evaluate(f"(async () => Boolean(await (\\n{asked}\\n)))()"):
        assert time.monotonic() < end, f"still false: {expression}"
        page.wait_for_timeout(50)
'''
#: As the command does: the first form that compiles is run, past the page's own policy for scripts. A static block is
#: tried in place of a block, for outside of it `await (x)` would be a call. Playwright's `evaluate` would call a value
#: that is a function, and waits for no value of statements.
_RUN_CODE = '''\
def run_code(page: Page, code: str) -> None:
    """Run JavaScript code in the page: an expression, statements or a function's body; wait if it gives a promise."""
    session = page.context.new_cdp_session(page)
    session.send("Runtime.enable")
    block = f"{{\\n{code}\\n}}"
    expression, body = f"(async () => (\\n{code}\\n))()", f"(async () => {block})()"
    for form, tried in ((expression, expression), (block, f"class Tried {{ static {block} }}"), (body, body)):
        asked = {"expression": tried, "sourceURL": "", "persistScript": False}
        if "exceptionDetails" not in session.send("Runtime.compileScript", asked):
            break
    said = session.send("Runtime.evaluate", {"expression": form, "awaitPromise": True, "userGesture": True})
    assert "exceptionDetails" not in said, said["exceptionDetails"]
'''
_CHOSEN = '''\
def chosen(field: Locator) -> set[str]:
    """The options that are chosen in a list: their values and their labels."""
    return set(field.evaluate("field => [...field.selectedOptions].flatMap((one) => [one.value, one.label])"))
'''
#: Playwright dismisses each dialog that nobody answers.
_ANSWER_DIALOGS = '''\
def answer_dialogs(page: Page, *accepts: bool) -> None:
    """Answer the next dialogs of `page`, one after the other."""
    left = list(accepts)

    def answer(dialog: Dialog) -> None:
        accept = left.pop(0)
        if not left:
            page.remove_listener("dialog", answer)
        dialog.accept() if accept else dialog.dismiss()

    page.on("dialog", answer)
'''

HELPERS: dict[str, Helper] = {
    "drop_files": Helper(_DROP_FILES, ("base64",), ("from pathlib import Path",), ("Locator",)),
    "turn_wheel": Helper(_TURN_WHEEL, playwright=("Locator",)),
    "scroll_page": Helper(_SCROLL_PAGE),
    "wait_until": Helper(_WAIT_UNTIL, ("time",)),
    "run_code": Helper(_RUN_CODE),
    "inject": Helper(_INJECT),
    "answer_dialogs": Helper(_ANSWER_DIALOGS, playwright=("Dialog",)),
    "chosen": Helper(_CHOSEN, playwright=("Locator",)),
}


def needed(lines: Sequence[str]) -> list[Helper]:
    """The helpers that the lines of a script call."""
    return [helper for name, helper in HELPERS.items() if any(_calls(line, name) for line in lines)]


def _calls(line: str, name: str) -> bool:
    """Whether a line calls `name`; what stands in quotes may say anything, and a helper too many does no harm."""
    return not line.lstrip().startswith("#") and f"{name}(" in line
