"""Addresses as a policy sees them: which origin and site one is of, and which are not open to agents."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from pathlib import Path
from urllib.parse import SplitResult, unquote, urljoin, urlsplit

#: What a tab shows before it shows anything.
BLANK = "about://"
_BLANK_PAGE = re.compile(r"about:blank(?:[?#]|$)", re.IGNORECASE)
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_BLOCKED_SCHEMES = frozenset(
    {"javascript", "file", "data", "filesystem", "view-source", "devtools", "edge", "brave", "opera", "vivaldi"}
)
#: What the extension takes for host and port without a scheme, as it is given (`absolute` in navigation.js).
_HOST_AND_PORT = re.compile(r"[\w.-]+:\d+(?:[/?#]|\Z)", re.ASCII)
#: Schemes behind which there is a page; `closed` says which of these are not open.
_OF_PAGES = frozenset({"http", "https", "about", "file"})
#: A browser reads "http:host", "http:///host" and "http:\\host" as "http://host".
_BROWSED = re.compile(r"(https?|wss?|ftp):[/\\]*([^/\\?#]*)", re.IGNORECASE)
#: Host and port of an address without a scheme, and what comes after them.
_BARE = re.compile(r"([^/\\?#]*)")
_NO_HOST = re.compile(r"[/\\?#]")
_END_DOT = re.compile(r"\.(?=(?::\d*)?\Z)")
#: What stands between the labels of a host, and around it.
_LABEL_END = re.compile(r"([.:/])")
#: The port that a browser leaves out; a host without a scheme may be meant with either.
_USUAL_PORTS = {"http": (":80",), "https": (":443",), "": (":80", ":443")}
#: So far an address may be written that has no host yet.
_BEGUN = re.compile(r"[a-z]{1,6}:?[/\\]{0,2}(?:[^/@\s]*@)?", re.IGNORECASE)
#: An address that lacks its colon, or whose scheme is mistyped.
_MISTYPED = re.compile(r"https?[/\\]{2}|(?!https?:)[htps]{3,7}:[/\\]", re.IGNORECASE)
#: What the URL standard forbids in a host.
_NOT_IN_HOST = re.compile(r"[\s<>^|{}\"`\[\]@]")
_NO_ADDRESS = "no address; write one like https://example.com/"
_LAST_PORT = 65_535
#: A browser drops these anywhere in an address, and controls and spaces at its ends (URL standard, basic parser).
_DROPPED = str.maketrans("", "", "\t\n\r")
_TRIMMED = "".join(map(chr, range(0x21)))


def origin_of(url: str) -> str:
    """Scheme and host of an address, as the extension's `originOf` writes them; empty without."""
    browsed = _BROWSED.match(url)
    parts = parts_of(f"{browsed[1]}://{browsed[2]}" if browsed else url)
    host = parts.netloc.rpartition("@")[2] if parts.scheme not in ("about", "data", "blob") else ""
    return f"{parts.scheme}://{host}" if parts.scheme else ""


def parts_of(url: str) -> SplitResult:
    """The parts of an address; one that is none, such as half an IPv6 address, is all path."""
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", url, "", "")


def joined(base: str, url: str) -> str:
    """An address as it is meant on the page `base`; one that is none stays as it is."""
    try:
        return urljoin(base, url)
    except ValueError:
        return url


def site_of(origin: str) -> str:
    """What people call an origin: host and port, else its scheme; empty for a blank page."""
    scheme, _, host = origin.partition("://")
    return without_end_dot(host) or ("" if scheme in ("", "about") else f"{scheme}:")


def without_end_dot(host: str) -> str:
    """A host, maybe with a port, as it is called: with a dot at its end it is the same one."""
    return _END_DOT.sub("", host, count=1)


def site_named(text: str) -> str:
    """The site a person means who writes a host or an address."""
    written = text.strip().lower()
    is_address = "://" in written or _BROWSED.match(written)
    origin = origin_of(written) if is_address else f"://{_NO_HOST.split(written, maxsplit=1)[0].rpartition('@')[2]}"
    scheme = origin.partition("://")[0]
    for port in _USUAL_PORTS.get(scheme, ()):
        origin = origin.removesuffix(port)
    return site_of(_in_ascii(origin))


def _in_ascii(origin: str) -> str:
    """An origin as a browser writes it: letters of other alphabets in the form that the net has for them."""
    parts = _LABEL_END.split(unicodedata.normalize("NFKC", origin).replace("\u3002", "."))
    return "".join(part if part.isascii() else f"xn--{part.encode('punycode').decode()}" for part in parts)


def as_browsed(address: str) -> str:
    """An address without what a browser drops of it."""
    return address.strip(_TRIMMED).translate(_DROPPED)


def is_blank(address: str) -> bool:
    """Whether it is that of a blank page."""
    return _BLANK_PAGE.match(address) is not None


def host_in(address: str) -> tuple[int, int]:
    """Where host and port begin and end in an address that is written `as_browsed`; twice the same without a host."""
    is_bare = _HOST_AND_PORT.match(address) or not _SCHEME.match(address)
    found = _BARE.match(address) if is_bare else _BROWSED.match(address)
    if found is None:
        return 0, 0
    group = found.re.groups
    return found.start(group) + found[group].rfind("@") + 1, found.end(group)


def unlike_one(written: str) -> str:
    """Why what a person writes will be no address, however it goes on; empty when it may be one."""
    address = as_browsed(written)
    if not address or address[0] in "/?#." or _BEGUN.fullmatch(address):
        return ""
    if _MISTYPED.match(address):
        return _NO_ADDRESS
    first, last = host_in(address)
    written_host = address[first:last]
    if not written_host and _BROWSED.match(address) is None:
        return ""  # its scheme has no host
    host, _, port = written_host.partition(":")
    if written_host.startswith("["):
        return ""  # an IPv6 address
    if not host or ".." in host or _NOT_IN_HOST.search(host):
        return _NO_ADDRESS
    # Without an end it may be the beginning of a password.
    is_whole = last < len(address) or port.isdigit()
    if port and is_whole and not (port.isascii() and port.isdigit() and int(port) <= _LAST_PORT):
        return f"{port[:20]} is not a port; the largest port is {_LAST_PORT}"
    return ""


def closed(address: str, allow_dirs: tuple[Path, ...]) -> str:
    """Why an address is not open to agents, and what to do; empty when it is."""
    address, scheme = _read(address)
    # about:settings and its like are chrome:// pages under another name.
    browsers_page = scheme.startswith("chrome") or (scheme == "about" and not is_blank(address))
    if not browsers_page and scheme not in _BLOCKED_SCHEMES:
        return ""
    hint = "use an http or https address"
    if scheme == "file":
        path = _file_of(address)
        if path is not None and any(path.is_relative_to(folder) for folder in allow_dirs):
            return ""
        hint = f"a person can allow its folder by starting the panel with --allow-dir {path.parent if path else 'DIR'}"
    return f"{scheme}: addresses are not open to agents; {hint}"


def foreign(address: str) -> str:
    """The scheme of an address that a browser hands to another program, such as mailto; empty for that of a page."""
    if _HOST_AND_PORT.match(address):
        return ""
    _, scheme = _read(address)
    return "" if scheme in _OF_PAGES else scheme


def _read(address: str) -> tuple[str, str]:
    """An address as a browser reads it, and its scheme."""
    address = as_browsed(address)
    match = _SCHEME.match(address)
    return address, match.group(1).lower() if match else ""


def _file_of(address: str) -> Path | None:
    """The file a browser opens for a `file:` address; None where it could read the address unlike us."""
    parts = parts_of(address)
    path = unquote(parts.path)
    if parts.netloc not in ("", "localhost") or not path.startswith("/") or "\\" in path or "\0" in path:
        return None
    # The browser takes ".." out of the text before it follows a link.
    return Path(posixpath.normpath(path)).resolve()
