"""What a client may do: presets by class of command, kept by the panel alone."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from kapture_panel.core.catalogue import Command
from kapture_panel.core.clients import Client
from kapture_panel.core.errors import KaptureError

#: Preset → the classes of commands it allows.
PRESETS: dict[str, frozenset[str]] = {
    "trusting": frozenset({"read", "interact", "navigate", "execute", "file"}),
    "read-only": frozenset({"read"}),
}
_BLANK = re.compile(r"about:blank(?:[?#]|$)", re.IGNORECASE)
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_BLOCKED_SCHEMES = frozenset(
    {"javascript", "file", "data", "filesystem", "view-source", "devtools", "edge", "brave", "opera", "vivaldi"}
)
#: A browser drops these anywhere in an address, and controls and spaces at its ends (URL standard, basic parser).
_DROPPED = str.maketrans("", "", "\t\n\r")
_TRIMMED = "".join(map(chr, range(0x21)))


@dataclass
class Policy:
    """The preset in force for agents and terminals; the person is never asked.

    Args:
        preset: a name of `PRESETS`.
        allow_dirs: absolute folders whose files agents may read, also with a `file:` address.
        own_dirs: the instance's own folders an agent is told of (screenshots, downloads): their files may be
            read, too, but not opened as pages.
    """

    preset: str = "trusting"
    allow_dirs: tuple[Path, ...] = ()
    own_dirs: tuple[Path, ...] = ()

    def __post_init__(self) -> None:
        if self.preset not in PRESETS:
            raise KaptureError("INVALID_PARAMS", f"no policy {self.preset!r}; there are {', '.join(PRESETS)}")

    def check(self, client: Client, command: Command, params: dict[str, Any]) -> None:
        """Let the command pass or refuse it.

        Raises:
            KaptureError: `DENIED`, naming the preset and how a person can change it.
        """
        if client.kind == "person":
            return
        klass = "execute" if command.short_name == "wait" and "expression" in params else command.klass
        if klass not in PRESETS[self.preset]:
            raise KaptureError(
                "DENIED",
                f"the policy {self.preset!r} does not allow {command.short_name} ({klass}); "
                "a person can start the panel with --policy trusting",
            )
        if command.klass == "file":
            self._check_files(params.get("paths") or [params[name] for name in ("path",) if name in params])
        address = params.get("url")
        if klass == "navigate" and isinstance(address, str):
            self._check_address(address.strip(_TRIMMED).translate(_DROPPED))

    def _check_files(self, paths: list[str]) -> None:
        for path in map(Path, paths):
            real = _real(path)
            if not any(real.is_relative_to(folder) for folder in (*self.allow_dirs, *self.own_dirs)):
                raise KaptureError(
                    "FILE_NOT_ALLOWED",
                    f"{path} is outside the folders agents may read; "
                    f"a person can allow its folder with --allow-dir {path.parent}",
                )

    def _check_address(self, address: str) -> None:
        match = _SCHEME.match(address)
        scheme = match.group(1).lower() if match else ""
        # about:settings and its like are chrome:// pages under another name.
        own_page = scheme.startswith("chrome") or (scheme == "about" and not _BLANK.match(address))
        if not own_page and scheme not in _BLOCKED_SCHEMES:
            return
        hint = "use an http or https address"
        if scheme == "file":
            path = _file_of(address)
            if path is not None and any(path.is_relative_to(folder) for folder in self.allow_dirs):
                return
            hint = f"a person can allow its folder with --allow-dir {path.parent if path else 'DIR'}"
        raise KaptureError("DENIED", f"{scheme}: addresses are not open to agents; {hint}")


def _real(path: Path) -> Path:
    """Where `path` leads once every link is followed."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError) as error:  # links in a circle, a NUL in the name
        raise KaptureError("INVALID_PARAMS", f"{str(path)!r} is no usable path: {error}") from None


def _file_of(address: str) -> Path | None:
    """The file a browser opens for a `file:` address; None where it could read the address unlike us."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    path = unquote(parts.path)
    if parts.netloc not in ("", "localhost") or not path.startswith("/") or "\\" in path or "\0" in path:
        return None
    # The browser takes ".." out of the text before it follows a link.
    return Path(posixpath.normpath(path)).resolve()
