"""What is kept of a command: no secret, in whatever parameter it comes."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kapture_panel.core import redaction
from tests.core.fakes import CATALOGUE

CANARY = "kanari3nvogel"


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("https://shop.example/cart?page=2&sort=up#top", "https://shop.example/cart?page=2&sort=up#top"),
        (f"https://me:{CANARY}@shop.example:8443/a", "https://***@shop.example:8443/a"),
        (f"https://{CANARY}@shop.example/", "https://***@shop.example/"),
        (f"https://a.example/?token={CANARY}&page=2", "https://a.example/?token=***&page=2"),
        (f"https://a.example/#access_token={CANARY}&state=1", "https://a.example/#access_token=***&state=1"),
        (f"https://a.example/?next=%2Fhome&api_key={CANARY}", "https://a.example/?next=/home&api_key=***"),
        (f"ws://u:{CANARY}@a.example/socket", "ws://***@a.example/socket"),
        (f"/login?code={CANARY}", "/login?code=***"),
        (f"a.example/x?sig={CANARY}", "a.example/x?sig=***"),
        ("about:blank", "about:blank"),
        ("http://[::1", "***"),
        ("", ""),
    ],
)
def test_an_address_is_kept_without_its_secrets(address: str, kept: str) -> None:
    assert redaction.url(address) == kept


@pytest.mark.parametrize(
    "name",
    ["token", "code", "key", "sig", "password", "access_token", "X-Amz-Signature", "API_KEY", "client_secret",
     "authorization", "Passwordless", "%74oken"],
)  # fmt: skip
@pytest.mark.parametrize("start", ["https://a.example/?a=1&", "https://a.example/#"])
def test_a_secret_parameter_is_masked_under_every_name(name: str, start: str) -> None:
    address = f"{start}{name}={CANARY}"
    assert CANARY not in redaction.url(address)
    assert CANARY not in redaction.text(f"see {address} and go on")


@pytest.mark.parametrize(
    "sentence",
    [
        f"navigated to /thanks?order=7&token={CANARY}",
        f"https://a.example/x?code={CANARY}, then ftp://u:{CANARY}@b.example",
        f'fetch("https://u:{CANARY}@a.example/")',
        f"(http://a.example/?key={CANARY})",
        f"a.example/#id_token={CANARY}",
        f"HTTPS://U:{CANARY}@A.EXAMPLE",
    ],
)
def test_addresses_inside_a_text_lose_their_secrets(sentence: str) -> None:
    kept = redaction.text(sentence)
    assert CANARY not in kept
    assert redaction.MASK in kept


def test_a_text_without_addresses_stays_as_it_is() -> None:
    plain = 'const codes = { token: "a" }; if (a == b) return codes.key?.length'
    assert redaction.text(plain) == plain


def test_a_long_text_is_bounded() -> None:
    kept = redaction.text("x" * 100_000)
    assert len(kept) == redaction.MAX_KEPT_CHARS
    assert kept.endswith("…")


TYPED = [
    (command, name)
    for command in CATALOGUE
    for name, schema in sorted(command.properties.items())
    if schema.get("typed")
]


@pytest.mark.parametrize(("command", "name"), TYPED, ids=[f"{c.short_name}-{n}" for c, n in TYPED])
def test_a_typed_value_is_kept_as_its_length(command, name) -> None:  # type: ignore[no-untyped-def]
    kept = redaction.params(command, {name: CANARY, "ref": "e1"})
    assert kept == {name: {"redacted": len(CANARY)}, "ref": "e1"}


def test_what_is_typed_elsewhere_is_kept_in_words() -> None:
    kept = redaction.params(CATALOGUE.get("press_key"), {"key": "Control+K", "count": 2, "ref": "e1"})
    assert kept == {"key": "Control+K", "count": 2, "ref": "e1"}


STRINGS = [
    (command.short_name, name)
    for command in CATALOGUE
    for name, schema in command.all_properties.items()
    if schema["type"] == "string" and "enum" not in schema
]


@pytest.mark.parametrize(("command", "name"), STRINGS)
def test_a_canary_in_an_address_passes_through_no_parameter(command: str, name: str) -> None:
    address = f"https://me:{CANARY}@a.example/?token={CANARY}#code={CANARY}"
    assert CANARY not in json.dumps(redaction.params(CATALOGUE.get(command), {name: address}))


def test_values_inside_lists_and_objects_are_masked_too() -> None:
    address = f"https://a.example/?token={CANARY}"
    kept = redaction.json_value({"url": address, "newTabs": [{"url": address}], "n": 1, "none": None, "yes": True})
    assert kept == {
        "url": "https://a.example/?token=***", "newTabs": [{"url": "https://a.example/?token=***"}],
        "n": 1, "none": None, "yes": True,
    }  # fmt: skip


@pytest.mark.parametrize("part", ["a.", "a-", "?", "?key", "&key=", "key", "token=", "://", "a://", "?a=token&", "@"])
def test_a_hostile_text_costs_no_more_than_its_length(part: str) -> None:
    for start in ("", "?", "https://"):
        assert len(redaction.text(start + part * 200_000)) <= redaction.MAX_KEPT_CHARS


def test_a_long_list_is_cut() -> None:
    assert len(redaction.json_value(list(range(1000)))) == 100


words = st.text(st.characters(exclude_characters="\\", min_codepoint=33, max_codepoint=126), min_size=1, max_size=11)


@given(before=words, after=words, secret=st.text(st.sampled_from("XYZ"), min_size=12, max_size=20))
def test_no_surroundings_bring_a_password_parameter_back(before: str, after: str, secret: str) -> None:
    address = f"https://a.example/{quote(before)}?{quote(before)}=1&password={secret}&{quote(after)}=2"
    assert secret not in redaction.text(f"{before} {address} {after}")


@given(st.text(max_size=300))
def test_any_text_can_be_kept(value: str) -> None:
    redaction.url(value)
    assert redaction.text(redaction.text(value)) == redaction.text(value)


def test_what_was_typed_is_taken_out_of_an_errors_words() -> None:
    fill, form = CATALOGUE.get("fill"), CATALOGUE.get("fill_form")
    said = '<input id="floor"> takes a number, not "three hundred"'
    kept = redaction.message(fill, {"selector": "#floor", "value": "three hundred"}, said)
    assert kept == '<input id="floor"> takes a number, not ***'
    kept = redaction.message(form, {"fields": [{"selector": "#a", "value": "canary"}]}, "the field holds canary")
    assert kept == "the field holds ***"
    assert redaction.message(fill, {"value": ""}, "nothing matches") == "nothing matches"
