"""What is printed, and what never is."""

from __future__ import annotations

import json
import logging

import pytest

from kapture_panel import cli
from kapture_panel.programs import arguments as command_line
from kapture_panel.programs import doctor, terminal

HOSTILE = "a\x1b[2J\a\r\x9bb\u202ec\u2066d\u200be\ud800\U000e0041\x7f\tf\ng"
SHOWN = "a[2J\nbcde\tf\ng"


def test_text_loses_what_a_terminal_obeys_and_keeps_lines_and_tabs(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.say(HOSTILE)
    terminal.complain(HOSTILE)
    assert capsys.readouterr() == (f"{SHOWN}\n", f"{SHOWN}\n")


def test_nothing_is_cut(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.say("x" * 2_000_000, end="")
    assert len(capsys.readouterr().out) == 2_000_000


def test_json_has_it_as_escapes_and_reads_back_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.say_json({HOSTILE: [HOSTILE, "ü 日"]})
    out = capsys.readouterr().out
    assert json.loads(out) == {HOSTILE: [HOSTILE, "ü 日"]}
    assert out.rstrip("\n").isprintable()
    assert "ü 日" in out


def test_log_records_are_cleaned_too(capsys: pytest.CaptureFixture[str]) -> None:
    record = logging.LogRecord("x", logging.WARNING, "", 0, "%s", (HOSTILE,), None)
    terminal.log_handler().emit(record)
    assert capsys.readouterr().err == f"{SHOWN}\n"


def test_a_wrong_command_line_is_quoted_clean(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command_line.run(["doctor", "--\x1b]0;owned\a"])
    assert ended.value.code == 2
    err = capsys.readouterr().err
    assert "unrecognized arguments: --]0;owned" in err
    assert "\x1b" not in err
    assert cli.run(["click", "--\x1b]0;owned\a"]) == 2
    err = capsys.readouterr().err
    assert "click has no option --]0;owned" in err
    assert "\x1b" not in err


def test_a_defect_is_told_clean(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def defective(_options: object) -> int:
        raise RuntimeError(HOSTILE)

    monkeypatch.setattr(doctor, "run", defective)
    assert command_line.run(["doctor"]) == 1
    err = capsys.readouterr().err
    assert err.startswith("Traceback")
    assert SHOWN in err
