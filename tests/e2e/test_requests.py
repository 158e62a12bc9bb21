"""The requests of real pages arrive in the panel's store by themselves, as they go on, with no secret in them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from kapture_panel.core.stores.network_log import NetworkLog, Request
from tests.support.e2e.panel import OpenAgent, Panel, current_tab, whole
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")

CANARY = "c4n4ry"
PAGE = "<!doctype html><title>Page</title><script src='/kept.js'></script>"
WORKER = """
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  if (event.request.url.endsWith('/by-worker')) event.respondWith(new Response('made'));
});
"""


class _Site(BaseHTTPRequestHandler):
    """A page with a file that may be kept, a service worker, a redirect, and answers of several kinds."""

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        kinds = {"/page": ("text/html", PAGE), "/worker.js": ("text/javascript", WORKER)}
        kind, body = kinds.get(path, ("text/plain", "1;"))
        self.send_response({"/moved": 302, "/missing": 404}.get(path, 200))
        if path == "/moved":
            self.send_header("Location", "/plain")
        if path == "/kept.js":
            self.send_header("Cache-Control", "max-age=3600")
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@pytest.fixture
def site() -> Iterator[str]:
    """The address of a site of the test's own: no other one has filled its caches or given it a worker."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Site)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, args=[0.01], daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@contextmanager
def batches(requests: NetworkLog) -> Iterator[list[list[Request]]]:
    """All that is announced meanwhile."""
    heard: list[list[Request]] = []
    requests.changed.connect(heard.append)
    yield heard
    requests.changed.disconnect(heard.append)


async def arrived(requests: NetworkLog, tab_id: str, path: str, fits: Callable[[Request], object]) -> Request:
    """The newest request of `path` once it is as it should be."""
    changed = asyncio.Event()

    def look(_batch: list[Request]) -> None:
        changed.set()

    requests.changed.connect(look)
    try:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                found = [one for one in requests.all(tab_id) if one.url.partition("?")[0].endswith(path)]
                if found and fits(found[-1]):
                    return found[-1]
                changed.clear()
                await changed.wait()
    finally:
        requests.changed.disconnect(look)


def over(request: Request) -> bool:
    return request.is_finished


async def test_requests_of_a_page_arrive_with_status_source_type_size_and_time(
    panel: Panel, agent: OpenAgent, site: str
) -> None:
    requests = panel.hub.state.requests
    async with agent(f"{site}/page") as a:
        tab = await current_tab(a)
        page = await arrived(requests, tab, "/page", over)
        assert (page.status, page.type, page.method, page.source, page.context) == (
            200, "document", "GET", "network", "page",
        )  # fmt: skip
        assert page.bytes >= len(PAGE)
        assert page.ms is not None
        assert (await arrived(requests, tab, "/kept.js", over)).source == "network"
        await a.call("navigate", url="about:blank")
        await a.call("navigate", url=f"{site}/page")
        kept = await arrived(requests, tab, "/kept.js", lambda one: one.is_finished and one.at > page.at + 1)
        assert kept.source in ("disk cache", "memory cache")
        assert [one.url for one in requests.all(tab)].count(f"{site}/page") == 2, "they survive a navigation"


async def test_failures_redirects_and_secrets_are_told_as_they_are(panel: Panel, agent: OpenAgent, site: str) -> None:
    requests = panel.hub.state.requests
    async with agent(f"{site}/page") as a:
        tab = await current_tab(a)
        await a.call("evaluate", code=f"fetch('/missing?token={CANARY}').then(r => r.text())")
        missing = await arrived(requests, tab, "/missing", over)
        assert (missing.status, missing.is_failed, missing.url) == (404, True, f"{site}/missing?token=***")
        await a.call("evaluate", code="fetch('http://127.0.0.1:9/refused').catch(() => 0)")
        refused = await arrived(requests, tab, "/refused", over)
        assert (refused.status, refused.is_failed, refused.failure.startswith("net::ERR_")) == (None, True, True)
        await a.call("evaluate", code="fetch('/moved').then(r => r.text())")
        await arrived(requests, tab, "/plain", over)
        assert (await arrived(requests, tab, "/moved", over)).status == 302
        assert CANARY not in repr(requests.all(tab))


async def test_what_a_service_worker_answers_is_told_from_what_it_loads_itself(
    panel: Panel, agent: OpenAgent, site: str
) -> None:
    requests = panel.hub.state.requests
    async with agent(f"{site}/page") as a:
        tab = await current_tab(a)
        ready = "navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready)"
        await a.call("evaluate", code=f"{ready}.then(() => 1)")
        await a.call("navigate", url=f"{site}/page?controlled")
        await a.call("evaluate", code="fetch('/by-worker').then(r => r.text())")
        made = await arrived(requests, tab, "/by-worker", over)
        assert (made.status, made.source) == (200, "service worker")


async def test_a_flood_comes_in_batches_and_stays_within_the_bound(panel: Panel, agent: OpenAgent, site: str) -> None:
    requests = panel.hub.state.requests
    async with agent(f"{site}/page") as a:
        tab = await current_tab(a)
        with batches(requests) as heard:
            flood = (
                "Promise.all(Array.from({length: 1200}, (_, n) => fetch(`data:text/plain,${n}`).then(r => r.text())))"
            )
            await a.call("evaluate", code=f"{flood}.then(all => all.length)")
            await a.call("evaluate", code="fetch('/plain?last').then(r => r.text())")
            await arrived(requests, tab, "/plain", over)
        assert len(requests.all(tab)) == 1000
        told = sum(map(len, heard))
        assert told >= 1200
        assert len(heard) < told / 5
        listed = whole(await a.text("list_requests", max=1000))
        mark, *lines, _count = listed.splitlines()
        assert mark == f"[untrusted: {site}]"
        ids = {line.split()[0] for line in lines}
        assert {one.id for one in requests.all(tab)} == ids, "each that is listed can be asked for"


async def test_the_requests_of_a_closed_tab_stay(panel: Panel, agent: OpenAgent, site: str) -> None:
    requests = panel.hub.state.requests
    async with agent(f"{site}/page") as a:
        tab = await current_tab(a)
        await arrived(requests, tab, "/page", over)
    assert [one.status for one in requests.all(tab) if one.url.endswith("/page")] == [200]
