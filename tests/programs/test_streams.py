"""What a program reads and prints through pipes and files is UTF-8, whatever the system's code page is."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kapture_panel import cli
from kapture_panel.programs import terminal
from tests.support.mcp_child.fakes import FakePanel
from tests.support.patience import PATIENCE_S

#: What Windows gives a pipe stands in for it here.
ENVIRONMENT = {**os.environ, "PYTHONIOENCODING": "cp1252"}
KAPTURE = [sys.executable, "-m", "kapture_panel"]
SIGNS = "→ ✓ 日本"


def called(root: Path, *words: str, read: bytes = b"") -> tuple[subprocess.CompletedProcess[bytes], Any]:
    """A call beside a panel that answers `SIGNS`, and what the panel heard."""
    given = root / "given"
    given.write_bytes(read)
    command = [*KAPTURE, *words, "--data-dir", str(root)]
    with FakePanel(root) as panel, given.open("rb") as stdin, subprocess.Popen(
        command, env=ENVIRONMENT, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as call:  # fmt: skip
        with panel.accept() as attached:
            heard = attached.hear()
            attached.say({"text": SIGNS, "untrusted": f"https://{SIGNS}", "result": SIGNS})
        out, err = call.communicate(timeout=PATIENCE_S)
    return subprocess.CompletedProcess(command, call.returncode, out, err), heard


def test_an_answer_that_the_code_page_cannot_say_is_printed(tmp_path: Path) -> None:
    call, _ = called(tmp_path, "click", "e5")
    assert (call.returncode, call.stdout.decode().strip()) == (0, SIGNS)
    assert call.stderr.decode().strip() == f"[untrusted: https://{SIGNS}]"
    call, _ = called(tmp_path, "click", "e5", "--json")
    assert (call.returncode, json.loads(call.stdout)["result"]) == (0, SIGNS)


def test_standard_input_is_read_as_utf_8(tmp_path: Path) -> None:
    call, heard = called(tmp_path, "evaluate", "-", read=f"'{SIGNS}'\n".encode())
    assert call.returncode == 0
    assert heard == {"command": "evaluate", "params": {"code": f"'{SIGNS}'"}}


def test_input_that_is_not_utf_8_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    command = [*KAPTURE, "evaluate", "-", "--data-dir", str(tmp_path)]
    call = subprocess.run(command, env=ENVIRONMENT, input=b"'gr\xfc\xdf'", capture_output=True, timeout=PATIENCE_S)
    assert call.returncode == 2
    assert call.stderr.decode().strip() == "kapture: standard input is not UTF-8: byte 4; convert it to UTF-8 first"


def test_a_terminal_keeps_its_encoding_and_shows_what_it_lacks_as_escapes(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    shown = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", Terminal(shown, encoding="cp1252", newline="\n"))
    assert cli.run(["navigate", "--→"]) == 2
    print("é →", flush=True)
    assert shown.getvalue() == "é \\u2192\n".encode("cp1252")


def test_a_program_without_a_console_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    assert cli.run(["click", "e5", "--data-dir", str(tmp_path)]) == 3
    assert not terminal.is_live(), "the demo asks this"


def test_the_mcp_child_says_how_it_is_used() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    told = subprocess.run([*KAPTURE, "mcp", "--help"], env=environment, capture_output=True, timeout=PATIENCE_S)
    assert (told.returncode, "core|GROUP,…" in told.stdout.decode()) == (0, True)
