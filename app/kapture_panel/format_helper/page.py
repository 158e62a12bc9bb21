"""What formatters share: a page's nodes as text. Plug-ins import it: `from kapture_panel.format_helper import page`.

A node is a dict with `role`, `name`, `depth` and, where they say something, `ref`, `states`, `value`, `format`,
`options`, `hint`, `url` and `offscreen`. Nodes are in the order of the page; what is inside a node follows it with a
greater depth.
"""

import json
from typing import Any

Node = dict[str, Any]

_CELLS = {"cell", "gridcell", "rowheader", "columnheader"}


def blocks(nodes: list[Node]) -> list[tuple[Node, list[Node]]]:
    """The topmost nodes, each with what is inside it."""
    found: list[tuple[Node, list[Node]]] = []
    top = min((node["depth"] for node in nodes), default=0)
    for node in nodes:
        if node["depth"] == top or not found:
            found.append((node, []))
        else:
            found[-1][1].append(node)
    return found


def inside(nodes: list[Node], role: str) -> list[Node]:
    """What is inside the first node of a role, its depth counted from there; nothing where there is none."""
    for index, node in enumerate(nodes):
        if node["role"] == role:
            end = index + 1
            while end < len(nodes) and nodes[end]["depth"] > node["depth"]:
                end += 1
            return [{**within, "depth": within["depth"] - node["depth"] - 1} for within in nodes[index + 1 : end]]
    return []


def ref(node: Node) -> str:
    """` [ref=e5]`, or nothing."""
    return f" [ref={node['ref']}]" if node.get("ref") else ""


def words(name: str) -> str:
    """A text of the page in one line: as JSON where it has line breaks or spaces of its own, as in code."""
    return name if name == " ".join(name.split()) else json.dumps(name, ensure_ascii=False)


def brief(node: Node) -> str:
    """A node without its place and address: `Next [ref=e5]` for a link, `button "Save" [ref=e6]` for others."""
    if node["role"] == "text":
        return words(node["name"])
    plain = node["role"] in _CELLS or node["role"] == "link"
    name = words(node["name"]) if plain else f"{node['role']} {json.dumps(node['name'], ensure_ascii=False)}"
    if not node["name"]:
        name = node["role"]
    return name + ref(node) + _state(node)


def line(node: Node, more: str = "") -> str:
    """A node as the default text has it, indented; only `offscreen` is not told."""
    start = f"{' ' * node['depth']}- {node['role']}"
    if node["role"] == "text":
        return f"{start}: {words(node['name'])}{more}"
    name = f" {json.dumps(node['name'], ensure_ascii=False)}" if node["name"] else ""
    url = node.get("url") or ""
    told = f" url={url}" if url and not url.startswith("#") and url != node["name"] else ""
    return f"{start}{name}{ref(node)}{_state(node)}{told}{more}"


def joined(nodes: list[Node], between: str = " ") -> str:
    """Nodes in one line; containers without a name or a ref worth telling only hold others."""
    return between.join(brief(node) for node in nodes if node["role"] not in ("listitem", "list"))


def tree(nodes: list[Node]) -> list[str]:
    """The default text, with each row of a table and each item of a list in one line."""
    lines: list[str] = []
    for node, within in blocks(nodes):
        if node["role"] == "row":
            lines.append(f"{' ' * node['depth']}- {row(within)}")
        elif node["role"] == "listitem" and not any(n["role"] in ("listitem", "table", "heading") for n in within):
            lines.append(f"{' ' * node['depth']}- {joined(within)}")
        else:
            lines.append(line(node))
            lines.extend(tree(within))
    return lines


def row(nodes: list[Node]) -> str:
    """What is inside a row, as `cell | cell`."""
    return " | ".join(cell(node, within) for node, within in blocks(nodes))


def cell(node: Node, within: list[Node]) -> str:
    """A cell: its text where the controls in it do not already say it, then the controls."""
    controls = [n for n in within if n.get("ref") and n["role"] != "img"]
    if not controls:
        return words(node["name"]) or joined(within) or "–"
    rest = str(node["name"])
    for control in controls:
        for said in (control["name"], control.get("value")):
            rest = rest.replace(str(said), "", 1) if said else rest
    texts = [words(n["name"]) for n in within if n["role"] == "text"]
    told = [words(node["name"])] if rest.strip() else texts
    return " ".join([*told, *map(brief, controls)])


def _state(node: Node) -> str:
    states = "".join(f" [{state}]" for state in node.get("states") or [])
    return states + (f" value={json.dumps(node['value'], ensure_ascii=False)}" if node.get("value") else "")
