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
        ("https://shop.example./cart", "https://shop.example.", "shop.example"),
        ("https://shop.example.:8443/", "https://shop.example.:8443", "shop.example:8443"),
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
        ("münchen.de", "xn--mnchen-3ya.de"), ("https://STRASSE.münchen.de:8443/", "strasse.xn--mnchen-3ya.de:8443"),
        ("straße.example", "xn--strae-oqa.example"), ("例え。example", "xn--r8jz45g.example"),
        ("https://shop.example:443/", "shop.example"), ("http://shop.example:443/", "shop.example:443"),
        ("shop.example:443", "shop.example"), ("shop.example:80", "shop.example"),
        ("shop.example:8080", "shop.example:8080"), ("http://shop.example:80", "shop.example"),
        ("shop.example.", "shop.example"), ("shop.example?x=1", "shop.example"),
        ("[::1]:3000", "[::1]:3000"), ("https://[::1]/", "[::1]"), ("file:///tmp/", "file:"),
    ],
)  # fmt: skip
def test_a_person_may_write_a_site_as_host_or_address(written: str, site: str) -> None:
    assert addresses.site_named(written) == site


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("https://a.example:8443/x?y=https://b.example/", "a.example:8443"),
        ("https://user:pw@a.example/", "a.example"),
        ("https:a.example", "a.example"),
        ("https:\\\\a.example\\@b.example/", "a.example"),
        ("a.example/x@b.example", "a.example"),
        ("localhost:80/x", "localhost:80"),
        ("mailto:a@b.example", ""),
        ("/cart", ""),
        ("", ""),
    ],
)
def test_the_host_is_found_in_an_address_where_a_browser_finds_it(address: str, host: str) -> None:
    start, end = addresses.host_in(address)
    assert address[start:end] == host


def test_what_a_browser_drops_of_an_address_is_dropped() -> None:
    assert addresses.as_browsed(" \x00https://a.ex\n\tample/ ") == "https://a.example/"


@pytest.mark.parametrize(
    "written",
    ["", "h", "https", "https:", "https:/", "https://", "example.com", "localhost:3000", "example.com:8443/a b?c#d",
     "/thanks", "?page=2", "#top", "./x", "about:blank", "data:text/html,<p>a b", "http://[::1]:80/", "file:///a b",
     "https://user:pass@example.com/", "https://user:pa", "http:\\\\example.com", "  https://example.com ",
     "bücher.example", "exam_ple.com", "mailto:me@example.com", "steam://x", "http", "https:/x"],
)  # fmt: skip
def test_what_may_become_an_address_is_not_called_wrong(written: str) -> None:
    assert addresses.unlike_one(written) == ""


@pytest.mark.parametrize(
    "written",
    ["hello world", "https://exa mple.com", "http://<host>/", "http:///?q", "a|b", "x^y",
     "http//x.com", "https\\\\x", "htp:/x", "htpps://x.com", "exam_ple..com", "https://a..b/c"],
)  # fmt: skip
def test_what_is_no_address_is_told(written: str) -> None:
    assert addresses.unlike_one(written) == "no address; write one like https://example.com/"


def test_a_port_that_is_none_is_told() -> None:
    assert addresses.unlike_one("http://example.com:70000/") == "70000 is not a port; the largest port is 65535"
    assert addresses.unlike_one("http://example.com:80a/") == "80a is not a port; the largest port is 65535"


def test_what_is_no_address_is_all_path_and_joined_to_nothing() -> None:
    assert addresses.parts_of("http://[").path == "http://["
    assert addresses.joined("https://a.example/b", "//[") == "//["
    assert addresses.joined("https://a.example/b", "c") == "https://a.example/c"
