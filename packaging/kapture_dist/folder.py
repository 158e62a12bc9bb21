"""The portable folder: Python, the panel and all it needs, to be put anywhere on a Linux desktop.

A folder with an interpreter of its own and not PyInstaller's: that one was 265 MB against 200, `kapture mcp` took four
times as long to start, and a site formatter could import only what the panel itself imports.
"""

from __future__ import annotations

import platform
import pprint
import runpy
import shutil
import sys
import sysconfig
from pathlib import Path

from kapture_dist import binaries, codecs, licences, qt, source, tools

#: Of the standard library: tests, graphical tools, installers, build files. `venv` would need ensurepip.
_LEFT_OUT = {
    "EXTERNALLY-MANAGED", "__pycache__", "config-*", "dist-packages", "distutils", "ensurepip", "idlelib", "lib2to3",
    "pydoc_data", "site-packages", "sitecustomize.py", "test", "tests", "tkinter", "turtle.py", "turtledemo", "venv",
}  # fmt: skip
#: Extension modules for terminals, databases of other kinds, retired networks, and tests of Python itself.
_MODULES_LEFT_OUT = {
    "_crypt.*", "_ctypes_test.*", "_curses*", "_dbm.*", "_gdbm.*", "_test*", "_tkinter.*", "_xxtestfuzz.*", "nis.*",
    "ossaudiodev.*", "readline.*", "spwd.*", "xxlimited*", "_xxsubinterpreters.*", "_xxinterpchannels.*",
}  # fmt: skip
_PROGRAMS_OF_PACKAGES = "bin"
_ABOUT_THE_BUILD = ("direct_url.json", "RECORD", "REQUESTED")
TOOLS = ("gcc", "patchelf", "readelf", "strip")


def build(wheel: Path) -> Path:
    """Make the folder again of the built wheel, and return it."""
    root = source.BUILD / f"kapture-panel-{source.version()}"
    if root.exists():
        shutil.rmtree(root)
    packages = _copy_python(root)
    _install(wheel, packages)
    qt.prune(packages)
    codecs.prune(packages)
    _strip(root)
    _add_launchers(root)
    licences.write(packages, root / "licences")
    _compile(root)
    return root


def python_version() -> str:
    """Such as "3.11"; names the folder of the standard library."""
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def machine() -> str:
    """Such as "x86_64"."""
    return platform.machine()


def _copy_python(root: Path) -> Path:
    """Copy the interpreter that runs this, as far as it is needed; returns the folder for packages."""
    (root / "bin").mkdir(parents=True)
    program = root / "bin" / f"python{python_version()}"
    shutil.copy(Path(sys.base_prefix) / "bin" / program.name, program)
    (root / "bin" / "python3").symlink_to(program.name)
    library = root / "lib" / program.name
    standard = Path(sysconfig.get_path("stdlib", vars={"base": sys.base_prefix}))
    shutil.copytree(standard, library, ignore=shutil.ignore_patterns(*_LEFT_OUT), symlinks=False)
    for pattern in _MODULES_LEFT_OUT:
        for place in (library / "lib-dynload").glob(pattern):
            place.unlink()
    _forget_build_paths(library)
    # Debian's program has the library inside, whatever its configuration says.
    for shared in (name for name in binaries.needed(program) if name.startswith("libpython")):
        shutil.copy(Path(sysconfig.get_config_var("LIBDIR")) / shared, root / "lib" / shared)
        (root / "lib" / shared).chmod(0o644)
        tools.run(["patchelf", "--set-rpath", "$ORIGIN/../lib", program])
    for binary in (*binaries.within(library / "lib-dynload"), *(root / "lib").glob("*.so.*")):
        tools.run(["patchelf", "--remove-rpath", binary])
    # Debian's interpreters look elsewhere than others; this one is asked.
    asked = "import site; print(site.getsitepackages()[-1])"
    packages = Path(tools.run([program, "-I", "-B", "-c", asked]).strip())
    packages.mkdir(parents=True, exist_ok=True)
    return packages


def _forget_build_paths(library: Path) -> None:
    """Keep of what Python tells about its own building only what does not name the machine that built it."""
    for place in library.glob("_sysconfigdata*.py"):
        told: dict[str, object] = runpy.run_path(str(place))["build_time_vars"]
        kept = {name: value for name, value in told.items() if "/" not in str(value)}
        place.write_text(f"build_time_vars = {pprint.pformat(kept)}\n", encoding="utf-8")


def _install(wheel: Path, packages: Path) -> None:
    """Install the wheel and the locked versions of what it needs."""
    tools.python(
        "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "--no-compile",
        "--only-binary", ":all:", "--constraint", source.PACKAGING / "constraints.txt", "--target", packages, wheel,
    )  # fmt: skip
    shutil.rmtree(packages / _PROGRAMS_OF_PACKAGES)
    for about in packages.glob("*.dist-info"):
        for name in _ABOUT_THE_BUILD:
            (about / name).unlink(missing_ok=True)


def _strip(root: Path) -> None:
    """Take out what only a debugger reads."""
    for binary in binaries.within(root):
        binary.chmod(0o755 if binary.parent == root / "bin" else 0o644)
        tools.run(["strip", "--strip-unneeded", binary])


def _add_launchers(root: Path) -> None:
    launcher = root / "bin" / "kapture"
    shutil.copy(source.PACKAGING / "linux" / "kapture.sh", launcher)
    launcher.chmod(0o755)
    (root / "bin" / "kapture-panel").symlink_to("kapture")
    shutil.copy(source.PACKAGING / "linux" / "README.txt", root / "README.txt")


def _compile(root: Path) -> None:
    """Compile once and for all: the folder may not be writable for who uses it, and no time of a file matters."""
    library = root / "lib" / f"python{python_version()}"
    tools.run(
        [root / "bin" / "python3", "-I", "-m", "compileall", "-q", "-q", "-f", "-j", "1", "--invalidation-mode",
         "unchecked-hash", "-s", root, "-p", "kapture-panel", library],
    )  # fmt: skip
