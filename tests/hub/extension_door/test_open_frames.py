"""The commands whose answers were lost, by tab."""

from __future__ import annotations

from kapture_panel.core.wire import protocol
from kapture_panel.hub.extension_door.open_frames import MAX_REMEMBERED, OpenFrames


def test_a_tab_is_asked_for_its_own_those_of_an_earlier_panel_too() -> None:
    frames = OpenFrames([("t1", "m.1"), ("t2", "m.2")])
    frames.lose("t1", ["m.3"])
    assert frames.of("t1") == ["m.1", "m.3"]
    assert frames.of("t2") == ["m.2"]
    assert frames.of("t3") == []


def test_each_is_settled_once_and_by_its_tab_alone() -> None:
    frames = OpenFrames([("t1", "m.1")])
    assert not frames.settle("t2", "m.1")
    assert frames.settle("t1", "m.1")
    assert not frames.settle("t1", "m.1")
    assert frames.of("t1") == []


def test_the_newest_are_asked_for_and_remembered() -> None:
    frames = OpenFrames()
    frames.lose("t1", [f"m.{number}" for number in range(protocol.MAX_OPEN + 1)])
    assert frames.of("t1") == [f"m.{number}" for number in range(1, protocol.MAX_OPEN + 1)]
    frames.lose("t2", [f"n.{number}" for number in range(MAX_REMEMBERED)])
    assert frames.of("t1") == []
    assert frames.of("t2")[-1] == f"n.{MAX_REMEMBERED - 1}"
