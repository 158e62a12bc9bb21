"""A connection to the local door. Standard library only: the MCP child and a terminal's call start with it."""

import json
import os
import socket

from kapture_panel import door


def connect(root: str) -> "tuple[socket.socket, dict[str, str]]":
    """Connect to the panel of the data directory `root`.

    Returns:
        The connection, and what the greeting must say beside the caller's own words: a secret where the door is TCP.

    Raises:
        OSError: no panel answers, or what answers belongs to another user.
    """
    if door.uses_tcp():
        with open(door.address(root), encoding="utf-8") as file:
            text = file.read()
        try:
            known = json.loads(text)
            port, secret = known["port"], known["secret"]
        except (ValueError, KeyError, TypeError) as error:
            raise OSError(f"the door's file is damaged: {error}") from None
        return socket.create_connection(("127.0.0.1", port)), {"secret": secret}
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(door.address(root))
        if door.peer_uid(connection) != os.getuid():
            raise OSError("the socket belongs to another user")
    except OSError:
        connection.close()
        raise
    return connection, {}
