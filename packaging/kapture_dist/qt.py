"""Leaves of PySide6 what the panel uses: three modules, what their libraries need, and the plug-ins of a desktop."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from kapture_dist import binaries

#: What the window imports.
MODULES = ("QtCore", "QtGui", "QtWidgets")
#: Kind of plug-in → those that stay. The rest serves devices without a desktop, QML, databases, printers, Designer.
PLUGINS = {
    "iconengines": ("libqsvgicon",),
    "imageformats": ("libqgif", "libqico", "libqjpeg", "libqsvg", "libqwebp"),
    "platforminputcontexts": ("libcomposeplatforminputcontextplugin", "libibusplatforminputcontextplugin"),
    "platforms": ("libqoffscreen", "libqwayland", "libqxcb"),
    "platformthemes": ("libqgtk3", "libqxdgdesktopportal"),
    "wayland-decoration-client": ("libadwaita", "libbradient"),
    "wayland-graphics-integration-client": ("libqt-plugin-wayland-egl", "libdmabuf-server", "libdrm-egl-server"),
    "wayland-shell-integration": ("libxdg-shell",),
    "xcbglintegrations": ("libqxcb-egl-integration", "libqxcb-glx-integration"),
}
#: Of the package's own folder, beside modules and libraries.
_PYTHON = ("__init__.py", "_config.py", "_git_pyside_version.py", "support")
#: The look of GTK is taken where GTK is there; nobody needs to install it for us.
OPTIONAL = "libqgtk3.so"


def prune(packages: Path) -> None:
    """Remove from the folder `packages` what of PySide6 nothing here reaches."""
    folder = packages / "PySide6"
    roots = {folder / f"{name}.abi3.so" for name in MODULES} | set(_plugins(folder / "Qt" / "plugins"))
    libraries = [path for path in folder.rglob("*.so*") if path.is_file()]
    kept = roots | binaries.reached(roots, libraries)
    for path in libraries:
        if path not in kept:
            path.unlink()
    for place in folder.iterdir():
        if place.name not in (*_PYTHON, "Qt") and place not in kept:
            _remove(place)
    for place in (folder / "Qt").iterdir():
        if place.name not in ("lib", "plugins"):
            _remove(place)
    _remove_empty(folder)


def _plugins(folder: Path) -> Iterator[Path]:
    for kind, names in PLUGINS.items():
        for name in names:
            yield folder / kind / f"{name}.so"


def _remove(place: Path) -> None:
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    else:
        place.unlink()


def _remove_empty(folder: Path) -> None:
    for place in sorted((place for place in folder.rglob("*") if place.is_dir()), reverse=True):
        if not any(place.iterdir()):
            place.rmdir()
