"""`kapture export`: history rows as data, a recording or a script, read beside a running panel or without one; the
network log of a running one as an HTTP archive."""

from __future__ import annotations

import argparse
from pathlib import Path

from kapture_panel import door, export, paths
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.stores import history_file
from kapture_panel.core.stores.network_log import MAX_REQUESTS_PER_TAB
from kapture_panel.export import har
from kapture_panel.hub.agent_door.door_client import DoorClient
from kapture_panel.programs import terminal


def run(options: argparse.Namespace) -> int:
    """Write the export into the file that was named, else to standard output."""
    if options.format == "har":
        return _network(options)
    if options.format not in export.FORMATS:
        known = ", ".join([*export.FORMATS, "har"])
        raise KaptureError("INVALID_PARAMS", f"there is no format {options.format!r}", f"there are: {known}")
    data = paths.DataDir(Path(door.data_dir(options.data_dir)))
    rows = history_file.read(data.history, limit=options.last or history_file.MAX_ROWS, matching=options.matching)[::-1]
    catalogue = Catalogue(paths.catalogue())
    if options.output is None:
        _, _, made = export.FORMATS[options.format]
        terminal.say(made(rows, data.screenshots, catalogue), end="")
        return 0
    try:
        pictures = export.write(options.output, options.format, rows, data.screenshots, catalogue)
    except OSError as error:
        raise KaptureError("FILE_NOT_ALLOWED", f"{options.output} cannot be written: {error.strerror}") from None
    terminal.say(f"{len(rows)} rows in {options.output}{_and_pictures(pictures)}")
    return 0


def _and_pictures(number: int | None) -> str:
    if number is None:
        return ""
    return (
        f", with {number} picture{'' if number == 1 else 's'}"
        if number
        else ", without pictures: none are kept of these rows"
    )


def _network(options: argparse.Namespace) -> int:
    """The same with the requests of all tabs, which the running panel asks its browsers for."""
    newest = {"max": min(options.last or MAX_REQUESTS_PER_TAB, MAX_REQUESTS_PER_TAB)}
    matching = {"filter": options.matching} if options.matching else {}
    archives = []
    with DoorClient(Path(door.data_dir(options.data_dir)), {"role": "call"}) as panel:
        for tab in panel.ask({"command": "list_tabs", "params": {}})["result"]["tabs"]:
            params = {"tabId": tab["tabId"], "format": "har", **newest, **matching}
            try:
                answer = panel.ask({"command": har.COMMAND, "params": params})
            except KaptureError as error:
                terminal.complain(f"kapture: without the tab {tab['tabId']}: {error.code}: {error.message}")
            else:
                archives.append(har.Archive(tab["tabId"], tab.get("title", ""), answer["result"]))
    text, number = har.made(archives)
    if options.output is None:
        terminal.say(text)
        return 0
    try:
        har.write(options.output, text)
    except OSError as error:
        raise KaptureError("FILE_NOT_ALLOWED", f"{options.output} cannot be written: {error.strerror}") from None
    terminal.say(f"{number} requests in {options.output}")
    return 0
