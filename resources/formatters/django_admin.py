"""Django's admin: index and app list, change list, add and change form. Verified against Django 5.2.

An admin can be mounted anywhere, so the address only rules out; the page is known by its link to change the password,
which lies at the admin's root. Texts are not looked at: they are translated. Other pages of it keep the default text.
"""

import re
from urllib.parse import parse_qsl, urlsplit

from kapture_panel.format_helper import page

SIGNS = ["password_change/"]
CONTROLS = {"textbox", "searchbox", "spinbutton", "checkbox", "radio", "combobox", "listbox", "datepicker", "button"}
INLINE = {"link", "button", "text"}


def match(url):
    return re.fullmatch(r"/(?:[^/]+/)+", urlsplit(url).path) is not None


def format(nodes, url):
    path = urlsplit(url).path
    root = admin_root(nodes, path)
    main = page.inside(nodes, "main")
    if root is None or not main:
        return None
    place = path[len(root) :]
    if re.fullmatch(r"(?:\w+/)?", place):
        body = index(main)
    elif re.fullmatch(r"\w+/\w+/", place):
        body = change_list(main, urlsplit(url).query)
    elif re.fullmatch(r"\w+/\w+/(?:add|.+/change)/", place):
        body = form(main)
    else:
        return None
    return around(nodes) + body


def admin_root(nodes, path):
    """Where the admin is mounted, or None on any other page."""
    for node in nodes:
        root, end, _ = (node.get("url") or "").partition("password_change/")
        if end and root and path.startswith(root):
            return root
    return None


def around(nodes):
    """The page's head, one line a part; the sidebar repeats the index and is only named."""
    lines = []
    for node, within in page.blocks(nodes):
        if node["role"] == "main":
            continue
        if any(n["role"] == "table" for n in within):
            lines.append(f"(left out: {page.brief(node)}; {len(within)} nodes)")
        elif within:
            lines.append(f"- {node['role']}: {page.joined([n for n in within if n['name'] not in ('/', '›')], ' · ')}")
        elif node["role"] not in ("link", "button", "contentinfo"):
            lines.append(page.line(node))
    return lines


def index(main):
    """An app per block, a model per line with its links."""
    lines = []
    for node, within in page.blocks(main):
        if node["role"] != "table":
            lines += page.tree([node, *within])
            continue
        rows = [inner for inner in page.blocks(within) if inner[0]["role"] == "row"]
        app = [inner for inner in within if inner["role"] == "link" and inner["name"] == node["name"]]
        lines.append(f"- {page.brief(app[0] if app else node)}")
        lines += [f" - {page.row(cells)}" for _, cells in rows if not is_head(cells)]
    return lines


def change_list(main, query):
    """Search, actions, a line of columns, a line for each row, pages, a line for each filter."""
    lines = []
    for kind, part in parts(main):
        if kind == "line":
            lines.append(f"- {page.joined(part, ' · ')}")
            continue
        node, within = part
        if node["role"] == "search":
            lines.append(f"- search: {page.joined([n for n in within if n['role'] != 'img'])}")
        elif node["role"] == "table":
            lines += table(within)
        elif node["role"] == "navigation" and any(n["role"] == "heading" for n in within):
            lines += filters(within, query)
        elif node["role"] == "navigation":
            lines.append(f"- {page.brief(node)}: {page.joined(within, ' · ')}")
        else:
            lines += page.tree([node, *within])
    return lines


def parts(nodes):
    """Runs of buttons, links, choices and texts as one line each, everything else by itself."""
    run = []
    for node, within in page.blocks(nodes):
        if not within and node["role"] in (*INLINE, "combobox"):
            run.append(node)
            continue
        if run:
            yield "line", run
            run = []
        yield "block", (node, within)
    if run:
        yield "line", run


def is_head(cells):
    return bool(cells) and all(node["role"] == "columnheader" for node, _ in page.blocks(cells))


def table(nodes):
    """The rows; a head is told as its columns, in a row the choice of that row comes without its long name."""
    lines = []
    for node, cells in page.blocks(nodes):
        if node["role"] != "row":
            lines += page.tree([node, *cells])
        elif is_head(cells):
            lines.append(f"columns: {' | '.join(column(*one) for one in page.blocks(cells))}")
        else:
            lines.append(f"- {' | '.join(entry(*one) for one in page.blocks(cells))}")
    return lines


def column(node, within):
    """A column's name and the link that sorts by it; a sorted one has a second link."""
    links = [n for n in within if n["role"] == "link"]
    if not links:
        return page.cell(node, within)
    place = re.match(r"\d+", node["name"])
    sorted_by = f" (sorted {place.group()})" if place else " (sorted)" if len(links) > 1 else ""
    return page.brief(links[-1]) + sorted_by


def entry(node, within):
    if len(within) == 1 and within[0]["role"] == "checkbox":
        return page.brief({**within[0], "name": ""})
    return page.cell(node, within)


def filters(nodes, query):
    """A filter with its choices in a line; what is chosen now follows from the addresses."""
    now = choice(query)
    lines, depth = [], min(node["depth"] for node in nodes)
    for node, within in page.blocks(nodes):
        if node["role"] == "button" and node["depth"] == depth:
            lines.append(f"- filter {page.brief(node)}:")
        elif node["role"] == "link" and lines:
            chosen = " (chosen)" if choice((node.get("url") or "").removeprefix("?")) == now else ""
            lines[-1] += f" {page.brief(node)}{chosen}"
        elif node["role"] == "heading":
            links = [n for n in within if n["role"] == "link"]
            lines += [f"- {page.brief(link)}:" for link in links]
        else:
            lines += page.tree([node, *within])
    return [line.removesuffix(":") for line in lines]


def choice(query):
    """What a query filters by: not the page, nor the order."""
    return sorted((key, value) for key, value in parse_qsl(query, True) if key not in ("p", "o", "_facets"))


def unwrapped(nodes):
    """Without what has no name and only listens to the clicks on what it holds, as a two-sided choice does."""
    kept, around = [], []
    for number, node in enumerate(nodes):
        around = [depth for depth in around if depth < node["depth"]]
        within = nodes[number + 1]["depth"] > node["depth"] if number + 1 < len(nodes) else False
        if node["role"] == "clickable" and not node["name"] and within:
            around.append(node["depth"])
        else:
            kept.append({**node, "depth": node["depth"] - len(around)})
    return kept


def form(main):
    """A field in a line, with its help and its error; an inline's rows in a line each."""
    main = unwrapped(main)
    # A two-sided choice tells its directions twice: as a text and within the name of the list.
    lists = [node["name"] for node in main if node["role"] == "listbox"]
    directions = {n["name"] for n in main if n["role"] == "text" and any(full.endswith(n["name"]) for full in lists)}
    return fields([node for node in main if node["role"] != "text" or node["name"] not in directions], directions)


def fields(nodes, directions):
    lines, blocks, index = [], page.blocks(nodes), 0
    while index < len(blocks):
        node, within = blocks[index]
        role, name = node["role"], node["name"]
        following = blocks[index + 1][0] if index + 1 < len(blocks) else None
        if role == "text" and following and following["role"] in CONTROLS:
            if name.endswith(":") and not following["name"]:
                blocks[index + 1] = ({**following, "name": name}, blocks[index + 1][1])
                index += 1
                continue
            if "invalid" in (following.get("states") or []):
                lines.append(f"{' ' * node['depth']}- error: {name}")
                index += 1
                continue
        if role == "group":
            lines.append(page.line(node))
            lines += fields([n for n in within if n["role"] != "heading" or n["name"] != name], directions)
        elif role == "table":
            lines.append(page.line(node))
            lines += [" " * (node["depth"] + 1) + one for one in table(within)]
        elif role == "listbox":
            for text in directions:
                name = name.removesuffix(text).rstrip()
            options = "; ".join(n["name"] + "".join(f" [{s}]" for s in n.get("states") or []) for n in within)
            lines.append(page.line({**node, "name": name}, f" options: {options}" if options else " (empty)"))
        elif role in INLINE - {"text"} and not within:
            run = [node]
            while index + 1 < len(blocks) and blocks[index + 1][0]["role"] in INLINE and not blocks[index + 1][1]:
                after = blocks[index + 1][0]
                if after["role"] == "text" and after["name"] != "|":
                    break
                run.append(after)
                index += 1
            told = page.joined([n for n in run if n["name"] != "|"], " · ")
            lines.append(f"{' ' * node['depth']}- {told}")
        elif role in CONTROLS and helps(blocks, index + 1):
            lines.append(page.line(node, f" help: {blocks[index + 1][0]['name']}"))
            index += 1
        else:
            lines += page.tree([node, *within])
        index += 1
    return lines


def helps(blocks, index):
    """Whether a text is a field's help: not the next one's label, nor its error."""
    if index >= len(blocks) or blocks[index][0]["role"] != "text" or blocks[index][0]["name"].endswith(":"):
        return False
    after = blocks[index + 1][0] if index + 1 < len(blocks) else {}
    return "invalid" not in (after.get("states") or [])
