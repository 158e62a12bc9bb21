"""`make soak`: every long check in a process of its own; goals and figures, and exit code 1 when one is missed."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

from tests.soak import (
    clock,
    cuts,
    damage,
    dialogs,
    disk_full,
    flood,
    hostile_frames,
    hostile_fuzz,
    keyboard,
    kills,
    properties,
    restarts,
    restless_pages,
    scale,
    second_panels,
    sigterm,
    sleep,
    slow_client,
    vanishing,
    workers,
)
from tests.soak.check import Check, Figure
from tests.support.failures import innermost

CHECKS: tuple[Check, ...] = (
    hostile_frames.CHECK,
    hostile_fuzz.CHECK,
    keyboard.CHECK,
    properties.CHECK,
    restless_pages.CHECK,
    cuts.CHECK,
    kills.CHECK,
    workers.CHECK,
    restarts.CHECK,
    vanishing.CHECK,
    dialogs.CHECK,
    second_panels.CHECK,
    flood.CHECK,
    damage.CHECK,
    slow_client.CHECK,
    disk_full.CHECK,
    sigterm.CHECK,
    sleep.CHECK,
    clock.CHECK,
    scale.CHECK,
)

#: All checks with their usual amounts may take so long together.
MOST_S = 40 * 60
#: An interrupted check has so long to end what it started.
ORDERLY_S = 30


def measured(check: Check, folder: Path, is_full: bool) -> Figure:
    """The figure of a check from a process of its own, which is ended with all it started."""
    answer = folder / "figure.json"
    how = ["--measure", check.name, "--folder", str(folder), *(["--full"] if is_full else [])]
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.soak", *how],
        env={**os.environ, "TMPDIR": str(folder)},
        start_new_session=True,
    )
    try:
        code = child.wait(check.patience_s(is_full))
    except subprocess.TimeoutExpired:
        return Figure(f"not done after {check.patience_s(is_full):.0f} s", is_met=False)
    finally:
        end(child)
    if code != 0 or not answer.exists():
        return Figure(f"ended with {code}, see above", is_met=False)
    return Figure(**json.loads(answer.read_text(encoding="utf-8")))


def end(child: subprocess.Popen[bytes]) -> None:
    """Interrupt it, so that it ends its browsers, which write into its folder; then whatever is left of it."""
    child.send_signal(signal.SIGINT)
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(ORDERLY_S)
    end_group(child.pid)
    child.wait()


def end_group(leader: int) -> None:
    """A process and what it started; nothing when all have gone."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        return


def main() -> int:
    names = [check.name for check in CHECKS]
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("only", nargs="*", help=f"of these alone: {', '.join(names)}")
    parser.add_argument("--full", action="store_true", help="the full amount of each check; it takes many hours")
    parser.add_argument("--measure", choices=names, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if unknown := sorted(set(given.only) - set(names)):
        parser.error(f"no check {unknown[0]!r}; there are {', '.join(names)}")
    checks = [check for check in CHECKS if check.name in (given.only or names)]
    if given.measure:
        logging.basicConfig(level=logging.ERROR)  # that a tab crashed is what a check wants
        check = next(check for check in CHECKS if check.name == given.measure)
        try:
            figure = asyncio.run(check.measure(given.folder, check.amount.count(given.full)))
        except BaseExceptionGroup as group:  # each MCP client around a check wraps its error in groups
            raise innermost(group) from None
        (given.folder / "figure.json").write_text(json.dumps(asdict(figure)), encoding="utf-8")
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # not without ending what was started
    missed, all_began_at = 0, time.monotonic()
    for check in checks:
        began_at = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="kp-s-") as folder:
            figure = measured(check, Path(folder), given.full)
        missed += not (figure.is_met or figure.is_left_out)
        verdict = "left out" if figure.is_left_out else "met" if figure.is_met else "MISSED"
        print(f"  {verdict:<10}{check.name:<18}{time.monotonic() - began_at:>6.0f} s")
        print(f"          goal: {check.goal}\n          done: {check.amount.shown(given.full)}")
        print(f"          found: {figure.shown}", flush=True)
    total_s = time.monotonic() - all_began_at
    is_too_long = total_s > MOST_S and not given.full
    missed += is_too_long
    print(f"  {'MISSED' if is_too_long else 'took':<10}{'all of it':<18}{total_s:>6.0f} s")
    print(f"          goal: the usual amounts take at most {MOST_S // 60} minutes together")
    print(f"make soak: {f'{missed} of {len(checks) + 1} goals were missed' if missed else 'no goal was missed'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
