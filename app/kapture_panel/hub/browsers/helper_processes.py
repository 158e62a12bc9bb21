"""The helper processes of a browser of ours: they end a moment after it."""

from __future__ import annotations

import contextlib
import os
import select
import sys
import time
from collections.abc import Iterable

import psutil


def helpers_of(pid: int) -> list[psutil.Process]:
    """All that the browser with this process number has started, directly or not; none once it has ended."""
    try:
        found: list[psutil.Process] = psutil.Process(pid).children(recursive=True)
    except psutil.Error:
        return []
    return found


def wait_ended(processes: Iterable[psutil.Process], patience_s: float) -> list[psutil.Process]:
    """Wait until all have ended, for `patience_s` in all, and return those that have not.

    One whose parent has not collected it yet has ended, too: in a container without an init nobody ever does.
    """
    deadline = time.monotonic() + patience_s
    return [one for one in processes if not _has_ended(one, max(0.0, deadline - time.monotonic()))]


def _has_ended(process: psutil.Process, patience_s: float) -> bool:
    """Wait until it has ended, or for `patience_s`."""
    try:
        handle = os.pidfd_open(process.pid) if sys.platform == "linux" else None
    except ProcessLookupError:
        return True
    except OSError:  # an old kernel, or a container that forbids it
        handle = None
    if handle is None:  # psutil waits until its parent has collected it, too
        with contextlib.suppress(psutil.TimeoutExpired):
            process.wait(patience_s)
        return not process.is_running()
    try:
        if not process.is_running():
            return True  # its number is another's by now
        end = select.poll()
        end.register(handle, select.POLLIN)
        return bool(end.poll(patience_s * 1000))
    finally:
        os.close(handle)
