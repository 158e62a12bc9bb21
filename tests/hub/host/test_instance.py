"""One process per data directory, and nothing left behind however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from kapture_panel.hub.host.instance import Instance
from tests.support.patience import PATIENCE_S

#: Takes the lock, has the file swept, says so, and waits to be ended.
#: A shell starts its background jobs deaf to Ctrl+C, and this suite may be one.
OWNER = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from pathlib import Path
from kapture_panel.hub.host.instance import Instance
lock, file = map(Path, sys.argv[1:])
instance = Instance(lock)
assert instance.acquire(lambda: True)
instance.sweep_at_end(file)
file.touch()
print(instance._sweeper.pid, flush=True)
sys.stdin.read()
instance.release()
"""


class Owner:
    """Another process that owns the data directory."""

    def __init__(self, lock: Path, file: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", OWNER, str(lock), str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin, self._words = self.process.stdin, self.process.stdout
        self.sweeper = int(self._words.readline())

    def end(self) -> None:
        self.stdin.close()
        self.process.wait()
        self._words.close()


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    return tmp_path / "instance.lock"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "door.sock"


@pytest.fixture
def owner(lock: Path, file: Path) -> Iterator[Owner]:
    made = Owner(lock, file)
    yield made
    made.end()


def test_there_is_one_owner_at_a_time(lock: Path) -> None:
    first, second = Instance(lock), Instance(lock)
    assert first.acquire(lambda: False)
    assert not second.acquire(lambda: True)
    first.release()
    assert second.acquire(lambda: True)
    assert lock.stat().st_mode & 0o777 == 0o600
    second.release()


def test_an_owner_that_neither_answers_nor_ends_is_not_waited_for_forever(lock: Path) -> None:
    first = Instance(lock)
    assert first.acquire(lambda: False)
    assert not Instance(lock).acquire(lambda: False, wait_s=0.0)
    first.release()


def test_an_owner_that_is_just_ending_is_waited_for(lock: Path) -> None:
    first, second = Instance(lock), Instance(lock)
    assert first.acquire(lambda: False)

    def answers() -> bool:
        first.release()
        return False

    assert second.acquire(answers, wait_s=PATIENCE_S)
    second.release()


def test_another_process_owns_it_until_it_ends(owner: Owner, lock: Path, file: Path) -> None:
    instance = Instance(lock)
    assert not instance.acquire(lambda: True)
    owner.stdin.close()
    assert owner.process.wait() == 0
    assert not file.exists()
    assert instance.acquire(lambda: False, wait_s=PATIENCE_S)
    instance.release()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_killed_owner_leaves_neither_file_nor_lock(
    owner: Owner, lock: Path, file: Path, number: signal.Signals
) -> None:
    assert file.exists()
    owner.process.send_signal(number)
    owner.process.wait()
    # The sweeper holds the lock until it has swept: whoever gets it finds all clean.
    instance = Instance(lock)
    assert instance.acquire(lambda: False, wait_s=PATIENCE_S)
    assert not file.exists()
    instance.release()


def test_the_sweeper_outlives_a_ctrl_c_in_the_terminal(owner: Owner) -> None:
    assert os.getsid(owner.sweeper) != os.getsid(owner.process.pid)
    assert os.getpgid(owner.sweeper) != os.getpgid(owner.process.pid)


def test_a_name_with_odd_letters_is_swept_too(lock: Path, tmp_path: Path) -> None:
    odd = tmp_path / "a 'b' $(touch x) *.sock"
    odd.touch()
    kept = tmp_path / "a other.sock"
    kept.touch()
    instance = Instance(lock)
    assert instance.acquire(lambda: False)
    instance.sweep_at_end(odd)
    instance.release()
    assert not odd.exists()
    assert {path.name for path in tmp_path.iterdir()} == {"instance.lock", "a other.sock"}


def test_folders_are_swept_with_all_they_hold(lock: Path, file: Path, tmp_path: Path) -> None:
    (tmp_path / "data" / "deep").mkdir(parents=True)
    (tmp_path / "data" / "deep" / "file").touch()
    file.touch()
    instance = Instance(lock)
    assert instance.acquire(lambda: False)
    instance.sweep_at_end(file, tmp_path / "data")
    instance.release()
    assert [path.name for path in tmp_path.iterdir()] == ["instance.lock"]


def test_the_sweeper_waits_for_a_child_that_outlives_us(lock: Path, file: Path) -> None:
    file.touch()
    instance = Instance(lock)
    assert instance.held_open == ()
    assert instance.acquire(lambda: False)
    instance.sweep_at_end(file)
    outlives = ["/bin/sh", "-c", 'read -r _; test -e "$0"', str(file)]
    with subprocess.Popen(outlives, stdin=subprocess.PIPE, pass_fds=instance.held_open) as child:
        releasing = threading.Thread(target=instance.release)
        releasing.start()
        child.communicate(b"\n")
        releasing.join()
    assert child.returncode == 0
    assert not file.exists()


def test_releasing_twice_is_nothing(lock: Path) -> None:
    instance = Instance(lock)
    assert instance.acquire(lambda: False)
    instance.release()
    instance.release()
