"""History rows as a script for Playwright's sync API in Python, elements by role and name where that is enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from kapture_panel.core.basics import sanitize
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.stores.history_row import Row
from kapture_panel.export.playwright.code import address, literal
from kapture_panel.export.playwright.commands import COMMANDS, answering, opens_chooser
from kapture_panel.export.steps import LeftOut, Parameter, Plan, Step, plan

_HEAD = '''\
"""Recorded by Kapture Panel: {steps} steps.

Needs: pip install playwright && playwright install chromium
"""

import argparse
{base64}{getpass}{pathlib}
from playwright.sync_api import {locator}Page, sync_playwright
{drop_files}

def run({signature}) -> None:
'''
#: What a reader is told of a step, by its outcome.
_DOUBTFUL = {"no_effect": "had no effect", "unverifiable": "had an effect that could not be seen"}
#: For a place that takes files by a drop: made in its own document, whichever frame that is in.
_DROP_FILES = '''

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
    drops = any(line.lstrip().startswith("drop_files(") for line in body)
    secrets = any(parameter.secret for parameter in planned.parameters)
    head = _HEAD.format(
        steps=len(planned.steps),
        base64="import base64\n" if drops else "",
        getpass="import getpass\n" if secrets else "",
        pathlib="from pathlib import Path\n" if drops else "",
        locator="Locator, " if drops else "",
        drop_files=_DROP_FILES if drops else "",
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
        self._made = 0

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
        if step.dialog:
            answer = next(one for one in later if one.tab == step.tab)
            yield answering(page, answer.params)
        waiting = self._choosers.pop(step.tab, "") if _is_for_chooser(step) else ""
        lines = [_giving(waiting, step)] if waiting else list(write(page, step))
        if opens_chooser(step):
            yield from self._choosing(page, step, lines)
        elif step.opens:
            number = len(self._pages) + 1
            self._pages[step.opens] = f"page{number}"
            yield f"with {page}.expect_popup() as popup{number}:"
            yield from (f"    {line}" for line in (lines if _does(lines) else [*lines, "pass"]))
            yield f"page{number} = popup{number}.value"
        else:
            yield from lines

    def _choosing(self, page: str, step: Step, lines: Sequence[str]) -> Iterator[str]:
        """What opens a file chooser, which gets its files now or from a later step."""
        self._made += 1
        name = f"chooser{self._made}"
        yield f"with {page}.expect_file_chooser() as {name}:"
        yield from (f"    {line}" for line in (lines if _does(lines) else [*lines, "pass"]))
        if step.command == "upload_file":
            yield _giving(name, step)
        else:
            self._choosers[step.tab] = name

    def _new_tab(self, step: Step) -> Iterator[str]:
        first = not self._pages
        page = "page" if first else f"page{len(self._pages) + 1}"
        self._pages[step.opens] = page
        if not first:
            yield f"{page} = page.context.new_page()"
        url = step.params.get("url", "about:blank")
        if url != "about:blank":
            yield f"{page}.goto({address(url)})"


def _is_for_chooser(step: Step) -> bool:
    return step.command == "upload_file" and not {"selector", "xpath", "x"} & step.params.keys()


def _giving(chooser: str, step: Step) -> str:
    return f"{chooser}.value.set_files({literal(step.params['paths'])})"


def _does(lines: Sequence[str]) -> bool:
    return any(not line.startswith("#") for line in lines)
