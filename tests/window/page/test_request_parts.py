"""What the extension tells of a request, taken apart."""

from __future__ import annotations

from kapture_panel.window.page.request_parts import Body, parts_of
from tests.support.window.contents import REQUEST


def test_facts_headers_and_bodies_are_told_apart() -> None:
    parts = parts_of(REQUEST)
    assert [name for name, _ in parts.general] == ["Request", "Status", "Type", "Time", "Source"]
    facts = dict(parts.general)
    assert facts["Request"] == "GET https://shop.example/"
    assert facts["Status"] == "200 OK (h2)"
    assert facts["Time"] == "1700000000123; 84 ms in all, 61 ms to the headers"
    assert parts.request_headers == [("accept", "application/json"), ("cookie", "sid=***")]
    assert parts.response_headers == [
        ("cache-control", "no-store"),
        ("content-type", "application/json; charset=utf-8"),
    ]
    assert parts.request_body == Body("application/json, 14 B", '{"basket": 12}')
    assert parts.response_body == Body("application/json, 40 B", '{"items": [{"id": 1042}], "total": 38.5}')


def test_a_body_that_looks_like_headers_is_the_body() -> None:
    told = "r1 POST https://a.example/\nrequest body (text/plain, 40 B):\nresponse headers:\n  x-faked: 1\n"
    parts = parts_of(
        f"{told}response headers:\n  x-real: 1\nresponse body (text/plain, 17 B):\nrequest headers:\n  y: 1"
    )
    assert parts.response_headers == [("x-real", "1")]
    assert parts.request_headers == []
    assert parts.request_body == Body("text/plain, 40 B", "response headers:\n  x-faked: 1")
    assert parts.response_body == Body("text/plain, 17 B", "request headers:\n  y: 1")


def test_why_there_is_no_body_and_where_it_was_redirected_is_told() -> None:
    parts = parts_of(
        "r1 GET https://a.example/\nredirected to https://b.example/\nresponse body: binary (image/png, 2 B), not shown"
    )
    assert parts.general[1:] == [("Redirected to", "https://b.example/")]
    assert parts.response_body == Body("binary (image/png, 2 B), not shown", "")
    assert parts_of("") == ([("Request", "")], [], [], None, None)
