"""The bundled shop on a loopback port."""

from __future__ import annotations

import json
import sys
import threading
import time
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from urllib.parse import parse_qs, urlsplit

MIME = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
#: What is part of every page is read once; pages and data come anew each time, as in a real shop.
LASTING = frozenset({".css", ".js", ".svg"})
LASTS_S = 600
MAX_SLOW_MS = 10_000


class DemoSite:
    """Serves `folder` on 127.0.0.1 while its `with` block runs.

    Args:
        folder: the site's files.
        port: 0 takes any free one.
    """

    def __init__(self, folder: Path, port: int = 0) -> None:
        files = {path.name: path for path in folder.iterdir() if path.suffix in MIME}

        class Handler(_Handler):
            site = files

        self._server = _Server(("127.0.0.1", port), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> DemoSite:
        self._thread = threading.Thread(target=self._server.serve_forever, name="demo site", daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser hangs up on pages it no longer wants; anything else is a defect to see."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Handler(BaseHTTPRequestHandler):
    site: dict[str, Path]
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        if address.path == "/api/recommendations":
            self._json(HTTPStatus.INTERNAL_SERVER_ERROR, {"error": "recommendations are down"})
        elif address.path == "/api/slow":
            asked = parse_qs(address.query).get("ms", ["0"])[0]
            # This endpoint exists to be slow: the pause is its answer, not a wait for something.
            time.sleep(min(int(asked) if asked.isdecimal() else 0, MAX_SLOW_MS) / 1000)
            self._json(HTTPStatus.OK, {"ok": True})
        else:
            self._file(address.path)

    def _file(self, path: str) -> None:
        name = "index.html" if path == "/" else path.removeprefix("/")
        file = self.site.get(name) or self.site.get(f"{name}.html")
        if file is None:
            self._send(HTTPStatus.NOT_FOUND, "text/plain", b"There is no such page in the shop.\n")
        else:
            self._send(HTTPStatus.OK, MIME[file.suffix], file.read_bytes(), is_lasting=file.suffix in LASTING)

    def _json(self, status: HTTPStatus, value: object) -> None:
        self._send(status, "application/json", json.dumps(value).encode())

    def _send(self, status: HTTPStatus, mime_type: str, body: bytes, *, is_lasting: bool = False) -> None:
        try:
            self.send_response(status)
            self.send_header("Content-Type", mime_type)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", f"max-age={LASTS_S}" if is_lasting else "no-store")
            self.end_headers()
            self.wfile.write(body)
        except ConnectionError:
            self.close_connection = True  # the browser went on to another page

    def log_message(self, *_: object) -> None:
        """Keep quiet: the demo prints its own steps."""
