"""The panel without a window. That it starts, serves and ends is tested where it runs as a program (`tests/e2e`)."""

from __future__ import annotations

import gc

from kapture_panel.programs import serve


async def test_what_there_is_after_the_start_is_not_gone_through_again() -> None:
    gc.unfreeze()
    try:
        await serve._warm_up()
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()
