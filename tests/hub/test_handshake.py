"""The mutual proof: every claim is part of it, and none can be turned around."""

from __future__ import annotations

import hmac
from dataclasses import replace

import msgspec
import pytest

from kapture_panel.core.protocol import Hello
from kapture_panel.hub import handshake
from kapture_panel.hub.handshake import Pairing

PAIRING = Pairing(install="browser-1", key="the shared key")
HELLO = Hello(protocol=1, role="tab", install="browser-1", nonce="extension-nonce", tabId="t1")
NONCE = "panel-nonce"
PROOF = handshake.proof(PAIRING, "extension", HELLO, NONCE)


def test_the_right_proof_is_taken() -> None:
    assert handshake.verify(PAIRING, HELLO, NONCE, PROOF)


def test_the_proof_is_the_hmac_of_all_claims_line_by_line() -> None:
    text = b"extension\n1\ntab\nbrowser-1\nt1\nextension-nonce\npanel-nonce"
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
    assert not handshake.verify(PAIRING, msgspec.structs.replace(HELLO, **change), NONCE, PROOF)


def test_another_key_or_panel_nonce_needs_another_proof() -> None:
    assert not handshake.verify(replace(PAIRING, key="another key"), HELLO, NONCE, PROOF)
    assert not handshake.verify(PAIRING, HELLO, "another nonce", PROOF)


def test_the_panels_own_proof_sent_back_is_worth_nothing() -> None:
    assert not handshake.verify(PAIRING, HELLO, NONCE, handshake.proof(PAIRING, "panel", HELLO, NONCE))


@pytest.mark.parametrize("claimed", ["", PROOF[:-1], PROOF.upper(), PROOF + "0", "ü" * 64, "\x00", "0" * 64])
def test_anything_but_the_proof_fails_without_a_stir(claimed: str) -> None:
    assert not handshake.verify(PAIRING, HELLO, NONCE, claimed)


def test_secrets_are_long_and_never_the_same() -> None:
    made = {handshake.new_secret() for _ in range(100)}
    assert len(made) == 100
    assert all(len(bytes.fromhex(secret)) == 32 for secret in made)
