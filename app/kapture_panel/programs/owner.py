"""Becoming the process that owns a data directory, and what every owner sets up."""

from __future__ import annotations

import argparse
import asyncio
import logging
import logging.handlers
import os
import shlex
import signal
import stat
import sys

from kapture_panel.core.basics import sanitize
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.catalogue import redaction
from kapture_panel.hub.agent_door import door_client
from kapture_panel.hub.host.instance import Instance
from kapture_panel.hub.hub import Options
from kapture_panel.paths import DataDir
from kapture_panel.programs import terminal

MAX_LOG_BYTES = 1_000_000
_LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class _Masked(logging.Formatter):
    """Takes the secrets out of the addresses that messages and tracebacks hold, and what a terminal would obey."""

    def format(self, record: logging.LogRecord) -> str:
        return sanitize.text(redaction.masked_text(super().format(record)))


def open_data(override: str | None) -> DataDir:
    """The data folder of the command line, for its owner.

    Raises:
        KaptureError: `INVALID_PARAMS` when it cannot be one: others may write there, it cannot be made, or something
            else stands where its files and folders go.
    """
    try:
        data = DataDir.open(override)
        mode = stat.S_IMODE(data.root.stat().st_mode)
    except OSError as error:
        why = f"{error.filename} cannot be the data folder ({error.strerror})"
        raise KaptureError("INVALID_PARAMS", why, "choose another with --data-dir") from None
    if os.name == "posix" and mode & (stat.S_IWGRP | stat.S_IWOTH):
        why = f"others may write in the data folder {data.root} (mode {mode:o})"
        raise KaptureError("INVALID_PARAMS", why, f"keep them out: chmod 700 {shlex.quote(str(data.root))}")
    for place, kind in data.misplaced():
        raise KaptureError("INVALID_PARAMS", f"{place} is not a {kind}", "move away what stands there")
    return data


def take(data: DataDir) -> Instance | None:
    """The lock of `data`, or None when another process owns it."""
    instance = Instance(data.lock)
    return instance if instance.acquire(lambda: door_client.answers(data.root)) else None


def ask(data: DataDir, what: str) -> bool:
    """Ask the owner to "raise" its window or to "hand-over"; False when it does not know how to."""
    try:
        with door_client.DoorClient(data.root, {"role": "control"}, timeout_s=10) as panel:
            panel.ask({"ask": what})
    except KaptureError as error:
        if error.code == "INVALID_PARAMS":
            return False
        raise
    return True


def hub_options(options: argparse.Namespace, *, headless: bool | None) -> Options:
    """The hub's options from the command line."""
    return Options(
        port=options.port,
        policy=options.policy,
        own_policy=options.own_policy,
        headless=headless,
        allow_dirs=tuple(options.allow_dir),
    )


def end_on_signals(ended: asyncio.Event) -> None:
    """Set `ended` on Ctrl-C and SIGTERM."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        if sys.platform == "win32":
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(ended.set))
        else:
            loop.add_signal_handler(number, ended.set)


class _LogFile(logging.handlers.RotatingFileHandler):
    """The log; while its disk is full it has gaps."""

    def handleError(self, record: logging.LogRecord) -> None:
        # Python would print a traceback for each line, and there is no other place to tell it.
        if not isinstance(sys.exc_info()[1], OSError):
            super().handleError(record)


def log_to(data: DataDir) -> None:
    """Write warnings and what matters to the instance's own log; a terminal sees warnings too."""
    os.umask(0o077)
    file = _LogFile(data.log, maxBytes=MAX_LOG_BYTES, backupCount=1, encoding="utf-8")
    file.setFormatter(_Masked(_LOG_FORMAT))
    handlers: list[logging.Handler] = [file]
    if terminal.shows_errors():
        shown = terminal.log_handler()
        shown.setFormatter(_Masked(_LOG_FORMAT))
        shown.setLevel(logging.WARNING)
        handlers.append(shown)
    logging.basicConfig(level=logging.INFO, format=_LOG_FORMAT, handlers=handlers)
    # The wire's frames and the agents' protocol would fill the log with what pages say.
    for chatty in ("websockets", "mcp", "asyncio", "qasync", "kapture_panel.hub.extension_door.listener.websockets"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
