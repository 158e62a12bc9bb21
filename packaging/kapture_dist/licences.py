"""Who made what is bundled, and under which licence; read from the packages themselves."""

from __future__ import annotations

import shutil
import sys
import sysconfig
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path

from kapture_dist import source

#: What is in our bundles without being a package of its own: name, licence, where it comes from.
_INSIDE = (
    ("Qt", "LGPL-3.0-only", "in PySide6_Essentials: libraries of its own, which may be replaced"),
    ("ICU", "Unicode-3.0", "in PySide6_Essentials"),
    ("libheif, libde265", "LGPL-3.0-or-later", "in pillow_heif"),
    ("libjpeg-turbo, libpng, libtiff, libwebp, OpenJPEG, zstd, xz",
     "see licences/pillow", "in pillow"),
    ("OpenSSL", "Apache-2.0", "in cryptography"),
    ("Material Design Icons, Font Awesome and the other icon fonts", "see licences/QtAwesome", "in QtAwesome"),
)  # fmt: skip
#: Classifiers end in the licence's name; a few packages say it nowhere else.
_CLASSIFIER = "License :: OSI Approved :: "
#: Debian has the texts that many share; PySide6 brings none.
_COMMON = Path("/usr/share/common-licenses")
_OF_QT = ("LGPL-3", "GPL-3", "GPL-2")
_TEXTS = ("LICEN", "COPYING", "NOTICE", "AUTHORS")


@dataclass(frozen=True)
class Part:
    """A bundled package."""

    name: str
    version: str
    licence: str
    home: str


def parts(packages: Path) -> list[Part]:
    """The packages in the folder `packages`, by name.

    Raises:
        ValueError: one does not say its licence.
    """
    found = [_part(package) for package in distributions(path=[str(packages)])]
    return sorted(found, key=lambda part: part.name.lower())


def write(packages: Path, folder: Path) -> None:
    """Write the list and the texts of all licences into the new folder `folder`."""
    folder.mkdir()
    (folder / "README.md").write_text(listing(parts(packages)), encoding="utf-8")
    shutil.copy(source.ROOT / "LICENSE", folder / "LICENSE")
    python = Path(sysconfig.get_path("stdlib", vars={"base": sys.base_prefix})) / "LICENSE.txt"
    for text, place in [(python, "Python/LICENSE.txt"), *((_COMMON / name, f"Qt/{name}.txt") for name in _OF_QT)]:
        if text.is_file():
            (folder / place).parent.mkdir(exist_ok=True)
            shutil.copy(text, folder / place)
    for about in sorted(packages.glob("*.dist-info")):
        name = about.name.partition("-")[0]
        for text in sorted(
            path for path in about.rglob("*") if path.name.upper().startswith(_TEXTS) and path.is_file()
        ):
            target = folder / name / text.relative_to(about).as_posix().removeprefix("licenses/").replace("/", "-")
            target.parent.mkdir(exist_ok=True)
            shutil.copy(text, target)


def listing(found: list[Part]) -> str:
    """The list as a page."""
    version = ".".join(map(str, sys.version_info[:3]))
    lines = [
        "# What is bundled, and its licences", "",
        f"Kapture Panel {source.version()} is under the MIT licence (LICENSE). With it come:", "",
        "| what | version | licence | home |", "|---|---|---|---|",
        f"| Python | {version} | PSF-2.0 | python.org |",
    ]  # fmt: skip
    lines += [f"| {part.name} | {part.version} | {part.licence} | {part.home} |" for part in found]
    lines += [
        "",
        "Some of these packages bring libraries of others:",
        "",
        "| what | licence | where |",
        "|---|---|---|",
    ]
    lines += [f"| {what} | {licence} | {where} |" for what, licence, where in _INSIDE]
    return "\n".join([*lines, "", "The texts are in the folders beside this file, one for each package.", ""])


def _part(package: Distribution) -> Part:
    about = package.metadata.json
    told = str(about.get("license_expression") or about.get("license", ""))
    classified = [line.removeprefix(_CLASSIFIER) for line in about.get("classifier", []) if _CLASSIFIER in line]
    licence = told if told and "\n" not in told else ", ".join(classified)
    if not licence:
        raise ValueError(f"{package.name} does not say its licence: look, and add it to licences.py")
    links = dict(link.split(", ", 1) for link in about.get("project_url", []))
    home = str(about.get("home_page", "")) or links.get("Homepage") or next(iter(links.values()), "")
    return Part(package.name, package.version, licence, home)
