"""The person's own browsers: which are installed, and the copy of the extension they load."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.paired import InstalledBrowser

#: What a copy says about where it is from; the shipped one says that it is not to ask by itself.
_MARK = "panel.json"
#: Name, address of the page where extensions are loaded, executables on Linux, under macOS's and Windows' folders.
_KNOWN: tuple[tuple[str, str, tuple[str, ...], str, str], ...] = (
    (
        "Chrome", "chrome://extensions", ("google-chrome-stable", "google-chrome"),
        "Google Chrome.app/Contents/MacOS/Google Chrome", r"Google\Chrome\Application\chrome.exe",
    ),
    (
        "Chromium", "chrome://extensions", ("chromium", "chromium-browser"),
        "Chromium.app/Contents/MacOS/Chromium", r"Chromium\Application\chrome.exe",
    ),
    (
        "Edge", "edge://extensions", ("microsoft-edge-stable", "microsoft-edge"),
        "Microsoft Edge.app/Contents/MacOS/Microsoft Edge", r"Microsoft\Edge\Application\msedge.exe",
    ),
    (
        "Brave", "brave://extensions", ("brave-browser", "brave-browser-stable", "brave"),
        "Brave Browser.app/Contents/MacOS/Brave Browser", r"BraveSoftware\Brave-Browser\Application\brave.exe",
    ),
)  # fmt: skip


def installed() -> list[InstalledBrowser]:
    """Chrome, Chromium, Edge and Brave, as far as they are there."""
    found = []
    for name, address, linux, mac, windows in _KNOWN:
        path = next((path for candidate in _places(linux, mac, windows) if (path := shutil.which(candidate))), None)
        if path is not None:
            found.append(InstalledBrowser(name, path, address))
    return found


def open_window(browser: InstalledBrowser) -> None:
    """Have the person's own browser show a new tab. No browser takes the address of its extensions page from outside.

    Raises:
        KaptureError: `FILE_NOT_FOUND`, it cannot be started.
    """
    if sys.platform.startswith("linux") and os.geteuid() == 0:
        raise KaptureError("FILE_NOT_FOUND", f"{browser.name} does not start for root", "start it yourself")
    try:
        subprocess.Popen(
            [browser.path], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        raise KaptureError("FILE_NOT_FOUND", f"{browser.path} cannot be started: {error.strerror}") from None


def place_extension(source: Path, target: Path, port: int) -> Path:
    """Have the extension in `target`, as it is in `source`, knowing the panel's port; the same one is left alone.

    A browser that loaded it before finds the new files in the same place, and never half of them.

    Returns:
        `target`.

    Raises:
        KaptureError: `INTERNAL`, it cannot be written.
    """
    mark = {"port": port, "introduces": True, "stamp": _stamp(source)}
    fresh, old = target.with_name(f"{target.name}.new"), target.with_name(f"{target.name}.old")
    try:
        if _mark_of(target) == mark and _stamp(target) == mark["stamp"]:
            return target
        for left in (fresh, old):
            shutil.rmtree(left, ignore_errors=True)
        shutil.copytree(source, fresh)
        (fresh / _MARK).write_text(json.dumps(mark, indent=2) + "\n", encoding="utf-8")
        if target.exists():
            target.replace(old)
        fresh.replace(target)
        shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        raise KaptureError("INTERNAL", f"the extension could not be copied to {target}: {error.strerror}") from None
    return target


def port_of(folder: Path) -> int | None:
    """Where the copy of the extension in `folder` looks for the panel; None when there is none."""
    mark = _mark_of(folder)
    port = mark.get("port") if isinstance(mark, dict) else None
    return port if type(port) is int and 0 < port < 65536 else None


def _mark_of(folder: Path) -> object:
    try:
        return json.loads((folder / _MARK).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _stamp(folder: Path) -> str:
    """A hash over the names and contents of the extension's files."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.name != _MARK):
        digest.update(f"{path.relative_to(folder).as_posix()}\n{path.stat().st_size}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:32]


def _places(linux: tuple[str, ...], mac: str, windows: str) -> list[str]:
    if sys.platform == "darwin":
        return [str(root / mac) for root in (Path("/Applications"), Path.home() / "Applications")]
    if sys.platform == "win32":
        names = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
        return [str(Path(os.environ[name]) / windows) for name in names if name in os.environ]
    return list(linux)
