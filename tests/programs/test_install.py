"""`kapture install` and `uninstall` as a person runs them, in a home folder of their own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tomllib
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

import pytest

from kapture_panel.installing.clients import CLIENTS, is_ours
from kapture_panel.programs import arguments
from tests.support.core.installing.samples import SAMPLES

PROGRAM = str(Path(sys.executable).parent / "kapture")
KEYS = [client.key for client in CLIENTS if client.key]


class Person:
    """Gives command lines in a home folder where nothing of the machine's own is known."""

    def __init__(self, home: Path) -> None:
        known = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "PYTHONPATH")}
        self.home = home
        self._environment = {**known, "HOME": str(home)}

    def run(self, *words: str, code: int = 0) -> str:
        """What the command line prints, to wherever the exit code says."""
        out, err = io.StringIO(), io.StringIO()
        with mock.patch.dict(os.environ, self._environment, clear=True), redirect_stdout(out), redirect_stderr(err):
            try:
                ended = arguments.run(list(words))
            except SystemExit as usage:  # argparse's
                ended = int(usage.code or 0)
        return self._said(ended, out.getvalue(), err.getvalue(), code)

    def start(self, *words: str, code: int = 0) -> str:
        """The same by a program of its own."""
        done = subprocess.run([PROGRAM, *words], env=self._environment, capture_output=True, text=True, timeout=60)
        return self._said(done.returncode, done.stdout, done.stderr, code)

    def _said(self, ended: int, out: str, err: str, code: int) -> str:
        assert ended == code, out + err
        assert (err if code == 0 else out) == ""
        return out if code == 0 else err

    def write(self, name: str, text: str) -> Path:
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path)


@pytest.mark.parametrize("key", KEYS)
def test_each_client_is_known_by_its_name(key: str, person: Person) -> None:
    said = person.run("install", key, "--create")
    written = next(line for line in said.splitlines() if line.startswith("wrote ")).removeprefix("wrote ")
    text = Path(written).read_text()
    client = next(client for client in CLIENTS if client.key == key)
    read = tomllib.loads(text) if client.is_toml else json.loads(text)
    assert read[client.outer]["kapture"] == {**client.more, "command": PROGRAM, "args": ["mcp"]}
    assert is_ours(read[client.outer]["kapture"])
    assert said.endswith(f"{client.then}\n")
    assert f"removed {written}, which was made for this" in person.run("uninstall", key)
    assert not Path(written).exists()


@pytest.mark.parametrize(("key", "name"), [("cursor", ".cursor/mcp.json"), ("codex", ".codex/config.toml")])
def test_a_second_time_nothing_is_done_and_that_is_said(key: str, name: str, person: Person) -> None:
    path = person.home / name
    person.run("install", key, "--create")
    assert person.run("install", key).startswith(f"already there: {path} has 'kapture'")
    person.run("uninstall", key)
    assert person.run("uninstall", key) == f"nothing to remove: there is no 'kapture' in {path}\n"


def test_the_change_is_shown_and_the_old_file_kept_and_put_back(person: Person) -> None:
    path = person.write(".cursor/mcp.json", SAMPLES["cursor"])
    assert "'nosuch' is not one of" in person.start("install", "cursor", "--tools", "nosuch", code=1)
    said = person.start("install", "cursor")
    assert said.startswith(f"--- {path}\n+++ {path}\n@@ ")
    assert f'\n+            "command": "{PROGRAM}",\n' in said
    (backup,) = (Path(line.removeprefix("kept what it was as ")) for line in said.splitlines() if "kept" in line)
    assert backup.parent == path.parent
    assert backup.read_text() == SAMPLES["cursor"]
    assert "it is exactly as it was before" in person.start("uninstall", "cursor")
    assert path.read_text() == SAMPLES["cursor"]
    assert list(path.parent.iterdir()) == [path]


def test_a_dry_run_shows_the_change_and_makes_none(person: Person) -> None:
    path = person.write(".cursor/mcp.json", SAMPLES["cursor"])
    said = person.run("install", "cursor", "--dry-run")
    assert said.startswith("---")
    assert "wrote" not in said
    assert path.read_text() == SAMPLES["cursor"]
    person.run("install", "cursor")
    installed = path.read_text()
    assert person.run("uninstall", "cursor", "--dry-run").startswith("---")
    assert path.read_text() == installed


def test_what_the_child_is_to_offer_is_passed_on(person: Person) -> None:
    person.write(".codex/config.toml", SAMPLES["codex"])
    elsewhere = person.home / "else where"
    person.run(
        "install", "codex", "--name", "headless", "--profile", "phoenix", "--isolated", "--data-dir", str(elsewhere)
    )
    servers = tomllib.loads((person.home / ".codex/config.toml").read_text())["mcp_servers"]
    assert servers["headless"]["args"] == [
        "mcp", "--data-dir", str(elsewhere), "--profile", "phoenix", "--isolated",
    ]  # fmt: skip
    person.run("install", "codex", "--tools", "core")
    assert not elsewhere.exists()
    started = subprocess.run([PROGRAM, *servers["headless"]["args"], "--help"], capture_output=True)
    assert started.returncode == 0
    person.run("uninstall", "codex", "--name", "headless")
    person.run("uninstall", "codex")
    assert (person.home / ".codex/config.toml").read_text() == SAMPLES["codex"]


def test_another_file_can_be_named(person: Person) -> None:
    file = person.home / "Code - Insiders" / "mcp.json"
    person.run("install", "vscode", "--file", str(file))
    assert is_ours(json.loads(file.read_text())["servers"]["kapture"])
    person.run("uninstall", "vscode", "--file", str(file))
    assert not file.exists()


@pytest.mark.parametrize(
    ("words", "content", "said"),
    [
        (["install", "cursor"], None, "Cursor does not seem to be installed"),
        (["install", "cursor"], '{"mcpServers": {"a" 1}}', "line 1, column 21: a colon was expected here"),
        (["uninstall", "cursor"], '{"mcpServers": {"a" 1}}', "line 1, column 21: a colon was expected here"),
        (["install", "cursor"], '{"mcpServers": {"kapture": {"url": "x"}}}', "starts something else"),
        (["uninstall", "cursor"], '{"mcpServers": {"kapture": {"url": "x"}}}', "starts something else"),
        (["install", "cursor", "--profile", "nosuch"], "{}", "'nosuch' is not one of"),
        (["install", "cursor", "--tools", "nosuch"], "{}", "'nosuch' is not one of all, core"),
    ],
)
def test_a_refusal_is_one_line_and_changes_nothing(
    words: list[str], content: str | None, said: str, person: Person
) -> None:
    path = person.write(".cursor/mcp.json", content) if content is not None else None
    error = person.run(*words, code=1)
    assert error.startswith("kapture: ")
    assert said in error
    assert error.count("\n") == 1
    if path is not None:
        assert path.read_text() == content
        assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["install"], "arguments are required: WHAT"),
        (["install", "emacs"], "invalid choice: 'emacs'"),
        (["install", "cursor", "--autostart"], "unrecognized arguments: --autostart"),
        (["install", "cursor", "--name", "a b"], "'a b' is not a name; use letters, digits, - and _"),
        (["uninstall", "cursor", "--create"], "unrecognized arguments: --create"),
    ],
)
def test_wrong_usage_is_two(words: list[str], said: str, person: Person) -> None:
    assert said in person.run(*words, code=2)


def test_the_help_says_what_happens_and_what_the_exit_codes_mean(person: Person) -> None:
    listed = person.run("install", "--help")
    assert all(key in listed for key in [*KEYS, "desktop"])
    for command in ("install", "uninstall"):
        told = " ".join(person.run(command, "cursor", "--help").split())
        assert "--dry-run only show what would change" in told
        assert "nothing but our entry" in told
        assert "Exit code 0:" in told


def test_the_skill_is_shown_written_and_removed(person: Person) -> None:
    assert "no agent that reads skills seems to be here" in person.run("install", "skill", code=1)
    (person.home / ".claude").mkdir()
    skill = person.home / ".claude/skills/kapture/SKILL.md"
    assert "+name: kapture" in person.run("install", "skill", "--dry-run")
    assert not skill.exists()
    assert f"wrote {skill}" in person.run("install", "skill")
    assert f"`kapture` stands for `{PROGRAM}` here" in skill.read_text()
    assert f"already there: {skill}" in person.run("install", "skill")
    person.run("uninstall", "skill", "--dry-run")
    assert skill.exists()
    assert f"removed {skill}" in person.run("uninstall", "skill")
    assert not skill.parent.exists()
    assert "nothing to remove" in person.run("uninstall", "skill")


def test_a_folder_of_the_skill_that_is_a_link_stays(person: Person) -> None:
    real, folder = person.home / "dotfiles", person.home / ".claude/skills/kapture"
    real.mkdir()
    folder.parent.mkdir(parents=True)
    folder.symlink_to(real)
    person.run("install", "skill")
    assert f"removed {folder / 'SKILL.md'}\n" in person.run("uninstall", "skill")
    assert list(folder.iterdir()) == [], "the link and what it leads to are there, and nothing in them"


def test_the_skill_that_was_there_before_is_put_back(person: Person) -> None:
    path = person.write(".claude/skills/kapture/SKILL.md", "mine")
    assert "another program wrote" in person.run("install", "skill", code=1)
    person.run("install", "skill", "--force")
    assert "it is exactly as it was before" in person.run("uninstall", "skill")
    assert path.read_text() == "mine"
    assert list(path.parent.iterdir()) == [path]


def test_the_help_of_the_skill_tells_of_its_file(person: Person) -> None:
    told = " ".join(person.run("install", "skill", "--help").split())
    assert "keeps a copy of a SKILL.md that is there" in told
    assert "another's that install --force replaced is put back" in " ".join(
        person.run("uninstall", "skill", "--help").split()
    )
    assert "entry" not in told
