"""History rows as a script for Playwright's sync API in Python, elements by role and name where that is enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from kapture_panel.core.basics import sanitize
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.stores.history_row import Row
from kapture_panel.export.playwright.checks import after, arrived
from kapture_panel.export.playwright.code import address, call, literal
from kapture_panel.export.playwright.commands import COMMANDS, opens_chooser, timeout_of
from kapture_panel.export.playwright.events import Event, dialogs, download_event, of_kind, popup_event
from kapture_panel.export.playwright.helpers import Helper, needed
from kapture_panel.export.steps import LeftOut, Parameter, Plan, Step, plan

_HEAD = '''\
"""Recorded by Kapture Panel: {steps}, each with what was seen of it then.

What a person did in the page with mouse and keyboard is not in it.{typed}
Needs: pip install playwright && playwright install chromium
"""

{imports}

{helpers}def run({signature}) -> None:
'''
_TYPED = """
What was typed was not kept, either: each text is an option (--help)."""
#: How long a script waits at most for what was seen when it was recorded.
_EXPECT_MS = 30_000
#: What a reader is told of a step, by its outcome.
_DOUBTFUL = {"no_effect": "had no effect", "unverifiable": "had an effect that could not be seen"}
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


def script(rows: Sequence[Row], _pictures: Path, catalogue: Catalogue) -> str:
    """A Python program that does again what `rows`, oldest first, did."""
    planned = plan(rows, catalogue)
    body = list(_Writer(planned).lines())
    if not _does(body):
        body.append("pass")
    helpers = needed(body)
    if any("expect(" in line for line in body):
        body.insert(0, f"expect.set_options(timeout={_EXPECT_MS})")
    secrets = any(parameter.secret for parameter in planned.parameters)
    head = _HEAD.format(
        steps="1 step" if planned.recorded == 1 else f"{planned.recorded} steps",
        typed=_TYPED if planned.parameters else "",
        imports=_imports(body, helpers, secrets=secrets),
        helpers="".join(f"\n{helper.source}\n" for helper in helpers) + "\n",
        signature=", ".join(["page: Page", *(f"{parameter.name}: str" for parameter in planned.parameters)]),
    )
    options = "".join(_option(parameter) for parameter in planned.parameters)
    page = "browser.new_context().new_page()"  # what browser.new_page() makes stays alone in its context
    arguments = ", ".join([page, *(_argument(parameter) for parameter in planned.parameters)])
    return head + "".join(f"    {line}\n" for line in body) + _MAIN.format(options=options, arguments=arguments)


def _imports(body: Sequence[str], helpers: Sequence[Helper], *, secrets: bool) -> str:
    """The lines that import what the script uses, in the order of a formatter."""
    modules = {"argparse"} | {name for helper in helpers for name in helper.modules}
    modules |= {"getpass"} if secrets else set()
    modules |= {"re"} if any("re.compile(" in line for line in body) else set()
    names = sorted({name for helper in helpers for name in helper.names})
    used = {"Page", "sync_playwright"} | {name for helper in helpers for name in helper.playwright}
    used |= {"expect"} if any("expect(" in line for line in body) else set()
    playwright = f"from playwright.sync_api import {', '.join(sorted(used, key=_as_sorted))}"
    return "\n".join([*(f"import {name}" for name in sorted(modules)), *names, "", playwright])


def _as_sorted(name: str) -> tuple[bool, str]:
    """Classes come before functions."""
    return name[0].islower(), name


def _option(parameter: Parameter) -> str:
    length = "" if parameter.length is None else f" ({parameter.length} characters when it was recorded)"
    secret = "; asked for when it is left out" if parameter.secret else ""
    # argparse formats its help with %.
    text = literal(f"{sanitize.line(parameter.label, 80)}{length}{secret}".replace("%", "%%"))
    needed = "" if parameter.secret else ", required=True"
    return f'    parser.add_argument("--{parameter.name}"{needed}, help={text})\n'


def _argument(parameter: Parameter) -> str:
    if not parameter.secret:
        return f"options.{parameter.name}"
    return f"options.{parameter.name} or getpass.getpass({literal(sanitize.line(parameter.label, 80) + ': ')})"


class _Writer:
    """Writes the body of `run`: lines without their indentation."""

    def __init__(self, planned: Plan) -> None:
        self._plan = planned
        self._pages: dict[str, str] = {}
        #: Tab → the name of the file chooser that waits in it.
        self._choosers: dict[str, str] = {}
        self._made: Counter[str] = Counter()

    def lines(self) -> Iterator[str]:
        steps = self._plan.steps
        said = ""
        for item in self._plan.items:
            if isinstance(item, LeftOut):
                told = f"# Left out: {sanitize.line(item.row.command, 60)}, {sanitize.line(item.why, 200)}."
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
        write = COMMANDS.get(step.command)
        if write is None:
            yield f"# Left out: Playwright has nothing like {sanitize.line(step.command, 60)}."
            return
        if step.row is not None and step.row.outcome in _DOUBTFUL:
            yield f"# When it was recorded this {_DOUBTFUL[step.row.outcome]}."
        waiting = self._choosers.pop(step.tab, "") if _is_for_chooser(step) else ""
        lines = [_giving(waiting, step)] if waiting else list(write(page, step))
        events = list(self._events(page, step, later))
        yield from (line for event in events for line in event.before)
        if awaited := [f"{event.awaited} as {event.name}" for event in events if event.awaited]:
            yield f"with {', '.join(awaited)}:"
            yield from (f"    {line}" for line in (lines if _does(lines) else [*lines, "pass"]))
        else:
            yield from lines
        yield from (line for event in events for line in event.after)
        yield from after(page, step)

    def _events(self, page: str, step: Step, later: Sequence[Step]) -> Iterator[Event]:
        """What came of a step beside the page itself, and is waited for."""
        seen, timeout = step.row.effects if step.row is not None else {}, timeout_of(step)
        if step.command != "close_tab":  # which Playwright does not ask the page about
            answer = next((one.params for one in later if step.dialog and one.tab == step.tab), None)
            yield from dialogs(page, self._next, of_kind(seen, "dialogs"), answer, timeout)
        if opens_chooser(step):
            yield self._chooser(page, step)
        for download in of_kind(seen, "downloads")[:1]:
            yield download_event(page, self._next("download"), download, timeout)
        if step.opens:
            number = len(self._pages) + 1
            self._pages[step.opens] = f"page{number}"
            yield popup_event(page, number, of_kind(seen, "newTabs"), timeout)

    def _chooser(self, page: str, step: Step) -> Event:
        """What opens a file chooser, which gets its files now or from a later step."""
        name = self._next("chooser")
        if step.command != "upload_file":
            self._choosers[step.tab] = name
        given = [_giving(name, step)] if step.command == "upload_file" else []
        return Event(name, call(page, "expect_file_chooser", **timeout_of(step)), after=given)

    def _next(self, kind: str) -> str:
        """A new name for something of a kind."""
        self._made[kind] += 1
        return f"{kind}{self._made[kind]}"

    def _new_tab(self, step: Step) -> Iterator[str]:
        first = not self._pages
        page = "page" if first else f"page{len(self._pages) + 1}"
        self._pages[step.opens] = page
        if not first:
            yield f"{page} = page.context.new_page()"
        url = step.params.get("url", "about:blank")
        if url != "about:blank":
            yield call(page, "goto", address(url), **timeout_of(step))
            if step.row is not None:
                yield from arrived(page, step.row.effects.get("url"))


def _is_for_chooser(step: Step) -> bool:
    return step.command == "upload_file" and not {"selector", "xpath", "x"} & step.params.keys()


def _giving(chooser: str, step: Step) -> str:
    return f"{chooser}.value.set_files({literal(step.params['paths'])})"


def _does(lines: Sequence[str]) -> bool:
    return any(not line.startswith("#") for line in lines)
