"""Runs tests against mutants in forked copies of one process that has collected them all: nothing is written.

A mutant of a function gets into the copy by the function's `__code__`, whoever holds the function. What is done when a
module is imported or tests are collected cannot be changed that way: there the copy forgets all of ours, takes the
module from the mutant's tree, and collects the mirroring tests again.
"""

from __future__ import annotations

import functools
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import json
import os
import resource
import signal
import sys
import time
import types
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.mutants.mutations import Mutant, called, telling_its_calls

ROOT = Path(__file__).parents[2]
APP = ROOT / "app"
#: What tests elsewhere than in the module's own file may take for one mutant.
OTHERS_S = 3.0
#: A mutant may take this and so many times what the tests took before; then it hangs, which is noticed.
SPARE_S, SPARE_TIMES = 15.0, 8
MAX_MEMORY_BYTES = 6 * 1024**3
#: What an instrumented function calls.
NOTE = "_note_call"
OURS = ("kapture_panel", "tests")
ARGUMENTS = [
    "-qq", "-x", "-s", "--no-header", "--no-summary", "-p", "no:cacheprovider",
    "-W", "ignore::pytest.PytestAssertRewriteWarning",
]  # fmt: skip
KILLED, SURVIVED = 1, 0


@dataclass
class Baseline:
    """What the tests do with the code as it is: seconds of each that passed, and the functions it calls; the
    functions called while collecting."""

    seconds: dict[str, float] = field(default_factory=dict)
    callers: dict[str, list[str]] = field(default_factory=dict)
    at_import: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def tests_of(self, mutant: Mutant, mirrors: Sequence[str]) -> list[str]:
        """Those that call the function: of the files that mirror the module all, of others the fastest."""
        known = self.callers.get(called(mutant.module, mutant.function), [])
        own = [test for test in known if test.split("::")[0] in mirrors]
        left_s, chosen = OTHERS_S, []
        for test in sorted(set(known) - set(own), key=lambda test: self.seconds[test]):
            left_s -= self.seconds[test]
            if left_s < 0:
                break
            chosen.append(test)
        return sorted(own, key=lambda test: self.seconds[test]) + chosen


def source(module: str) -> Path:
    """Where `core/gates/policy.py` is."""
    return APP / "kapture_panel" / module


def module_name(module: str) -> str:
    """`core/gates/policy.py` as Python calls it."""
    return "kapture_panel." + module.removesuffix(".py").replace("/", ".")


class Runner:
    """A plugin for pytest that runs the mutants instead of the tests.

    Args:
        modules: what is mutated, and the test files that mirror each.
        tests: folders and files whose tests there are.
        told: gets each mutant with whether it was killed, and None for one that was not run.
    """

    def __init__(
        self,
        mutants: Sequence[Mutant],
        modules: dict[str, tuple[str, ...]],
        folder: Path,
        *,
        tests: Sequence[str],
        jobs: int,
        ends_at: float,
        told: Callable[[Mutant, bool | None], None],
        started: Callable[[Baseline], None],
    ) -> None:
        self._mutants = mutants
        self._modules = modules
        self._folder = folder
        self._tests = tests
        self._jobs = jobs
        self._ends_at = ends_at
        self._told = told
        self._started = started
        #: The functions that were called since this was emptied.
        self._calls: set[str] = set()
        self._serial = 0
        #: Process id → its mutant (None: the code as it is), and until when it may run.
        self._running: dict[int, tuple[Mutant | None, float]] = {}

    def run(self) -> int:
        """Collect the tests and run the mutants; returns pytest's exit code, 0 when all went its way."""
        codes = {
            module_name(name): functools.partial(telling_its_calls, source(name), name, NOTE) for name in self._modules
        }
        sys.meta_path.insert(0, _Importing(codes, self._calls.add))
        tests = [str(ROOT / test) for test in self._tests]
        try:
            return int(pytest.main([*ARGUMENTS, f"--basetemp={self._folder / 'all'}", *tests], plugins=[self]))
        finally:
            self.end()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise session.Failed("the tests could not be collected")
        at_import = sorted(self._calls)
        items = {item.nodeid: item for item in session.items}
        notes = self._folder / "baseline.json"
        child = self._fork(lambda: self._measure(session, notes))
        self._running[child] = None, self._ends_at
        if self._ended()[1] != 0:
            raise session.Failed("the tests could not be run on the code as it is")
        baseline = Baseline(**json.loads(notes.read_text()))
        baseline.at_import = at_import
        self._started(baseline)
        self._run_all(items, baseline)
        return True

    def _measure(self, session: pytest.Session, notes: Path) -> int:
        """In a copy: each test once, with what it calls."""
        baseline, callers = Baseline(), defaultdict(list)
        self._own_folder(session.config)
        for at, item in enumerate(session.items):
            following = session.items[at + 1] if at + 1 < len(session.items) else None
            began_at = time.perf_counter()
            self._calls.clear()
            if not _passes(item, following):
                baseline.failed.append(item.nodeid)
                continue
            baseline.seconds[item.nodeid] = time.perf_counter() - began_at
            for name in sorted(self._calls):
                callers[name].append(item.nodeid)
        baseline.callers = dict(callers)
        notes.write_text(json.dumps(baseline.__dict__))
        return 0

    def _run_all(self, items: dict[str, pytest.Item], baseline: Baseline) -> None:
        waiting = iter(self._mutants)
        while True:
            while len(self._running) < self._jobs and (mutant := next(waiting, None)) is not None:
                if time.monotonic() > self._ends_at:
                    self._told(mutant, None)
                    continue
                child, allowed_s = self._start(mutant, items, baseline)
                self._running[child] = mutant, time.monotonic() + allowed_s
            if not self._running:
                return
            ended, code = self._ended()
            assert ended is not None
            self._told(ended, code != SURVIVED)

    def _ended(self) -> tuple[Mutant | None, int]:
        """Wait until one of the copies has ended; it ends when its time is over."""
        while True:
            child, status = os.waitpid(-1, os.WNOHANG)
            if child in self._running:
                mutant, _ = self._running.pop(child)
                _end_group(child)
                return mutant, os.waitstatus_to_exitcode(status)
            time.sleep(0.01)
            for late in [child for child, (_, until) in self._running.items() if time.monotonic() > until]:
                _end_group(late)

    def end(self) -> None:
        """End what runs still: the run was broken off."""
        for child in self._running:
            _end_group(child)

    def _start(self, mutant: Mutant, items: dict[str, pytest.Item], baseline: Baseline) -> tuple[int, float]:
        mirrors = self._modules[mutant.module]
        tests = baseline.tests_of(mutant, mirrors)
        # What lives is run against all tests of the module's own: a value that is kept is made in the first that asks.
        is_anew = not mutant.function or called(mutant.module, mutant.function) in baseline.at_import
        rest = [test for test in baseline.seconds if test.split("::")[0] in mirrors and (is_anew or test not in tests)]
        measured_s = sum(baseline.seconds[test] for test in tests + rest)

        def work() -> int:
            if mutant.function and self._in_place(mutant, [items[test] for test in tests]) == KILLED:
                return KILLED
            return self._anew(mutant, mirrors) if is_anew else self._in_place(mutant, [items[test] for test in rest])

        return self._fork(work), SPARE_S + SPARE_TIMES * measured_s

    def _in_place(self, mutant: Mutant, items: list[pytest.Item]) -> int:
        if not _swap(mutant):
            return KILLED  # it does not even compile to the same names
        if items:
            self._own_folder(items[0].config)
        for at, item in enumerate(items):
            if not _passes(item, items[at + 1] if at + 1 < len(items) else None):
                return KILLED
        return SURVIVED

    def _anew(self, mutant: Mutant, tests: Sequence[str]) -> int:
        for name in [name for name in sys.modules if name.split(".")[0] in OURS and "mutants" not in name]:
            del sys.modules[name]
        sys.meta_path.insert(0, _Importing({module_name(mutant.module): mutant.compiled}, self._calls.add))
        code = pytest.main([*ARGUMENTS, f"--basetemp={self._own()}", *(str(ROOT / test) for test in tests)])
        return SURVIVED if code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) else KILLED

    def _fork(self, work: Callable[[], int]) -> int:
        self._serial += 1
        child = os.fork()
        if child:
            return child
        code = 70
        try:
            os.setpgid(0, 0)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
            if "KAPTURE_MUTANTS_SHOW" not in os.environ:
                nothing = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nothing, 1)
                os.dup2(nothing, 2)
            code = work()
        finally:
            os._exit(code)

    def _own(self) -> Path:
        return self._folder / str(self._serial)

    def _own_folder(self, config: pytest.Config) -> None:
        """Copies must not meet in one folder for temporary files; pytest has no door for it."""
        factory = config._tmp_path_factory  # type: ignore[attr-defined]
        factory._given_basetemp, factory._basetemp = self._own(), None


def _passes(item: pytest.Item, following: pytest.Item | None) -> bool:
    reports: list[pytest.TestReport] = []

    class Listening:
        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            reports.append(report)

    listening = Listening()
    item.config.pluginmanager.register(listening)
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
    item.config.pluginmanager.unregister(listening)
    return bool(reports) and not any(report.failed for report in reports)


def _end_group(child: int) -> None:
    """The copy and whatever its tests started."""
    try:
        os.killpg(child, signal.SIGKILL)
    except ProcessLookupError:
        return


def _held(mutant: Mutant) -> Any:
    """What the module has under the function's name."""
    held: Any = sys.modules[module_name(mutant.module)]
    for part in mutant.function.split("."):
        held = inspect.getattr_static(held, part)
    return held


def _swap(mutant: Mutant) -> bool:
    found: Any = mutant.compiled()
    for part in mutant.function.split("."):
        found = next(one for one in found.co_consts if isinstance(one, types.CodeType) and one.co_name == part)
    function = _function(_held(mutant))
    if function.__code__.co_freevars != found.co_freevars:
        return False
    function.__code__ = found
    return True


def _function(held: Any) -> types.FunctionType:
    """The function in what a decorator made of it."""
    if isinstance(held, property):
        held = held.fget
    elif isinstance(held, functools.cached_property):
        held = held.func
    elif isinstance(held, staticmethod | classmethod):
        held = held.__func__
    held = inspect.unwrap(held)
    assert isinstance(held, types.FunctionType)
    return held


class _Importing(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports modules from code of ours: name → what makes it."""

    def __init__(self, codes: Mapping[str, Callable[[], types.CodeType]], note: Callable[[str], None]) -> None:
        self._codes = codes
        self._note = note

    def find_spec(self, fullname: str, path: object, target: object = None) -> importlib.machinery.ModuleSpec | None:
        if fullname not in self._codes:
            return None
        origin = source(fullname.removeprefix("kapture_panel.").replace(".", "/") + ".py")
        return importlib.util.spec_from_file_location(fullname, origin, loader=self)

    def exec_module(self, module: types.ModuleType) -> None:
        setattr(module, NOTE, self._note)
        exec(self._codes[module.__name__](), module.__dict__)
