"""The network log is saved as an HTTP archive: what each tab tells, and of others what is listed."""

from __future__ import annotations

import json
from pathlib import Path

from kapture_panel.core.wire.events import RequestSeen
from kapture_panel.window.page.network_saving import NetworkSaving
from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets.save_dialog import SaveDialog
from tests.support.window.fakes import Instance, ok
from tests.support.window.qt_loop import on_qt_loop, until

TOLD = json.dumps(
    {"log": {"pages": [{"title": "", "id": "tab"}], "entries": [{"startedDateTime": "1970", "pageref": "tab"}]}}
)


async def saved(saving: NetworkSaving, path: Path, tab_id: str | None) -> list[object]:
    """What is told of a save."""
    heard: list[object] = []
    saving.saved.connect(lambda path, number: heard.append((path, number)))
    saving.failed.connect(heard.append)
    saving.save(str(path), tab_id)
    await until(lambda: heard, "the end of the saving")
    return heard


@on_qt_loop
async def test_all_tabs_are_asked_and_what_is_listed_of_others_is_kept(
    window: MainWindow, instance: Instance, tmp_path: Path
) -> None:
    instance.add_tab("t1", title="Shop")
    instance.executor.answers["list_requests"] = ok(TOLD)
    for tab_id in ("t1", "gone"):
        instance.requests.take(tab_id, [RequestSeen(id="r1", at=1, method="GET", url=f"https://{tab_id}.example/")])
    path = tmp_path / "a.har"
    assert await saved(window.rooms.page.network.saving, path, None) == [(str(path), 2)]
    log = json.loads(path.read_text())["log"]
    assert [page["title"] for page in log["pages"]] == ["Shop"]
    assert [entry.get("request", {}).get("url") for entry in log["entries"]] == [None, "https://gone.example/"]
    assert instance.executor.sent[-1][1] == "kapturemcp_list_requests"
    assert len(instance.history) == 0, "looking is not doing"


@on_qt_loop
async def test_a_file_that_cannot_be_written_is_told(window: MainWindow, instance: Instance, tmp_path: Path) -> None:
    path = tmp_path / "none" / "a.har"
    (problem,) = await saved(window.rooms.page.network.saving, path, None)
    assert str(path) in str(problem)


@on_qt_loop
async def test_it_is_offered_where_exports_are(window: MainWindow) -> None:
    action = window.shell.actions["save_requests"]
    assert action in window.rooms.history.view.exports.menu.actions()
    action.trigger()
    (dialog,) = window.findChildren(SaveDialog)
    assert dialog.selectedFiles()[0].endswith("kapture-network.har")
    dialog.close()
