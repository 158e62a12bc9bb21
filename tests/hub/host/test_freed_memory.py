"""Memory that is free between blocks in use goes back to the system a while after somebody left."""

from __future__ import annotations

import gc

import psutil

from kapture_panel.hub.host.freed_memory import FreedMemory

MB = 1024 * 1024
#: Small enough for the heap, and not for a mapping of their own.
BLOCK, BLOCKS, KEPT_ONE_IN = 3000, 30_000, 50


def used_mb() -> int:
    return int(psutil.Process().memory_info().rss // MB)


async def test_what_is_free_between_blocks_in_use_goes_back() -> None:
    blocks = [bytes(BLOCK) for _ in range(BLOCKS)]
    in_use = blocks[::KEPT_ONE_IN]
    del blocks
    gc.collect()
    freed_mb = BLOCK * (BLOCKS - len(in_use)) // MB
    before = used_mb()
    memory = FreedMemory(after_s=0)
    memory.soon()
    memory.soon()
    await memory.given()
    assert before - used_mb() > freed_mb // 2
    assert len(in_use) == BLOCKS // KEPT_ONE_IN


async def test_before_that_it_can_be_closed() -> None:
    memory = FreedMemory(after_s=3600)
    await memory.given()
    memory.soon()
    await memory.close()
    await memory.given()
