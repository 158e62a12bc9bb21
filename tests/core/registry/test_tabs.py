"""The registry of connected tabs."""

from __future__ import annotations

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.tabs import Tab, Tabs


class Watched:
    """A registry and all it announced."""

    def __init__(self) -> None:
        self.tabs = Tabs()
        self.heard: list[tuple[str, str]] = []
        for name in ("added", "changed", "removed"):
            getattr(self.tabs, name).connect(lambda tab, name=name: self.heard.append((name, tab.tab_id)))


def tab(tab_id: str = "t1", url: str = "https://shop.example/") -> Tab:
    return Tab(tab_id, url, "Shop", "install")


def test_tabs_are_listed_in_the_order_they_connected() -> None:
    watched = Watched()
    for tab_id in ("b", "a", "c"):
        watched.tabs.add(tab(tab_id))
    assert [known.tab_id for known in watched.tabs] == ["b", "a", "c"]
    assert len(watched.tabs) == 3
    assert watched.heard == [("added", "b"), ("added", "a"), ("added", "c")]


def test_a_tab_that_comes_back_keeps_its_place_and_its_driver() -> None:
    watched = Watched()
    first = tab("a")
    first.driver, first.connected_at = "claude", 5.0
    watched.tabs.add(first)
    watched.tabs.add(tab("b"))
    again = tab("a", "https://other.example/")
    watched.tabs.add(again)
    assert [known.tab_id for known in watched.tabs] == ["a", "b"]
    assert watched.tabs.get("a") is again
    assert (again.driver, again.connected_at) == ("claude", 5.0)
    assert watched.heard[-1] == ("changed", "a")


def test_only_real_changes_are_announced() -> None:
    watched = Watched()
    known = tab()
    watched.tabs.add(known)
    watched.tabs.update(known, title="Shop")
    assert watched.heard == [("added", "t1")]
    watched.tabs.update(known, title="Cart", url="https://shop.example/cart")
    assert watched.heard == [("added", "t1"), ("changed", "t1")]
    assert (known.title, known.url) == ("Cart", "https://shop.example/cart")


def test_a_replaced_tab_neither_speaks_nor_removes_its_successor() -> None:
    watched = Watched()
    old, new = tab(), tab()
    watched.tabs.add(old)
    watched.tabs.add(new)
    watched.heard.clear()
    watched.tabs.update(old, title="late")
    watched.tabs.remove(old)
    assert watched.heard == []
    assert watched.tabs.find("t1") is new
    watched.tabs.remove(new)
    watched.tabs.remove(new)
    assert watched.heard == [("removed", "t1")]
    assert watched.tabs.find("t1") is None


def test_an_unknown_tab_is_answered_with_those_there_are() -> None:
    tabs = Tabs()
    with pytest.raises(KaptureError, match=r"'t9'; no tab is connected: start a browser") as raised:
        tabs.get("t9")
    assert raised.value.code == "TAB_NOT_FOUND"
    tabs.add(tab("t1"))
    tabs.add(tab("t2", "about:blank"))
    with pytest.raises(KaptureError, match=r"'t9'; connected are t1 \(shop.example\), t2 \(about\)"):
        tabs.get("t9")


def test_a_long_list_of_tabs_is_cut_short() -> None:
    tabs = Tabs()
    for number in range(25):
        tabs.add(tab(f"t{number}"))
    assert tabs.listing().endswith("t19 (shop.example) and 5 more")


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://shop.example/cart?a=1", "shop.example"),
        ("http://127.0.0.1:8123/x", "127.0.0.1:8123"),
        ("https://me:secret@shop.example/", "shop.example"),
        ("https://shop.example./cart", "shop.example"),
        ("http://shop.example.:8123/cart", "shop.example:8123"),
        ("about:blank", "about"),
        ("chrome://settings/", "settings"),
        ("file:///tmp/a.html", "file"),
        ("http://[", ""),
        ("", ""),
    ],
)
def test_the_site_of_a_tab_is_its_host_without_credentials_and_a_dot_at_its_end(url: str, site: str) -> None:
    assert tab("t1", url).site == site
