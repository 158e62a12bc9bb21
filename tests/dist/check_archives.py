"""What every package holds, and that a second build gives the same bytes."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.dist.newcomer import DIST, Newcomer, as_built, built
from tests.support.tree import ROOT

PACKAGES = sorted(path.name for path in DIST.glob("*") if path.name not in ("SHA256SUMS", "CONTENTS.txt"))


def test_all_packages_are_there_with_their_checksums() -> None:
    lines = built("SHA256SUMS").read_text().splitlines()
    sums = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    assert sorted(sums) == PACKAGES
    assert len(PACKAGES) == 7
    for name, digest in sums.items():
        assert hashlib.sha256((DIST / name).read_bytes()).hexdigest() == digest, name
        assert f"{name}: " in built("CONTENTS.txt").read_text()


def test_a_second_build_gives_the_same_bytes(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "kapture_dist", "--out", tmp_path], check=True, cwd=ROOT,
        env={**as_built(), "PYTHONPATH": str(ROOT / "packaging")},
    )  # fmt: skip
    different = [name for name in PACKAGES if (tmp_path / name).read_bytes() != (DIST / name).read_bytes()]
    assert different == []


@pytest.mark.parametrize("part", ["extension", "extension-store"])
def test_a_browser_works_with_the_extension_of_the_zip(part: str, tmp_path: Path) -> None:
    """The store's, too, with the key that the store takes out: it is the only difference."""
    with zipfile.ZipFile(built(f"kapture-panel-{part}-0*.zip")) as archive:
        packed = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(built("kapture-panel-extension-0*.zip")) as archive:
        packed["manifest.json"] = archive.read("manifest.json")
    subprocess.run(["tar", "xzf", built("*-linux-*.tar.gz"), "-C", tmp_path], check=True)
    (extension,) = tmp_path.glob("*/lib/python3*/*-packages/kapture_panel/extension")
    subprocess.run(["rm", "-r", extension], check=True)
    for name, content in packed.items():
        place = extension / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    (kapture,) = tmp_path.glob("*/bin/kapture")
    home = tmp_path / "home"
    home.mkdir()
    Newcomer(home).uses_it(kapture)
