"""What the stores hold when a person meets the window."""

from __future__ import annotations

import time
from typing import Any

from msgspec.structs import replace
from PySide6.QtGui import QColor, QImage, QPainter

from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.wire.events import ConsoleSaid, RequestSeen
from tests.support.window.fakes import Instance, encode, png
from tests.support.window.history import put

#: Level, text and source of what the shop writes to its console.
SHOP_LINES = (
    ("error", "TypeError: promo is undefined", "promo.js:5"), ("info", "service worker activated", "sw.js:3"),
    ("log", "cart: 2 items", "cart.js:7"), ("warn", "Field “phone” has no autocomplete attribute", "form.js:31"),
    ("error", "GET /api/recommendations 500 (Internal Server Error)", "api.js:12"),
    ("log", 'order placed {"id":1042,"total":"38.50"}', "shop.js:88"),
)  # fmt: skip

#: What the extension tells of a request.
REQUEST = """r0 GET https://shop.example/
status: 200 OK (h2)
type: fetch, context page, started by script https://shop.example/app.js:120
time: 1700000000123; 84 ms in all, 61 ms to the headers
source: network 93.184.216.34; 1.2 kB transferred, 2.4 kB of body
request headers:
  accept: application/json
  cookie: sid=***
request body (application/json, 14 B):
{"basket": 12}
response headers:
  cache-control: no-store
  content-type: application/json; charset=utf-8
response body (application/json, 40 B):
{"items": [{"id": 1042}], "total": 38.5}"""


def fill(instance: Instance, text: str = "Checkout – a shop with a name of some length") -> None:
    """Something in every store, with `text` wherever a page or an agent says something."""
    instance.add_tab("t1", text, "https://shop.example/checkout/step/2?basket=12")
    instance.add_tab("t2", text)
    instance.add_agent(text)
    levels = ("log", "info", "warn", "error", "debug")
    instance.console.append(
        "t1",
        [ConsoleSaid(at=at, level=level, text=text, source=f"{text}.js:7") for at, level in enumerate(levels)],
    )
    begun = RequestSeen(method="GET", type="fetch", url=f"https://shop.example/{text}")
    answers: list[dict[str, Any]] = [{"status": 200, "finished": True}, {"status": 404, "finished": True}, {}]
    requests = [replace(begun, id=f"r{at}", at=at, **more) for at, more in enumerate(answers)]
    instance.requests.take("t1", requests)
    instance.shots.add(png(), name=text, tab_id="t1", format="png", width=40, height=20)
    put(instance, "click", {"selector": text}, client=text, site=text, summary=text)
    put(instance, "fill", {"selector": "#a", "value": "b"}, state="error", code="STALE_REF", summary=text)


def fill_shop(instance: Instance) -> None:
    """An afternoon of two agents in a shop: what the pictures of the README show."""
    now = time.time()
    shop, agent = "127.0.0.1:8123", "claude-code"
    checkout = instance.add_tab("t1", "Checkout – Corner Shop", f"http://{shop}/checkout")
    instance.add_tab("t2", "Issues · kapture-panel", "https://github.example/kapture/issues")
    instance.add_tab("t3", "Inbox (3)", "https://mail.example/inbox")
    reports = instance.add_tab("t4", "Reports", "https://intranet.example/reports")
    for tab, driver, state, ms in ((checkout, agent, "connected", 12.0), (reports, "codex", "dialog", 4000.0)):
        instance.tabs.update(tab, driver=driver, state=state, last_ms=ms)
    for age_s, tab in zip((840, 1260, 180, 840), instance.tabs, strict=True):
        tab.connected_at = now - age_s
    for name, pid, calls, errors, bytes_ in ((agent, 4182, 31, 1, 24_800), ("codex", 4410, 4, 0, 3100)):
        client = instance.add_agent(name, pid)
        client.calls, client.errors, client.result_bytes = calls, errors, bytes_
        client.current_tab = "t1" if name == agent else "t4"
        instance.clients.changed.emit(client)
    instance.console.append(
        "t1",
        [
            ConsoleSaid(at=(now - 6 + at) * 1000, level=level, text=text, source=f"http://{shop}/{source}")
            for at, (level, text, source) in enumerate(SHOP_LINES)
        ],
    )
    commands: tuple[tuple[str, dict[str, Any], dict[str, Any]], ...] = (
        ("evaluate", {"code": "document.title"}, {"client": "codex", "summary": "Reports", "ms": 4.0}),
        ("navigate", {"url": f"http://{shop}/checkout"}, {"summary": "navigated to /checkout", "ms": 61.0}),
        ("fill", {"selector": "#full-name", "value": {"redacted": 12}}, {"summary": "page changed", "ms": 8.0}),
        ("click", {"selector": "#plc"}, {
            "kind": "person", "client": "person", "state": "error", "code": "ELEMENT_NOT_FOUND", "ms": 804.0,
            "summary": "nothing matches #plc; look at a snapshot",
        }),
        ("snapshot", {}, {"summary": "412 tokens, 38 refs", "ms": 6.0}),
        ("fill", {"selector": "#card", "value": {"redacted": 16}}, {"summary": "page changed", "ms": 9.0}),
        ("screenshot", {"name": "checkout"}, {"summary": "1280 × 713 png", "ms": 89.0}),
        ("click", {"selector": "#place-order"}, {"summary": "navigated to /thanks · 3 requests", "ms": 12.0}),
    )  # fmt: skip
    for at, (command, params, more) in enumerate(commands):
        given = {"client": agent, "kind": "agent", "state": "ok", **more}
        row = Row(0, now - 9 + at, tab_id="t1", site=shop, url=f"http://{shop}/checkout", command=command,
                  params=params, **given)  # fmt: skip
        instance.history.begin(row, durable=True)
        instance.history.settle(row)
    for name, color in (("home", "#e8d9ee"), ("results", "#d5ead9"), ("checkout", "#f0ddc8"), ("thanks", "#d3dff2")):
        about = {"name": name, "tab_id": "t1", "title": checkout.title, "width": 1280, "height": 713}
        instance.shots.add(page_picture(name, color), format="png", **about)  # type: ignore[arg-type]


def fill_requests(instance: Instance) -> None:
    """What the shop's checkout loads, as it stands in the network log."""
    now, origin = time.time() * 1000 - 4000, "http://127.0.0.1:8123"
    loads: tuple[tuple[float, float | None, str, str, dict[str, Any]], ...] = (
        (0, 61, "document", "/checkout", {"status": 200, "bytes": 8400}),
        (66, 18, "stylesheet", "/shop.css", {"status": 200, "bytes": 3100}),
        (67, 44, "script", "/cart.js", {"status": 200, "bytes": 21_400}),
        (70, 0.4, "image", "/logo.svg", {"status": 200, "bytes": 1800, "source": "memory cache"}),
        (122, 340, "fetch", "/api/recommendations", {"status": 500, "bytes": 80}),
        (124, 95, "fetch", "/api/cart?full=1", {"status": 200, "bytes": 940}),
        (470, None, "eventsource", "/api/live", {}),
    )
    seen = [
        RequestSeen(id=f"r{number}", at=now + at, ms=ms, type=kind, method="GET", url=origin + path,
                    finished=ms is not None, **more)
        for number, (at, ms, kind, path, more) in enumerate(loads)
    ]  # fmt: skip
    instance.requests.take("t1", seen)


def page_picture(title: str, color: str) -> bytes:
    """Something like a page: a bar, a headline, some blocks."""
    image = QImage(1280, 713, QImage.Format.Format_RGB32)
    image.fill(QColor("#ffffff"))
    painter = QPainter(image)
    painter.fillRect(0, 0, 1280, 90, QColor(color))
    font = painter.font()
    font.setPixelSize(56)
    painter.setFont(font)
    painter.setPen(QColor("#333333"))
    painter.drawText(48, 190, title.capitalize())
    for number in range(6):
        painter.fillRect(48 + number % 3 * 400, 250 + number // 3 * 220, 360, 180, QColor(color))
    painter.end()
    return encode(image)
