"""`inject_script`: the panel fetches a script's address, so that no page learns of it and none can stand in for it."""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from kapture_panel.core.basics.addresses import joined
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.call import Call
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.router import Send
from kapture_panel.core.wire.protocol import Response

if TYPE_CHECKING:
    import httpcore2

MAX_BYTES = 2_000_000
LIMIT_S = 10.0
#: For each address of a name: one that does not answer leaves time for the next.
CONNECT_S = 3.0
MAX_REDIRECTS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_SCRIPT_TYPES = frozenset(
    {
        "text/javascript", "application/javascript", "application/x-javascript", "text/ecmascript",
        "application/ecmascript", "text/plain",
    }
)  # fmt: skip
_KEPT_IN_TARGET = "/?&=%:@!$'()*+,;~-._[]|"
#: What reaches IPv4 hosts through IPv6.
_NAT64 = ipaddress.ip_network("64:ff9b::/96")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolve = Callable[[str, int], Awaitable[list[Address]]]


@dataclass(frozen=True)
class Script:
    """A script as it was fetched; `url` is where the last redirect led."""

    source: str
    url: str


@dataclass(frozen=True)
class Hop:
    """One address on the way to a script, checked: only these `addresses` are connected to."""

    url: str
    host: str
    port: int
    is_https: bool
    addresses: tuple[Address, ...]

    @property
    def is_public(self) -> bool:
        """Whether everybody can reach all of its addresses."""
        return all(map(_is_public, self.addresses))

    @property
    def host_header(self) -> str:
        """Host and port as HTTP names them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.is_https else 80) else f"{host}:{self.port}"


class Fetcher:
    """Fetches scripts under the rules of this module.

    Args:
        resolve: host and port → its addresses; the system's resolver when it is left out.
        trust: certificates to believe; the system's when it is left out.
    """

    def __init__(self, resolve: Resolve | None = None, trust: ssl.SSLContext | None = None) -> None:
        self._resolve = resolve or _resolve
        self._trust = trust

    async def inject(self, _call: Call, _tab: Tab, params: Params, send: Send) -> Response:
        """Stand around the sending of `inject_script`: replace a `url` by what is there.

        Raises:
            KaptureError: see `fetch`; `INVALID_PARAMS` for a source too large.
        """
        url = params.get("url")
        if url is None:
            script = Script(params["source"], "")
        else:
            script = await self.fetch(url)
        data = script.source.encode(errors="surrogatepass")
        if len(data) > MAX_BYTES:
            raise _too_large("the source")
        sha256 = hashlib.sha256(data).hexdigest()
        # Fetched again, a script may have changed: it goes by its address, one that was given by its hash.
        response = await send({**params, "source": script.source, "url": script.url, "id": url or sha256})
        if response.success and isinstance(response.result, dict):
            fetched = {"url": script.url} if script.url else {}
            response.result = {"sha256": sha256, "bytes": len(data), **fetched, **response.result}
        return response

    async def fetch(self, url: str) -> Script:
        """The script at `url`.

        Raises:
            KaptureError: `INVALID_PARAMS` for an address or a content that is none of a script's, `DENIED` when a
                redirect leads where it must not, `NAVIGATION_FAILED` when the network or the server failed.
        """
        try:
            async with asyncio.timeout(LIMIT_S):
                return await self._fetch(url)
        except TimeoutError:
            raise KaptureError(
                "NAVIGATION_FAILED", f"{_shown(url)} did not answer with a whole script within {LIMIT_S:.0f} s"
            ) from None

    async def _fetch(self, url: str) -> Script:
        before: Hop | None = None
        for _ in range(MAX_REDIRECTS + 1):
            hop = await self._hop(url)
            if before is not None:
                _check_step(before, hop)
            before = hop
            answer = await self._get(hop)
            if isinstance(answer, Script):
                return answer
            url = joined(hop.url, answer)
        raise KaptureError("NAVIGATION_FAILED", f"{_shown(url)}: more than {MAX_REDIRECTS} redirects")

    async def _hop(self, url: str) -> Hop:
        try:
            parts = urlsplit(url)
            host, port = (parts.hostname or "").encode("idna").decode(), parts.port
        except ValueError as error:  # UnicodeError is one
            raise _bad_address(url, str(error)) from None
        is_https = parts.scheme == "https"
        if parts.scheme not in ("https", "http") or not host:
            raise _bad_address(url, "an https address is needed, or an http one on loopback")
        if parts.username is not None or parts.password is not None:
            raise _bad_address(url, "it must not hold a user name or password")
        if not is_https and not _names_loopback(host):
            raise _bad_address(url, "http works only for loopback (localhost, 127.0.0.1, [::1])", "use https")
        port = port or (443 if is_https else 80)
        addresses = tuple(await self._resolve(host, port))
        if not addresses:
            raise KaptureError("NAVIGATION_FAILED", f"{_shown(url)}: the name {host} has no address")
        if not is_https and not all(_bare(address).is_loopback for address in addresses):
            raise _bad_address(url, f"{host} is not on loopback")
        return Hop(url, host, port, is_https, addresses)

    async def _get(self, hop: Hop) -> Script | str:
        """The script at one hop, or where it redirects to."""
        # Imported with the first script: a panel nobody asks for one does without.
        import httpcore2

        headers: dict[bytes | str, bytes | str] = {
            "Host": hop.host_header,
            "Accept": "text/javascript, */*;q=0.1",
            "Accept-Encoding": "identity",
            "User-Agent": "kapture-panel",
        }
        parts = urlsplit(hop.url)
        target = quote(f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}", safe=_KEPT_IN_TARGET)
        url = httpcore2.URL(scheme=parts.scheme, host=hop.host, port=hop.port, target=target)
        try:
            async with (
                httpcore2.AsyncConnectionPool(
                    ssl_context=self._trust, network_backend=_pinned(hop.addresses), http2=False
                ) as pool,
                pool.stream("GET", url, headers=headers) as response,
            ):
                return await _answer(hop, response)
        except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.TimeoutException, ssl.SSLError) as error:
            said = str(error) or type(error).__name__
            raise KaptureError("NAVIGATION_FAILED", f"{_shown(hop.url)}: {said}") from error


async def _answer(hop: Hop, response: httpcore2.Response) -> Script | str:
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
    if response.status in _REDIRECTS and "location" in headers:
        return headers["location"]
    if response.status != 200:
        raise KaptureError("NAVIGATION_FAILED", f"{_shown(hop.url)} answered with status {response.status}")
    mime_type = headers.get("content-type", "").partition(";")[0].strip().lower()
    if mime_type and mime_type not in _SCRIPT_TYPES:
        raise _bad_address(hop.url, f"it is {mime_type}, not a script (text/javascript or text/plain)")
    if headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise _bad_address(hop.url, f"it came encoded as {headers['content-encoding']}, which nobody asked for")
    data = bytearray()
    async for chunk in response.aiter_stream():
        data += chunk
        if len(data) > MAX_BYTES:
            raise _too_large(_shown(hop.url))
    try:
        return Script(data.decode("utf-8-sig"), hop.url)
    except UnicodeDecodeError as error:
        raise _bad_address(hop.url, f"it is not UTF-8: {error.reason} at byte {error.start}") from None


def _check_step(before: Hop, hop: Hop) -> None:
    if before.is_https and not hop.is_https:
        raise KaptureError("DENIED", f"{_shown(before.url)} leads from https down to {_shown(hop.url)}")
    if before.is_public and not hop.is_public:
        raise KaptureError(
            "DENIED", f"{_shown(before.url)} leads from the public net into a private one: {_shown(hop.url)}"
        )


def _pinned(addresses: Iterable[Address]) -> httpcore2.AsyncNetworkBackend:
    """Connects to `addresses` whatever the name says by now; the certificate is still checked against the name."""
    import httpcore2

    class Pinned(httpcore2.AnyIOBackend):
        async def connect_tcp(
            self,
            host: str,
            port: int,
            timeout: float | None = None,  # noqa: ARG002 – the base class names it
            local_address: str | None = None,
            socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
        ) -> httpcore2.AsyncNetworkStream:
            failure: Exception = httpcore2.ConnectError(f"{host} has no address")
            for address in addresses:
                try:
                    return await super().connect_tcp(str(address), port, CONNECT_S, local_address, socket_options)
                except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                    failure = error
            raise failure

    return Pinned()


async def _resolve(host: str, port: int) -> list[Address]:
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise KaptureError("NAVIGATION_FAILED", f"the name {host} cannot be resolved: {error}") from None
    texts = dict.fromkeys(str(where[0]).partition("%")[0] for *_, where in found)
    return [ipaddress.ip_address(text) for text in texts]


def _bare(address: Address) -> Address:
    """The IPv4 address inside an IPv6 one that only carries it."""
    if isinstance(address, ipaddress.IPv6Address):
        inside = address.ipv4_mapped or address.sixtofour
        if address in _NAT64:
            inside = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        return inside or address
    return address


def _is_public(address: Address) -> bool:
    bare = _bare(address)
    return bare.is_global and not bare.is_multicast and not bare.is_reserved


def _names_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return _bare(ipaddress.ip_address(host)).is_loopback
    except ValueError:
        return False


def _shown(url: str) -> str:
    """An address as an error may name it: without its query, which may hold a secret."""
    return url.partition("?")[0].partition("#")[0][:200]


def _bad_address(url: str, why: str, next_step: str = "") -> KaptureError:
    return KaptureError("INVALID_PARAMS", f"the script {_shown(url)} cannot be used: {why}", next_step, param="url")


def _too_large(what: str) -> KaptureError:
    return KaptureError("INVALID_PARAMS", f"{what} is larger than {MAX_BYTES // 1_000_000} MB")
