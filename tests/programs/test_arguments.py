"""The command line: what is given is obeyed, or refused in words."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kapture_panel.programs import arguments, doctor
from tests.support.patience import PATIENCE_S

EARLY = [
    (["--policy", "read-only", "serve"], "--policy"),
    (["--own-policy=careful", "serve"], "--own-policy"),
    (["--allow-dir", "/", "serve", "--headless"], "--allow-dir"),
    (["--data-dir", "/x", "call", "snapshot"], "--data-dir"),
    (["--port", "0", "doctor"], "--port"),
    (["--data-dir", "/x", "mcp"], "--data-dir"),
]


@pytest.mark.parametrize(("line", "option"), EARLY)
def test_an_option_before_the_program_is_refused_and_not_forgotten(
    line: list[str], option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    program = next(word for word in line if word in {"serve", "call", "doctor", "mcp", "demo"})
    with pytest.raises(SystemExit) as ended:
        arguments.parser().parse_args(line)
    assert ended.value.code == 2
    assert f"give {option} after {program}: kapture {program} {option}" in capsys.readouterr().err


@pytest.mark.parametrize(("program", "option"), [("demo", "--tray"), ("demo", "--data-dir"), ("install", "--port")])
def test_one_that_the_program_does_not_have_is_not_asked_for_behind_it(
    program: str, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        arguments.parser().parse_args([option, *([] if option == "--tray" else ["1"]), program])
    assert f"{program} takes no {option}: see kapture {program} --help" in capsys.readouterr().err


def test_who_reads_no_more_of_what_is_printed_sees_no_traceback(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "kapture_panel", "doctor", "--data-dir", str(tmp_path)]
    try:
        done = subprocess.run(
            command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False, timeout=PATIENCE_S
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (1, "")


def test_a_pipe_that_breaks_elsewhere_is_a_defect_like_others(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def defective(_options: object) -> int:
        raise BrokenPipeError("of a socket")

    monkeypatch.setattr(doctor, "run", defective)
    assert arguments.run(["doctor"]) == 1
    print("still heard")
    told = capsys.readouterr()
    assert told.err.rstrip().endswith("BrokenPipeError: of a socket")
    assert told.out == "still heard\n"


def test_after_the_program_it_counts() -> None:
    options = arguments.parser().parse_args(["serve", "--policy", "read-only", "--port", "0", "--data-dir", "/x"])
    assert (options.policy, options.port, options.data_dir) == ("read-only", 0, "/x")


def test_without_a_program_it_is_the_window_s() -> None:
    options = arguments.parser().parse_args(["--policy", "careful", "--tray"])
    assert (options.policy, options.tray) == ("careful", True)
