"""What the README and the pages of `docs/` say can be followed: links lead somewhere, command lines are understood."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from kapture_panel.cli import PROGRAMS
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.catalogue import command_line
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.paths import DataDir
from kapture_panel.programs import arguments
from kapture_panel.programs.call import Options
from kapture_panel.programs.command_words import Words
from tests.support.tree import EXTENSION, PACKAGE, ROOT, files

PAGES = {str(path.relative_to(ROOT)): path for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]}
MAP = "docs/architecture.md"
ROOMS = sorted(name for name in PAGES if name.startswith("docs/rooms/"))
#: Whoever reads the first page wants to know what it is and how to begin; the map is read whole, a room's page at once.
MOST_WORDS = {"README.md": 600, MAP: 1800} | dict.fromkeys(ROOMS, 900)
CATALOGUE = Catalogue(EXTENSION / "commands.json")
LINES = command_line.read(str(EXTENSION / "commands.json"))[1]
FILES = [str(path) for path in files()]


def headings(text: str) -> set[str]:
    """The anchors of a page, as GitHub makes them of its headings."""
    titles = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def command_lines() -> list[str]:
    """Each line of a shell block that starts our program, without its comment."""
    blocks = [
        block for path in PAGES.values() for block in re.findall(r"^```sh\n(.*?)^```", path.read_text(), re.M | re.S)
    ]
    lines = [line.removeprefix(".venv/bin/") for block in blocks for line in block.splitlines()]
    return sorted({re.split(" [<>] ", line)[0] for line in lines if line.startswith("kapture")})


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_somewhere(name: str) -> None:
    page = PAGES[name]
    links = re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8"))
    for link in (link for link in links if not link.startswith(("http://", "https://"))):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in headings(target.read_text(encoding="utf-8")), link


def test_the_page_of_the_data_names_every_place_in_their_folder() -> None:
    root = Path("data")
    places = [getattr(DataDir(root), name) for name, kind in vars(DataDir).items() if isinstance(kind, property)]
    names = {place.name for place in places if isinstance(place, Path) and place.parent == root}
    assert "history.sqlite3" in names
    rows = [line for line in PAGES["docs/data.md"].read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert names <= {name.rstrip("/") for row in rows for name in re.findall(r"`([^`]+)`", row.split(" | ")[0])}


def test_the_readme_leads_to_every_page() -> None:
    readme = PAGES["README.md"].read_text(encoding="utf-8")
    assert {path.name for path in (ROOT / "docs").glob("*.md")} <= set(re.findall(r"\(docs/([\w.]+)\)", readme))


def test_the_map_leads_to_the_page_of_every_room() -> None:
    links = re.findall(r"\(rooms/([\w-]+\.md)\)", PAGES[MAP].read_text(encoding="utf-8"))
    assert set(ROOMS) == {f"docs/rooms/{name}" for name in links}


def test_the_map_names_every_room() -> None:
    text = PAGES[MAP].read_text(encoding="utf-8")
    parts = [PACKAGE / name for name in ("core", "hub")]
    rooms = [f"{path.parent.parent.name}/{path.parent.name}" for part in parts for path in part.glob("*/__init__.py")]
    rooms += [f"extension/{path.name}" for path in EXTENSION.iterdir() if [*path.glob("*.js")]]
    assert [room for room in rooms if f"`{room}`" not in text] == []
    window = [path.parent.name for path in (PACKAGE / "window").glob("*/__init__.py")]
    assert [room for room in window if f"`window/{room}`" not in text and f"`{room}`" not in text] == []


@pytest.mark.parametrize("name", MOST_WORDS)
def test_a_page_is_short(name: str) -> None:
    assert len(PAGES[name].read_text(encoding="utf-8").split()) <= MOST_WORDS[name]


@pytest.mark.parametrize("name", [MAP, *ROOMS])
def test_every_file_that_a_page_names_is_there(name: str) -> None:
    """Such as `tab/press.js`: whoever follows a page finds the file, also after it was moved or renamed."""
    named = set(re.findall(r"`([\w/]+\.(?:py|js|toml|css))`", PAGES[name].read_text(encoding="utf-8")))
    assert [file for file in named if not any(path.endswith(f"/{file}") for path in FILES)] == []


@pytest.mark.parametrize("line", command_lines())
def test_a_command_line_is_understood(line: str) -> None:
    words = shlex.split(line, comments=True)[1:]
    if words and (words[0] == "call" or words[0][0] != "-") and words[0] not in PROGRAMS - {"call"}:
        _command_is_understood(words)
    else:
        arguments.parser().parse_args(words)


def _command_is_understood(words: list[str]) -> None:
    options = Options(words[1:] if words[0] == "call" else words)
    if not options.rest:
        return
    line = LINES[options.rest.pop(0).replace("-", "_")]
    reader = Words(LINES, str)
    given = (reader.named if words[0] == "call" else reader.parameters)(line, options.rest)
    CATALOGUE.get(line.name).validate(given)


def test_a_wrong_command_line_is_not() -> None:
    with pytest.raises(SystemExit):
        arguments.parser().parse_args(["doctor", "--fast"])
    with pytest.raises(KeyError):
        _command_is_understood(["clik", "e5"])
    with pytest.raises(KaptureError):
        CATALOGUE.get("click").validate({"selectr": "h1"})
