"""`make mutants`: the table of mutants by module, those that survived, and exit code 1 below the goal."""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
import tomllib
from collections import Counter
from pathlib import Path

from tests.mutants.mutations import Mutant, mutants_of
from tests.mutants.running import Baseline, Runner, source

GOAL_PERCENT = 90
#: When the time is over before all have run, so many make a sample.
MIN_SAMPLE = 1_000
#: The limits that are promised are told over all modules in one place.
LIMITS = "tests/contract/test_limits.py"
#: What is mutated, and the tests that mirror it.
MODULES: dict[str, tuple[str, ...]] = {
    **{f"core/{name}.py": (f"tests/core/{Path(name).with_name(f'test_{Path(name).name}.py')}", LIMITS) for name in (
        "gates/gates", "gates/policy", "gates/rules", "gates/approvals", "gates/consent", "gates/leases", "gates/pause",
        "registry/pairing", "catalogue/catalogue", "catalogue/redaction", "catalogue/address_secrets",
    )},
    "core/wire/handshake.py": ("tests/core/wire/test_handshake.py",),
    "hub/extension_door/pairing.py": ("tests/hub/extension_door/test_pairing.py",),
}  # fmt: skip
TESTS = ("tests/core", "tests/hub", LIMITS)
#: Mutants that may live, each with its reason.
KNOWN = Path(__file__).with_name("survivors.toml")


def known() -> dict[tuple[str, str, str, str], str]:
    """What names a mutant that may live → why."""
    entries = tomllib.loads(KNOWN.read_text(encoding="utf-8")).get("survivor", [])
    return {(one["module"], one.get("function", ""), one["was"], one["becomes"]): one["reason"] for one in entries}


class Tally:
    """What became of the mutants."""

    def __init__(self, total: int) -> None:
        self.killed: list[Mutant] = []
        self.survived: list[Mutant] = []
        self.not_run = 0
        self._total = total
        self._began_at = time.monotonic()

    def on_start(self, baseline: Baseline) -> None:
        took_s = time.monotonic() - self._began_at
        print(f"{len(baseline.seconds)} tests pass on the code as it is ({took_s:.0f} s)", flush=True)
        for test in baseline.failed:
            print(f"  not used, it fails without any mutant: {test}", flush=True)

    def on_result(self, mutant: Mutant, is_killed: bool | None) -> None:
        if is_killed is None:
            self.not_run += 1
            return
        (self.killed if is_killed else self.survived).append(mutant)
        done = len(self.killed) + len(self.survived)
        if done % 100 == 0:
            took_s = time.monotonic() - self._began_at
            print(f"  {done:>5} of {self._total}, {len(self.survived)} live, {took_s:.0f} s", flush=True)


def report(tally: Tally, excused: dict[tuple[str, str, str, str], str]) -> bool:
    """Print the table and the survivors; whether the goal is met."""
    total, killed = (Counter(m.module for m in of) for of in (tally.killed + tally.survived, tally.killed))
    print(f"\n  {'module':<24}{'mutants':>9}{'killed':>9}{'survived':>10}{'%':>8}")
    for module in MODULES:
        if total[module]:
            print_row(module, total[module], killed[module])
    print_row(f"all (goal {GOAL_PERCENT} %)", total.total(), killed.total())
    print(f"\nsurvived ({len(tally.survived)}):" if tally.survived else "\nnone survived")
    for mutant in sorted(tally.survived, key=lambda one: (one.module, one.number)):
        print(f"  {mutant.module}:{mutant.line} {mutant.function or '(module)'}")
        print(f"    - {mutant.was}\n    + {mutant.becomes}")
        if why := excused.get(mutant.key):
            print(f"    known: {why}")
    if tally.not_run:
        print(f"\nthe time was over: {tally.not_run} were not run")
    is_enough = not tally.not_run or total.total() >= MIN_SAMPLE
    return is_enough and percent(killed.total(), total.total()) >= GOAL_PERCENT


def print_row(name: str, total: int, killed: int) -> None:
    print(f"  {name:<24}{total:>9}{killed:>9}{total - killed:>10}{percent(killed, total):>8.1f}")


def percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 100.0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--module", action="append", help="of these alone, such as core/gates/policy.py")
    parser.add_argument("--function", help="of functions alone whose name holds this")
    parser.add_argument("--own", action="store_true", help="with the tests alone that mirror the modules: faster")
    parser.add_argument("--sample", type=int, help="so many of them, chosen by the seed")
    parser.add_argument("--seed", type=int, default=1, help="what decides the order, and so the sample (%(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="at a time (%(default)s)")
    parser.add_argument("--minutes", type=float, default=22, help="the longest it may take (%(default)s)")
    chosen = parser.parse_args()

    ends_at = time.monotonic() + chosen.minutes * 60
    every = [mutant for name in MODULES for mutant in mutants_of(source(name), name)]
    excused = known()
    stale = set(excused) - {mutant.key for mutant in every}
    mutants = [m for m in every if not chosen.module or m.module in chosen.module]
    mutants = [m for m in mutants if not chosen.function or chosen.function in m.function]
    random.Random(chosen.seed).shuffle(mutants)
    mutants = mutants[: chosen.sample]
    print(f"{len(mutants)} of {len(every)} mutants, seed {chosen.seed}, {chosen.jobs} at a time", flush=True)

    mirrors = sorted({test for mutant in mutants for test in MODULES[mutant.module]})
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # what runs is ended on the way out
    tally = Tally(len(mutants))
    with tempfile.TemporaryDirectory(prefix="kp-m-") as folder:
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        runner = Runner(
            mutants, MODULES, Path(folder), tests=mirrors if chosen.own else TESTS, jobs=chosen.jobs, ends_at=ends_at,
            told=tally.on_result, started=tally.on_start,
        )  # fmt: skip
        code = runner.run()
    if code:
        print(f"pytest ended with {code}: run the tests of core and hub first")
        return 1
    is_met = report(tally, excused)
    for module, function, was, _ in sorted(stale | (set(excused) & {mutant.key for mutant in tally.killed})):
        print(f"stale in {KNOWN.name}, it is killed or no mutant any more: {module} {function or '(module)'}: {was}")
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
