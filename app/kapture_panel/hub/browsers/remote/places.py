"""`browsers.toml`: the places where browsers on other machines come from, as the person named them."""

from __future__ import annotations

import ipaddress
import os
import re
import ssl
import stat
import tomllib
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import msgspec

from kapture_panel.core.basics import private_file, toml_entry
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.basics.spot import Unreadable
from kapture_panel.core.gates.rules import Preset

#: What `--on` calls the machine of the panel.
HERE = "here"
#: What to do about a certificate that is not believed.
UNTRUSTED = "look at ca: it names the certificates that are trusted there"
_TABLE = "places"
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,40}")
_SCHEMES = {"grid": ("https", "http"), "cdp": ("wss", "ws")}


class Place(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """One place, as the file has it.

    Either `grid` or `cdp` is its address. `token_file` holds what it is asked with: a bearer token or, with a `user`,
    that one's password. `ca` is a file of certificates that are trusted there in place of the system's. At most
    `at_once` of its sessions are ours at a time; a call waits `wait_seconds` for one. A session ends
    `idle_minutes` after the last call. `policy` holds there in place of Careful; `headless` browsers have no window;
    `capabilities` are added to what a Grid is asked for.
    """

    grid: str = ""
    cdp: str = ""
    token_file: str = ""
    user: str = ""
    ca: str = ""
    at_once: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 5
    wait_seconds: Annotated[float, msgspec.Meta(gt=0, le=3600)] = 60.0
    idle_minutes: Annotated[float, msgspec.Meta(gt=0, le=7 * 24 * 60)] = 30.0
    policy: Preset | None = None
    headless: bool = True
    capabilities: JsonObject = {}
    #: What the person calls it.
    name: str = ""

    @property
    def address(self) -> str:
        """Where it is, without a slash at the end."""
        return (self.grid or self.cdp).rstrip("/")

    @property
    def host(self) -> str:
        """The same in short, for people."""
        return urlsplit(self.address).netloc

    def trust(self) -> ssl.SSLContext | None:
        """Which certificates are believed; None for an address without any.

        Raises:
            KaptureError: `INVALID_PARAMS`, the file of certificates cannot be used.
        """
        if not self.address.startswith(("https:", "wss:")):
            return None
        try:
            return ssl.create_default_context(cafile=str(Path(self.ca).expanduser()) if self.ca else None)
        except (OSError, ssl.SSLError) as error:
            raise _wrong(
                self.name, "ca", f"{self.ca} cannot be used: {error}", "name a file of PEM certificates"
            ) from None

    def headers(self) -> dict[str, str]:
        """What it is asked with; read from the file each time, so that a token can be changed.

        Raises:
            KaptureError: `INVALID_PARAMS`, the file is not there, not the person's alone, or holds no token.
        """
        if not self.token_file:
            return {}
        token = _secret_in(self.name, Path(self.token_file).expanduser())
        if not self.user:
            return {"Authorization": f"Bearer {token}"}
        return {"Authorization": f"Basic {b64encode(f'{self.user}:{token}'.encode()).decode()}"}


class _File(msgspec.Struct, forbid_unknown_fields=True):
    default: str = ""
    places: dict[str, JsonObject] = {}


class Places:
    """The file, read whenever somebody asks: who changes it need not restart the panel.

    Args:
        path: `browsers.toml`; where there is none, there are no places.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def all(self) -> dict[str, Place]:
        """The places by name, in the order of the file.

        Raises:
            KaptureError: `INVALID_PARAMS` naming the file, where in it, and what to write there.
        """
        return self._read()[0]

    def get(self, name: str) -> Place:
        """The place called so.

        Raises:
            KaptureError: `INVALID_PARAMS`: there is none, or as `all`.
        """
        places = self.all()
        if name not in places:
            there = f"there are {', '.join(places)}" if places else f"name places in {self.path}"
            raise KaptureError("INVALID_PARAMS", f"no place is called {name!r}", there)
        return places[name]

    def chosen(self, wish: str) -> Place | None:
        """Where the browser of an isolated conversation comes from: its own wish, else the file's default; None: here.

        Raises:
            KaptureError: as `get`.
        """
        name = wish or self._read()[1]
        return None if name in ("", HERE) else self.get(name)

    def add(self, name: str, fields: JsonObject) -> None:
        """Write one more place into the file; what the person wrote there stays as it is.

        Raises:
            KaptureError: `INVALID_PARAMS`: what is wrong with the place, its name is taken, or as `all`; `DENIED`: the
                file cannot be written.
        """
        _place(name, fields)
        if name in self.all():
            raise _wrong(name, "name", "is another place's already", "choose another one")
        self._edit(lambda text: toml_entry.put(text, _TABLE, name, fields))

    def remove(self, name: str) -> None:
        """Take a place out of the file.

        Raises:
            KaptureError: `INVALID_PARAMS`: there is none, or the file's default is this one; else as `add`.
        """
        self.get(name)
        if self._read()[1] == name:
            raise KaptureError("INVALID_PARAMS", f"{name!r} is the default in {self.path}", "change the default first")
        self._edit(lambda text: toml_entry.remove(text, _TABLE, name))

    def _edit(self, change: Callable[[str], str]) -> None:
        try:
            path = self.path.resolve()
            private_file.write_text(path, change(path.read_bytes().decode() if path.exists() else ""))
        except Unreadable as error:
            raise self._wrong(f"line {error.line}: {error.reason}", "change it by hand") from None
        except OSError as error:
            raise KaptureError("DENIED", f"{self.path} cannot be written: {error.strerror}") from None

    def _read(self) -> tuple[dict[str, Place], str]:
        """The places, and which of them is the default."""
        try:
            kept = msgspec.convert(tomllib.loads(self.path.read_text(encoding="utf-8")), _File)
            places = {name: _place(name, fields) for name, fields in kept.places.items()}
        except FileNotFoundError:
            return {}, ""
        except tomllib.TOMLDecodeError as error:
            raise self._wrong(str(error), "write it as docs/remote.md shows") from None
        except msgspec.ValidationError as error:
            raise self._wrong(_said(error, ""), "the file takes default and [places.NAME]") from None
        except (OSError, UnicodeDecodeError) as error:
            raise self._wrong(f"cannot be read: {error}", "correct it or delete it") from None
        except KaptureError as error:
            raise self._wrong(error.what, error.next_step) from None
        if kept.default not in ("", HERE, *places):
            raise self._wrong(f"default: no place is called {kept.default!r}", f"name a place of the file, or {HERE!r}")
        return places, kept.default

    def _wrong(self, what: str, next_step: str) -> KaptureError:
        return KaptureError("INVALID_PARAMS", f"{self.path}: {what}", next_step)


def _place(name: str, fields: JsonObject) -> Place:
    try:
        return _checked(name, msgspec.convert(fields, Place))
    except msgspec.ValidationError as error:
        known = ", ".join(field for field in Place.__struct_fields__ if field != "name")
        raise KaptureError("INVALID_PARAMS", _said(error, f"places.{name}"), f"its fields are {known}") from None


def _said(error: msgspec.ValidationError, within: str) -> str:
    """What is wrong and where, in the words of the file."""
    what, _, where = str(error).partition(" - at `$")
    field = f"{within}{where.rstrip('`')}".removeprefix(".")
    return f"{field}: {what}" if field else what


def _checked(name: str, place: Place) -> Place:
    """The place with its name.

    Raises:
        KaptureError: what is wrong with it, by its field.
    """
    if not _NAME.fullmatch(name) or name == HERE:
        raise _wrong(name, "name", "is not a name", "use up to 40 letters, digits, dots and dashes")
    if place.name:
        raise _wrong(name, "name", "is already in the brackets", f"leave it out: [places.{name}]")
    if bool(place.grid) == bool(place.cdp):
        raise _wrong(name, "grid", "and cdp: exactly one of them is needed", "give one address")
    if place.user and not place.token_file:
        raise _wrong(name, "user", "needs a password", "name a file of mode 0600 that holds it as token_file")
    if place.cdp and place.capabilities:
        raise _wrong(name, "capabilities", "are for a grid", "leave them out")
    _check_address(name, "grid" if place.grid else "cdp", place.address)
    return msgspec.structs.replace(place, name=name)


def _check_address(name: str, field: str, address: str) -> None:
    safe, plain = _SCHEMES[field]
    try:
        parts = urlsplit(address)
        host, _port = parts.hostname or "", parts.port
    except ValueError as error:
        raise _wrong(name, field, f"is not an address: {error}", f"write {safe}://host:port") from None
    if parts.scheme not in (safe, plain) or not host:
        raise _wrong(name, field, f"{address!r} does not begin with {safe}:", f"write {safe}://host:port")
    if parts.username or parts.password or parts.query or parts.fragment:
        # The address is not repeated: what is in it may be a secret.
        raise _wrong(name, field, "holds more than an address", "a token belongs in a file of mode 0600: token_file")
    if parts.scheme == plain and not is_loopback(host):
        raise _wrong(name, field, f"{plain}: is open to everybody on the way", f"use {safe}:, or a tunnel to 127.0.0.1")


def is_loopback(host: str) -> bool:
    """Whether a host's name or number means this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _secret_in(name: str, path: Path) -> str:
    try:
        about = path.stat()
        if os.name != "nt" and (not stat.S_ISREG(about.st_mode) or about.st_mode & 0o077):
            raise _wrong(name, "token_file", f"others may read {path}", f"chmod 600 {path}")
        token = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        said = getattr(error, "strerror", None) or "it is not text"
        raise _wrong(name, "token_file", f"{path} cannot be read: {said}", "name a file that holds the token") from None
    if not token or not token.isascii() or not token.isprintable():
        raise _wrong(
            name, "token_file", f"{path} holds no token in one line", "write the token there, and nothing else"
        )
    return token


def _wrong(name: str, field: str, what: str, next_step: str) -> KaptureError:
    return KaptureError("INVALID_PARAMS", f"places.{name}.{field} {what}", next_step)
