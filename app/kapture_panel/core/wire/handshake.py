"""The mutual proof of panel and extension: HMAC-SHA256 over both nonces, the address and all that was claimed."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass

from kapture_panel.core.wire.protocol import Hello

#: The one extension that may knock, pinned by its key in the manifest.
EXTENSION_ID = "gjpailkpefahcnpmjolnojjmdnaeeobf"


@dataclass(frozen=True)
class Pairing:
    """A browser the panel trusts: its install id, the shared key, whether the panel started it, the session whose own
    it is (empty for a shared one), and the place it is at (empty for this machine)."""

    install: str
    key: str
    managed: bool = False
    session: str = ""
    place: str = ""


def new_secret() -> str:
    """32 random bytes as hex: a key or a nonce."""
    return secrets.token_hex(32)


def proof(pairing: Pairing, side: str, hello: Hello, panel_nonce: str, address: str) -> str:
    """The proof of `side` ("panel" or "extension") as hex.

    The side is part of it, so none can be reflected; so is `address`, the host:port that was dialled and is listened
    on, so none can be passed on by a program on another port.
    """
    claims = (side, address, str(hello.protocol), hello.role, hello.install, hello.tabId, hello.nonce, panel_nonce)
    text = "\n".join(claims)
    # The key's hex digits are the key, as in the extension: neither side decodes them.
    return hmac.new(pairing.key.encode(), text.encode(), "sha256").hexdigest()


def verify(pairing: Pairing, hello: Hello, panel_nonce: str, address: str, claimed: str) -> bool:
    """Whether `claimed` is the extension's proof, compared in constant time."""
    # As bytes: compare_digest raises on text beyond ASCII.
    return hmac.compare_digest(proof(pairing, "extension", hello, panel_nonce, address).encode(), claimed.encode())
