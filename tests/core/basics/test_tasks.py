"""Background tasks: each has an owner, no failure goes unseen."""

from __future__ import annotations

import asyncio
import gc
import logging

import pytest

from kapture_panel.core.basics import tasks


async def test_a_spawned_task_gives_its_result_and_carries_its_name() -> None:
    async def work() -> int:
        return 7

    task = tasks.spawn(work(), "the work")
    assert task.get_name() == "the work"
    assert await task == 7


async def test_a_task_nobody_holds_lives_until_it_ends() -> None:
    go, done = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        await go.wait()
        done.set()

    tasks.spawn(work(), "held by nobody")
    await asyncio.sleep(0)
    gc.collect()
    go.set()
    await done.wait()


async def test_a_failure_nobody_awaits_is_logged_with_the_name(caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> None:
        raise RuntimeError("broken")

    task = tasks.spawn(fail(), "the failing one")
    await asyncio.wait([task])
    await asyncio.sleep(0)
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert "the failing one" in record.getMessage()
    assert record.exc_info is not None


async def test_a_cancelled_task_is_no_failure(caplog: pytest.LogCaptureFixture) -> None:
    task = tasks.spawn(asyncio.Event().wait(), "waiting")
    await tasks.end(task)
    assert task.cancelled()
    assert not caplog.records


async def test_end_waits_until_the_task_has_cleaned_up() -> None:
    started, cleaned = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            cleaned.set()

    task = tasks.spawn(work(), "careful")
    await started.wait()
    await tasks.end(task)
    assert cleaned.is_set()


async def test_ending_nothing_or_an_ended_task_is_nothing() -> None:
    await tasks.end(None)
    task = tasks.spawn(asyncio.sleep(0), "short")
    await task
    await tasks.end(task)
    assert not task.cancelled()
