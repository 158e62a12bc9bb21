"""Steps are told to whoever started the command, and to nobody else."""

from __future__ import annotations

import asyncio

from kapture_panel.core import progress


async def test_nobody_need_listen() -> None:
    await progress.step_done(1)


async def test_the_listener_hears_the_steps_inside() -> None:
    heard: list[int] = []

    async def listen(done: int) -> None:
        heard.append(done)

    with progress.heard_by(listen):
        await progress.step_done(1)
        await asyncio.gather(progress.step_done(2))
    await progress.step_done(3)
    assert heard == [1, 2]


async def test_commands_at_once_have_listeners_of_their_own() -> None:
    heard: list[str] = []
    both_run = asyncio.Barrier(2)

    async def command(name: str) -> None:
        async def listen(done: int) -> None:
            heard.append(f"{name} {done}")

        with progress.heard_by(listen):
            await both_run.wait()
            await progress.step_done(1)

    await asyncio.gather(command("a"), command("b"))
    assert sorted(heard) == ["a 1", "b 1"]
