"""`browsers.toml`: what it may say, and what is said of a wrong one."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.hub.browsers.remote.places import Place, Places

PLAIN = '[places.a]\ngrid = "https://grid.example:4444/"\n'


def read(folder: Path, text: str) -> Places:
    path = folder / "browsers.toml"
    path.write_text(text)
    return Places(path)


def test_without_a_file_there_are_no_places(tmp_path: Path) -> None:
    places = Places(tmp_path / "browsers.toml")
    assert places.all() == {}
    assert places.chosen("") is None
    with pytest.raises(KaptureError, match=r"no place is called 'a'; name places in .*browsers.toml"):
        places.chosen("a")


def test_a_place_has_its_name_and_what_is_usual(tmp_path: Path) -> None:
    place = read(tmp_path, PLAIN).get("a")
    assert (place.name, place.address, place.host) == ("a", "https://grid.example:4444", "grid.example:4444")
    assert (place.policy, place.at_once, place.headless) == (None, 5, True)
    assert place.trust() is not None
    assert place.headers() == {}


def test_the_default_is_for_conversations_that_wish_nothing(tmp_path: Path) -> None:
    places = read(tmp_path, f'default = "a"\n{PLAIN}')
    chosen = places.chosen("")
    assert chosen is not None
    assert chosen.name == "a"
    assert places.chosen("here") is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1", "unknown field `x`"),
        ("[places.a\n", "at line 1, column 10"),
        (f"{PLAIN}at_once = 0", "places.a.at_once: Expected `int` >= 1"),
        (f"{PLAIN}foo = 1", "places.a: Object contains unknown field `foo`; its fields are grid, cdp"),
        (f'{PLAIN}policy = "free"', "places.a.policy: Invalid enum value 'free'"),
        (f'{PLAIN}cdp = "wss://x"', "places.a.grid and cdp: exactly one of them is needed; give one address"),
        ("[places.a]", "places.a.grid and cdp: exactly one of them is needed"),
        ('[places.a]\ngrid = "http://grid.example"', "places.a.grid http: is open to everybody on the way"),
        ('[places.a]\ncdp = "ws://10.0.0.1"', "places.a.cdp ws: is open to everybody on the way"),
        ('[places.a]\ngrid = "http://localhost.evil.example"', "open to everybody on the way"),
        ('[places.a]\ngrid = "ftp://x"', "places.a.grid 'ftp://x' does not begin with https:"),
        ('[places.a]\ngrid = "https://x:y"', "places.a.grid is not an address"),
        ('[places."a b"]\ngrid = "https://x"', "is not a name"),
        ('[places.here]\ngrid = "https://x"', "is not a name"),
        (f'{PLAIN}user = "u"', "places.a.user needs a password"),
        ('[places.a]\ncdp = "wss://x"\ncapabilities = {x = 1}', "places.a.capabilities are for a grid"),
        ('default = "b"', "default: no place is called 'b'"),
    ],
)
def test_what_is_wrong_is_told_with_its_file_and_field(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(KaptureError) as raised:
        read(tmp_path, text).all()
    assert raised.value.code == "INVALID_PARAMS"
    assert raised.value.what.startswith(str(tmp_path / "browsers.toml"))
    assert said in raised.value.message
    assert raised.value.next_step


@pytest.mark.parametrize("address", ["https://u:hunter2@x", "https://x/?token=hunter2", "https://x/#hunter2"])
def test_a_secret_in_an_address_is_refused_and_not_repeated(tmp_path: Path, address: str) -> None:
    with pytest.raises(KaptureError, match="a token belongs in a file of mode 0600") as raised:
        read(tmp_path, f'[places.a]\ngrid = "{address}"').all()
    assert "hunter2" not in raised.value.message


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
def test_this_machine_needs_no_certificate(tmp_path: Path, host: str) -> None:
    place = read(tmp_path, f'[places.a]\ngrid = "http://{host}:4444"').get("a")
    assert place.trust() is None


def test_a_token_comes_from_a_file_that_nobody_else_may_read(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("hunter2\n")
    file.chmod(0o600)
    place = Place(grid="https://x", token_file=str(file), name="a")
    assert place.headers() == {"Authorization": "Bearer hunter2"}
    named = Place(grid="https://x", token_file=str(file), user="ada", name="a")
    assert named.headers() == {"Authorization": f"Basic {b64encode(b'ada:hunter2').decode()}"}
    assert "hunter2" not in repr(place)
    file.write_text("two\nlines")
    with pytest.raises(KaptureError, match="no token in one line"):
        place.headers()
    file.unlink()
    with pytest.raises(KaptureError, match="cannot be read: No such file"):
        place.headers()


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_token_that_others_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "token"
    file.write_text("hunter2")
    file.chmod(mode)
    with pytest.raises(KaptureError, match=r"places\.a\.token_file others may read .*; chmod 600"):
        Place(grid="https://x", token_file=str(file), name="a").headers()


def test_a_file_of_certificates_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("none")
    with pytest.raises(KaptureError, match=r"places\.a\.ca .* cannot be used"):
        Place(grid="https://x", ca=str(tmp_path / "ca.pem"), name="a").trust()


def test_a_place_is_added_and_removed_and_the_rest_of_the_file_stays(tmp_path: Path) -> None:
    before = f"# kept\r\n{PLAIN}"
    (tmp_path / "browsers.toml").write_bytes(before.encode())
    places = Places(tmp_path / "browsers.toml")
    places.add("night", {"cdp": "wss://x", "at_once": 2})
    assert (places.get("night").cdp, places.get("night").at_once, list(places.all())) == ("wss://x", 2, ["a", "night"])
    assert places.path.stat().st_mode & 0o777 == 0o600
    places.remove("night")
    assert places.path.read_bytes() == before.encode()


@pytest.mark.parametrize(
    ("name", "fields", "said"),
    [
        ("a", {"grid": "https://x"}, "places.a.name is another place's already"),
        ("b", {"grid": "http://x.example"}, "open to everybody on the way"),
        ("b c", {"grid": "https://x"}, "is not a name"),
        ("", {"grid": "https://x"}, "is not a name"),
        ("b", {"grid": ""}, "exactly one of them is needed"),
    ],
)
def test_a_place_that_is_not_right_is_not_written(tmp_path: Path, name: str, fields: dict[str, str], said: str) -> None:
    places = read(tmp_path, PLAIN)
    with pytest.raises(KaptureError, match=said):
        places.add(name, fields)
    assert places.path.read_text() == PLAIN


def test_the_default_is_not_removed(tmp_path: Path) -> None:
    places = read(tmp_path, f'default = "a"\n{PLAIN}')
    with pytest.raises(KaptureError, match="'a' is the default"):
        places.remove("a")
    with pytest.raises(KaptureError, match="no place is called 'b'"):
        places.remove("b")


def test_a_link_to_the_file_stays_one(tmp_path: Path) -> None:
    (tmp_path / "real.toml").write_text(PLAIN)
    (tmp_path / "browsers.toml").symlink_to(tmp_path / "real.toml")
    Places(tmp_path / "browsers.toml").add("b", {"grid": "https://x"})
    assert (tmp_path / "browsers.toml").is_symlink()
    assert "[places.b]" in (tmp_path / "real.toml").read_text()
