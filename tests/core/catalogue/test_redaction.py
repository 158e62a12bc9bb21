"""What is kept of a command: no secret, in whatever parameter it comes."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kapture_panel.core.catalogue import redaction
from kapture_panel.core.wire.targets import Target
from tests.support.core.fakes import CATALOGUE

CANARY = "kanari3nvogel"


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("https://shop.example/cart?page=2&sort=up#top", "https://shop.example/cart?page=2&sort=up#top"),
        (f"https://me:{CANARY}@shop.example:8443/a", "https://***@shop.example:8443/a"),
        (f"https://{CANARY}@shop.example/", "https://***@shop.example/"),
        (f"https://a.example/?token={CANARY}&page=2", "https://a.example/?token=***&page=2"),
        (f"https://a.example/#access_token={CANARY}&state=1", "https://a.example/#access_token=***&state=1"),
        (f"https://a.example/?next=%2Fhome&api_key={CANARY}", "https://a.example/?next=%2Fhome&api_key=***"),
        (f"ws://u:{CANARY}@a.example/socket", "ws://***@a.example/socket"),
        (f"/login?code={CANARY}", "/login?code=***"),
        (f"a.example/x?sig={CANARY}", "a.example/x?sig=***"),
        ("about:blank", "about:blank"),
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


@pytest.mark.parametrize(
    "address", ["https://a.example/page?", "https://a.example/p?q=a+b%20c#", "about:blank", "data:,x"]
)
def test_an_address_without_secrets_stays_as_it_is_to_the_letter(address: str) -> None:
    assert redaction.url(address) == address


def test_an_address_within_an_address_is_masked_too() -> None:
    nested = "https%3A%2F%2Fb.example%2F%3Fjwt%3Dabc%26page%3D2"
    assert "abc" not in redaction.url(f"https://a.example/?next={nested}&x=1")


def test_in_json_each_address_is_masked_and_nothing_else() -> None:
    address = f"https://a.example/?token={CANARY}"
    given = {"url": address, "title": address, "tabs": [{"url": address, "n": 1}], "inner": {"url": 7}, "none": None}
    masked = "https://a.example/?token=***"
    assert redaction.addresses(given) == {
        "url": masked, "title": address, "tabs": [{"url": masked, "n": 1}], "inner": {"url": 7}, "none": None,
    }  # fmt: skip


@pytest.mark.parametrize("length", [redaction.MAX_KEPT_CHARS - 1, redaction.MAX_KEPT_CHARS])
def test_a_text_that_fits_is_kept_whole(length: int) -> None:
    assert redaction.text("x" * length) == "x" * length


def test_a_text_that_does_not_fit_is_cut_to_what_does() -> None:
    assert redaction.MAX_KEPT_CHARS == 2000
    assert redaction.text("x" * 2001) == "x" * 1999 + "…"


@pytest.mark.parametrize(
    "word",
    ["token", "code", "key", "sig", "pass", "pwd", "secret", "auth", "session", "jwt", "otp", "cvc", "cvv", "card"],
)
def test_each_secret_word_alone_masks_a_parameter(word: str) -> None:
    assert redaction.url(f"https://a.example/?{word}={CANARY}") == f"https://a.example/?{word}=***"
    assert redaction.text(f"/x?my{word.upper()}2={CANARY}") == f"/x?my{word.upper()}2=***"


def test_a_fragment_that_is_no_query_stays() -> None:
    assert redaction.url("https://a.example/?token=x#the top") == "https://a.example/?token=***#the top"
    assert redaction.url("https://a.example/?token=x#token") == "https://a.example/?token=***#token"
    assert redaction.url("https://a.example/?a=&token=x") == "https://a.example/?a=&token=***"


def test_a_value_stands_for_one_that_was_not_kept_only_in_its_own_form() -> None:
    assert redaction.is_redacted({"redacted": 3})
    assert redaction.is_redacted({"redacted": 3, "fingerprint": "ab"})
    for other in ({}, {"fingerprint": "ab"}, {"redacted": 3, "more": 1}, "redacted", None):
        assert not redaction.is_redacted(other)


def test_long_lists_are_kept_in_part() -> None:
    fields = [{"ref": "e1", "value": "a"}] * 150
    assert len(redaction.params(CATALOGUE.get("fill_form"), {"fields": fields})["fields"]) == 100
    assert redaction.json_value([1] * 101) == [1] * 100


def test_a_key_makes_a_character_with_shift_or_without() -> None:
    press = CATALOGUE.get("press_key")
    for key, is_character in (
        ("a", True), ("Shift+a", True), ("\n", True), ("Enter", False), ("Control+a", False), ("+", True),
        ("Shift++", True), ("Numpad5", True), ("Shift+Numpad5", True), ("NumpadAdd", True), ("Space", True),
        ("NumpadSubtract", True), ("NumpadMultiply", True), ("NumpadDivide", True), ("NumpadDecimal", True),
        ("Plus", True), ("e\u0301", True), ("NumpadEnter", False), ("F5", False), ("Shift", False),
        ("Shift+Tab", False),
    ):  # fmt: skip
        assert redaction.is_redacted(redaction.params(press, {"key": key})["key"]) == is_character


@pytest.mark.parametrize(
    ("kept", "has"),
    [({"redacted": 3}, True), ({"a": [1, {"b": {"redacted": 0}}]}, True), ([{"redacted": 3}], True),
     ({"a": [1, {"b": "redacted"}]}, False), ([], False), ("redacted", False)],
)  # fmt: skip
def test_a_value_that_was_not_kept_is_found_at_any_depth(kept: object, has: bool) -> None:
    assert redaction.has_redacted(kept) is has


def test_of_a_refused_command_a_value_as_short_as_a_word_stays_in_the_sentence() -> None:
    keeper = redaction.Keeper(CATALOGUE)
    assert keeper.refused({"a": "no"}, "no such parameter") == ({"a": {"redacted": 2}}, "no such parameter")
    assert keeper.refused({"a": "any"}, 'not "any"') == ({"a": {"redacted": 3}}, 'not "any"')
    assert keeper.refused({"a": "nope"}, "nope is none") == ({"a": {"redacted": 4}}, "*** is none")


def test_a_keeper_keeps_no_text_and_no_fingerprint_unless_it_is_told_to() -> None:
    command, given = CATALOGUE.get("fill"), {"selector": "#a", "value": "Ada"}
    keeper = redaction.Keeper(CATALOGUE)
    kept = keeper.params(command, given)
    assert keeper.answered(command, kept, given, [Target()], success=True)["value"] == {"redacted": 3}
