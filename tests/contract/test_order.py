"""Who sees a test fail can run the tests in the same order again: each run tells its seed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.support.patience import PATIENCE_S
from tests.support.tree import ROOT


def told(tmp_path: Path, *arguments: str) -> str:
    """What a quiet run of one test says, as `make test` makes it."""
    test = "tests/contract/test_sizes.py::test_a_function_of_51_lines_is_found"
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", f"--basetemp={tmp_path}/run"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    run = subprocess.run(
        [*command, *arguments, test], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def test_a_quiet_run_tells_the_seed_of_its_order(tmp_path: Path) -> None:
    assert "--randomly-seed=1\n" in told(tmp_path)
    assert "--randomly-seed=77\n" in told(tmp_path, "--randomly-seed=77")


def test_make_tells_the_seed_of_the_extension_s_tests() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipe = makefile.partition("\ncheck-tests:\n")[2].partition("\ncheck-")[0]
    assert "KAPTURE_TEST_SEED=$(KAPTURE_TEST_SEED)" in recipe
