"""A page whose links, forms and scripts lead to other programs (pages/programs.html)."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from kapture_panel.demo.agent import Agent

PAGE = "programs.html"
WAYS = {
    "link": "mailto:a@b.example", "other": "foo:bar", "window": "mailto:a@b.example", "script": "mailto:a@b.example",
    "form": "mailto:a@b.example",
}  # fmt: skip


async def led_nowhere(agent: Agent, page: str) -> None:
    """Click every link, form and script that leads to a program, and one that does not."""
    for way, address in WAYS.items():
        answer = await agent.call("click", selector=f"#{way}")
        assert answer["effects"] == {"programs": [{"url": address, "kept": True}], "changed": False}, way
    assert (await agent.call("click", selector="#page"))["effects"]["url"] == f"{page}#there"


class _ToProgram(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(302)
        # No program opens such an address: none starts where these tests run.
        self.send_header("Location", "foo:redirected")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@contextmanager
def redirecting() -> Iterator[str]:
    """The address of a server that redirects each request to a program."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _ToProgram) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=[0.01], daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()
