"""Where secrets are in addresses: the vectors that the extension is held to as well."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kapture_panel.core.basics import addresses
from kapture_panel.core.catalogue import address_secrets, redaction
from tests.support.tree import ROOT

SECRET = "S3CRET"
VECTORS: dict[str, Any] = json.loads((ROOT / "tests/vectors/addresses.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("address", "kept"), VECTORS["masked"])
def test_an_address_is_kept_without_its_secrets(address: str, kept: str) -> None:
    assert redaction.url(address) == kept
    assert SECRET not in redaction.masked_text(f"see {address} and go on")


@pytest.mark.parametrize(("text", "kept"), VECTORS["texts"])
def test_a_text_is_kept_without_the_secrets_of_its_addresses(text: str, kept: str) -> None:
    assert redaction.masked_text(text) == kept


@pytest.mark.parametrize("address", VECTORS["letter"])
def test_an_address_without_secrets_stays_as_it_is_to_the_letter(address: str) -> None:
    assert redaction.url(address) == address
    assert redaction.masked_text(f"see {address} and go on") == f"see {address} and go on"


@pytest.mark.parametrize("text", VECTORS["letter_texts"])
def test_a_text_without_secrets_stays_as_it_is_to_the_letter(text: str) -> None:
    assert redaction.masked_text(text) == text


@pytest.mark.parametrize(("address", "origin"), VECTORS["origins"])
def test_an_origin_is_told_as_the_extension_tells_it(address: str, origin: str) -> None:
    assert addresses.origin_of(address) == origin


def test_a_name_that_is_encoded_without_end_is_taken_for_a_secret() -> None:
    assert address_secrets.tells_secret(f"%{'25' * 20}41")
    assert not address_secrets.tells_secret("%2541%25")


@pytest.mark.parametrize(
    "name",
    ["token", "code", "key", "sig", "pass", "pwd", "secret", "auth", "session", "sessid", "jwt", "otp", "cvc", "cvv",
     "card", "credential", "assertion", "sid", "ticket", "pin", "hash", "access", "nonce"],
)  # fmt: skip
def test_each_of_these_names_tells_a_secret(name: str) -> None:
    assert address_secrets.tells_secret(name)


@pytest.mark.parametrize(
    "scheme",
    ["mailto", "sip", "sips", "xmpp", "acct", "im", "data", "javascript", "about", "tel", "sms", "urn", "cid", "mid",
     "npm", "jsr"],
)  # fmt: skip
def test_what_stands_before_the_at_sign_is_no_user_info_in_these_schemes(scheme: str) -> None:
    address = f"{scheme}:me@a.example/x"
    assert redaction.url(address) == address
    assert redaction.masked_text(f"see {address} and go on") == f"see {address} and go on"


@pytest.mark.parametrize("scheme", ["http", "https", "ws", "wss", "ftp"])
@pytest.mark.parametrize("slashes", ["/", "//", "///", "\\"])
def test_user_info_is_found_behind_whatever_a_browser_reads_as_a_scheme(scheme: str, slashes: str) -> None:
    address = f"{scheme}:{slashes}me:{SECRET}@a.example/x"
    assert redaction.url(address) == f"{scheme}:{slashes}***@a.example/x"


@pytest.mark.parametrize("before", ["?x=", "?", "?=", "#x=", "?a=1&x="])
def test_user_info_in_a_parameter_is_taken_out_to_the_letter(before: str) -> None:
    address = f"https://a.example/{before}me:{SECRET}@b.example/x"
    assert redaction.url(address) == f"https://a.example/{before}***@b.example/x"


@pytest.mark.parametrize("end", ["/x", "\\x", "?x", "#x", ":80"])
def test_user_info_in_a_text_is_known_by_what_follows_its_host(end: str) -> None:
    assert redaction.masked_text(f"see me:{SECRET}@a.example{end} now") == f"see ***@a.example{end} now"


@pytest.mark.parametrize("piece", VECTORS["hostile"])
@pytest.mark.parametrize("start", ["", "?", "https://"])
def test_a_hostile_text_costs_no_more_than_its_length(piece: str, start: str) -> None:
    """The square of these lengths would take minutes."""
    text = start + piece * (100_000 // len(piece))
    redaction.url(text)
    redaction.masked_text(text)


@given(
    times=st.integers(0, address_secrets.MAX_DEPTH),
    value=st.text(max_size=20),
    name=st.sampled_from(["sid", "id_token"]),
)
def test_no_number_of_encodings_hides_a_secret(times: int, value: str, name: str) -> None:
    inner = f"https://b.example/?page=1&{name}={SECRET}{quote(value, safe='')}&x=2"
    for _ in range(times):
        inner = quote(inner, safe="")
    kept = redaction.url(f"https://a.example/?next={inner}&last=1")
    assert SECRET not in kept
    assert kept.startswith("https://a.example/?next=")
    assert kept.endswith("&last=1")


@given(st.text(st.sampled_from("?&#;=/\\@:%\"'{}[] 25sidtoken3FD"), max_size=60))
def test_what_is_found_lies_in_order_within_the_address(address: str) -> None:
    found = address_secrets.in_address(address)
    flat = [place for span in found for place in span]
    assert flat == sorted(set(flat))
    assert not flat or (flat[0] >= 0 and flat[-1] <= len(address))
