"""Which addresses and files the policy leaves to agents."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.call import Call
from kapture_panel.core.gates.policy import Case, Policy
from kapture_panel.core.gates.rules import Rule, Rules
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.wire.protocol import Grant
from tests.support.core.fakes import CATALOGUE
from tests.support.core.policy import AGENT, PERSON, SHOP, TERMINAL, allowed, case, verdict


@pytest.mark.parametrize(
    "address", ["mailto:a@b.example", " MAILTO:a@b.example", "tel:123\n", "te\tl:123", "foo:bar", "zoommtg://x"]
)
def test_an_address_of_a_program_is_asked_about_in_every_preset_that_would_allow_it(address: str) -> None:
    rules = Rules()
    rules.put(Rule("allow", site="shop.example", permission="navigate"))
    for command in ("navigate", "new_tab"):
        for policy in (Policy("trusting"), Policy("careful"), Policy("careful", rules=rules)):
            asked = policy.decide(case(command, url=address))
            assert (asked.verdict, asked.scopes) == ("ask", ("once",)), policy.preset
            assert asked.reason.endswith(": address, which may start a program")
        assert verdict(Policy("read-only"), command, url=address) == "block"
        assert verdict(Policy("trusting"), command, PERSON, url=address) == "allow"
    rules.put(Rule("block", site="shop.example", permission="navigate"))
    assert verdict(Policy("trusting", rules=rules), "navigate", url=address) == "block"


def test_who_was_asked_about_an_address_of_a_program_is_not_asked_where_it_leads() -> None:
    granted = Policy("careful").grant(case("navigate", url="mailto:a@b.example"))
    assert granted == Grant([SHOP, "mailto://"])


@pytest.mark.parametrize(
    "address", ["localhost:3000", "shop.example:8443/x", "about:blank#x", "shop.example", "/x", "https://a.example/"]
)
def test_an_address_of_a_page_is_none_of_a_program(address: str) -> None:
    assert verdict(Policy("trusting"), "navigate", url=address) == "allow"


CLOSED = [
    "javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)", "\x00javascript:alert(1)", "\tjavascript:1",
    "java\nscript:alert(1)", "java\tscript:alert(1)", "\r\njava\r\nscript\n:alert(1)", "j\na\nv\na\ns\nc\nr\ni\npt:1",
    "data:text/html,<script>1</script>", "DATA:text/html,x", "da\tta:text/html,x", "\x1fdata:,x",
    "file:///etc/passwd", "FILE:///etc/passwd", "file:/etc/passwd", "file:etc/passwd", "fi\nle:///etc/passwd",
    "file://localhost/etc/passwd", "file://host/share", "file:\\\\etc\\passwd", "file:", "file://[", "file:///a%00b",
    "chrome://settings", "Chrome://flags", "chrome:settings", "chrome-extension://abc/a.html", "chrome-untrusted://x",
    "view-source:https://a.example/", "about:settings", "ABOUT:flags", "about:blankets", "about:",
    "edge://settings", "brave://wallet", "devtools://devtools/x", "filesystem:https://a.example/temporary/a",
]  # fmt: skip

OPEN = [
    "https://a.example/", "HTTP://a.example", "//a.example/x", "/cart", "cart?next=javascript:1", "?q=file:", "#data:",
    "a.example/data:x", "about:blank", "about:blank#x", "About:Blank", "localhost:3000/x", "https://chrome:x@a.example/",
]  # fmt: skip


@pytest.mark.parametrize("command", ["navigate", "new_tab"])
@pytest.mark.parametrize("address", CLOSED)
def test_an_address_into_the_browser_or_the_disk_is_closed_to_agents(command: str, address: str) -> None:
    for client in (AGENT, TERMINAL):
        assert not allowed(Policy(), client, command, url=address)
    assert allowed(Policy(), PERSON, command, url=address)


@pytest.mark.parametrize("command", ["navigate", "new_tab"])
@pytest.mark.parametrize("address", OPEN)
def test_an_address_of_the_web_is_open(command: str, address: str) -> None:
    assert allowed(Policy(), AGENT, command, url=address)


def test_a_refusal_names_the_scheme_and_the_way_out() -> None:
    said = Policy().decide(case("navigate", url="java\tscript:1")).reason
    assert said == "javascript: addresses are not open to agents; use an http or https address"
    assert Policy().decide(case("navigate", url="file:///etc/passwd")).reason.endswith("with --allow-dir /etc")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder allowed with --allow-dir, beside one that is not; each is a link away from the other."""
    for name in ("site", "secret", "site-other"):
        (tmp_path / name / "sub").mkdir(parents=True)
        (tmp_path / name / "a b.html").write_text(name)
    (tmp_path / "site" / "out").symlink_to(tmp_path / "secret")
    (tmp_path / "secret" / "in").symlink_to(tmp_path / "site" / "sub")
    return tmp_path / "site"


@pytest.mark.parametrize(
    ("path", "is_open"),
    [
        ("{site}/a%20b.html", True),
        ("{site}", True),
        ("{site}/sub/../a%20b.html", True),
        ("{site}/not-there.html?x=1#y", True),
        ("{site}/../secret/a%20b.html", False),
        ("{site}/%2e%2e/secret/a%20b.html", False),
        ("{site}/sub/..%2f..%2fsecret/a", False),
        ("{site}/..", False),
        ("{site}-other/a%20b.html", False),
        ("{site}/out/a%20b.html", False),
        ("{site}/../secret/in/../a%20b.html", False),
        ("/etc/passwd", False),
    ],
)
def test_a_file_is_open_inside_the_allowed_folder_only(site: Path, path: str, is_open: bool) -> None:
    policy = Policy(allow_dirs=(site,))
    for start in ("file://", "file:", "FILE://localhost", " file://"):
        assert allowed(policy, AGENT, "navigate", url=start + path.format(site=site)) == is_open


@pytest.mark.parametrize("address", ["file:a%20b.html", "file:./a", "file:\\a", "file:..\\..\\etc\\passwd"])
def test_where_the_panel_was_started_opens_no_file(site: Path, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.chdir(site)
    assert not allowed(Policy(allow_dirs=(site,)), AGENT, "navigate", url=address)


def test_an_allowed_folder_opens_no_other_scheme(site: Path) -> None:
    policy = Policy(allow_dirs=(site,))
    assert not allowed(policy, AGENT, "navigate", url=f"view-source:file://{site}/a")
    assert not allowed(policy, AGENT, "navigate", url=f"filesystem:file://{site}/a")


def test_a_file_is_read_from_the_allowed_and_the_instances_own_folders_and_else_asked_about(tmp_path: Path) -> None:
    (tmp_path / "shots").mkdir()
    (tmp_path / "shots" / "link.png").symlink_to(tmp_path / "secret.png")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    policy = Policy(allow_dirs=(tmp_path / "allowed",), instance_dirs=(tmp_path / "shots",))
    for client in (AGENT, TERMINAL):
        for path in ("allowed/a.png", "shots/b.png"):
            given = str(tmp_path / path)
            assert allowed(policy, client, "read_image", path=given)
            assert allowed(policy, client, "upload_file", paths=[given])
        for path in ("secret.png", "shots/../secret.png", "shots/link.png", "shots-other/b.png"):
            given = str(tmp_path / path)
            for command, params in (("read_image", {"path": given}), ("upload_file", {"paths": [given]})):
                asked = policy.decide(case(command, client, **params))
                assert (asked.verdict, asked.code) == ("ask", "FILE_NOT_ALLOWED")
                assert f"--allow-dir {Path(given).parent}" in asked.way_out
                assert given in asked.reason
        for path in ("loop/a.png", "a\0b.png"):
            with pytest.raises(KaptureError) as refused:
                policy.decide(case("read_image", client, path=str(tmp_path / path)))
            assert refused.value.code == "INVALID_PARAMS"
        assert not allowed(policy, client, "navigate", url=f"file://{tmp_path}/shots/b.png")
    assert allowed(policy, PERSON, "read_image", path=str(tmp_path / "secret.png"))


def test_one_file_outside_is_enough_to_be_asked_and_relative_paths_are_outside(tmp_path: Path) -> None:
    inside = str(tmp_path / "allowed" / "a.txt")
    policy = Policy(allow_dirs=(tmp_path / "allowed",))
    for path in (str(tmp_path / "other.txt"), f"{tmp_path}/allowed/../other.txt", "relative.txt"):
        assert verdict(policy, "upload_file", paths=[inside, path]) == "ask"
    asked = replace(policy, preset="careful").decide(case("upload_file", paths=[inside]))
    assert (asked.verdict, asked.reason) == ("ask", f"gives {inside} to the page")


def test_what_is_of_another_conversation_with_its_own_browser_is_closed_to_everyone_else(tmp_path: Path) -> None:
    shots = tmp_path / "shots"
    owner, other = Client("a", "agent"), Client("b", "agent")
    owner.isolate()
    other.isolate()
    (shots / owner.session).mkdir(parents=True)
    given = str(shots / owner.session / "b.png")
    for policy in (
        Policy(instance_dirs=(tmp_path / "outputs", shots)),
        Policy("careful", instance_dirs=(shots,)),
        Policy(allow_dirs=(tmp_path,), instance_dirs=(shots,)),
    ):
        for client in (AGENT, TERMINAL, other):
            for path in (given, str(shots / owner.session), str(shots)):
                for command, params in (("read_image", {"path": path}), ("upload_file", {"paths": [path]})):
                    decision = policy.decide(case(command, client, **params))
                    assert decision.verdict == "block", (client, path)
        assert allowed(policy, PERSON, "read_image", path=given)
    for path in (given, str(shots / owner.session), str(shots / "everyones.png")):
        assert allowed(Policy(instance_dirs=(shots,)), owner, "upload_file", paths=[path])


def test_what_everyones_browser_made_is_closed_to_who_has_one_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    given = str(tmp_path / "shared" / "b.png")
    alone = Client("a", "agent")
    alone.isolate()
    policy = Policy(instance_dirs=(tmp_path,))
    said = [verdict(policy, "read_image", client, path=given) for client in (AGENT, TERMINAL, alone)]
    assert said == ["allow", "allow", "block"]


def test_where_a_path_led_when_it_was_looked_at_is_kept_whatever_becomes_of_it(tmp_path: Path) -> None:
    shots, secret = tmp_path / "shots", tmp_path / "secret.png"
    shots.mkdir()
    secret.touch()
    link = shots / "a.png"
    link.touch()
    policy = Policy(instance_dirs=(shots,))
    call = Call(Client("a", "agent"), "upload_file", {"selector": "#f", "paths": [str(link)]})
    call.mean(CATALOGUE.get("upload_file"))
    assert policy.decide(Case.of(call)).verdict == "allow"
    link.unlink()
    link.symlink_to(secret)
    assert call.sent["reals"] == {str(link): str(link)}
    read = Call(Client("a", "agent"), "read_image", {"path": str(link)})
    read.mean(CATALOGUE.get("read_image"))
    assert "real" not in read.looked_at
    assert policy.decide(Case.of(read)).verdict == "ask"
    assert read.looked_at["real"] == str(secret)
