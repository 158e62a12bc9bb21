"""What the doctor looks at without a panel: folder, door, port, browser, extension, versions."""

from __future__ import annotations

import contextlib
import errno
import importlib.metadata
import json
import os
import platform
import re
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from kapture_panel import __version__, door, paths
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.doctor import Ill, NotYet
from kapture_panel.hub.agent_door import door_client
from kapture_panel.hub.browsers.managed import find_browser
from kapture_panel.hub.extension_door.listener import check_free
from kapture_panel.paths import DataDir

#: A browser that does not say its version within this long does not start either.
VERSION_S = 10.0
_PROBE_BYTES = 4096
_IMPORT = re.compile(r"""^\s*(?:import|export)\b[^"';]*["'](\.{1,2}/[^"']+)["']""", re.MULTILINE)
_LOADED = re.compile(r"""(?:src|href)="([^":]+)\"""")
_FETCHED = re.compile(r"""getURL\("([^"]+)"\)""")
_PARTS = ("PySide6-Essentials", "qasync", "websockets", "mcp")


def data_folder(root: Path) -> str:
    """The data folder can be written and is its owner's alone; one that is not there yet can be made.

    Raises:
        Ill: it cannot, or others may read it.
    """
    if not root.exists():
        parent = next(folder for folder in root.parents if folder.exists())
        if not os.access(parent, os.W_OK | os.X_OK):
            raise Ill(
                f"{root} is not there and {parent} cannot be written", "name another folder: kapture --data-dir DIR"
            )
        return f"{root} will be made with the first start"
    if not root.is_dir():
        raise Ill(f"{root} is not a folder", f"move it away: mv '{root}' '{root}.old'")
    if not os.access(root, os.R_OK | os.W_OK | os.X_OK):
        raise Ill(f"{root} cannot be written by you", f"make it yours: sudo chown -R $USER '{root}'")
    mode = root.stat().st_mode & 0o777
    if sys.platform != "win32" and mode & 0o077:
        raise Ill(f"{root} is open to other users (mode {mode:o})", f"keep it to yourself: chmod 700 '{root}'")
    for place, kind in DataDir(root).misplaced():
        raise Ill(f"{place} is not a {kind}", f"move it away: mv '{place}' '{place}.old'")
    _try_writing(root)
    return f"{root} is yours alone and can be written"


def _try_writing(root: Path) -> None:
    """A page of a file reaches the disk: an empty one would fit on a full disk, too."""
    probe = root / ".doctor"
    try:
        with probe.open("wb") as file:
            file.write(bytes(_PROBE_BYTES))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise Ill(
            f"the disk of {root} is full: actions are refused, reading goes on", "free some space on that disk"
        ) from None
    finally:
        probe.unlink(missing_ok=True)


def history(root: Path) -> str:
    """The history is whole, and none had to be moved aside.

    Raises:
        Ill: one was damaged.
    """
    file = DataDir(root).history
    if aside := sorted(file.parent.glob(f"{file.name}.damaged-*[0-9]")):
        raise Ill(
            f"a damaged history was moved aside as {aside[-1].name}, and a new one begun",
            f"look whether the disk is in order, then delete it: rm '{root}'/{file.name}.damaged-*",
        )
    if not file.exists():
        return "nothing was recorded yet"
    try:
        with contextlib.closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as db:
            (verdict,) = db.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        verdict = str(error)
    if verdict != "ok":
        raise Ill(f"{file} is damaged: {verdict}", "end the panel and start it again: it moves the file aside")
    return f"{file.name} is whole"


def stale_door(root: Path) -> str:
    """No dead panel has left its door, and the folder of doors is ours.

    Raises:
        Ill: another user could listen there, or somebody listens who does not answer.
    """
    address = Path(door.address(str(root)))
    folder = address.parent
    if not door.uses_tcp() and folder.exists():
        stat = folder.stat()
        if stat.st_uid != os.getuid() or stat.st_mode & 0o077:
            raise Ill(f"{folder} is not yours alone: another user could listen there", f"remove it: rm -r '{folder}'")
    if not os.path.lexists(address):
        return "no panel has left anything behind"
    if door_client.answers(root):
        return "a panel listens"
    raise Ill(f"{address} was left by a panel that is gone", f"the next start replaces it; or: rm '{address}'")


def port(*wanted: int) -> str:
    """A panel could listen on one of the ports; 0 is any free one.

    Raises:
        Ill: all are taken; it says by whom the last one is.
    """
    why = ""
    for number in wanted:
        try:
            check_free(number)
        except KaptureError as error:
            why = error.what
        else:
            return f"{number} is free" if number else "any free one will be taken"
    raise Ill(why, "end that program, or start the panel with another port: kapture --port 0")


def browser() -> str:
    """A browser is installed, starts, and is new enough for the extension.

    Raises:
        Ill: it is not.
        KaptureError: `FILE_NOT_FOUND`, saying how to get one.
    """
    path = find_browser()
    wanted = int(json.loads((paths.extension() / "manifest.json").read_text())["minimum_chrome_version"])
    other = "install another browser or name one in KAPTURE_BROWSER"
    if sys.platform == "win32":
        return f"{path}"  # it opens a window instead of saying its version
    try:
        said = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=VERSION_S, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        raise Ill(f"{path} does not say its version within {VERSION_S:.0f} s", other) from None
    found = re.search(r"(\d+)\.\d+", said.stdout)
    if said.returncode != 0 or found is None:
        why = (said.stderr or said.stdout).strip().splitlines()[-1:] or ["nothing"]
        raise Ill(f"{path} does not start; it said: {why[0][:200]}", other)
    if int(found[1]) < wanted:
        raise Ill(f"{said.stdout.strip()} is too old: the extension needs {wanted}", "update the browser")
    return f"{said.stdout.strip()} ({path})"


def extension_files() -> str:
    """Every file of the extension that another one names is there, and the catalogue can be read.

    Raises:
        Ill: one is missing or damaged.
    """
    folder = paths.extension()
    again = "install Kapture Panel again"
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        commands = len(list(Catalogue(paths.catalogue())))
    except (OSError, ValueError, KaptureError) as error:
        raise Ill(f"the extension is damaged: {error}", again) from None
    files = {folder / name for name in _named(manifest)} | set(folder.rglob("*.js")) | set(folder.rglob("*.html"))
    missing = sorted(
        {str(part.relative_to(folder)) for file in files for part in _needed(file, folder) if not part.is_file()}
    )
    if missing:
        raise Ill(f"the extension lacks {', '.join(missing[:5])}", again)
    return f"{manifest['name']} {manifest['version']}, {len(files)} files, {commands} commands"


def _named(manifest: dict[str, object]) -> Iterator[str]:
    """The files a manifest names."""
    for value in manifest.values():
        if isinstance(value, dict):
            yield from _named(value)
        elif isinstance(value, str) and re.fullmatch(r"[\w/-]+\.(?:js|html|png|json)", value):
            yield value


def _needed(file: Path, folder: Path) -> Iterator[Path]:
    """`file` and the files it loads; what a script asks the browser for is named from the extension's `folder`."""
    yield file
    pattern = {".js": _IMPORT, ".html": _LOADED}.get(file.suffix)
    if pattern is None or not file.is_file():
        return
    text = file.read_text(encoding="utf-8")
    for name in pattern.findall(text):
        yield Path(os.path.normpath(file.parent / name))
    if file.suffix == ".js":
        yield from (folder / name for name in _FETCHED.findall(text))


def versions() -> str:
    """What runs, and that it runs together.

    Raises:
        Ill: it does not.
    """
    found = {name: importlib.metadata.version(name) for name in _PARTS}
    if found["PySide6-Essentials"] == "6.12.0" and sys.version_info < (3, 12):
        raise Ill("PySide6 6.12.0 crashes on Python 3.11", "install another: pip install 'PySide6-Essentials!=6.12.0'")
    parts = ", ".join(f"{name} {version}" for name, version in found.items())
    return f"Kapture Panel {__version__}, Python {platform.python_version()}, {parts}, {platform.system()}"


def listens(port_number: int) -> str:
    """Somebody who refuses strangers as a panel does listens on both loopback addresses.

    Raises:
        Ill: somebody else does.
        OSError: nobody does.
    """
    hosts = ["127.0.0.1"]
    if socket.has_ipv6 and _has_loopback6():
        hosts.append("::1")
    for host in hosts:
        with socket.create_connection((host, port_number), timeout=2) as connection:
            connection.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port_number}\r\n\r\n".encode())
            answer = connection.makefile("rb").readline()
        if b" 403 " not in answer and b" 503 " not in answer:
            raise Ill(f"{host}:{port_number} answers as no panel does", "end the program that listens there")
    return f"port {port_number} answers on {' and '.join(hosts)}, and refuses strangers"


def _has_loopback6() -> bool:
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


def running(root: Path) -> str:
    """The panel answers at its door.

    Raises:
        NotYet: none runs.
        KaptureError: it does not answer, or not to us.
    """
    if not door_client.answers(root):
        raise NotYet("no panel is running", "start one: kapture (an agent's first call starts one, too)")
    with door_client.DoorClient(root, {"role": "control"}, timeout_s=5) as panel:
        answer = panel.ask({"ask": "ping"})
    version, pid = answer.get("version"), answer.get("pid")
    if version != __version__:
        raise Ill(f"the running panel is {version}, this is {__version__}", "end the running panel and start it again")
    return f"version {version}, pid {pid}, answers at its door"
