"""What a client may do: presets by class, and addresses that are not open to agents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kapture_panel import paths
from kapture_panel.core.catalogue import Catalogue
from kapture_panel.core.clients import Client, Kind
from kapture_panel.core.errors import KaptureError
from kapture_panel.core.policy import PRESETS, Policy
from tests.core.fakes import CATALOGUE, COMMANDS, minimal

AGENT, TERMINAL, PERSON = Client("claude", "agent"), Client("terminal", "terminal"), Client("you", "person")
#: Preset → class → allowed: the table of TRUST, for the classes that exist.
TABLE = {
    "trusting": {"read": True, "interact": True, "navigate": True, "execute": True, "file": True},
    "read-only": {"read": True, "interact": False, "navigate": False, "execute": False, "file": False},
}


def allowed(policy: Policy, client: Client, command: str, **params: object) -> bool:
    entry = CATALOGUE.get(command)
    try:
        policy.check(client, entry, {**minimal(entry), **params})
    except KaptureError as error:
        return error.code != "DENIED"
    return True


def of_class(tmp_path: Path, klass: str) -> Catalogue:
    """A catalogue whose click is of another class: not each class has a command yet."""
    declared = json.loads(paths.catalogue().read_text(encoding="utf-8"))
    for entry in declared["commands"]:
        entry["class"] = klass
    source = tmp_path / "commands.json"
    source.write_text(json.dumps(declared), encoding="utf-8")
    return Catalogue(source)


def test_every_preset_is_in_the_table() -> None:
    assert TABLE.keys() == PRESETS.keys()


@pytest.mark.parametrize(("preset", "klass"), [(preset, klass) for preset in TABLE for klass in TABLE[preset]])
@pytest.mark.parametrize("kind", ["agent", "terminal", "person"])
def test_a_preset_allows_the_classes_of_its_row(tmp_path: Path, preset: str, klass: str, kind: Kind) -> None:
    click = of_class(tmp_path, klass).get("click")
    policy, client = Policy(preset), Client("someone", kind)
    if TABLE[preset][klass] or kind == "person":
        policy.check(client, click, {"ref": "e1"})
    else:
        with pytest.raises(KaptureError, match=rf"'{preset}' does not allow click \({klass}\).*--policy trusting"):
            policy.check(client, click, {"ref": "e1"})


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_follows_its_class(name: str) -> None:
    klass = CATALOGUE.get(name).klass
    for preset, row in TABLE.items():
        assert allowed(Policy(preset), AGENT, name) == row[klass]
        assert allowed(Policy(preset), PERSON, name)


def test_waiting_for_an_expression_runs_code() -> None:
    assert allowed(Policy("read-only"), AGENT, "wait", time=1)
    assert not allowed(Policy("read-only"), AGENT, "wait", expression="fetch('/buy')")
    assert allowed(Policy("trusting"), AGENT, "wait", expression="done")


def test_an_unknown_preset_is_refused_with_those_there_are() -> None:
    with pytest.raises(KaptureError, match="no policy 'careless'; there are trusting, read-only"):
        Policy("careless")


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
    with pytest.raises(KaptureError, match="javascript: addresses are not open to agents; use an http or https"):
        Policy().check(AGENT, CATALOGUE.get("navigate"), {"url": "java\tscript:1"})
    with pytest.raises(KaptureError, match=r"file: addresses .* with --allow-dir /etc"):
        Policy().check(AGENT, CATALOGUE.get("navigate"), {"url": "file:///etc/passwd"})


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


def test_an_image_is_read_from_the_allowed_and_the_instances_own_folders(tmp_path: Path) -> None:
    read = CATALOGUE.get("read_image")
    (tmp_path / "shots").mkdir()
    (tmp_path / "shots" / "link.png").symlink_to(tmp_path / "secret.png")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    policy = Policy(allow_dirs=(tmp_path / "allowed",), own_dirs=(tmp_path / "shots",))
    for client in (AGENT, TERMINAL):
        for path in ("allowed/a.png", "shots/b.png"):
            policy.check(client, read, {"path": str(tmp_path / path)})
        for path in ("secret.png", "shots/../secret.png", "shots/link.png", "shots-other/b.png"):
            with pytest.raises(KaptureError, match="--allow-dir") as refused:
                policy.check(client, read, {"path": str(tmp_path / path)})
            assert refused.value.code == "FILE_NOT_ALLOWED"
        for path in ("loop/a.png", "a\0b.png"):
            with pytest.raises(KaptureError) as refused:
                policy.check(client, read, {"path": str(tmp_path / path)})
            assert refused.value.code == "INVALID_PARAMS"
        assert not allowed(policy, client, "navigate", url=f"file://{tmp_path}/shots/b.png")
    policy.check(PERSON, read, {"path": str(tmp_path / "secret.png")})


def test_files_are_read_from_the_allowed_folders_only(tmp_path: Path) -> None:
    upload = CATALOGUE.get("upload_file")
    inside, outside = tmp_path / "allowed" / "a.txt", tmp_path / "other.txt"
    policy = Policy(allow_dirs=(tmp_path / "allowed",))
    policy.check(Client("claude", "agent"), upload, {"paths": [str(inside)]})
    for path in (str(outside), f"{tmp_path}/allowed/../other.txt", "relative.txt"):
        with pytest.raises(KaptureError, match="--allow-dir") as refused:
            policy.check(Client("claude", "agent"), upload, {"paths": [str(inside), path]})
        assert refused.value.code == "FILE_NOT_ALLOWED"
    policy.check(Client("you", "person"), upload, {"paths": [str(outside)]})
