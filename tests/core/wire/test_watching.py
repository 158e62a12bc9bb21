"""The frames of watching a tab."""

from __future__ import annotations

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.wire import protocol
from kapture_panel.core.wire.watching import LivePicture, Painted, Unwatch, Watch


def test_what_a_tab_is_asked() -> None:
    sent: list[protocol.FromPanel] = [Watch(width=640, height=360, everyMs=0), Painted(number=3), Unwatch()]
    assert [protocol.encode(message) for message in sent] == [
        '{"type":"watch","width":640,"height":360,"everyMs":0}',
        '{"type":"painted","number":3}',
        '{"type":"unwatch"}',
    ]


def test_a_picture_is_whole_or_none() -> None:
    picture = protocol.decode('{"type":"live","number":1,"data":"/9j/","width":1280,"height":720.5}')
    assert picture == LivePicture(number=1, data="/9j/", width=1280, height=720.5)
    with pytest.raises(KaptureError, match="not a frame"):
        protocol.decode('{"type":"live","number":1,"data":"/9j/","width":1280}')
