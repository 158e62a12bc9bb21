"""One process per data directory: the lock, and the sweeper that cleans up however this process ends."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

#: Removes its arguments when all other ends of its standard input are gone, then lets go of the lock it inherited.
#: The folder of sockets goes, too, when it is empty.
_SWEEP = 'while read -r _; do :; done; rm -rf -- "$@"; rmdir -- "${1%/*}" 2>/dev/null'
_LOOK_AGAIN_S = 0.02


class Instance:
    """The lock of a data directory.

    Args:
        lock: the lock file; it is never deleted, the system frees the lock with its holder.
    """

    def __init__(self, lock: Path) -> None:
        self._path = lock
        self._descriptor: int | None = None
        self._sweeper: subprocess.Popen[bytes] | None = None

    def acquire(self, answers: Callable[[], bool], wait_s: float = 10.0) -> bool:
        """Become the one process of this data directory.

        An owner that is just starting or just ending does not answer yet or any more: it is waited for.

        Args:
            answers: whether the owner's door answers.
            wait_s: how long to wait for an owner that neither answers nor ends.

        Returns:
            False when another process is the owner.
        """
        deadline = time.monotonic() + wait_s
        while not self._try():
            if answers() or time.monotonic() > deadline:
                return False
            time.sleep(_LOOK_AGAIN_S)
        return True

    @property
    def held_open(self) -> tuple[int, ...]:
        """Descriptors to pass to a child that outlives us by a moment: the sweeper waits for it, too."""
        return (self._sweeper.stdin.fileno(),) if self._sweeper is not None and self._sweeper.stdin else ()

    def sweep_at_end(self, *leftovers: Path) -> None:
        """Have files and folders removed when this process ends, kill -9 included."""
        if sys.platform == "win32":
            return
        assert self._descriptor is not None, "only the owner sweeps"
        self._sweeper = subprocess.Popen(
            ["/bin/sh", "-c", _SWEEP, "kapture-sweeper", *map(str, leftovers)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(self._descriptor,),
            start_new_session=True,
        )

    def release(self) -> None:
        """Sweep and let go of the lock."""
        if self._sweeper is not None:
            assert self._sweeper.stdin is not None
            self._sweeper.stdin.close()
            self._sweeper.wait()
            self._sweeper = None
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _try(self) -> bool:
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if sys.platform == "win32":
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            return False
        self._descriptor = descriptor
        return True
