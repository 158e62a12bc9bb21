"""Where IBus, which composes what a person types in many scripts, waits for programs; as its own library finds it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import quote, unquote

_MACHINE_IDS = ("/var/lib/dbus/machine-id", "/etc/machine-id")
#: What a D-Bus address may hold as it is; all else is written as in a URL.
_PLAIN = "-_/.*"


def ibus_address(environment: Mapping[str, str]) -> str | None:
    """The D-Bus address of IBus on the X11 display of `environment`; None when there is none."""
    if address := environment.get("IBUS_ADDRESS"):
        return address
    for file in _files(environment):
        try:
            lines = file.read_text(errors="replace").splitlines()
        except OSError:
            continue  # no IBus has ever run here
        for line in lines:
            if line.startswith("IBUS_ADDRESS="):
                return line.removeprefix("IBUS_ADDRESS=")
    return None


def socket_name(address: str) -> str | None:
    """What to connect to for a D-Bus address; None when it is no socket of this machine."""
    for one in address.split(";"):
        kind, _, rest = one.partition(":")
        found = dict(pair.partition("=")[::2] for pair in rest.split(","))
        if kind == "unix" and "path" in found:
            return unquote(found["path"])
        if kind == "unix" and "abstract" in found:
            return "\0" + unquote(found["abstract"])
    return None


def address_of(path: Path) -> str:
    """The D-Bus address of a socket."""
    return f"unix:path={quote(str(path), safe=_PLAIN)}"


def _files(environment: Mapping[str, str]) -> Iterator[Path]:
    """Where IBus may have written its address: some of its versions do so in another folder."""
    if file := environment.get("IBUS_ADDRESS_FILE"):
        yield Path(file)
        return
    host, _, number = environment.get("DISPLAY", "").partition(":")
    name = f"{_machine_id()}-{host or 'unix'}-{number.partition('.')[0] or '0'}"
    home = environment.get("HOME", "")
    for folder in (environment.get("XDG_CONFIG_HOME") or f"{home}/.config", environment.get("XDG_RUNTIME_DIR")):
        if folder:
            yield Path(folder) / "ibus" / "bus" / name


def _machine_id() -> str:
    for file in _MACHINE_IDS:
        try:
            return Path(file).read_text().strip()
        except OSError:
            continue  # there is another place
    return "machine-id"
