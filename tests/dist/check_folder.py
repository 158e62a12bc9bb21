"""The portable folder, put anywhere."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

import PIL.Image
import pillow_heif
import pytest

from tests.dist.newcomer import Newcomer, built

READ = """
import sys, PIL.Image, pillow_heif
pillow_heif.register_heif_opener()
for name in sys.argv[1:]:
    with PIL.Image.open(name) as picture:
        assert picture.convert("RGB").size == (64, 48), name
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Unpacked where the path has all that a path may have."""
    place = tmp_path / "Größe 100% $HOME"
    place.mkdir()
    subprocess.run(["tar", "xzf", built("*-linux-*.tar.gz"), "-C", place], check=True)
    (folder,) = place.iterdir()
    return folder


def state(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


async def test_it_works_and_nothing_in_it_changes(folder: Path, tmp_path: Path) -> None:
    before = state(folder)
    home = tmp_path / "home"
    home.mkdir()
    newcomer = Newcomer(home)
    newcomer.uses_it(folder / "bin" / "kapture")
    assert "kapturemcp_click" in await newcomer.asks_as_an_agent(folder / "bin" / "kapture", "mcp")
    assert state(folder) == before


def test_another_python_in_the_environment_is_not_asked(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('the wrong json')")
    kapture = folder / "bin" / "kapture"
    misled = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "PYTHONPATH": str(tmp_path), "PYTHONHOME": "/nowhere"}
    said = subprocess.run([kapture, "--version"], env=misled, capture_output=True, text=True)
    assert (said.returncode, said.stderr) == (0, "")


def test_it_reads_every_kind_of_picture_that_the_panel_takes(folder: Path, tmp_path: Path) -> None:
    pillow_heif.register_heif_opener()
    pictures = [tmp_path / f"picture.{kind}" for kind in ("png", "jpeg", "gif", "webp", "heic")]
    for picture in pictures:
        PIL.Image.new("RGB", (64, 48), "teal").save(picture)
    Newcomer(tmp_path).run(folder / "bin" / "python3", "-c", READ, *pictures)


def test_every_bundled_package_has_its_licence(folder: Path) -> None:
    listed = (folder / "licences" / "README.md").read_text(encoding="utf-8")
    packages = list(folder.glob("lib/python3*/*-packages/*.dist-info"))
    assert len(packages) > 30
    for package in packages:
        name = package.name.partition("-")[0]
        assert f"| {name.replace('_', '-').lower()} |" in listed.replace("_", "-").lower(), name
    assert (folder / "licences" / "Qt" / "LGPL-3.txt").is_file()
    assert (folder / "licences" / "Python" / "LICENSE.txt").is_file()


def test_nothing_in_it_names_the_machine_that_built_it(folder: Path) -> None:
    from kapture_dist import source

    found = subprocess.run(["grep", "-rlF", str(source.ROOT), folder], capture_output=True, text=True)
    assert found.stdout == ""
