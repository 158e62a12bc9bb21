"""Scripts from addresses: what may be fetched, where redirects may lead, and what is taken for a script."""

from __future__ import annotations

import asyncio
import datetime
import hashlib
import ipaddress
import socket
import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.wire.protocol import Response
from kapture_panel.hub.panel_commands import fetch
from kapture_panel.hub.panel_commands.fetch import Address, Fetcher
from tests.support.core.fakes import SOME_CALL

TAB = Tab("t1", "https://a.example/", "A", "install")
#: A public address that nobody connects to here.
PUBLIC = ipaddress.ip_address("93.184.215.14")
LOOPBACK = ipaddress.ip_address("127.0.0.1")


@dataclass
class Site:
    """A server on loopback: path → (status, headers, body); `seen` are the requests' Host headers and paths."""

    url: str = ""
    port: int = 0
    pages: dict[str, tuple[int, dict[str, str], bytes]] = field(default_factory=dict)
    seen: list[tuple[str, str]] = field(default_factory=list)

    def script(self, path: str, body: bytes = b"1", mime_type: str = "text/javascript", **more: str) -> str:
        self.pages[path] = (200, {**({"Content-Type": mime_type} if mime_type else {}), **more}, body)
        return self.url + path

    def redirect(self, path: str, to: str, status: int = 302) -> str:
        self.pages[path] = (status, {"Location": to}, b"")
        return self.url + path


def serve(site: Site, scheme: str, context: ssl.SSLContext | None = None) -> ThreadingHTTPServer:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.seen.append((self.headers["Host"], self.path))
            status, headers, body = site.pages.get(self.path, (404, {}, b""))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """The panel hangs up on what it does not want."""

    server = Server(("127.0.0.1", 0), Handler)
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    site.port = server.server_port
    site.url = f"{scheme}://127.0.0.1:{site.port}" if context is None else f"https://cdn.example:{site.port}"
    threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
    return server


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    server = serve(made, "http")
    yield made
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for cdn.example and private.example that signs itself, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "cdn.example")])
    now = datetime.datetime.now(datetime.UTC)
    names = x509.SubjectAlternativeName([x509.DNSName("cdn.example"), x509.DNSName("private.example")])
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "cdn.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + signed.public_bytes(serialization.Encoding.PEM))
    return path


@pytest.fixture
def secure(certificate: Path) -> Iterator[Site]:
    """The same over TLS, as cdn.example."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    made = Site()
    server = serve(made, "https", context)
    yield made
    server.shutdown()
    server.server_close()


class Names:
    """A resolver: host → addresses, one list per question; the last one stays."""

    def __init__(self, **hosts: list[list[Address]]) -> None:
        self.hosts = {name.replace("_", "."): lists for name, lists in hosts.items()}
        self.asked: list[str] = []

    async def __call__(self, host: str, _port: int) -> list[Address]:
        self.asked.append(host)
        lists = self.hosts[host]
        return lists.pop(0) if len(lists) > 1 else lists[0]


async def refused(fetcher: Fetcher, url: str) -> KaptureError:
    with pytest.raises(KaptureError) as raised:
        await fetcher.fetch(url)
    return raised.value


async def test_a_script_on_loopback_is_fetched_whole(site: Site) -> None:
    url = site.script("/a.js?v=1", "const ü = 1;".encode(), "text/javascript; charset=utf-8")
    assert await Fetcher().fetch(url) == fetch.Script("const ü = 1;", url)
    assert site.seen == [(f"127.0.0.1:{site.port}", "/a.js?v=1")]
    assert (await Fetcher().fetch(url.replace("127.0.0.1", "localhost"))).source == "const ü = 1;"


@pytest.mark.parametrize("mime_type", ["application/javascript", "text/plain", "TEXT/JavaScript;x=y", ""])
async def test_types_of_scripts_are_taken(site: Site, mime_type: str) -> None:
    assert (await Fetcher().fetch(site.script("/a", b"\xef\xbb\xbf1", mime_type))).source == "1"


@pytest.mark.parametrize("mime_type", ["text/html", "application/json", "image/png"])
async def test_other_types_are_not(site: Site, mime_type: str) -> None:
    error = await refused(Fetcher(), site.script("/a?key=s3cret", mime_type=mime_type))
    assert (error.code, mime_type in error.message, "s3cret" in error.message) == ("INVALID_PARAMS", True, False)


async def test_what_is_no_utf_8_too_large_encoded_or_missing(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    fetcher = Fetcher()
    assert "not UTF-8" in (await refused(fetcher, site.script("/latin", b"'\xe9'"))).message
    assert "gzip" in (await refused(fetcher, site.script("/zip", b"", **{"Content-Encoding": "gzip"}))).message
    assert "status 404" in (await refused(fetcher, site.url + "/nowhere")).message
    monkeypatch.setattr(fetch, "MAX_BYTES", 1_000_000)
    assert "1 MB" in (await refused(fetcher, site.script("/big", b"x" * 1_000_001))).message
    assert len((await fetcher.fetch(site.script("/fits", b"x" * 1_000_000))).source) == 1_000_000


@pytest.mark.parametrize(
    "url",
    ["http://example.com/a.js", "http://192.168.1.1/a.js", "http://169.254.169.254/latest", "ftp://localhost/a.js",
     "file:///etc/passwd", "javascript:1", "data:text/javascript,1", "https://", "a.js", "https://[::1", "http://a:b@localhost/",
     "https://u@a.example/", "http://localhost:99999/", "http://localhost.example/a.js", "https://a..b/"],
)  # fmt: skip
async def test_addresses_that_are_none_of_a_script(url: str) -> None:
    fetcher = Fetcher(Names(**{"a_example": [[PUBLIC]]}))
    assert (await refused(fetcher, url)).code == "INVALID_PARAMS"


async def test_a_localhost_that_is_elsewhere_is_not_believed() -> None:
    error = await refused(Fetcher(Names(localhost=[[LOOPBACK, PUBLIC]])), "http://localhost/a.js")
    assert "not on loopback" in error.message


async def test_redirects_are_followed_to_the_last_address(site: Site) -> None:
    site.script("/sub/last.js", b"2")
    site.redirect("/2", "sub/last.js", 307)
    url = site.redirect("/1", "/2", 301)
    assert await Fetcher().fetch(url) == fetch.Script("2", site.url + "/sub/last.js")


async def test_redirects_are_bounded(site: Site) -> None:
    for number in range(7):
        site.redirect(f"/{number}", f"/{number + 1}")
    site.script("/7")
    assert (await Fetcher().fetch(site.url + "/2")).source == "1"
    assert "more than 5 redirects" in (await refused(Fetcher(), site.url + "/1")).message
    site.redirect("/loop", "/loop")
    assert (await refused(Fetcher(), site.url + "/loop")).code == "NAVIGATION_FAILED"


async def test_a_redirect_to_what_is_no_address_is_told(site: Site) -> None:
    error = await refused(Fetcher(), site.redirect("/odd", "//["))
    assert (error.code, "//[" in error.message) == ("INVALID_PARAMS", True)


def trusting(certificate: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(certificate))


async def test_over_tls_the_certificate_must_fit_the_name(secure: Site, certificate: Path) -> None:
    url = secure.script("/a.js")
    names = Names(cdn_example=[[LOOPBACK]], other_example=[[LOOPBACK]])
    assert (await Fetcher(names, trusting(certificate)).fetch(url)).source == "1"
    for fetcher, address in (
        (Fetcher(names, trusting(certificate)), url.replace("cdn.", "other.")),
        (Fetcher(names), url),
    ):
        error = await refused(fetcher, address)
        assert (error.code, "certificate" in error.message.lower()) == ("NAVIGATION_FAILED", True)


async def test_https_never_leads_down_to_http(secure: Site, site: Site, certificate: Path) -> None:
    url = secure.redirect("/down", site.script("/a.js"))
    names = Names(cdn_example=[[LOOPBACK]], **{"127_0_0_1": [[LOOPBACK]]})
    error = await refused(Fetcher(names, trusting(certificate)), url)
    assert (error.code, "from https down" in error.message) == ("DENIED", True)
    assert site.seen == []


INSIDE = [
    "127.0.0.1", "10.0.0.1", "192.168.1.1", "172.16.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
    "255.255.255.255", "::1", "::", "fe80::1", "fd00::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1",
    "2002:7f00:1::", "ff02::1",
]  # fmt: skip


@pytest.mark.parametrize("inside", INSIDE)
async def test_a_public_address_never_leads_into_a_private_one(
    secure: Site, certificate: Path, monkeypatch: pytest.MonkeyPatch, inside: str
) -> None:
    # The server stands for a public one: the check sees its address, the connection goes to loopback.
    monkeypatch.setattr(fetch, "_pinned", lambda _addresses: real((LOOPBACK,)))
    url = secure.redirect("/in", f"https://private.example:{secure.port}/a.js")
    secure.script("/a.js")
    for addresses in ([ipaddress.ip_address(inside)], [PUBLIC, ipaddress.ip_address(inside)]):
        names = Names(cdn_example=[[PUBLIC]], private_example=[addresses])
        error = await refused(Fetcher(names, trusting(certificate)), url)
        assert (error.code, "into a private one" in error.message) == ("DENIED", True)
    names = Names(cdn_example=[[PUBLIC]], private_example=[[PUBLIC]])
    assert (await Fetcher(names, trusting(certificate)).fetch(url)).source == "1"


real = fetch._pinned


async def test_the_address_that_was_checked_is_the_one_connected_to(secure: Site, certificate: Path) -> None:
    # A name that answers something else the second time is not asked a second time.
    names = Names(cdn_example=[[LOOPBACK], [PUBLIC]])
    assert (await Fetcher(names, trusting(certificate)).fetch(secure.script("/a.js"))).source == "1"
    assert names.asked == ["cdn.example"]


async def test_an_address_that_does_not_answer_leaves_the_next(secure: Site, certificate: Path) -> None:
    dead = ipaddress.ip_address("127.0.0.2")  # nothing listens there at this port
    names = Names(cdn_example=[[dead, LOOPBACK]])
    assert (await Fetcher(names, trusting(certificate)).fetch(secure.script("/a.js"))).source == "1"


async def test_a_server_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "LIMIT_S", 0.1)
    # Nobody takes its visitors in, so that none is left over when the limit ends first.
    with socket.create_server(("127.0.0.1", 0)) as silent:
        error = await refused(Fetcher(), f"http://127.0.0.1:{silent.getsockname()[1]}/a.js")
    assert (error.code, "did not answer" in error.message) == ("NAVIGATION_FAILED", True)


async def test_nobody_listening_and_no_such_name() -> None:
    server = await asyncio.start_server(lambda _reader, _writer: None, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()
    assert (await refused(Fetcher(), f"http://127.0.0.1:{port}/a.js")).code == "NAVIGATION_FAILED"
    assert (await refused(Fetcher(), "https://name.invalid/a.js")).code == "NAVIGATION_FAILED"


async def test_the_extension_gets_the_source_and_the_agent_its_hash(site: Site) -> None:
    sent: list[dict[str, Any]] = []

    async def send(params: dict[str, Any]) -> Response:
        sent.append(params)
        return Response(id="c1", success=True, result={"value": 1, "kept": params["keep"]})

    url = site.redirect("/old", "/a.js")
    site.script("/a.js", b"f()")
    sha256 = hashlib.sha256(b"f()").hexdigest()
    answer = await Fetcher().inject(SOME_CALL, TAB, {"url": url, "keep": True, "snapshot": "none"}, send)
    final = site.url + "/a.js"
    assert sent == [{"url": final, "source": "f()", "id": url, "keep": True, "snapshot": "none"}]
    assert answer.result == {"sha256": sha256, "bytes": 3, "url": final, "value": 1, "kept": True}
    answer = await Fetcher().inject(SOME_CALL, TAB, {"source": "f()", "keep": False}, send)
    assert sent[1] == {"url": "", "source": "f()", "id": sha256, "keep": False}
    assert answer.result == {"sha256": sha256, "bytes": 3, "value": 1, "kept": False}


async def test_a_given_source_is_bounded_too() -> None:
    async def send(_params: dict[str, Any]) -> Response:
        raise AssertionError("sent")

    with pytest.raises(KaptureError, match="larger than 2 MB"):
        await Fetcher().inject(SOME_CALL, TAB, {"source": "x" * (fetch.MAX_BYTES + 1), "keep": False}, send)
