"""Ports that no other program takes by chance."""

from __future__ import annotations

import random
import socket

#: Below the ports that Linux, Windows and macOS give to whoever asks for any free one.
_PORTS = range(20_000, 30_000)

#: Not `random` itself: each test begins with the same seed, and tests run beside each other.
_chance = random.SystemRandom()


def quiet_port() -> int:
    """A port where nobody listens, on 127.0.0.1 and ::1, and that nobody is given who asks for any.

    So a test may listen there, give it up and count on finding it free.
    """
    while True:
        port = _chance.choice(_PORTS)
        with socket.socket() as four, socket.socket(socket.AF_INET6) as six:
            try:
                four.bind(("127.0.0.1", port))
                if socket.has_dualstack_ipv6():
                    six.bind(("::1", port))
            except OSError:
                continue
            return port
