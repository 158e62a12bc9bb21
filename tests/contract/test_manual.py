"""The manual page is made from the parser and the catalogue, and is what they say now."""

from __future__ import annotations

import shutil
import subprocess

from kapture_panel.cli import PROGRAMS
from kapture_panel.programs import arguments, manual
from tests.support.tree import ROOT

PAGE = ROOT / "packaging" / "man" / "kapture.1"


def test_it_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == manual.text(arguments.parser()), "run make generated"


def test_it_has_every_program_and_no_line_that_is_too_long() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert all(f".SS kapture {name}\n" in text for name in PROGRAMS)
    prose = [line for line in text.splitlines() if not line.startswith(".")]
    assert max(map(len, prose)) <= 80


def test_the_system_s_formatter_has_nothing_against_it() -> None:
    """mandoc is stricter; where neither is, the page's form is at least made of macros that both know."""
    macros = {line.split(" ")[0] for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith(".")}
    assert macros <= {'.\\"', ".TH", ".SH", ".SS", ".B", ".I", ".br", ".PP", ".TP", ".RS", ".RE", ".nf", ".fi"}
    if mandoc := shutil.which("mandoc"):
        done = subprocess.run([mandoc, "-Tlint", str(PAGE)], capture_output=True, text=True, check=False)
        assert [line for line in done.stdout.splitlines() if "missing date" not in line] == []
