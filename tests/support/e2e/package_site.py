"""Pages and the npm packages they load, on a loopback port."""

from __future__ import annotations

import functools
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from urllib.parse import unquote, urlsplit


class PackageSite:
    """Serves the files of `pages` by name and everything in `packages` by path while its `with` block runs."""

    def __init__(self, pages: Path, packages: Path) -> None:
        handler = functools.partial(_Handler, pages=pages, directory=str(packages))
        self._server = _Server(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> PackageSite:
        self._thread = threading.Thread(target=self._server.serve_forever, name="package site", daemon=True)
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
        """A browser hangs up on pages it no longer wants; that is not a defect."""


class _Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    extensions_map = {  # noqa: RUF012 - what the base class calls it
        **SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".html": "text/html; charset=utf-8",
    }

    def __init__(self, *args: object, pages: Path, **more: object) -> None:
        self._pages = pages
        super().__init__(*args, **more)  # type: ignore[arg-type]

    def translate_path(self, path: str) -> str:
        name = unquote(urlsplit(path).path).removeprefix("/")
        page = self._pages / name
        return str(page) if name and "/" not in name and page.is_file() else super().translate_path(path)

    def log_message(self, *_: object) -> None:
        """Keep quiet: pytest shows what matters."""
