"""`kapture export`: history rows as data, a recording or a script, read beside a running panel or without one."""

from __future__ import annotations

import argparse
from pathlib import Path

from kapture_panel import door, export, paths
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.stores import history_file
from kapture_panel.programs import terminal


def run(options: argparse.Namespace) -> int:
    """Write the export into the file that was named, else to standard output."""
    if options.format not in export.FORMATS:
        known = ", ".join(export.FORMATS)
        raise KaptureError("INVALID_PARAMS", f"there is no format {options.format!r}", f"there are: {known}")
    data = paths.DataDir(Path(door.data_dir(options.data_dir)))
    rows = history_file.read(data.history, limit=options.last or history_file.MAX_ROWS, matching=options.matching)[::-1]
    catalogue = Catalogue(paths.catalogue())
    if options.output is None:
        _, _, made = export.FORMATS[options.format]
        terminal.say(made(rows, data.screenshots, catalogue), end="")
        return 0
    try:
        export.write(options.output, options.format, rows, data.screenshots, catalogue)
    except OSError as error:
        raise KaptureError("FILE_NOT_ALLOWED", f"{options.output} cannot be written: {error.strerror}") from None
    terminal.say(f"{len(rows)} rows in {options.output}")
    return 0
