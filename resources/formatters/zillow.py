"""Zillow: home, search, a home's details over the search, a home's own page. UNVERIFIED: written from a description,
never run on the site itself.

A listing is an article with a price, facts (beds, baths, area), an address that is its link, and buttons.
Where a page does not have that shape, or is of another kind, the default text stays.
"""

import re
from urllib.parse import urlsplit

from kapture_panel.format_helper import page

NOTE = "unverified"

PRICE = re.compile(r"\$[\d,.]+[KM]?(?:\+|/mo)?")
FACT = re.compile(
    r"([\d,.]+|--|Studio)\s*(bds?|beds?|bedrooms?|ba|baths?|bathrooms?|sqft|square feet|acres?|lot)\b|Studio", re.I
)


def match(url):
    host = urlsplit(url).hostname or ""
    return host == "zillow.com" or host.endswith(".zillow.com")


def format(nodes, url):
    path = urlsplit(url).path
    if path == "/":
        return home(nodes)
    if path.startswith("/homedetails/"):
        over = page.inside(nodes, "dialog")
        return detail(over, "details over the search") if over else detail_page(nodes)
    if re.search(r"^/homes/|_rb/?$|-[a-z]{2}/?$|/(?:for_sale|for_rent|rentals|sold|houses|apartments)/", path):
        return search(nodes)
    return None


def home(nodes):
    """The search first, then the listings it shows, then the rest."""
    fields = [node for node in nodes if node["role"] in ("textbox", "searchbox", "combobox")]
    if not fields:
        return None
    rest, listings = split([node for node in nodes if node not in fields])
    lines = [f"search: {page.brief(node)}" for node in fields]
    return [*lines, *numbered(listings), *page.tree(rest)]


def search(nodes):
    """What filters and pages line by line, then a numbered line for each listing."""
    rest, listings = split(nodes)
    if not listings:
        return None
    return [*page.tree(rest), *numbered(listings)]


def detail_page(nodes):
    return detail(page.inside(nodes, "main"), "details")


def detail(nodes, what):
    """Price and facts in the first line, then all of it."""
    texts = [node["name"] for node in nodes if node["role"] in ("text", "heading")]
    price = next(filter(None, map(PRICE.search, texts)), None)
    facts = [match.group() for text in texts for match in FACT.finditer(text)]
    if price is None:
        return None
    told = " · ".join(dict.fromkeys([price.group(), *facts]))
    return [f"{what}: {told}", *page.tree(nodes)]


def split(nodes):
    """The nodes outside of listings, and those of each listing; an article without a price is none."""
    rest, listings, index = [], [], 0
    while index < len(nodes):
        node, end = nodes[index], index + 1
        if node["role"] == "article":
            while end < len(nodes) and nodes[end]["depth"] > node["depth"]:
                end += 1
            if any(PRICE.search(inner["name"]) for inner in nodes[index:end]):
                listings.append(nodes[index + 1 : end])
                index = end
                continue
            end = index + 1
        rest.append(node)
        index = end
    return rest, listings


def numbered(listings):
    """`1. $450,000 · 3 bds · 2 ba · 12 Elm St [ref=e5] · button "Save" [ref=e6]`, and whatever else is told."""
    lines = [f"listings: {len(listings)}"] if listings else []
    for number, nodes in enumerate(listings, 1):
        nodes = [node for node in nodes if node["role"] not in ("listitem", "img", "list")]
        # A price, then facts, come before the address, wherever the page has them.
        nodes.sort(key=lambda node: 0 if PRICE.search(node["name"]) else 1 if FACT.search(node["name"]) else 2)
        lines.append(f"{number}. {page.joined(nodes, ' · ')}")
    return lines
