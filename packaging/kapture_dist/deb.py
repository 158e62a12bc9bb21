"""The package for Debian and Ubuntu: the portable folder in /usr/lib, and what a desktop looks for in its places."""

from __future__ import annotations

import email.utils
import hashlib
import os
import re
import shutil
import textwrap
from pathlib import Path

from kapture_dist import archives, binaries, qt, source, tools

NAME = "kapture-panel"
TOOLS = ("dpkg-deb", "dpkg-shlibdeps")
_COMPONENT = "io.github.kapture_panel.KapturePanel.metainfo.xml"
_PIXELS = re.compile(r"kapture-(\d+)\.png")
#: Shell → where it looks for completions.
_COMPLETIONS = {
    "bash": "usr/share/bash-completion/completions/kapture",
    "zsh": "usr/share/zsh/vendor-completions/_kapture",
    "fish": "usr/share/fish/vendor_completions.d/kapture.fish",
}


def build(folder: Path, out: Path) -> list[Path]:
    """Write the package of the portable `folder` into `out`."""
    root = source.BUILD / "deb"
    if root.exists():
        shutil.rmtree(root)
    _put_program(folder, root)
    _put_desktop(root)
    _put_documents(folder, root)
    _write_control(root)
    _make_plain(root)
    package = out / f"{NAME}_{source.version()}_{_architecture()}.deb"
    tools.run(["dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, package])
    return [package]


def _put_program(folder: Path, root: Path) -> None:
    program = root / "usr" / "lib" / NAME
    program.mkdir(parents=True)
    for part in ("bin", "lib"):
        shutil.copytree(folder / part, program / part, symlinks=True)
    (root / "usr" / "bin").mkdir()
    for name in ("kapture", NAME):
        (root / "usr" / "bin" / name).symlink_to(f"../lib/{NAME}/bin/kapture")


def _put_desktop(root: Path) -> None:
    share = root / "usr" / "share"
    entry = (source.RESOURCES / "desktop" / f"{NAME}.desktop").read_text(encoding="utf-8")
    for place in ("@program@", "@exec@"):
        entry = entry.replace(place, "kapture")
    _put(share / "applications" / f"{NAME}.desktop", entry.encode())
    _put(share / "metainfo" / _COMPONENT, (source.RESOURCES / "desktop" / _COMPONENT).read_bytes())
    theme = share / "icons" / "hicolor"
    _put(theme / "scalable" / "apps" / f"{NAME}.svg", (source.RESOURCES / "icons" / "kapture.svg").read_bytes())
    for icon in (source.RESOURCES / "icons").iterdir():
        if pixels := _PIXELS.fullmatch(icon.name):
            _put(theme / f"{pixels[1]}x{pixels[1]}" / "apps" / f"{NAME}.png", icon.read_bytes())


def _put_documents(folder: Path, root: Path) -> None:
    manual = root / "usr" / "share" / "man" / "man1"
    _put(manual / "kapture.1.gz", archives.compressed((source.PACKAGING / "man" / "kapture.1").read_bytes()))
    (manual / f"{NAME}.1.gz").symlink_to("kapture.1.gz")
    for shell, place in _COMPLETIONS.items():
        _put(root / place, tools.run([folder / "bin" / "kapture", "completion", shell]).encode())
    documents = root / "usr" / "share" / "doc" / NAME
    shutil.copytree(folder / "licences", documents / "licences")
    (documents / "licences" / "LICENSE").unlink()  # it is in `copyright`
    when = email.utils.formatdate(source.epoch())
    head = (source.PACKAGING / "debian" / "control").read_text(encoding="utf-8")
    who = re.findall(r"^Maintainer: (.*)$", head, re.MULTILINE)[0]
    entry = f"{NAME} ({source.version()}) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- {who}  {when}\n"
    _put(documents / "changelog.gz", archives.compressed(entry.encode()))
    _put(documents / "CHANGELOG.md.gz", archives.compressed((source.ROOT / "CHANGELOG.md").read_bytes()))
    _put(documents / "copyright", _copyright().encode())
    overrides = (source.PACKAGING / "debian" / "lintian-overrides").read_bytes()
    _put(root / "usr" / "share" / "lintian" / "overrides" / NAME, overrides)


def _copyright() -> str:
    head = (source.PACKAGING / "debian" / "copyright.head").read_text(encoding="utf-8")
    text = (source.ROOT / "LICENSE").read_text(encoding="utf-8").strip()
    return head + textwrap.indent(re.sub(r"^$", ".", text, flags=re.MULTILINE), " ") + "\n"


def _write_control(root: Path) -> None:
    files = sorted(place for place in root.rglob("*") if place.is_file() and not place.is_symlink())
    size = sum(-(-place.stat().st_size // 1024) for place in files) + sum(1 for _ in root.rglob("*"))
    (root / "DEBIAN").mkdir()
    told = {
        "version": source.version(),
        "architecture": _architecture(),
        "size": str(size),
        "depends": _depends(list(binaries.within(root))),
    }
    control = (source.PACKAGING / "debian" / "control").read_text(encoding="utf-8")
    for name, value in told.items():
        control = control.replace(f"@{name}@", value)
    _put(root / "DEBIAN" / "control", control.encode())
    sums = [f"{hashlib.md5(place.read_bytes()).hexdigest()}  {place.relative_to(root)}\n" for place in files]
    _put(root / "DEBIAN" / "md5sums", "".join(sums).encode())


def _depends(native: list[Path]) -> str:
    """The packages whose libraries the package's binaries load, with the versions they need."""
    work = source.BUILD / "shlibdeps"
    (work / "debian").mkdir(parents=True, exist_ok=True)
    (work / "debian" / "control").write_text(f"Source: {NAME}\n\nPackage: {NAME}\nArchitecture: any\n")
    own = [f"-l{folder}" for folder in sorted({binary.parent for binary in native})]
    wanting = [f"-e{binary}" for binary in native if binary.name != qt.OPTIONAL]
    said = tools.run(["dpkg-shlibdeps", "-O", "--warnings=0", *own, *wanting], cwd=work)
    (line,) = [line for line in said.splitlines() if line.startswith("shlibs:Depends=")]
    return line.partition("=")[2]


def _architecture() -> str:
    return tools.run(["dpkg", "--print-architecture"]).strip()


def _put(place: Path, content: bytes) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)


def _make_plain(root: Path) -> None:
    """One time and plain modes for all, whatever the umask is here."""
    for place in [root, *root.rglob("*")]:
        if not place.is_symlink():
            is_program = place.is_dir() or place.parent == root / "usr" / "lib" / NAME / "bin"
            place.chmod(0o755 if is_program else 0o644)
        os.utime(place, (source.epoch(), source.epoch()), follow_symlinks=False)
