"""On which port an instance listens for the extension.

The person's own extension looks for the usual instance at a fixed port. An instance of another data folder takes a
free one by itself and keeps it, for the browsers that were paired with it.
"""

from __future__ import annotations

import logging
from typing import Any

from kapture_panel.core.basics import private_file
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.hub.browsers import installed_browsers
from kapture_panel.hub.extension_door.listener import DEFAULT_PORT, Listener
from kapture_panel.paths import DataDir

log = logging.getLogger(__name__)


def wanted(data: DataDir, chosen: int | None) -> tuple[int, ...]:
    """The ports to try, the best first; 0 is any free one.

    Args:
        chosen: what the person said on the command line.
    """
    if chosen is not None:
        return (chosen,)
    if data.is_usual:
        return (DEFAULT_PORT,)
    # A folder of a version that kept no port: its browsers look where their copy of the extension says.
    kept = _kept(data) or installed_browsers.port_of(data.extension)
    return (0,) if kept is None else (kept, 0)


async def listen(listener: Listener, data: DataDir, chosen: int | None) -> None:
    """Open the listener at the best port that is free.

    Raises:
        KaptureError: `BUSY`, none is.
    """
    *better, last = wanted(data, chosen)
    for port in better:
        try:
            await listener.open(port)
            return
        except KaptureError as error:
            log.warning("browsers paired with this panel look for it in vain: %s", error.message)
    await listener.open(last)


def keep(data: DataDir, port: int) -> None:
    """Remember where this instance listens."""
    if _kept(data) != port:
        private_file.write(data.port, {"port": port})


def _kept(data: DataDir) -> int | None:
    kept, _warning = private_file.read(data.port, "the port", _taken)
    return kept


def _taken(content: Any) -> int:
    port = content["port"]
    if not isinstance(port, int) or isinstance(port, bool) or not 0 < port < 65536:
        raise ValueError(f"{port!r} is not a port")
    return port
