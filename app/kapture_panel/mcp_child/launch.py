"""Start a panel when none runs: in the tray where there is a display, else without a window."""

import os
import sys

#: A panel without a window, started for an agent, ends this long after its last client.
IDLE_EXIT_S = "600"


def start_panel(root: str) -> int:
    """Start the panel for the data directory `root` as a process of its own and return its pid.

    Its words go to `panel.log` there. Should two children start one at once, the later panel ends by itself.
    An OSError says why none can be started.
    """
    os.makedirs(root, mode=0o700, exist_ok=True)
    command = [sys.executable, "-m", "kapture_panel"]
    command += ["--tray"] if _has_display() else ["serve", "--idle-exit", IDLE_EXIT_S]
    command += ["--data-dir", root]
    if sys.platform == "win32":
        return os.spawnv(os.P_DETACH, sys.executable, [quoted(one) for one in command])
    log = os.path.join(root, "panel.log")
    if os.path.exists(log) and not os.path.isfile(log):  # to open a pipe would be to hang
        raise OSError(f"{log} is not a file, move away what stands there")
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600),
        (os.POSIX_SPAWN_DUP2, 1, 2),
    ]
    return os.posix_spawn(sys.executable, command, os.environ, file_actions=actions, setsid=True)


def quoted(argument: str) -> str:
    """An argument as a program on Windows reads it from its command line: `os.spawnv` only puts spaces between them."""
    if argument and not any(mark in argument for mark in ' \t"'):
        return argument
    made, backslashes = "", 0
    for character in argument:
        if character == "\\":
            backslashes += 1
            continue
        # Before a quotation mark each of them is said twice, and so is the mark's own.
        made += "\\" * (2 * backslashes + 1 if character == '"' else backslashes) + character
        backslashes = 0
    end = "\\" * 2 * backslashes
    return f'"{made}{end}"'


def failure(pid: int, root: str) -> str:
    """Why the started panel has ended already, in its own last words; "" while it runs or another one took over."""
    if sys.platform == "win32":
        return ""
    try:
        ended, status = os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        return ""
    if ended == 0 or os.waitstatus_to_exitcode(status) == 0:
        return ""
    try:
        with open(os.path.join(root, "panel.log"), encoding="utf-8", errors="replace") as log:
            lines = [line.strip() for line in log if line.strip()]
    except OSError:
        lines = []
    return lines[-1] if lines else "it ended at once"


def _has_display() -> bool:
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
