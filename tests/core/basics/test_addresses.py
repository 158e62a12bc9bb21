"""Addresses as a policy sees them."""

from __future__ import annotations

import pytest

from kapture_panel.core.basics import addresses


@pytest.mark.parametrize(
    ("url", "origin", "site"),
    [
        ("https://shop.example/cart?x=1#y", "https://shop.example", "shop.example"),
        ("http://127.0.0.1:8123/x", "http://127.0.0.1:8123", "127.0.0.1:8123"),
        ("https://me:secret@shop.example/", "https://shop.example", "shop.example"),
        ("about:blank", "about://", ""),
        ("about:srcdoc", "about://", ""),
        ("file:///tmp/a.html", "file://", "file:"),
        ("data:text/html,x", "data://", "data:"),
        ("blob:https://shop.example/1-2", "blob://", "blob:"),
        ("", "", ""),
        ("http://[", "", ""),
    ],
)
def test_an_address_has_an_origin_and_a_site(url: str, origin: str, site: str) -> None:
    """As the extension's `originOf` writes it: both sides compare them."""
    assert addresses.origin_of(url) == origin
    assert addresses.site_of(origin) == site


@pytest.mark.parametrize(
    ("written", "site"),
    [
        ("shop.example", "shop.example"), (" Shop.Example ", "shop.example"),
        ("https://shop.example/cart", "shop.example"),
        ("localhost:3000/x", "localhost:3000"), ("", ""), ("http://localhost:3000", "localhost:3000"),
        ("me:secret@shop.example/cart", "shop.example"), ("http:me:secret@shop.example", "shop.example"),
    ],
)  # fmt: skip
def test_a_person_may_write_a_site_as_host_or_address(written: str, site: str) -> None:
    assert addresses.site_named(written) == site
