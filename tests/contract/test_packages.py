"""What `make dist` builds from: versions agree, named files are there, and archives are the same each time.

The packages themselves are installed and used by `make test-dist`.
"""

from __future__ import annotations

import ast
import json
import os
import re
import tarfile
import tomllib
import zipfile
from itertools import pairwise
from pathlib import Path

import jsonschema
import pytest

from kapture_dist import __main__ as dist
from kapture_dist import archives, codecs, deb, extension_zip, licences, qt, source, tools
from kapture_panel import __version__, paths
from kapture_panel.core.doctor import Ill
from kapture_panel.hub.host import installation
from kapture_panel.mcp_child import relay
from tests.support.tree import EXTENSION, PACKAGE, ROOT, imports, modules

PACKAGING = ROOT / "packaging"
BUNDLE = json.loads((PACKAGING / "mcpb" / "manifest.json").read_text(encoding="utf-8"))
SPEC_ENDS = (".iss", ".js", ".mjs", ".md", ".py", ".sh", ".spec")
#: What the tool that packs the bundle checks it against; it comes with its package.
BUNDLE_SCHEMA = ROOT / "node_modules" / "@anthropic-ai" / "mcpb" / "dist" / "mcpb-manifest-v0.3.schema.json"


def test_there_is_one_version() -> None:
    manifest = json.loads((EXTENSION / "manifest.json").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert source.version() == __version__ == manifest["version"] == project["version"]
    for spec in PACKAGING.rglob("*"):
        if spec.suffix in (".iss", ".spec", ".json") or spec.name == "control":
            assert source.version() not in spec.read_text(encoding="utf-8"), f"{spec} has a version of its own"


#: What says how a package is made, tested or published.
SPECS = [*(ROOT / ".github").rglob("*.yml"), *(path for path in PACKAGING.rglob("*") if path.suffix in SPEC_ENDS)]


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: str(spec.relative_to(ROOT)))
def test_every_file_that_a_spec_names_is_there(spec: Path) -> None:
    text = spec.read_text(encoding="utf-8").replace("\\", "/").replace('" / "', "/")
    named = re.findall(r"(?:packaging|resources|docs|tests)/[\w./-]+\.\w+|\bLICENSE\b", text)
    assert named or spec.suffix in (".js", ".mjs", ".py", ".sh")
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_the_scripts_that_never_ran_say_so() -> None:
    for spec in (
        *(ROOT / ".github").rglob("*.yml"),
        *(PACKAGING / "windows").iterdir(),
        *(PACKAGING / "macos").iterdir(),
    ):
        assert re.search(r"has never been run", spec.read_text(encoding="utf-8")), spec


def test_the_window_imports_no_part_of_qt_that_the_folder_lacks() -> None:
    found = {name.split(".")[1] for module in modules() for name in imports(module) if name.startswith("PySide6.")}
    assert found <= set(qt.MODULES)


def test_pictures_are_read_by_the_parts_of_pillow_that_stay() -> None:
    """Fonts, colour profiles and AVIF are left out."""
    tree = ast.parse((PACKAGE / "hub" / "panel_commands" / "images.py").read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert {name for name in names if name.startswith("PIL.")} <= {"PIL.Image", "PIL.ImageOps", "PIL.WebPImagePlugin"}
    assert len(codecs.LEFT_OUT) == 4


def test_a_missing_program_is_named_with_the_command_that_gets_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(tools.Failed, match=r"missing: patchelf, dpkg-deb\n.*apt-get install .*dpkg patchelf"):
        tools.require("patchelf", "dpkg-deb")


def test_it_is_known_how_to_get_each_program() -> None:
    assert {tool for called in dist.TOOLS.values() for tool in called} <= tools.DEBIAN.keys()


def test_a_tool_that_fails_is_quoted() -> None:
    with pytest.raises(tools.Failed, match="no such thing"):
        tools.python("-c", "raise SystemExit('no such thing')")


@pytest.mark.parametrize("for_store", [False, True])
def test_the_extensions_zip_has_every_file_that_another_one_names(
    for_store: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, content in extension_zip.files(for_store=for_store).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    assert ("key" in json.loads((tmp_path / "manifest.json").read_text())) is not for_store
    monkeypatch.setattr(paths, "extension", lambda: tmp_path)
    assert " commands" in installation.extension_files()
    (tmp_path / "page.bundle.js").unlink()
    with pytest.raises(Ill, match=r"page\.bundle\.js"):
        installation.extension_files()


def test_the_stores_zip_differs_by_the_key_alone() -> None:
    own, stores = extension_zip.files(for_store=False), extension_zip.files(for_store=True)
    assert {name for name in own if own[name] != stores.get(name)} == {"manifest.json"}
    assert own.keys() == stores.keys()
    assert not [name for name in own if name.startswith("page/") or name.endswith(".d.ts")]


def test_an_archive_is_the_same_whenever_and_by_whomever_it_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    source.epoch.cache_clear()
    made = []
    for names, mode, when in ((["b", "a"], 0o600, 1), (["a", "b"], 0o664, 2_000_000_000)):
        folder = tmp_path / str(when) / "folder"
        folder.mkdir(parents=True)
        for name in names:
            (folder / name).write_text(name)
            (folder / name).chmod(mode)
            os.utime(folder / name, (when, when))
        archives.write_zip(tmp_path / "made.zip", {name: name.encode() for name in names})
        archives.write_tar_gz(tmp_path / "made.tar.gz", folder)
        made.append([(tmp_path / name).read_bytes() for name in ("made.zip", "made.tar.gz")])
    source.epoch.cache_clear()
    assert made[0] == made[1]
    with zipfile.ZipFile(tmp_path / "made.zip") as archive:
        assert [entry.date_time for entry in archive.infolist()] == [(2023, 11, 14, 22, 13, 20)] * 2
    with tarfile.open(tmp_path / "made.tar.gz") as packed:
        assert {(entry.mtime, entry.uname, entry.uid) for entry in packed} == {(1_700_000_000, "root", 0)}


def test_the_bundle_is_what_its_schema_says() -> None:
    jsonschema.Draft7Validator(json.loads(BUNDLE_SCHEMA.read_text(encoding="utf-8"))).validate(BUNDLE)
    assert BUNDLE["version"] == "@version@"


def test_the_child_takes_what_the_bundle_gives_it(capsys: pytest.CaptureFixture[str]) -> None:
    _launcher, *arguments = BUNDLE["server"]["mcp_config"]["args"]
    assert relay.main([*arguments, "--help"]) == 0
    assert arguments[0] in capsys.readouterr().out


def test_the_debian_package_says_what_it_must_and_each_override_has_its_reason() -> None:
    control = (PACKAGING / "debian" / "control").read_text(encoding="utf-8")
    assert set(re.findall(r"@(\w+)@", control)) == {"version", "architecture", "size", "depends"}
    assert re.search(r"^Recommends: chromium", control, re.MULTILINE)
    lines = (PACKAGING / "debian" / "lintian-overrides").read_text(encoding="utf-8").splitlines()
    for before, line in pairwise(["", *lines]):
        assert line.startswith("# ") or (line.startswith(f"{deb.NAME}: ") and before.startswith("# "))


def test_a_package_that_does_not_say_its_licence_is_not_passed_over(tmp_path: Path) -> None:
    about = tmp_path / "nobodys-1.0.dist-info" / "METADATA"
    about.parent.mkdir()
    about.write_text("Metadata-Version: 2.1\nName: nobodys\nVersion: 1.0\nHome-page: https://example.com/\n")
    with pytest.raises(ValueError, match="nobodys does not say its licence"):
        licences.parts(tmp_path)
    about.write_text(f"{about.read_text()}Classifier: License :: OSI Approved :: MIT License\n")
    assert licences.parts(tmp_path) == [licences.Part("nobodys", "1.0", "MIT License", "https://example.com/")]
