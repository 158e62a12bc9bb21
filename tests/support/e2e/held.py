"""A server that answers when a test lets it: what an action began is under way for just as long as that is asked."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple


class Held(NamedTuple):
    """Every answer of `url` is held back until `let_go` is set; pages of all sites may read it."""

    url: str
    let_go: threading.Event


@contextmanager
def held() -> Iterator[Held]:
    """The server, for as long as the block runs; its end lets go of what is still held."""
    let_go = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            let_go.wait()
            body = b'{"ok": true}'
            try:
                self.send_response(200)
                self.send_header("Access-Control-Allow-Origin", "*")
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            except ConnectionError:
                self.close_connection = True  # the browser wants it no more

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        serving = threading.Thread(target=server.serve_forever, name="held answers", daemon=True)
        serving.start()
        try:
            yield Held(f"http://127.0.0.1:{server.server_port}/held", let_go)
        finally:
            let_go.set()
            server.shutdown()
            serving.join()
