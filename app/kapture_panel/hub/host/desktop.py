"""The launcher's entry, its icons and the start at login, in the places the desktop's specifications name.

Sources: Desktop Entry Specification, Icon Theme Specification, AppStream, Desktop Application Autostart.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from kapture_panel import door, paths
from kapture_panel.core.basics.errors import KaptureError

APP_ID = "kapture-panel"
#: Software centres know the program by this name.
COMPONENT_ID = "io.github.kapture_panel.KapturePanel"
_PIXELS = re.compile(r"kapture-(\d+)\.png")
#: What must stand in quotes in an Exec line, and what needs a backslash there.
_RESERVED = frozenset(" \t\n\"'\\><~|&;$*?#()`")
_ESCAPED = frozenset('"`$\\')
#: A launcher takes "=" for a variable and does not look for a program with "%" in its path: a shell starts it.
_THROUGH_SHELL = ["/bin/sh", "-c", 'exec "$0" "$@"']


@dataclass(frozen=True)
class Places:
    """Where a desktop looks: `XDG_DATA_HOME` and `XDG_CONFIG_HOME`, or their defaults."""

    data: Path
    config: Path

    @classmethod
    def of_user(cls) -> Places:
        """Those of the person who runs this.

        Raises:
            KaptureError: `INTERNAL` on systems that do it another way.
        """
        others = {"darwin": "macOS", "win32": "Windows"}
        if sys.platform in others:
            raise KaptureError(
                "INTERNAL", f"{others[sys.platform]} has no such entries", "start the panel with: kapture"
            )
        return cls(platformdirs.user_data_path(), platformdirs.user_config_path())

    @property
    def entry(self) -> Path:
        """The launcher's entry."""
        return self.data / "applications" / f"{APP_ID}.desktop"

    @property
    def metainfo(self) -> Path:
        """What software centres show."""
        return self.data / "metainfo" / f"{COMPONENT_ID}.metainfo.xml"

    @property
    def autostart(self) -> Path:
        """The start at login."""
        return self.config / "autostart" / f"{APP_ID}.desktop"

    def icons(self) -> dict[Path, Path]:
        """Where each icon goes → where it comes from."""
        theme, shipped = self.data / "icons" / "hicolor", paths.resources() / "icons"
        found = {theme / "scalable" / "apps" / f"{APP_ID}.svg": shipped / "kapture.svg"}
        for icon in sorted(shipped.iterdir()):
            if pixels := _PIXELS.fullmatch(icon.name):
                found[theme / f"{pixels[1]}x{pixels[1]}" / "apps" / f"{APP_ID}.png"] = icon
        return found


def install(places: Places, command: list[str], *, autostart: bool) -> list[Path]:
    """Write every file again; one that is there is replaced.

    Args:
        command: what the entry starts, see `start_command`.

    Returns:
        The files that were written.

    Raises:
        KaptureError: `INVALID_PARAMS` when no entry can name the command, `FILE_NOT_FOUND` when it is not there,
            `DENIED` when a file cannot be written.
    """
    started = exec_line(command)
    if not Path(command[0]).is_file():
        raise KaptureError(
            "FILE_NOT_FOUND", f"there is no {command[0]} to start", "install Kapture Panel with pip first"
        )
    shipped = paths.resources() / "desktop"
    contents = {place: source.read_bytes() for place, source in places.icons().items()}
    contents[places.metainfo] = (shipped / places.metainfo.name).read_bytes()
    # An entry whose program is gone, as with a package that was removed, is neither shown nor started.
    program = _string(command[0])
    contents[places.entry] = _filled(shipped / places.entry.name, program, started)
    if autostart:
        contents[places.autostart] = _filled(shipped / f"{APP_ID}-autostart.desktop", program, started)
    try:
        for place, content in contents.items():
            place.parent.mkdir(parents=True, exist_ok=True)
            fresh = place.with_name(f".{place.name}.new")
            fresh.write_bytes(content)
            fresh.replace(place)
        _outdate_icon_cache(places)
    except OSError as error:
        raise KaptureError("DENIED", f"{error.filename} cannot be written: {error.strerror}") from None
    return list(contents)


def uninstall(places: Places) -> list[Path]:
    """Remove what `install` wrote, whether or not all of it is there, and the folders that are empty then.

    Returns:
        The files that were removed.

    Raises:
        KaptureError: `DENIED` when a file cannot be removed.
    """
    removed = []
    try:
        for place in (*places.icons(), places.metainfo, places.entry, places.autostart):
            if place.is_symlink() or place.exists():
                place.unlink()
                removed.append(place)
                _prune(place.parent, places)
        _outdate_icon_cache(places)
    except OSError as error:
        raise KaptureError("DENIED", f"{error.filename} cannot be removed: {error.strerror}") from None
    return removed


def said(root: Path, *, autostart: bool) -> str:
    """Install for this instance, and what was done in words: what an action of the window calls and tells.

    Raises:
        KaptureError: as `install` and `Places.of_user`.
    """
    places = Places.of_user()
    written = install(places, start_command(root), autostart=autostart)
    at_login = " It starts hidden in the tray at every login." if autostart else ""
    return f"Kapture Panel is in the launcher: {len(written)} files, the entry is {places.entry}.{at_login}"


def start_command(root: Path) -> list[str]:
    """How a launcher starts this very installation for the data directory `root`."""
    command = [str(Path(sys.executable).parent / "kapture")]
    # A launcher has its own environment: what ours says of the place must be on the line.
    if str(root) != door.data_dir(environment={}):
        command += ["--data-dir", str(root)]
    return command


def exec_line(command: list[str]) -> str:
    """The value of an `Exec` key: quoted, its field codes escaped, then escaped again as a string of the file.

    Raises:
        KaptureError: `INVALID_PARAMS` when a part is not Unicode.
    """
    if {"=", "%"} & set(command[0]):
        command = [*_THROUGH_SHELL, *command]
    for part in command:
        try:
            part.encode()
        except UnicodeEncodeError:
            raise KaptureError("INVALID_PARAMS", f"no entry can name {part!r}: it is not Unicode", "move it") from None
    return _string(" ".join(map(_quoted, command)))


def _string(text: str) -> str:
    """A value as a string of the file."""
    for character, escape in (("\\", "\\\\"), ("\n", "\\n"), ("\t", "\\t"), ("\r", "\\r")):
        text = text.replace(character, escape)
    return text


def _quoted(part: str) -> str:
    escaped = "".join(f"\\{character}" if character in _ESCAPED else character for character in part)
    escaped = escaped.replace("%", "%%")
    return f'"{escaped}"' if not part or _RESERVED & set(part) else escaped


def _filled(template: Path, program: str, command: str) -> bytes:
    head, *rest = template.read_text(encoding="utf-8").split("@exec@")
    return command.join([head.replace("@program@", program), *rest]).encode()


def _prune(folder: Path, places: Places) -> None:
    """Remove folders that are empty now, never those of the specifications' own."""
    for empty in _up_to(folder, {places.data, places.config}):
        if any(empty.iterdir()):
            return
        empty.rmdir()


def _up_to(folder: Path, ends: set[Path]) -> Iterator[Path]:
    while folder not in ends:
        yield folder
        folder = folder.parent


def _outdate_icon_cache(places: Places) -> None:
    """A cache beside the icons is believed until its folder is newer."""
    theme = places.data / "icons" / "hicolor"
    if theme.is_dir():
        os.utime(theme)
