"""The brake: refuses what comes, cuts what runs, survives everything but a person."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.call import Call
from kapture_panel.core.gates.pause import Pause
from kapture_panel.core.registry.clients import Client
from tests.support.core.fakes import call_of
from tests.support.patience import PATIENCE_S

AGENT, TERMINAL, PERSON = Client("a", "agent"), Client("t", "terminal"), Client("you", "person")


async def run(pause: Pause, client: Client, name: str, *, is_sent: bool = True) -> None:
    """A command that never ends by itself."""
    call = call_of(client, name)
    async with pause.cutting(call):
        call.is_sent = is_sent
        await asyncio.Event().wait()


async def cut(pause: Pause, name: str, *, is_sent: bool = True) -> KaptureError:
    """What such a command of an agent answers when the person pauses."""
    running = tasks.spawn(run(pause, AGENT, name, is_sent=is_sent), name)
    await asyncio.sleep(0)
    pause.hold()
    with pytest.raises(KaptureError) as error:
        await asyncio.wait_for(running, PATIENCE_S)
    return error.value


def test_a_new_command_of_agents_and_terminals_is_refused_and_the_persons_is_not(tmp_path: Path) -> None:
    async def go() -> None:
        pause = Pause()
        for client in (AGENT, TERMINAL, PERSON):
            pause.admit(call_of(client, "click"))
        pause.hold()
        pause.admit(call_of(PERSON, "click"))
        for client in (AGENT, TERMINAL):
            with pytest.raises(KaptureError, match="nothing was done") as error:
                pause.admit(call_of(client, "click"))
            assert error.value.code == "PAUSED"
        pause.lift()
        pause.admit(call_of(AGENT, "click"))

    asyncio.run(go())


@pytest.mark.parametrize(
    ("name", "is_sent", "code"),
    [
        ("click", True, "OUTCOME_UNKNOWN"),
        ("evaluate", True, "OUTCOME_UNKNOWN"),
        ("click", False, "PAUSED"),
        ("snapshot", True, "PAUSED"),
    ],
)
def test_what_runs_is_cut_and_says_whether_it_may_have_been_done(name: str, is_sent: bool, code: str) -> None:
    async def go() -> None:
        error = await cut(Pause(), name, is_sent=is_sent)
        assert error.code == code
        assert name in error.message
        assert ("before it began" in error.message) is not is_sent

    asyncio.run(go())


def test_what_the_panel_does_itself_may_have_begun() -> None:
    async def go() -> None:
        error = await cut(Pause(), "read_image", is_sent=False)
        assert "read_image was cut off" in error.message

    asyncio.run(go())


def test_a_command_of_the_person_and_a_batch_are_not_cut_as_a_whole() -> None:
    async def go() -> None:
        pause = Pause()
        going = [
            tasks.spawn(run(pause, PERSON, "click"), "click"),
            tasks.spawn(run(pause, AGENT, "batch"), "batch"),
        ]
        await asyncio.sleep(0)
        pause.hold()
        done, _ = await asyncio.wait(going, timeout=0.05)
        assert not done
        for one in going:
            one.cancel()
        await asyncio.gather(*going, return_exceptions=True)

    asyncio.run(go())


def test_a_timeout_of_the_command_and_its_cancelling_stay_what_they_are() -> None:
    async def go() -> None:
        pause = Pause()
        with pytest.raises(TimeoutError):
            async with pause.cutting(call_of(AGENT, "click")):
                raise TimeoutError
        running = tasks.spawn(run(pause, AGENT, "click"), "click")
        await asyncio.sleep(0)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(go())


def test_it_survives_a_restart_and_a_damaged_file_until_it_is_lifted(tmp_path: Path) -> None:
    file = tmp_path / "paused.json"

    async def go() -> None:
        Pause(file).hold()
        assert file.stat().st_mode & 0o777 == 0o600
        file.write_text("{")
        again = Pause(file)
        assert again.is_on
        again.lift()

    asyncio.run(go())
    assert not file.exists()
    assert not Pause(file).is_on


def test_it_holds_though_it_cannot_be_written_down(tmp_path: Path) -> None:
    async def go() -> None:
        pause = Pause(tmp_path / "nowhere" / "paused.json")
        error = await cut(pause, "click")
        assert error.code == "OUTCOME_UNKNOWN"
        assert pause.is_on

    asyncio.run(go())


def test_every_change_is_told_once() -> None:
    async def go() -> None:
        pause, told = Pause(), []
        pause.changed.connect(lambda: told.append(pause.is_on))
        for act in (pause.lift, pause.hold, pause.hold, pause.lift, pause.lift):
            act()
        assert told == [True, False]

    asyncio.run(go())


def test_fifty_running_commands_are_cut_before_the_loop_does_anything_else() -> None:
    async def go() -> None:
        pause = Pause()
        running = [tasks.spawn(run(pause, AGENT, "click"), "click") for _ in range(50)]
        await asyncio.sleep(0)
        pause.hold()
        for _turn in range(5):
            await asyncio.sleep(0)
        assert all(task.done() for task in running)
        answers = await asyncio.gather(*running, return_exceptions=True)
        assert {getattr(answer, "code", answer) for answer in answers} == {"OUTCOME_UNKNOWN"}

    asyncio.run(go())


def test_a_command_that_has_ended_is_not_cut_any_more() -> None:
    async def go() -> None:
        pause = Pause()
        call = call_of(AGENT, "click")
        async with pause.cutting(call):
            pass
        pause.hold()
        assert call.limit is not None
        assert call.limit.when() is None

    asyncio.run(go())


def test_lifting_is_no_trouble_when_the_file_is_gone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def go() -> None:
        pause = Pause(tmp_path / "paused.json")
        pause.hold()
        (tmp_path / "paused.json").unlink()
        pause.lift()

    asyncio.run(go())
    assert caplog.records == []


def test_what_is_cut_only_later_is_not_cut_where_it_is_spared() -> None:
    async def go() -> None:
        pause, spared = Pause(), asyncio.Event()

        async def sparing(call: Call) -> None:
            async with pause.cutting(call):
                with pause.sparing():
                    pause.hold()
                    for _turn in range(5):
                        await asyncio.sleep(0)
                    spared.set()
                await asyncio.Event().wait()

        others = tasks.spawn(run(pause, AGENT, "click"), "another")
        await asyncio.sleep(0)
        with pytest.raises(KaptureError) as error:
            await asyncio.wait_for(sparing(call_of(AGENT, "click")), PATIENCE_S)
        assert error.value.code == "PAUSED"
        assert spared.is_set()
        with pytest.raises(KaptureError):
            await asyncio.wait_for(others, PATIENCE_S)

    asyncio.run(go())


def test_a_second_pause_comes_while_what_the_first_has_cut_is_still_ending() -> None:
    async def go() -> None:
        pause, ending = Pause(), asyncio.Event()

        async def slow() -> None:
            async with pause.cutting(call_of(AGENT, "click")):
                try:
                    await asyncio.Event().wait()
                finally:
                    await ending.wait()

        running = [tasks.spawn(slow(), "slow"), tasks.spawn(run(pause, AGENT, "click"), "click")]
        await asyncio.sleep(0)
        pause.hold()
        await asyncio.sleep(0)
        pause.lift()
        running.append(tasks.spawn(run(pause, AGENT, "click"), "click"))
        await asyncio.sleep(0)
        pause.hold()
        ending.set()
        answers = await asyncio.wait_for(asyncio.gather(*running, return_exceptions=True), PATIENCE_S)
        assert {getattr(answer, "code", answer) for answer in answers} <= {"OUTCOME_UNKNOWN", "PAUSED"}

    asyncio.run(go())
