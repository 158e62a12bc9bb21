"""The mutual proof: every claim is part of it, and none can be turned around."""

from __future__ import annotations

import hmac
from dataclasses import replace

import msgspec
import pytest

from kapture_panel.core.wire import handshake
from kapture_panel.core.wire.handshake import Pairing
from kapture_panel.core.wire.protocol import Hello

PAIRING = Pairing(install="browser-1", key="the shared key")
HELLO = Hello(protocol=1, role="tab", install="browser-1", nonce="extension-nonce", tabId="t1")
NONCE = "panel-nonce"
ADDRESS = "127.0.0.1:61822"
PROOF = handshake.proof(PAIRING, "extension", HELLO, NONCE, ADDRESS)


def test_the_right_proof_is_taken() -> None:
    assert handshake.verify(PAIRING, HELLO, NONCE, ADDRESS, PROOF)


def test_the_proof_is_the_hmac_of_all_claims_line_by_line() -> None:
    text = b"extension\n127.0.0.1:61822\n1\ntab\nbrowser-1\nt1\nextension-nonce\npanel-nonce"
    assert hmac.new(b"the shared key", text, "sha256").hexdigest() == PROOF


@pytest.mark.parametrize(
    "change",
    [
        {"protocol": 2},
        {"role": "browser"},
        {"install": "browser-2"},
        {"nonce": "other"},
        {"tabId": "t2"},
        {"tabId": ""},
    ],
    ids=str,
)
def test_a_changed_claim_needs_another_proof(change: dict[str, object]) -> None:
    assert not handshake.verify(PAIRING, msgspec.structs.replace(HELLO, **change), NONCE, ADDRESS, PROOF)


def test_another_key_or_panel_nonce_needs_another_proof() -> None:
    assert not handshake.verify(replace(PAIRING, key="another key"), HELLO, NONCE, ADDRESS, PROOF)
    assert not handshake.verify(PAIRING, HELLO, "another nonce", ADDRESS, PROOF)


@pytest.mark.parametrize("address", ["127.0.0.1:61823", "localhost:61822", ""])
def test_another_address_needs_another_proof(address: str) -> None:
    """A program on one port cannot pass on what was proved to it to a panel on another."""
    assert not handshake.verify(PAIRING, HELLO, NONCE, address, PROOF)


def test_the_panels_own_proof_sent_back_is_worth_nothing() -> None:
    panels = handshake.proof(PAIRING, "panel", HELLO, NONCE, ADDRESS)
    assert not handshake.verify(PAIRING, HELLO, NONCE, ADDRESS, panels)


@pytest.mark.parametrize("claimed", ["", PROOF[:-1], PROOF.upper(), PROOF + "0", "ü" * 64, "\x00", "0" * 64])
def test_anything_but_the_proof_fails_without_a_stir(claimed: str) -> None:
    assert not handshake.verify(PAIRING, HELLO, NONCE, ADDRESS, claimed)


def test_secrets_are_long_and_never_the_same() -> None:
    made = {handshake.new_secret() for _ in range(100)}
    assert len(made) == 100
    assert all(len(bytes.fromhex(secret)) == 32 for secret in made)


def test_a_browser_is_a_shared_one_of_the_persons_unless_it_is_said() -> None:
    assert (PAIRING.managed, PAIRING.session) == (False, "")
