"""The skill for coding agents: where it goes, what it replaces, and what it leaves alone."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kapture_panel import paths
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.installing import plans, skill
from kapture_panel.installing.clients import Surroundings


def home(folder: Path, *agents: str, **environment: str) -> Surroundings:
    for agent in agents:
        (folder / agent).mkdir(parents=True)
    return Surroundings("linux", environment, str(folder))


def paths_of(surroundings: Surroundings, **options: bool) -> list[str]:
    given = {"force": False, "create": False, **options}
    changes = skill.adding(surroundings, "kapture", None, **given)
    return [str(change.path.relative_to(surroundings.home)) for change in changes]


CLAUDE, SHARED = ".claude/skills/kapture/SKILL.md", ".agents/skills/kapture/SKILL.md"


@pytest.mark.parametrize(
    ("agents", "expected"),
    [
        ([".claude"], [CLAUDE]),
        ([".codex"], [SHARED]),
        ([".gemini"], [SHARED]),
        ([".cursor", ".claude"], [CLAUDE, SHARED]),
        ([".config/opencode"], [SHARED]),
    ],
    ids=str,
)
def test_it_goes_where_the_agents_that_are_here_look(tmp_path: Path, agents: list[str], expected: list[str]) -> None:
    assert paths_of(home(tmp_path, *agents)) == expected


def test_where_no_agent_is_nothing_is_written_unless_it_is_wanted(tmp_path: Path) -> None:
    with pytest.raises(KaptureError, match="no agent that reads skills") as raised:
        paths_of(home(tmp_path))
    assert "--create" in raised.value.next_step
    assert paths_of(home(tmp_path), create=True) == [CLAUDE, SHARED]


def test_claudes_folder_may_be_elsewhere(tmp_path: Path) -> None:
    surroundings = home(tmp_path, "mine", CLAUDE_CONFIG_DIR=str(tmp_path / "mine"))
    assert paths_of(surroundings) == ["mine/skills/kapture/SKILL.md"]


def test_places_that_are_one_folder_get_it_once(tmp_path: Path) -> None:
    surroundings = home(tmp_path, ".claude", ".agents/skills")
    (tmp_path / ".claude/skills").symlink_to("../.agents/skills")
    for change in skill.adding(surroundings, "kapture", None, force=False, create=True):
        plans.carry_out(change)
    assert (tmp_path / SHARED).read_text() == skill.text("kapture")
    for change in skill.removing(surroundings, None, force=False):
        plans.carry_out(change)
    assert not (tmp_path / SHARED).exists()


def added(folder: Path, *, force: bool = False) -> plans.Done:
    [change] = skill.adding(home(folder), "kapture", folder, force=force, create=False)
    return plans.carry_out(change)


def removed(folder: Path, *, force: bool = False) -> list[plans.Done]:
    changes = skill.removing(home(folder), folder, force=force)
    return [plans.carry_out(change) for change in changes]


def test_it_is_written_once_and_removed_again(tmp_path: Path) -> None:
    path = added(tmp_path).path
    assert path == tmp_path / "kapture" / "SKILL.md"
    assert path.read_text() == skill.text("kapture")
    [again] = skill.adding(home(tmp_path), "kapture", tmp_path, force=False, create=False)
    assert not again.has_changes
    removed(tmp_path)
    assert not path.exists()
    assert removed(tmp_path) == []


def test_an_older_one_of_ours_is_replaced_and_kept_beside(tmp_path: Path) -> None:
    path = added(tmp_path).path
    older = path.read_text().replace("Kapture", "Older")
    path.write_text(older)
    with pytest.raises(KaptureError, match="was changed after Kapture Panel wrote it"):
        removed(tmp_path)
    backup = added(tmp_path).backup
    assert path.read_text() == skill.text("kapture")
    assert backup is not None
    assert backup.read_text() == older


def test_anothers_skill_stays_unless_it_is_forced(tmp_path: Path) -> None:
    path = tmp_path / "kapture" / "SKILL.md"
    path.parent.mkdir()
    path.write_text("---\nname: kapture\n---\nanother's")
    for attempt in (added, removed):
        with pytest.raises(KaptureError, match=r"is a skill that another"):
            attempt(tmp_path)
        assert path.read_text().endswith("another's")
    assert added(tmp_path, force=True).backup is not None
    assert path.read_text() == skill.text("kapture")


def test_anothers_skill_comes_back_when_ours_goes(tmp_path: Path) -> None:
    path = tmp_path / "kapture" / "SKILL.md"
    path.parent.mkdir()
    path.write_text("another's")
    added(tmp_path, force=True)
    path.write_text(path.read_text().replace("Kapture", "Older"))
    assert added(tmp_path).backup is not None, "a copy of ours, which is newer"
    removed(tmp_path)
    assert path.read_text() == "another's"
    assert [one.read_text().count("Older") > 0 for one in path.parent.iterdir() if one != path] == [True]
    removed(tmp_path, force=True)
    assert not path.exists()


def test_what_another_version_wrote_for_another_path_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "older" / "skill" / "SKILL.md"
    page.parent.mkdir(parents=True)
    page.write_text((paths.resources() / "skill" / "SKILL.md").read_text().replace("Look first", "Look at once"))
    with monkeypatch.context() as older:
        older.setattr(paths, "resources", lambda: tmp_path / "older")
        [change] = skill.adding(home(tmp_path), "/opt/kapture", tmp_path, force=False, create=False)
    path = plans.carry_out(change).path
    assert "Look at once" in path.read_text()
    assert "`/opt/kapture`" in path.read_text()
    removed(tmp_path)
    assert not path.exists()


def test_a_page_of_before_there_were_digests_is_not_known_to_be_unchanged(tmp_path: Path) -> None:
    path = added(tmp_path).path
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if "digest: " not in line))
    with pytest.raises(KaptureError, match="was changed after Kapture Panel wrote it, or is of its first versions"):
        removed(tmp_path)
    removed(tmp_path, force=True)
    assert not path.exists()


def test_a_program_that_the_shell_does_not_find_is_named() -> None:
    assert "`kapture` stands for `'/opt/my apps/kapture'` here" in skill.text("/opt/my apps/kapture")
    assert "stands for" not in skill.text("kapture")


def test_windows_shells_get_a_path_they_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert "stands for `D:\\apps\\kapture.exe` here" in skill.text("D:\\apps\\kapture.exe")
    assert 'stands for `"D:\\my apps\\kapture.exe"` here' in skill.text("D:\\my apps\\kapture.exe")


def test_the_shipped_skill_is_one_as_agents_demand_it() -> None:
    """Source: agentskills.io: name as the folder, of small letters; a description of at most 1,024 characters."""
    head = skill.text("kapture").split("---\n")[1]
    told = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line)
    assert told["name"] == skill.NAME
    assert 0 < len(told["description"]) <= 1024
    assert len(skill.text("kapture").splitlines()) < 100, "it is read whole"
