"""`kapture click e5` and `kapture call`: what is sent, what is printed, and the exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kapture_panel import cli
from tests.support.mcp_child.fakes import FakePanel
from tests.support.patience import PATIENCE_S

ANSWER = {"text": "done\nclicked: button", "untrusted": "https://shop.example", "result": {"clicked": "button"}}
Beside = Callable[..., tuple[int, list[Any]]]


@pytest.fixture
def beside(tmp_path: Path) -> Beside:
    """Runs a call beside a panel that gives one answer: the exit code, and the lines the panel heard."""

    def run(*words: str, answer: Any = None, greeted: Any = None) -> tuple[int, list[Any]]:
        heard: list[Any] = []
        with FakePanel(tmp_path) as panel:

            def serve() -> None:
                with panel.accept(greeted) as attached:
                    heard.extend((attached.greeting, attached.hear()))
                    if answer is not None:
                        attached.say(answer)

            serving = threading.Thread(target=serve)
            serving.start()
            code = cli.run([*words, "--data-dir", str(tmp_path)])
            serving.join(PATIENCE_S)
        return code, heard

    return run


def test_a_command_is_sent_with_who_calls_and_its_text_is_printed(
    beside: Beside, capsys: pytest.CaptureFixture[str]
) -> None:
    code, (greeting, asked) = beside("click", "e5", "--session", "one", answer=ANSWER)
    assert code == 0
    assert (greeting["role"], greeting["pid"], greeting["session"]) == ("call", os.getpid(), "one")
    assert asked == {"command": "click", "params": {"ref": "e5"}}
    assert capsys.readouterr() == ("done\nclicked: button\n", "[untrusted: https://shop.example]\n")


def test_the_general_form_sends_the_same(beside: Beside) -> None:
    assert beside("call", "kapturemcp_click", "ref=e5", answer=ANSWER)[1][1] == {
        "command": "click", "params": {"ref": "e5"},
    }  # fmt: skip


def test_a_session_may_be_named_by_the_environment(beside: Beside, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAPTURE_SESSION", "mine")
    assert beside("go-back", answer=ANSWER)[1][0]["session"] == "mine"


def test_as_json_all_of_the_answer_but_its_text_is_printed(beside: Beside, capsys: pytest.CaptureFixture[str]) -> None:
    assert beside("click", "e5", "--json", answer=ANSWER)[0] == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == {"success": True, "result": {"clicked": "button"}, "untrusted": "https://shop.example"}
    assert err == ""


@pytest.mark.parametrize("told", [(), ("--json",)], ids=["plain", "json"])
def test_each_kind_of_failure_has_its_exit_code(
    beside: Beside, tmp_path: Path, capsys: pytest.CaptureFixture[str], told: tuple[str, ...]
) -> None:
    failed = {"error": {"code": "STALE_REF", "message": "e5 is gone"}}
    assert beside("click", "e5", *told, answer=failed)[0] == 1
    assert "STALE_REF" in _said(capsys, told)
    assert beside("click", "e5", *told, greeted={"error": {"code": "DENIED", "message": "no"}})[0] == 1
    assert "DENIED" in _said(capsys, told)
    assert beside("click", "e5", *told)[0] == 3
    assert "went away before it answered" in _said(capsys, told)
    assert cli.run(["click", "e5", "--data-dir", str(tmp_path), *told]) == 3
    assert f"no panel is running for {tmp_path}; start one with: kapture" in _said(capsys, told)
    for wrong in (["clik"], ["click"], ["click", "e5", "--session"], ["call", "click", "e5"]):
        assert cli.run([wrong[0], *told, *wrong[1:]]) == 2
        assert "; " in _said(capsys, told), "the next step"


def _said(capsys: pytest.CaptureFixture[str], told: tuple[str, ...]) -> str:
    """What was printed; as JSON on standard output, else in words on standard error."""
    out, err = capsys.readouterr()
    if not told:
        assert out == ""
        return err
    assert err == ""
    answer = json.loads(out)
    assert answer["success"] is False
    return f"{answer['error']['code']}: {answer['error']['message']}"


def test_a_wrong_command_leads_to_the_right_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["snapsho"]) == 2
    assert capsys.readouterr().err == "kapture: there is no command 'snapsho'; did you mean snapshot?\n"


def test_help_needs_no_panel(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["click", "--help"]) == 0
    assert capsys.readouterr().out.startswith("usage: kapture click TARGET [options]\n")
    assert cli.run(["call", "--help"]) == 0
    assert "kapture drag TARGET [TO]" in capsys.readouterr().out
    assert cli.run(["call"]) == 2


def test_who_reads_only_the_beginning_gets_no_complaint(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "kapture_panel", "snapshot", "--data-dir", str(tmp_path)]
    with FakePanel(tmp_path) as panel, subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as call:  # fmt: skip
        assert call.stdout is not None
        with panel.accept() as attached:
            call.stdout.close()  # as `head` does when it has its lines
            attached.say({**ANSWER, "text": "x" * 100_000, "untrusted": ""})
        assert call.stderr is not None
        assert call.stderr.read() == b""
        assert call.wait(PATIENCE_S) == 1


def test_kapture_panel_is_the_same_program(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[list[str]] = []

    def run(words: list[str]) -> int:
        heard.append(words)
        return 7

    monkeypatch.setattr(cli, "run", run)
    monkeypatch.setattr(sys, "argv", ["kapture-panel", "--data-dir", "x"])
    assert cli.panel_main() == 7
    assert heard == [["--data-dir", "x"]]
