"""Names and roles rule by rule (accname 1.2, HTML-AAM, ARIA): what a snapshot calls an element and what Chrome does."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
import pytest_asyncio

from kapture_panel.demo.agent import Agent
from tests.support.e2e.panel import Panel, Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: Chrome's internal role → ours; those it gives what says nothing about itself are "".
CALLED = {"image": "img", "LayoutTableCell": "cell", "LayoutTableRow": "row", "LayoutTable": "table"}
NOTHING = {"generic", "none", "GenericContainer"}
MARKED = "document.querySelectorAll('[data-rule] .ex')"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def told(visitor: Visit, pages: str, panel: Panel) -> list[tuple[str, str, str, str]]:
    """Of each marked element of the page: its rule, its HTML, what we call it, what Chrome does."""
    async with visitor(f"{pages}/names.html") as a:
        assert panel.hub.browsers.shared is not None
        session = await panel.witness(pages).session("/names.html")
        pipe = panel.hub.browsers.shared.pipe

        async def call(method: str, **params: Any) -> dict[str, Any]:
            return await pipe.call(method, params, session)

        rows = f"[...{MARKED}].map((one) => [one.closest('[data-rule]').dataset.rule, one.outerHTML])"
        said = await call("Runtime.evaluate", expression=rows, returnByValue=True)
        marked = await call("Runtime.evaluate", expression=f"[...{MARKED}]")
        found = await call("Runtime.getProperties", objectId=marked["result"]["objectId"], ownProperties=True)
        handles = [item["value"]["objectId"] for item in found["result"] if item["name"].isdecimal()]
        trees = await asyncio.gather(
            *(call("Accessibility.getPartialAXTree", objectId=handle, fetchRelatives=False) for handle in handles)
        )
        rules = dict.fromkeys(rule for rule, _ in said["result"]["value"])
        ours = [name for rule in rules for name in await named(a, rule)]
        return [
            (rule, html, our, chromes(tree["nodes"][0]))
            for (rule, html), our, tree in zip(said["result"]["value"], ours, trees, strict=True)
        ]


async def named(agent: Agent, rule: str) -> list[str]:
    answer = json.loads(await agent.text("query_dom", selector=f'[data-rule="{rule}"] .ex', limit=50))
    return [says("" if one["role"] == "generic" else one["role"], one.get("name", "")) for one in answer["elements"]]


def chromes(node: dict[str, Any]) -> str:
    role = "" if node["ignored"] else node["role"]["value"]
    return says("" if role in NOTHING else CALLED.get(role, role), node.get("name", {}).get("value", ""))


def says(role: str, name: str) -> str:
    return f'{role} "{" ".join(name.split())}"'


async def test_every_rule_comes_to_what_chrome_says(told: list[tuple[str, str, str, str]]) -> None:
    def is_hidden(rule: str) -> bool:
        return rule == "what is hidden has no name"

    wrong = [
        f"{rule}: {html} is {ours}, Chrome: {chrome}"
        for rule, html, ours, chrome in told
        if (ours.partition(" ")[2] != chrome.partition(" ")[2] if is_hidden(rule) else ours != chrome)
    ]
    assert not wrong, "\n".join(wrong)
    assert len(told) > 90
    assert len({rule for rule, *_ in told}) > 20


async def test_no_name_is_the_address_of_a_picture(told: list[tuple[str, str, str, str]]) -> None:
    assert all("data:image" not in ours for _, _, ours, _ in told)
