"""What a part of the window says while it has nothing to show."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from kapture_panel.window.widgets.empty_state import EmptyState
from kapture_panel.window.widgets.label import Label


def test_a_hint_without_room_is_left_out_and_moves_nothing(qapp: QApplication) -> None:
    state = EmptyState("Nothing yet", "What to do about it takes quite a few words, so it needs several lines here.")
    what, hint = state.findChildren(Label)
    state.resize(160, 200)
    state.show()
    qapp.processEvents()
    assert hint.isVisible()
    assert not state.toolTip()
    least = state.minimumSizeHint()
    state.resize(160, 60)
    qapp.processEvents()
    assert (what.isVisible(), hint.isVisible()) == (True, False)
    assert "several lines" in state.toolTip()
    assert state.minimumSizeHint() == least
    state.setMinimumHeight(1)
    state.resize(160, 26)
    qapp.processEvents()
    assert not what.isVisible(), "no slice of a line"
    assert state.toolTip().count("Nothing yet") == 1
    state.resize(160, 200)
    qapp.processEvents()
    assert hint.isVisible()
    assert not state.toolTip()
    state.close()
    state.deleteLater()
