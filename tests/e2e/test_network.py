"""Requests, service workers, offline and the viewport on a real page; what they did is read from the page itself."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import pytest

from tests.support.e2e.panel import OpenAgent, Panel, Visit, current_tab, whole
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")

CANARY = "c4n4ry"


class _Moves(BaseHTTPRequestHandler):
    """Redirects with a cookie, a file that may be kept, a picture and a page of them."""

    #: What was asked for, in order.
    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        path, _, query = self.path.partition("?")
        kinds = {"/page": "text/html", "/kept.js": "text/javascript", "/picture": "image/png"}
        self.send_response(302 if path == "/moved" else 200)
        if path == "/moved":
            self.send_header("Location", f"/page?token={CANARY}location")
            self.send_header("Set-Cookie", f"sid={CANARY}set; Path=/; HttpOnly")
            self.send_header("Set-Cookie", f"theme={CANARY}dark; Path=/")
        if path == "/kept.js":
            self.send_header("Cache-Control", "max-age=3600")
        page = f'<!doctype html><title>Page</title><script src="/kept.js?{query}"></script>'
        body = {"/page": page.encode(), "/picture": bytes(range(256))}.get(path, b"1;")
        self.send_header("Content-Type", kinds.get(path, "text/plain"))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@pytest.fixture(scope="module")
def moves() -> Iterator[str]:
    """The address of a server that redirects and lets files be kept, at a host of its own, for ports share cookies."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Moves)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=[0.01], daemon=True)
    thread.start()
    yield f"http://moves.localhost:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def id_of(listed: str, part: str) -> str:
    """The id of the newest listed request whose line has `part`."""
    return next(line for line in listed.splitlines() if part in line).split()[0]


async def test_requests_come_newest_first_survive_navigation_and_are_filtered(agent: OpenAgent, shop: str) -> None:
    async with agent(f"{shop}/lab") as a:
        await a.call("evaluate", code="fetch('/api/slow?ms=1').then(r => r.text())")
        await a.call("evaluate", code="fetch('/api/recommendations').then(r => r.text())")
        await a.call("navigate", url=f"{shop}/checkout")
        lines = (await a.text("list_requests")).splitlines()
        numbers = [int(line.split()[0][1:]) for line in lines[:-1]]
        assert numbers == sorted(numbers, reverse=True)
        assert lines[-1].startswith(f"({len(numbers)} of {len(numbers)} requests, newest first")
        failed = await a.text("list_requests", filter="/API/recommendations")
        assert re.match(rf"r\d+ \d+ GET 500 fetch \d+ ms [\d.]+ k?B {shop}/api/recommendations\n\(1 of", failed), failed
        at = int(failed.split()[1])
        later = await a.text("list_requests", since=at)
        assert "/api/recommendations" not in later
        assert "/checkout" in later
        assert len((await a.text("list_requests", max=2)).splitlines()) == 3
        assert (await a.text("list_requests", filter="nowhere at all")) == "no requests match"


async def test_a_request_is_told_with_headers_timing_and_bodies(visitor: Visit, shop: str) -> None:
    async with visitor(f"{shop}/lab") as a:
        await a.call("evaluate", code="fetch('/api/slow?ms=30', {headers: {'X-Colour': 'blue'}}).then(r => r.text())")
        told = await a.text("get_request", requestId=id_of(await a.text("list_requests"), "/api/slow"))
        assert f"GET {shop}/api/slow?ms=30" in told
        assert "status: 200" in told
        assert "started by script" in told
        assert "  x-colour: blue" in told
        assert "  content-type: application/json" in told
        assert told.endswith('response body (application/json, 12 B):\n{"ok": true}')
        took = re.search(r"; (\d+) ms in all", told)
        assert took
        assert int(took[1]) >= 30


async def test_bodies_are_bounded_and_binary_ones_described(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/large.html") as a:
        await a.call("evaluate", code="fetch('data:image/png;base64,iVBORw0KGgo=').then(r => r.blob())")
        text = "new Blob(['é'.repeat(50000)], {type: 'text/plain'})"
        await a.call("evaluate", code=f"fetch(URL.createObjectURL({text})).then(r => r.text())")
        listed = await a.text("list_requests")
        large = whole(await a.text("get_request", requestId=id_of(listed, "blob:")))
        assert ", cut: the first 64.0 kB):" in large
        assert 65_536 <= len(large.encode()) < 67_000
        picture = await a.text("get_request", requestId=id_of(listed, "data:image/png"))
        assert "iVBOR" not in picture
        assert "binary (image/png, 8 B), not shown" in picture


async def test_redirects_are_requests_of_their_own_with_their_own_headers(visitor: Visit, moves: str) -> None:
    async with visitor(f"{moves}/moved") as a:
        await a.call("evaluate", code="fetch('/picture').then(r => r.arrayBuffer())")
        listed = await a.text("list_requests")
        first, second = id_of(listed, "/moved"), id_of(listed, "/page")
        assert f"→ {second}" in next(line for line in listed.splitlines() if "/moved" in line)
        moved, page = await a.text("get_request", requestId=first), await a.text("get_request", requestId=second)
        assert "status: 302 Found" in moved
        assert "  location: /page?token=***" in moved
        assert "  set-cookie: sid=***; Path=/; HttpOnly\n  set-cookie: theme=***; Path=/" in moved
        assert f"redirected from {first}" in page
        assert "  cookie: sid=***; theme=***" in page
        assert "response body (text/html" in page
        picture = await a.text("get_request", requestId=id_of(listed, "/picture"))
        assert picture.endswith("response body: binary (image/png, 256 B), not shown"), picture
        assert [text for text in (listed, moved, page) if CANARY in text] == []


async def test_files_from_the_caches_are_told_apart(visitor: Visit, moves: str) -> None:
    async with visitor(f"{moves}/page?fresh") as a:
        await a.call("navigate", url="about:blank")
        await a.call("navigate", url=f"{moves}/page?fresh")
        told = await a.text("get_network_sources")
        lines = [line for line in told.splitlines() if line.endswith("/kept.js?fresh")]
        assert re.match(r"r\d+ (disk|memory) cache GET", lines[0]), told
        assert re.match(r"r\d+ network GET", lines[-1]), told


async def test_a_body_the_browser_gave_up_is_told(visitor: Visit, shop: str, pages: str) -> None:
    async with visitor(f"{shop}/lab") as a:
        await a.call("navigate", url=f"{pages}/blank.html")
        await a.call("navigate", url=f"{shop}/checkout")
        listed = await a.text("list_requests", filter="/lab")
        told = await a.text("get_request", requestId=id_of(listed, "/lab"))
        assert "status: 200" in told


async def test_failures_and_pending_requests_say_so(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        await a.call("evaluate", code="fetch('http://127.0.0.1:9/refused').catch(() => 0)")
        await a.call("evaluate", code="void fetch('/api/slow?ms=5000')")
        code = "new Promise(resolve => { new WebSocket('ws://127.0.0.1:9/live').onclose = () => resolve('over') })"
        assert (await a.call("evaluate", code=code))["value"] == "over"
        listed = await a.text("list_requests")
        assert " pending " in next(line for line in listed.splitlines() if "/api/slow" in line)
        refused = next(line for line in listed.splitlines() if "/refused" in line)
        assert " failed net::ERR_" in refused
        assert re.search(r" failed .*ERR_.* websocket ", await a.text("list_requests", filter="ws://"))
        assert "status: failed net::ERR_" in await a.text("get_request", requestId=refused.split()[0])


async def test_no_secret_of_a_request_reaches_an_agent(agent: OpenAgent, shop: str, panel: Panel) -> None:
    send = f"""
        document.cookie = 'sid={CANARY}cookie; path=/';
        const body = {{
          json: [
            JSON.stringify({{user: 'Ada', password: '{CANARY}json', deep: {{access_token: '{CANARY}deep'}}}}),
            'application/json',
          ],
          form: ['user=Ada&password={CANARY}form&card=4111{CANARY}', 'application/x-www-form-urlencoded'],
        }};
        for (const [way, [text, type]] of Object.entries(body))
          await fetch(`/api/slow?way=${{way}}&token={CANARY}query&name=Ada#access_token={CANARY}hash`, {{
            method: 'POST', body: text,
            headers: {{Authorization: 'Bearer {CANARY}header', 'X-Api-Key': '{CANARY}key', 'Content-Type': type}},
          }}).catch(() => 0);
        const data = new FormData(); data.append('new-password', '{CANARY}part'); data.append('user', 'Ada');
        await fetch('/api/slow?way=multipart', {{method: 'POST', body: data}}).catch(() => 0);
        history.replaceState(null, '', '/lab?code={CANARY}referer');
        await fetch('/api/slow?way=referer');
    """
    shop = shop.replace("127.0.0.1", "secrets.localhost")  # where no other test has left a cookie
    async with agent(f"{shop}/lab") as a:
        await panel.witness(shop).see(f"(async () => {{ {send} }})()", "/lab")
        async with asyncio.timeout(PATIENCE_S):
            while "way=referer" not in (listed := await a.text("list_requests")):
                pass  # each look is a call of its own
        answers = [listed, await a.text("get_network_sources"), await a.text("list_requests", filter="fetch")]
        for way in ("json", "form", "multipart", "referer"):
            answers.append(await a.text("get_request", requestId=id_of(listed, f"way={way}")))
        assert [text for text in answers if CANARY in text] == []
        told = "\n".join(answers)
        for shown in (
            "token=***&name=Ada", "authorization: Bearer ***", "x-api-key: ***", "cookie: sid=***",
            '"password":"***"', '"access_token":"***"', "user=Ada&password=***&card=***", "code=***",
        ):  # fmt: skip
            assert shown in told, shown
        assert told.count("Ada") > 3
        assert await a.text("list_requests", filter=f"{CANARY}query") == "no requests match"


async def test_sources_are_told_and_counted(visitor: Visit, pages: str, panel: Panel) -> None:
    local = pages.replace("127.0.0.1", "sources.localhost")  # a worker goes only after its page
    async with visitor(f"{local}/network.html") as a:
        witness = panel.witness(local)
        assert await witness.see("ready()", "/network.html") in ("activating", "activated")
        assert await witness.see("tell('/made')", "/network.html") == "made by the worker"
        assert "Inner" in await witness.see("tell('/inner.html')", "/network.html")
        await witness.see("tell('/through.js')", "/network.html")
        await witness.see("tell('/blank.html')", "/network.html")
        async with asyncio.timeout(PATIENCE_S):  # the extension hears of it on a way of its own
            told = ""
            while not re.search(r"^r\d+ (?!pending).* GET \S+/blank.html$", told, re.MULTILINE):
                told = await a.text("get_network_sources")
        counts = dict(re.findall(r"([a-z ]+?) (\d+)(?:, |$)", told.splitlines()[0]))
        assert int(counts["service worker"]) >= 3, told
        assert int(counts["network"]) >= 3, told
        assert re.search(r"^r\d+ service worker \(cache storage\) GET \S+/inner.html$", told, re.MULTILINE), told
        assert re.search(r"^r\d+ service worker \(made by its code\) GET \S+/made$", told, re.MULTILINE), told
        assert len((await a.text("get_network_sources", max=1)).splitlines()) == 3
        assert "[serviceWorker]" in await a.text("list_requests", filter="?through")
        await witness.see(
            "navigator.serviceWorker.getRegistrations().then(all => all.forEach(one => one.unregister()))",
            "/network.html",
        )


async def test_service_workers_are_told_with_scope_script_and_state(agent: OpenAgent, pages: str, panel: Panel) -> None:
    local = pages.replace("127.0.0.1", "workers.localhost")  # a worker goes only after its page
    async with agent(f"{local}/network.html") as a:
        assert (await a.text("get_service_workers")).startswith("no service worker is registered for this page's site")
        witness = panel.witness(local)
        await witness.see("ready()", "/network.html")
        await a.call("wait", expression="navigator.serviceWorker.controller?.state === 'activated'")
        told = await a.text("get_service_workers")
        assert told.splitlines()[:2] == [
            f"scope {local}/",
            f"  active: {local}/offline_worker.js state=activated controls this page",
        ]
        unregister = (
            "navigator.serviceWorker.getRegistrations().then(all => Promise.all(all.map(one => one.unregister())))"
        )
        await witness.see(unregister, "/network.html")
        await a.call("navigate", url="about:blank")
        assert (await a.text("get_service_workers")).startswith("none: this page cannot have service workers")


async def test_offline_cuts_the_page_and_its_workers_off_over_navigations(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    local = pages.replace("127.0.0.1", "offline.localhost")  # a worker goes only after its page
    async with agent(f"{local}/network.html") as a, agent(f"{pages}/keys.html", "other") as other:
        witness = panel.witness(local)
        await witness.see("ready()", "/network.html")
        assert await witness.see("inWorker('/blank.html')", "/network.html") == "answered 200"
        assert (await a.call("set_offline", offline=True))["offline"] is True
        assert await witness.see("navigator.onLine", "/network.html") is False
        assert await witness.see("tell('/blank.html')", "/network.html") == "failed TypeError"
        assert await witness.see("inWorker('/blank.html')", "/network.html") == "failed TypeError"
        assert await witness.see("tell('/through.js')", "/network.html") == "worker is offline"
        assert "Inner" in await witness.see("tell('/inner.html')", "/network.html")
        assert "failed net::ERR_INTERNET_DISCONNECTED" in await a.text("list_requests", filter="/blank.html")
        assert "net::ERR_INTERNET_DISCONNECTED" in await a.fails("navigate", url=f"{local}/keys.html")
        assert "net::ERR_INTERNET_DISCONNECTED" in await a.fails("navigate", url=f"{pages}/blank.html")
        assert (await other.call("evaluate", code="fetch('/blank.html').then(r => r.status)"))["value"] == 200
        assert (await a.call("set_offline", offline=False))["offline"] is False
        await a.call("navigate", url=f"{local}/network.html")
        assert await witness.see("navigator.onLine", "/network.html") is True
        assert await witness.see("inWorker('/blank.html')", "/network.html") == "answered 200"
        assert "worker is offline" not in await witness.see("tell('/through.js')", "/network.html")
        await witness.see(
            "navigator.serviceWorker.getRegistrations().then(all => all.forEach(one => one.unregister()))",
            "/network.html",
        )


async def test_a_worker_made_while_offline_is_offline(agent: OpenAgent, pages: str, panel: Panel) -> None:
    local = pages.replace("127.0.0.1", "offline.localhost")  # a worker goes only after its page
    async with agent(f"{local}/network.html") as a:
        source = "onmessage = ({data}) => fetch(data).then(() => postMessage('answered'), () => postMessage('failed'))"
        make = f"URL.createObjectURL(new Blob([{source!r}], {{type: 'text/javascript'}}))"
        await a.call("set_offline", offline=True)
        said = await panel.witness(local).see(
            f"new Promise(resolve => {{ const w = new Worker({make}); w.onmessage = e => resolve(e.data);"
            f" w.postMessage('{local}/blank.html'); }})",
            "/network.html",
        )
        assert said == "failed"


async def test_clear_logs_forgets_the_lines_in_the_tab_and_in_the_window(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    async with agent(f"{pages}/blank.html") as a:
        await a.call("evaluate", code="for (let i = 0; i < 3; i += 1) console.log('line ' + i)")
        tab = await current_tab(a)
        assert len(panel.hub.state.console.lines(tab)) == 3
        assert (await a.call("clear_logs"))["cleared"] == 3
        assert panel.hub.state.console.lines(tab) == []
        assert await a.text("logs") == "no console lines yet"
        await a.call("evaluate", code="console.log('after')")
        assert " after" in await a.text("logs")
        assert (await a.call("clear_logs"))["cleared"] == 1


async def test_resize_sets_the_viewport_and_zero_gives_it_back(visitor: Visit, pages: str, panel: Panel) -> None:
    size = "[innerWidth, innerHeight, devicePixelRatio]"
    async with visitor(f"{pages}/pixels.html") as a:
        witness = panel.witness(pages)
        before = await witness.see(size, "/pixels.html")
        assert before == [1280, 720, 1]
        answer = await a.call("resize", width=390, height=844, deviceScaleFactor=2)
        told = [answer["innerWidth"], answer["innerHeight"], answer["devicePixelRatio"]]
        assert told == [390, 844, 2]
        assert (answer["outcome"], answer["effects"]["changed"]) == ("confirmed", True)
        assert await witness.see(size, "/pixels.html") == told
        assert (await a.picture(name="small", scale=1)).size == (390, 844)
        await a.call("navigate", url=f"{pages}/blank.html?resized")
        assert await witness.see(size, "/blank.html?resized") == told
        assert (await a.call("resize", width=1000, height=500))["innerWidth"] == 1000
        assert await witness.see(size, "/blank.html?resized") == [1000, 500, before[2]]
        answer = await a.call("resize", width=0, height=0)
        assert await witness.see(size, "/blank.html?resized") == before
        assert [answer["innerWidth"], answer["innerHeight"], answer["devicePixelRatio"]] == before


async def test_a_tab_in_the_background_is_resized_too(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(f"{pages}/pixels.html") as a:
        behind = await current_tab(a)
        front = await a.call("new_tab", url=f"{pages}/blank.html")
        answer = await a.call("resize", width=640, height=480, tabId=behind)
        assert (answer["innerWidth"], answer["innerHeight"]) == (640, 480)
        assert await panel.witness(pages).see("[innerWidth, innerHeight]", "/pixels.html") == [640, 480]
        await a.call("close_tab", tabId=front["tabId"])


#: command, parameters, a word the message must name.
BAD: list[tuple[str, dict[str, Any], str]] = [
    ("clear_logs", {"level": "warn"}, "level"),
    ("list_requests", {"max": 0}, "max"),
    ("list_requests", {"since": "yesterday"}, "since"),
    ("list_requests", {"filter": ""}, "filter"),
    ("get_request", {}, "requestId"),
    ("get_request", {"requestId": "r99999"}, "r99999"),
    ("get_request", {"requestId": "nonsense"}, "list_requests"),
    ("get_network_sources", {"max": "many"}, "max"),
    ("get_service_workers", {"scope": "/"}, "scope"),
    ("set_offline", {}, "offline"),
    ("set_offline", {"offline": "yes"}, "offline"),
    ("resize", {"width": 100}, "height"),
    ("resize", {"width": -1, "height": 5}, "width"),
    ("resize", {"width": 100, "height": 0}, "100 × 0"),
    ("resize", {"width": 100, "height": 100, "deviceScaleFactor": 0}, "deviceScaleFactor"),
]


async def test_bad_input_has_its_own_words(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        said = [(await a.fails(command, **params), word) for command, params, word in BAD]
    assert [(text, word) for text, word in said if not text.startswith("INVALID_PARAMS: ") or word not in text] == []


async def test_a_reload_fetches_what_the_browser_keeps_only_if_it_is_told_to(visitor: Visit, moves: str) -> None:
    async with visitor(f"{moves}/page?reloaded") as a:
        times = []
        for params in ({}, {}, {"ignoreCache": True}):
            times.append(_Moves.asked.count("/kept.js?reloaded"))
            await a.call("reload", **params)
        times.append(_Moves.asked.count("/kept.js?reloaded"))
        assert times == [1, 1, 1, 2]
        assert _Moves.asked.count("/page?reloaded") == 4
