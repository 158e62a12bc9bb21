"""What a client may do: presets by class of command, kept by the panel alone."""

from __future__ import annotations

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
_BLOCKED_SCHEME = re.compile(r"^[\s\x00-\x1f]*(javascript|file|data|chrome|view-source)\s*:", re.IGNORECASE)


@dataclass
class Policy:
    """The preset in force for agents and terminals; the person is never asked.

    Args:
        preset: a name of `PRESETS`.
        allow_dirs: absolute folders whose files agents may open with a `file:` address.
    """

    preset: str = "trusting"
    allow_dirs: tuple[Path, ...] = ()

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
        address = params.get("url")
        if klass == "navigate" and isinstance(address, str) and (match := _BLOCKED_SCHEME.match(address)):
            self._check_scheme(match.group(1).lower(), address)

    def _check_scheme(self, scheme: str, address: str) -> None:
        hint = "use an http or https address"
        if scheme == "file":
            path = Path(unquote(urlsplit(address.strip()).path)).resolve()
            if any(path.is_relative_to(folder) for folder in self.allow_dirs):
                return
            hint = f"a person can allow its folder with --allow-dir {path.parent}"
        raise KaptureError("DENIED", f"{scheme}: addresses are not open to agents; {hint}")
