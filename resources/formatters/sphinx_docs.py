"""Documentation made by Sphinx: a page of it, and the results of its search. Verified against Sphinx 9.0.

Such a manual can be anywhere; it is known by its link to Sphinx itself or to the page's source.
A text with lines of its own, as code has, is told as JSON, so that none of them passes for a line of ours.
"""

import re
from urllib.parse import urlsplit

from kapture_panel.format_helper import page

SIGNS = ["sphinx-doc.org", "_sources/"]


def match(url):
    parts = urlsplit(url)
    host = parts.hostname or ""
    return (
        re.search(r"\.html?$|/(?:latest|stable)/", parts.path) is not None
        or host.startswith("docs.")
        or host.endswith((".readthedocs.io", ".readthedocs-hosted.com"))
    )


def format(nodes, url):
    main = page.inside(nodes, "main")
    if not main or not any(made_by_sphinx(node.get("url") or "") for node in nodes):
        return None
    found = re.search(r"/search(?:\.html?|/)$", urlsplit(url).path)
    return (search(main) if found else document(main)) + links(nodes)


def made_by_sphinx(url):
    return re.search(r"^https?://(?:www\.)?sphinx-doc\.org/?$|(?:^|/)_sources/.+\.(?:rst|md|ipynb)(?:\.txt)?$", url)


def search(main):
    """The field, what it says it found, and a numbered line for each result."""
    lines, number = [], 0
    for node, within in page.blocks(main):
        result = within[0] if node["role"] == "listitem" and within else node
        if result["role"] == "link" and result.get("url"):
            number += 1
            told = f" — {page.joined(within[1:])}" if within[1:] else ""
            lines.append(f"{number}. {page.brief(result)} {result['url']}{told}")
        else:
            lines += page.tree([node, *within])
    return lines


def document(main):
    """Headings as in Markdown, each with its ref to scroll to; a paragraph in a line, with its links inside."""
    lines, paragraph = [], []

    def close():
        if paragraph:
            lines.append(page.joined(paragraph))
            paragraph.clear()

    for node, within in page.blocks(main):
        role = node["role"]
        if role in ("text", "link") and not within:
            # Two texts in a row are two paragraphs: only a link can be between two parts of one.
            if role == "text" and paragraph and paragraph[-1]["role"] == "text":
                close()
            paragraph.append(node)
            continue
        close()
        if role == "heading":
            level = re.search(r"level=(\d)", " ".join(node.get("states") or []))
            lines.append(f"{'#' * int(level.group(1) if level else 2)} {node['name']}{page.ref(node)}")
        else:
            lines += page.tree([node, *within])
    close()
    return lines


def links(nodes):
    """The rest of the page: its search, and each place it leads to once; places in this page are its headings."""
    lines, seen, places = [], set(), []
    for node, within in page.blocks(nodes):
        if node["role"] == "main":
            continue
        for one in (node, *within):
            url = one.get("url") or ""
            if one["role"] in ("textbox", "searchbox", "button", "combobox", "checkbox"):
                lines.append(f"- {page.brief(one)}")
            elif one["role"] == "link" and url not in seen and not url.startswith("#"):
                seen.add(url)
                places.append(page.brief(one))
    return [*lines, f"links around the page (its texts are left out): {' · '.join(places)}"]
