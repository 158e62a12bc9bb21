"""A link in a picture (SVG) is one, also where its address is written as in XML, as Graphviz and Doxygen do."""

from __future__ import annotations

import re

import pytest

from tests.support.e2e.panel import Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: As Graphviz writes it.
_DRAW = """document.body.innerHTML = `<svg width="200" height="120"><g class="graph">
  <g id="node1" class="node"><a xlink:href="/keys.html" xlink:title="Node one">
    <ellipse fill="none" stroke="black" cx="60" cy="40" rx="50" ry="20"/><text x="40" y="44">Node one</text></a></g>
  <g id="node2" class="node"><ellipse fill="none" stroke="black" cx="60" cy="90" rx="50" ry="20"/>
    <text x="40" y="94">Node two</text></g></g></svg>`"""


async def test_a_link_with_an_address_of_xml_is_told_and_followed(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        await a.call("evaluate", code=_DRAW)
        lines = await a.text("snapshot")
        found = re.search(r'link "Node one" \[ref=(e\d+)\] url=/keys\.html', lines)
        assert found, lines
        assert "text: Node two" in lines
        await a.call("click", ref=found[1])
        assert (await a.call("evaluate", code="location.pathname"))["value"] == "/keys.html"
