"""The Debian package: installed by root, used by somebody else, removed."""

from __future__ import annotations

import os
import pwd
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from kapture_dist import contents
from tests.dist.newcomer import Newcomer, built

USER = "kapture-newcomer"
MOST_BYTES = 210_000_000
#: Where a package or a program could leave something.
PLACES = ("/etc", "/opt", "/usr", "/var/lib", "/var/log")


def test_the_distributions_tools_find_no_error(tmp_path: Path) -> None:
    subprocess.run(["lintian", "--fail-on", "error", str(built("*.deb"))], check=True)
    subprocess.run(["dpkg-deb", "--extract", built("*.deb"), tmp_path], check=True)
    share = tmp_path / "usr" / "share"
    entry = share / "applications" / "kapture-panel.desktop"
    subprocess.run(["desktop-file-validate", entry], check=True)
    assert "@" not in entry.read_text(encoding="utf-8"), "a place that nothing was put into"
    (about,) = (share / "metainfo").iterdir()
    subprocess.run(["appstreamcli", "validate", "--no-net", about], check=True)
    manual = ["man", "--warnings", "--local-file", str(share / "man" / "man1" / "kapture.1.gz")]
    assert subprocess.run(manual, check=True, capture_output=True, text=True).stderr == ""


def test_it_is_small_and_says_what_the_size_consists_of() -> None:
    files = contents.inside(built("*.deb"))
    told = subprocess.run(["dpkg-deb", "--field", built("*.deb"), "Installed-Size"], capture_output=True, check=True)
    assert sum(files.values()) <= int(told.stdout) * 1024 <= MOST_BYTES
    assert sum(contents.shares(files).values()) == sum(files.values())
    outside = [name for name in files if not name.startswith("./usr/lib/kapture-panel/")]
    assert not [name for name in outside if "autostart" in name or "systemd" in name]


@pytest.fixture
def somebody() -> Iterator[Newcomer]:
    """A user of this machine who is nobody in particular."""
    assert os.geteuid() == 0, "installing a package needs root: sudo make test-dist"
    subprocess.run(["useradd", "--create-home", "--shell", "/bin/sh", USER], check=True)
    try:
        home = Path(pwd.getpwnam(USER).pw_dir)
        yield Newcomer(home, prefix=["setpriv", "--reuid", USER, "--regid", USER, "--init-groups"])
    finally:
        subprocess.run(["userdel", "--remove", USER], check=True)


@pytest.fixture
def installed() -> Iterator[set[str]]:
    """With the package; gives the names of ours that were there before, and looks for them again afterwards."""
    assert os.geteuid() == 0, "installing a package needs root: sudo make test-dist"
    before = of_ours()
    install = ["apt-get", "install", "-qq", "-y", "--no-install-recommends", str(built("*.deb"))]
    subprocess.run(install, check=True, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
    try:
        yield before
    finally:
        subprocess.run(["apt-get", "purge", "-qq", "-y", "kapture-panel"], check=True)
    assert of_ours() == before


def of_ours() -> set[str]:
    """Every file of the system that bears our name."""
    found = subprocess.run(["find", *PLACES, "-iname", "*kapture*"], capture_output=True, text=True)
    return {path for path in found.stdout.splitlines() if "/var/log/" not in path}


def test_somebody_uses_it_and_only_their_data_stays(somebody: Newcomer, installed: set[str]) -> None:
    assert of_ours() - installed >= {"/usr/bin/kapture", "/usr/share/applications/kapture-panel.desktop"}
    somebody.uses_it("kapture")
    assert "KAPTURE" in somebody.run("man", "kapture").upper()
    changed = subprocess.run(["dpkg", "--verify", "kapture-panel"], capture_output=True, text=True)
    assert changed.stdout == ""
