"""Back and forward to what the server answers otherwise by then."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.support.e2e.panel import BOTH_KINDS, OpenAgent

pytestmark = [pytest.mark.asyncio(loop_scope="session"), BOTH_KINDS]


#: A page whose script has read what is not to be stored: on the way back, the browser asks the server for it again.
_PAGE = """<!doctype html><title>%s</title><script>
  const asking = new XMLHttpRequest();
  asking.open("GET", "/read", false);
  asking.send();
</script>"""


class Shop(ThreadingHTTPServer):
    """A log-in page that leads on once somebody is logged in, and a file that is there no more."""

    daemon_threads = True  # a browser keeps connections open in advance
    logged_in = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Answer(BaseHTTPRequestHandler):
    server: Shop

    def do_GET(self) -> None:
        page = (_PAGE % self.path).encode()
        status = {"/login": 302, "/left": 204}.get(self.path, 200) if self.server.logged_in else 200
        self.send_response(status)
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Type", "text/html")
        if status == 302:
            self.send_header("Location", "/home")
        self.send_header("Content-Length", str(len(page) if status == 200 else 0))
        self.end_headers()
        if status == 200:
            self.wfile.write(page)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def shop_with_login() -> Iterator[Shop]:
    """A server of its own, for it remembers who is logged in."""
    with Shop(("127.0.0.1", 0), _Answer) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        yield server
        server.shutdown()
        serving.join()


async def test_going_back_to_a_page_that_leads_to_the_same_address_is_over_there(
    agent: OpenAgent, shop_with_login: Shop
) -> None:
    site = shop_with_login.url
    async with agent(f"{site}/login") as a:
        await a.call("navigate", url=f"{site}/home")
        shop_with_login.logged_in = True
        gone = await a.call("go_back")
        assert (gone["outcome"], gone["url"]) == ("confirmed", f"{site}/home")
        assert (await a.call("evaluate", code="document.title"))["value"] == "/home"


async def test_going_back_to_what_is_no_page_any_more_says_so(agent: OpenAgent, shop_with_login: Shop) -> None:
    site = shop_with_login.url
    async with agent(f"{site}/left") as a:
        await a.call("navigate", url=f"{site}/home")
        shop_with_login.logged_in = True
        said = await a.fails("go_back")
        assert said.startswith(f"NAVIGATION_FAILED: {site}/left could not be loaded"), said
        assert (await a.call("evaluate", code="document.title"))["value"] == "/home"
