"""Plans against the files people have: what they would change, what they refuse, and that they can be undone."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kapture_panel.core.basics import toml_entry
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.installing import json_entry, plans
from kapture_panel.installing.clients import CLIENTS, NAME, AgentClient, Server, Surroundings, by_key
from kapture_panel.installing.plans import Plan
from tests.support.core.installing.documents import comments, data
from tests.support.core.installing.samples import ARGS, COMMAND, SAMPLES, variants

SERVER = Server(COMMAND, ARGS)
CASES = [(key, name) for key, text in SAMPLES.items() for name in variants(text)]
STRANGER = '{"mcpServers": {"kapture": {"command": "npx", "args": ["-y", "other"]}}}'


class Home:
    """A person's home folder, with a client in it or not."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.surroundings = Surroundings("linux", {}, str(folder))

    def file(self, client: AgentClient, content: bytes | str | None) -> Path:
        path = client.file(self.surroundings)
        path.parent.mkdir(parents=True, exist_ok=True)
        if content is not None:
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def adding(self, client: AgentClient, server: Server = SERVER, name: str = NAME, **options: bool) -> Plan:
        return plans.adding(client, client.file(self.surroundings), server, name, self.surroundings, **options)

    def removing(self, client: AgentClient, name: str = NAME, **options: bool) -> Plan:
        return plans.removing(client, client.file(self.surroundings), name, **options)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def read(client: AgentClient, content: bytes) -> Any:
    text = content.decode("utf-8-sig")
    return tomllib.loads(text) if client.is_toml else data(text)


def names(path: Path) -> list[str]:
    return sorted(one.name for one in path.parent.iterdir())


def test_every_client_has_a_sample() -> None:
    assert list(SAMPLES) == [client.key for client in CLIENTS if client.key]


@pytest.mark.parametrize(("key", "variant"), CASES)
def test_it_is_added_to_each_clients_file_and_goes_again(key: str, variant: str, home: Home) -> None:
    client, before = by_key(key), variants(SAMPLES[key])[variant]
    path = home.file(client, before)
    path.chmod(0o640)
    plan = home.adding(client)
    assert path.read_bytes() == before  # a plan writes nothing
    done = plans.carry_out(plan)
    after = path.read_bytes()
    wanted = read(client, before)
    wanted.setdefault(client.outer, {})[NAME] = client.entry(SERVER)
    assert read(client, after) == wanted
    assert list(read(client, after)) == list(wanted)
    assert comments(after.decode("utf-8-sig")) == comments(before.decode("utf-8-sig"))
    assert after.startswith(b"\xef\xbb\xbf") == before.startswith(b"\xef\xbb\xbf")
    if b"\r\n" in before:
        assert b"\n" not in after.replace(b"\r\n", b"")
    assert path.stat().st_mode & 0o777 == 0o640
    assert done.backup is not None
    assert done.backup.read_bytes() == before
    assert done.backup.stat().st_mode & 0o777 == 0o640
    assert not home.adding(client).has_changes  # it is there
    plans.carry_out(home.removing(client))
    assert path.read_bytes() == before
    assert path.stat().st_mode & 0o777 == 0o640
    assert not home.removing(client).has_changes
    assert names(path) == [path.name]  # the backup is not needed any more


@pytest.mark.parametrize("key", SAMPLES)
def test_what_changed_since_stays_when_it_goes(key: str, home: Home) -> None:
    client, before = by_key(key), SAMPLES[key]
    path = home.file(client, before)
    plans.carry_out(home.adding(client))
    form: Any = toml_entry if client.is_toml else json_entry
    text = form.put(path.read_text(), client.outer, "later", {"command": "later"})
    path.write_text(text)
    plan = home.removing(client)
    assert plan.restores is None
    plans.carry_out(plan)
    wanted = read(client, before.encode())
    wanted.setdefault(client.outer, {})["later"] = {"command": "later"}
    assert read(client, path.read_bytes()) == wanted
    assert comments(path.read_text()) == comments(before)


@pytest.mark.parametrize("key", SAMPLES)
@pytest.mark.parametrize("content", [None, "", "\n", "// nothing\n", "{}", "{ }\n", '{\n\t"a": {}\n}'])
def test_missing_and_empty_files_come_back_as_they_were(key: str, content: str | None, home: Home) -> None:
    client = by_key(key)
    if client.is_toml and content is not None:
        content = {"// nothing\n": "# nothing\n", '{\n\t"a": {}\n}': "[a]\n"}.get(content, content.strip("{} "))
    path = home.file(client, content)
    plan = home.adding(client, create=True)
    assert plan.diff().startswith(f"--- {os.devnull if content is None else path}\n+++ {path}\n")
    plans.carry_out(plan)
    assert read(client, path.read_bytes())[client.outer] == {NAME: client.entry(SERVER)}
    assert (path.stat().st_mode & 0o777 == 0o600) or content is not None
    undone = home.removing(client)
    plans.carry_out(undone)
    if content is None:
        assert not path.exists()
        assert undone.diff().splitlines()[1] == f"+++ {os.devnull}"
    else:
        assert path.read_bytes() == content.encode()
    assert [name for name in names(path) if name.startswith(path.name + ".")] == []


def test_an_older_place_of_ours_is_changed_and_its_other_keys_stay(home: Home) -> None:
    client = by_key("claude-desktop")
    entry = {"command": "/old/kapture", "args": ["mcp"], "env": {"A": "b"}, "disabled": False}
    path = home.file(client, json.dumps({"mcpServers": {"kapture": entry}}, indent=4))
    plans.carry_out(home.adding(client))
    after = json.loads(path.read_text())["mcpServers"]["kapture"]
    assert after == {**entry, "command": COMMAND, "args": ARGS}
    # What was there before us was ours, too: it goes, and is not put back.
    plans.carry_out(home.removing(client))
    assert json.loads(path.read_text()) == {"mcpServers": {}}


def test_an_entry_of_another_program_stays_unless_it_is_forced(home: Home) -> None:
    client = by_key("cursor")
    path = home.file(client, STRANGER)
    attempts: list[Callable[[], Plan]] = [lambda: home.adding(client), lambda: home.removing(client)]
    for refused in attempts:
        with pytest.raises(
            KaptureError, match=r"entry 'kapture' that starts something else.*--name.*--force"
        ) as raised:
            refused()
        assert raised.value.code == "INVALID_PARAMS"
    assert path.read_text() == STRANGER
    assert home.adding(client, name="kapture-2").has_changes
    plans.carry_out(home.adding(client, force=True))
    assert json.loads(path.read_text())["mcpServers"] == {"kapture": {"command": COMMAND, "args": ARGS}}
    path.write_text(STRANGER)
    plans.carry_out(home.removing(client, force=True))
    assert json.loads(path.read_text())["mcpServers"] == {}


def test_a_forced_table_of_toml_is_made_anew(home: Home) -> None:
    client = by_key("codex")
    path = home.file(client, 'a = 1\n[mcp_servers.kapture]\nurl = "https://other"\n[b]\n')
    with pytest.raises(KaptureError, match="starts something else"):
        home.adding(client)
    plans.carry_out(home.adding(client, force=True))
    assert tomllib.loads(path.read_text()) == {"a": 1, "b": {}, "mcp_servers": {"kapture": client.entry(SERVER)}}


@pytest.mark.parametrize("key", [key for key in SAMPLES if key != "claude-code"])
def test_a_client_that_is_not_here_gets_no_file_unless_it_is_asked_for(key: str, home: Home) -> None:
    client = by_key(key)
    path = client.file(home.surroundings)
    with pytest.raises(KaptureError) as raised:
        home.adding(client)
    assert raised.value.code == "FILE_NOT_FOUND"
    assert str(path.parent) in raised.value.message
    assert raised.value.message.endswith(f"write {path} all the same: --create")
    assert not path.parent.exists()
    assert not home.removing(client).has_changes
    plans.carry_out(home.adding(client, create=True))
    assert path.is_file()


def test_claude_code_is_not_taken_for_there_because_of_its_folder(home: Home) -> None:
    with pytest.raises(KaptureError, match=r"there is no .*/\.claude\.json or .*/\.claude\."):
        home.adding(by_key("claude-code"))


@pytest.mark.parametrize(
    ("key", "content", "said"),
    [
        ("cursor", b'{\n  "mcpServers": {\n    "a": {} "b": {}\n  }\n}', "line 3, column 13: a comma or }"),
        ("zed", b'// x\n{\n  "theme": "no end\n}', "line 3, column 12: this text does not end"),
        ("codex", b"[mcp_servers.a]\ncommand = \n", "line 2, column 11: "),
        ("vscode", b'{"servers": []}', 'line 1, column 13: "servers" must be an object'),
        ("gemini", b'{\n"a": "\xff"}', "line 2: this is not UTF-8"),
        ("windsurf", '{"mcpServers": {}}'.encode("utf-16"), "line 1: this is not UTF-8"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place_and_left_as_it_is(
    key: str, content: bytes, said: str, home: Home
) -> None:
    client = by_key(key)
    path = home.file(client, content)
    attempts: list[Callable[[], Plan]] = [
        lambda: home.adding(client, force=True, create=True),
        lambda: home.removing(client, force=True),
    ]
    for refused in attempts:
        with pytest.raises(KaptureError) as raised:
            refused()
        assert raised.value.message.startswith(f"{path}, {said}")
        assert "othing was changed; " in raised.value.message
        assert raised.value.message.endswith("then try again")
    assert path.read_bytes() == content
    assert names(path) == [path.name]


def test_a_file_that_changed_since_it_was_shown_is_left_alone(home: Home) -> None:
    client = by_key("claude-code")
    path = home.file(client, SAMPLES["claude-code"])
    plan = home.adding(client)
    path.write_text("{}")
    with pytest.raises(KaptureError, match="has changed meanwhile; nothing was written"):
        plans.carry_out(plan)
    assert path.read_text() == "{}"
    assert names(path) == [path.name]


def test_a_read_only_file_is_left_alone(home: Home) -> None:
    client = by_key("cursor")
    path = home.file(client, SAMPLES["cursor"])
    path.chmod(0o444)
    with pytest.raises(KaptureError, match="is read-only; nothing was changed"):
        plans.carry_out(home.adding(client))
    assert path.read_text() == SAMPLES["cursor"]
    assert names(path) == [path.name]


def test_a_linked_file_is_changed_where_it_is(home: Home, tmp_path: Path) -> None:
    client = by_key("zed")
    link = home.file(client, None)
    dotfiles = tmp_path / "dotfiles"
    dotfiles.mkdir()
    real = dotfiles / "zed.json"
    real.write_text(SAMPLES["zed"])
    link.symlink_to(real)
    plans.carry_out(home.adding(client))
    assert link.is_symlink()
    assert NAME in json_entry.get(real.read_text(), "context_servers", NAME)["command"]
    plans.carry_out(home.removing(client))
    assert real.read_text() == SAMPLES["zed"]
    assert names(real) == ["zed.json"]


def test_backups_of_other_times_are_not_put_back(home: Home) -> None:
    client = by_key("cursor")
    path = home.file(client, '{"mcpServers": {"a": {}}}')
    plans.carry_out(home.adding(client))
    path.write_text('{"mcpServers": {"b": {}}}')
    plans.carry_out(home.adding(client))
    assert len(names(path)) == 3
    plans.carry_out(home.removing(client))
    assert path.read_text() == '{"mcpServers": {"b": {}}}'
    assert len(names(path)) == 2  # the one that is still somebody's past stays


def test_the_diff_shows_the_change_and_little_around_it(home: Home) -> None:
    client = by_key("cursor")
    home.file(client, SAMPLES["cursor"].replace("\n", "\r\n"))
    lines = home.adding(client).diff().splitlines()
    added = [line for line in lines[2:] if line.startswith("+")]
    assert [line for line in lines[2:] if line.startswith("-")] == [
        '-        "linear": { "url": "https://mcp.linear.app/sse" } // no comma after this one'
    ]
    assert added[0] == '+        "linear": { "url": "https://mcp.linear.app/sse" }, // no comma after this one'
    assert added[1:] == [
        '+        "kapture": {',
        f'+            "command": {json.dumps(COMMAND)},',
        f'+            "args": {json.dumps(ARGS, ensure_ascii=False)}',
        "+        }",
    ]
    assert not any("\r" in line for line in lines)


def test_a_long_line_is_shown_where_it_differs(home: Home) -> None:
    client = by_key("claude-code")
    long = json.dumps({"history": ["x" * 50_000], "mcpServers": {}, "more": ["y" * 50_000]})
    home.file(client, long)
    diff = home.adding(client).diff()
    assert len(diff) < 2000
    assert '"mcpServers": {"kapture": {"type": "stdio", "command": ' in diff
    assert "…" in diff


def test_the_end_without_a_line_break_is_shown(home: Home) -> None:
    client = by_key("codex")
    home.file(client, "a = 1")
    assert home.adding(client).diff().splitlines()[3:6] == ["-a = 1", "\\ No newline at end of file", "+a = 1"]


def test_a_path_that_no_file_can_name_is_refused(home: Home) -> None:
    client = by_key("cursor")
    home.file(client, "{}")
    with pytest.raises(KaptureError, match="not Unicode"):
        home.adding(client, Server("/opt/\udcff/kapture", ["mcp"]))


@pytest.mark.parametrize("key", SAMPLES)
def test_it_is_told_whose_entry_a_client_has(home: Home, key: str) -> None:
    client = by_key(key)
    path = home.file(client, None)

    def added(server: Server = SERVER) -> str:
        return plans.added(client, path, server, NAME)

    assert added() == "no", "without a file"
    home.file(client, SAMPLES[key])
    assert added() == "no"
    plans.carry_out(home.adding(client))
    assert added() == "this"
    assert added(Server("/another/kapture", ARGS)) == "another"
    plans.carry_out(home.removing(client))
    assert added() == "no"


def test_an_entry_of_a_stranger_is_not_ours_and_a_broken_file_is_told(home: Home) -> None:
    client = by_key("cursor")
    path = home.file(client, STRANGER)
    assert plans.added(client, path, SERVER, NAME) == "no"
    path.write_text("{")
    with pytest.raises(KaptureError, match="line 1"):
        plans.added(client, path, SERVER, NAME)
