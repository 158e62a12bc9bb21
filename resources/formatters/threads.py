"""Threads: home feed, search, activity. UNVERIFIED: written from a description, never run on the site itself.

A profile picture begins a post or an activity; its first link is who, a time says when, buttons such as "Like 5" count.
Where a page has no profile pictures, or is of another kind, the default text stays.
"""

import re
from urllib.parse import urlsplit

from kapture_panel.format_helper import page

NOTE = "unverified"

COUNT = re.compile(r"(Like|Unlike|Reply|Comment|Repost|Share)s?\b\D*([\d.,]+\s?[KM]?)?", re.IGNORECASE)


def match(url):
    host = urlsplit(url).hostname or ""
    return host in ("threads.com", "threads.net") or host.endswith((".threads.com", ".threads.net"))


def format(nodes, url):
    kind = urlsplit(url).path.strip("/").split("/")[0]
    if kind in ("", "for_you", "following", "home"):
        return told(nodes, "posts", post)
    if kind == "search":
        return told(nodes, "results", post)
    if kind == "activity":
        return told(nodes, "activity", activity)
    return None


def told(nodes, what, entry):
    """What precedes the first profile picture line by line, then a numbered entry for each."""
    before, entries = split(nodes)
    if not entries:
        return None
    lines = page.tree(before)
    lines.append(f"{what}: {len(entries)}")
    for number, inside in enumerate(entries, 1):
        lines += entry(number, inside)
    return lines


def split(nodes):
    """The nodes before the first profile picture, and those of each from there to the next."""
    before, entries = [], []
    for node in nodes:
        if "profile picture" in node["name"].lower() and not is_inside(node, entries):
            entries.append([])
        (entries[-1] if entries else before).append(node)
    return before, entries


def is_inside(node, entries):
    """Whether a picture lies in the link of the same name that began this entry."""
    return bool(entries) and len(entries[-1]) == 1 and node["depth"] > entries[-1][0]["depth"]


def apart(nodes):
    """An entry's (head, texts, buttons): its author and time, what it says, what can be done."""
    head, texts, buttons = [], [], []
    for node in nodes:
        url = node.get("url") or ""
        if node["role"] in ("listitem", "article", "separator") or "profile picture" in node["name"].lower():
            continue
        if node["role"] == "button":
            buttons.append(node)
        elif node["role"] == "time" or re.search(r"^(?:https?://[^/]+)?/@[\w.]+(?:/post/[\w-]+)?/?$", url):
            head.append(node)
        else:
            texts.append(node)
    return head, texts, buttons


def post(number, nodes):
    head, texts, buttons = apart(nodes)
    lines = [f"{number}. {page.joined(head, ' · ') or '(no author)'}"]
    lines += [f"   {page.brief(node)}" for node in texts]
    return [*lines, f"   {' · '.join(map(counted, buttons))}"] if buttons else lines


def activity(number, nodes):
    head, texts, buttons = apart(nodes)
    said = [node for node in nodes if node in head or node in texts]
    return [f"{number}. {page.joined(said)} {' · '.join(map(counted, buttons))}".rstrip()]


def counted(node):
    """`Like 5 [ref=e7]`, whatever is between the word and the number; other buttons as they are."""
    found = COUNT.fullmatch(node["name"].strip())
    if not found:
        return page.brief(node)
    return page.brief({**node, "role": "link", "name": f"{found.group(1)} {(found.group(2) or '0').strip()}"})
