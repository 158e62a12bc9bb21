"""Which resources a change makes old, and for whom."""

from __future__ import annotations

import pytest

from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.wire.events import ConsoleSaid
from kapture_panel.core.wire.results import Pointed
from kapture_panel.hub.agent_door.mcp.sources import TABS, Sources, shot_uri, tab_uri
from tests.support.core.fakes import World
from tests.support.hub.fakes import sources_of


class Told:
    """What the sources of a world said, without the session of shared tabs."""

    def __init__(self, world: World) -> None:
        self.sources: Sources = sources_of(world)
        self.changed: list[str] = []
        self.listed: list[str] = []
        self.sources.changed.connect(lambda session, uri: self.changed.append(f"{session}{uri}"))
        self.sources.listed.connect(self.listed.append)

    def clear(self) -> None:
        self.changed.clear()
        self.listed.clear()


@pytest.fixture
def told(world: World) -> Told:
    return Told(world)


def test_a_tab_that_comes_is_new_in_every_form(world: World, told: Told) -> None:
    world.tab()
    assert told.listed == [""]
    assert told.changed == [TABS, *(tab_uri("t1", view) for view in ("", "console", "snapshot", "screenshot"))]


def test_a_tab_that_goes_is_gone_from_the_list(world: World, told: Told) -> None:
    tab = world.tab()
    told.clear()
    world.tabs.remove(tab)
    assert (told.listed, told.changed) == ([""], [TABS, tab_uri("t1")])


@pytest.mark.parametrize(
    ("fields", "views"),
    [
        ({"title": "New"}, [""]),
        ({"state": "dialog"}, [""]),
        ({"url": "https://shop.example/thanks"}, ["", "snapshot", "screenshot"]),
    ],
)
def test_what_is_seen_of_a_tab_is_told(world: World, told: Told, fields: dict[str, str], views: list[str]) -> None:
    tab = world.tab()
    told.clear()
    world.tabs.update(tab, **fields)
    assert told.changed == [TABS, *(tab_uri("t1", view) for view in views)]
    assert told.listed == []


def test_a_command_that_runs_is_no_news(world: World, told: Told) -> None:
    """Else reading a tab would tell that it changed, and whoever reads again on that would never end."""
    tab = world.tab()
    told.clear()
    for fields in ({"state": "executing", "driver": "claude"}, {"state": "connected"}, {"last_ms": 2.0}):
        world.tabs.update(tab, **fields)
    assert told.changed == []


def test_another_document_under_the_same_address_is_told(world: World, told: Told) -> None:
    tab = world.tab()
    told.clear()
    world.tabs.navigated.emit(tab)
    assert told.changed == [tab_uri("t1", "snapshot"), tab_uri("t1", "screenshot")]


def test_lines_and_their_clearing_are_told_while_the_tab_is_there(world: World, told: Told) -> None:
    tab = world.tab()
    told.clear()
    world.console.append("t1", [ConsoleSaid(text="a"), ConsoleSaid(text="b")])
    world.console.clear("t1")
    assert told.changed == [tab_uri("t1", "console")] * 2
    told.clear()
    world.tabs.remove(tab)
    told.clear()
    world.console.append("t1", [ConsoleSaid(text="late")])
    world.console.clear()
    assert told.changed == []


def test_each_change_is_told_of_its_session(world: World, told: Told) -> None:
    tab = Tab("t2", "https://a.example/", "A", "own", session="s1")
    world.tabs.add(tab)
    world.console.append("t2", [ConsoleSaid(text="a")])
    assert told.listed == ["s1"]
    assert told.changed
    assert all(said.startswith("s1kapture://") for said in told.changed)


def test_screenshots_are_seen_by_those_who_see_the_tab(world: World, told: Told) -> None:
    own = Client("claude", "agent", session="s1")
    kept = {
        session: world.shots.add(b"x", name="a b", tab_id="t1", format="png", session=session) for session in ("", "s1")
    }
    assert told.listed == ["", "s1"]
    assert told.sources.shots_seen_by(world.agent) == [kept[""]]
    assert told.sources.shots_seen_by(own) == [kept["s1"]]
    world.shots.remove(kept["s1"])
    assert told.listed == ["", "s1", "s1"]
    assert told.sources.shots_seen_by(own) == []


def test_pictures_from_before_this_run_are_nobodys(world: World) -> None:
    world.shots.add(b"x", name="old", tab_id="t1", format="png")
    again = World(world.folder)
    assert len(again.shots) == 1
    assert sources_of(again).shots_seen_by(again.agent) == []
    again.history.close()


def test_the_name_of_a_picture_is_kept_apart_from_the_address(world: World) -> None:
    shot = world.shots.add(b"x", name="größe", tab_id="t1", format="png")
    assert shot_uri(shot).isascii()
    assert shot_uri(shot).count("/") == 3


def test_a_note_is_listed_where_its_tab_may_be_seen(world: World, told: Told) -> None:
    notes = told.sources.notes
    for session in ("", "s1"):
        picture = world.shots.add(b"picture", name="note", tab_id="t1", format="jpeg", session=session)
        notes.add("t1", "https://shop.example/", "shop.example", session, Pointed(), 1, 2, picture)
    assert told.listed == ["", "", "s1", "s1"], "with the picture, and with the note"
    own = Client("own", "agent", session="s1")
    assert [note.words for note in told.sources.notes_seen_by(own)] == ["s1"]
    assert [note.words for note in told.sources.notes_seen_by(world.agent)] == [""]
