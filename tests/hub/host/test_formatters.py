"""The formatters' side of a snapshot, with a real helper process and a pretended tab."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Coroutine
from pathlib import Path
from typing import Any

import pytest

from kapture_panel import paths
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.tasks import end, spawn
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.wire.protocol import Response
from kapture_panel.hub.host import formatters as module
from kapture_panel.hub.host.formatters import MAX_CHARS, Formatters
from tests.support.core import loop_clock
from tests.support.core.fakes import SOME_CALL
from tests.support.core.inbox import next_round
from tests.support.patience import PATIENCE_S

NODES = [{"role": "button", "name": "Buy", "depth": 0, "ref": "e1"}]
DEFAULT = '# Shop\n- button "Buy" [ref=e1]'
PLUGIN = """
def match(url):
    return "shop" in url

def format(nodes, url):
    return [f"{node['name']} [ref={node['ref']}]" for node in nodes]
"""

#: The beginning of a plug-in: with `hang` it says through the pipe beside it that it has begun, and never ends.
HANGS = """
import pathlib

def hang():
    (pathlib.Path(__file__).parent / "begun").write_text("now")
    while True: pass
"""
LOOP = f"{HANGS}\ndef match(url): return 'shop' in url\ndef format(nodes, url): hang()\n"
#: How a deadline that was missed is told.
LATE = f"not done after {PATIENCE_S * 1000:.0f} ms"

#: A plug-in that starts a process, and then neither ends.
FORKS = f"""{HANGS}
import os, time
ALIVE = pathlib.Path(__file__).parent / "alive"

def match(url): return False

def format(nodes, url):
    alive = ALIVE.open("w")
    if os.fork():
        alive.write("two")
        alive.flush()
        hang()
    while True: time.sleep(600)
"""

Begun = asyncio.Queue[bytes]


async def send(params: dict[str, Any]) -> Response:
    """What the extension answers: objects when it was asked for them, text otherwise."""
    plain = '- button "Buy" [ref=e1]'
    result: Any = {"head": "# Shop", "nodes": NODES, "text": DEFAULT} if params.get("nodes") else plain
    return Response(id="c1", success=True, result=result)


def tab(url: str = "https://shop.example/") -> Tab:
    return Tab("t1", url, "Shop", "browser")


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, no deadline is missed but by a clock that is put on."""
    assert (module.DEADLINE_S, module.LOAD_S, module.START_S) == (0.5, 1.0, 5.0)
    for limit in ("DEADLINE_S", "LOAD_S", "START_S"):
        monkeypatch.setattr(module, limit, PATIENCE_S)


@pytest.fixture
async def begun(tmp_path: Path) -> AsyncIterator[Begun]:
    """What is said through the pipe of plug-ins that hang."""
    os.mkfifo(tmp_path / "begun")
    # For writing, too: without a writer a pipe is at its end and has always something to read.
    pipe = os.open(tmp_path / "begun", os.O_RDWR | os.O_NONBLOCK)
    heard: Begun = asyncio.Queue()
    loop = asyncio.get_running_loop()
    loop.add_reader(pipe, lambda: heard.put_nowait(os.read(pipe, 3)))
    yield heard
    loop.remove_reader(pipe)
    os.close(pipe)


@pytest.fixture
async def formatters(tmp_path: Path) -> AsyncIterator[Formatters]:
    made = Formatters([tmp_path])
    yield made
    await made.close()


async def result(formatters: Formatters, url: str = "https://shop.example/", **params: Any) -> Any:
    return (await formatters.snapshot(SOME_CALL, tab(url), {"formatter": "auto", **params}, send)).result


async def late(begun: Begun, asked: Coroutine[Any, Any, str]) -> str:
    """What is told when one of the plug-ins hangs until its deadline."""
    asking = spawn(asked, "a snapshot")
    await asyncio.wait_for(begun.get(), PATIENCE_S)
    await next_round()  # what the helper has said before is heard, so that the deadline is the plug-in's
    loop_clock.put_on(PATIENCE_S)
    return await asyncio.wait_for(asking, PATIENCE_S)


async def test_a_plug_in_that_takes_the_page_makes_the_text(formatters: Formatters, tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(PLUGIN)
    assert await result(formatters) == "# Shop (formatter shop)\nBuy [ref=e1]"
    assert await result(formatters, url="https://other.example/") == '- button "Buy" [ref=e1]'


async def test_only_a_page_that_shows_a_sign_is_asked_for_its_nodes(formatters: Formatters, tmp_path: Path) -> None:
    asked: list[Any] = []

    async def ask(params: dict[str, Any]) -> Response:
        asked.append(params["nodes"])
        return await send({**params, "nodes": params["nodes"] is True or "Buy" in params["nodes"]})

    async def shown() -> Any:
        return (await formatters.snapshot(SOME_CALL, tab(), {"formatter": "auto"}, ask)).result

    (tmp_path / "shop.py").write_text(f'SIGNS = ["Sell", "Hire"]\n{PLUGIN}')
    assert await shown() == '- button "Buy" [ref=e1]'
    (tmp_path / "b.py").write_text(f'SIGNS = ["Buy"]\n{PLUGIN}')
    assert await shown() == "# Shop (formatter b)\nBuy [ref=e1]"
    (tmp_path / "c.py").write_text("def match(url): return True\ndef format(nodes, url): return None\n")
    await shown()
    assert [set(signs) if signs is not True else signs for signs in asked] == [
        {"Sell", "Hire"}, {"Buy", "Sell", "Hire"}, True,
    ]  # fmt: skip


async def test_failures_are_told_until_their_file_is_another(formatters: Formatters, tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(PLUGIN)
    (tmp_path / "broken.py").write_text("import no_such_module\n")
    (tmp_path / "bad.py").write_text("def match(url): return True\ndef format(nodes, url): return 1 / 0\n")
    (tmp_path / "worse.py").write_text("def match(url): return 1 / 0\ndef format(nodes, url): return None\n")
    failures = await formatters.failures()
    assert list(failures) == ["broken"], "nothing was asked yet"
    assert "cannot be loaded" in failures["broken"]
    assert "(formatter shop)" in await result(formatters)
    failures = await formatters.failures()
    assert set(failures) == {"broken", "bad", "worse"}
    assert "division by zero" in failures["bad"]
    for name in failures:
        (tmp_path / f"{name}.py").unlink()
    assert await formatters.failures() == {}


async def test_a_failure_is_over_once_the_plug_in_answers(formatters: Formatters, tmp_path: Path) -> None:
    once = "import pathlib\nFLAG = pathlib.Path(__file__).with_suffix('.flag')\n"
    (tmp_path / "match.py").write_text(
        once + "def match(url): return FLAG.exists() or 1 / 0\ndef format(nodes, url): return None\n"
    )
    (tmp_path / "text.py").write_text(
        once + "def match(url): return True\ndef format(nodes, url): return None if FLAG.exists() else 1 / 0\n"
    )
    await result(formatters)
    assert set(await formatters.failures()) == {"match", "text"}
    for name in ("match", "text"):
        (tmp_path / f"{name}.flag").touch()
    await result(formatters)
    assert await formatters.failures() == {}


async def test_a_process_that_does_not_start_is_told(
    formatters: Formatters, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shop.py").write_text(PLUGIN)
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert await formatters.failures() == {"their process": "does not start, see panel.log"}
    monkeypatch.undo()
    assert await formatters.failures() == {}


async def test_none_a_diff_and_a_cursor_take_the_default(formatters: Formatters, tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(PLUGIN)
    for params in ({"formatter": "none"}, {"diff": True}, {"cursor": "s1:5"}):
        assert await result(formatters, **params) == '- button "Buy" [ref=e1]'


async def test_a_part_of_a_page_is_told_as_it_is_unless_a_plug_in_is_named(
    formatters: Formatters, tmp_path: Path
) -> None:
    (tmp_path / "shop.py").write_text(PLUGIN)
    parts: list[dict[str, Any]] = [
        {"selector": "main"},
        {"ref": "e1"},
        {"roles": ["button"]},
        {"maxDepth": 2},
        {"interactiveOnly": True},
    ]
    for params in parts:
        assert await result(formatters, **params) == '- button "Buy" [ref=e1]'
        assert "(formatter shop)" in await result(formatters, formatter="shop", **params)


async def test_a_page_that_a_plug_in_does_not_know_goes_to_the_next_one_then_to_the_default(
    formatters: Formatters, tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_text("def match(url): return True\ndef format(nodes, url): return None\n")
    assert await result(formatters) == DEFAULT
    told = await result(formatters, formatter="a")
    assert told == '# Shop (default text: the formatter a does not know this page)\n- button "Buy" [ref=e1]'
    (tmp_path / "shop.py").write_text(PLUGIN)
    assert "(formatter shop)" in await result(formatters)


async def test_a_name_that_is_not_there_is_an_error_that_lists_the_names(
    formatters: Formatters, tmp_path: Path
) -> None:
    (tmp_path / "shop.py").write_text(PLUGIN)
    with pytest.raises(KaptureError, match="there are auto, none, shop"):
        await result(formatters, formatter="shopp")


async def test_a_later_folder_replaces_a_shipped_plug_in(tmp_path: Path) -> None:
    for name, word in (("shipped", "old"), ("own", "new")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "shop.py").write_text(
            f"def match(url): return True\ndef format(nodes, url): return {word!r}\n"
        )
    formatters = Formatters([tmp_path / "shipped", tmp_path / "own"])
    assert (await result(formatters)).endswith("\nnew")
    await formatters.close()


async def test_a_helper_that_was_killed_is_replaced(formatters: Formatters, tmp_path: Path, begun: Begun) -> None:
    (tmp_path / "loop.py").write_text(LOOP)
    (tmp_path / "other.py").write_text(PLUGIN.replace("shop", "other"))
    assert await late(begun, result(formatters)) == DEFAULT
    assert (await result(formatters, url="https://other.example/")).startswith("# Shop (formatter other)")
    told = await late(begun, result(formatters, formatter="loop"))
    assert told.startswith(f"# Shop (default text: the formatter loop failed: {LATE})\n")


async def test_what_a_killed_plug_in_had_started_is_killed_with_it(
    formatters: Formatters, tmp_path: Path, begun: Begun
) -> None:
    os.mkfifo(tmp_path / "alive")
    (tmp_path / "forks.py").write_text(FORKS)
    reading = os.open(tmp_path / "alive", os.O_RDONLY | os.O_NONBLOCK)
    with os.fdopen(reading, "rb") as alive:
        os.set_blocking(reading, True)
        told = await late(begun, result(formatters, formatter="forks"))
        assert told.startswith(f"# Shop (default text: the formatter forks failed: {LATE})\n")
        ended = asyncio.to_thread(alive.read)  # to the end: when nobody holds it open for writing any more
        assert await asyncio.wait_for(ended, PATIENCE_S) == b"two"


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("def match(url):\n", "IndentationError"),
        ("import no_such_module\n", "ModuleNotFoundError"),
        (f"{HANGS}\nhang()\n", f"still loading after {PATIENCE_S:.0f} s"),
        ("import os\nos._exit(3)\n", "its process ended"),
        ("def match(url): return True\n", "TypeError: there is no function format in it"),
    ],
)
async def test_a_file_that_does_not_load_disables_no_other_and_says_why_in_the_log_and_to_who_names_it(
    formatters: Formatters, tmp_path: Path, begun: Begun, caplog: pytest.LogCaptureFixture, source: str, why: str
) -> None:
    (tmp_path / "bad.py").write_text(source)
    (tmp_path / "shop.py").write_text(PLUGIN)
    asked = result(formatters)
    assert "(formatter shop)" in await (late(begun, asked) if "hang()" in source else asked)
    assert f"the formatter bad cannot be loaded: {why}" in caplog.text
    with pytest.raises(KaptureError, match=f"the formatter 'bad' cannot be loaded: {why}"):
        await result(formatters, formatter="bad")


async def test_a_file_that_was_written_anew_is_loaded_anew(formatters: Formatters, tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("oops(")
    assert await result(formatters) == '- button "Buy" [ref=e1]'
    (tmp_path / "shop.py").write_text(PLUGIN)
    assert "(formatter shop)" in await result(formatters)
    (tmp_path / "shop.py").unlink()
    assert await result(formatters) == '- button "Buy" [ref=e1]'


async def test_a_match_that_hangs_is_asked_three_times_and_holds_up_no_other(
    formatters: Formatters, tmp_path: Path, begun: Begun, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "a.py").write_text(f"{HANGS}\ndef match(url): hang()\ndef format(nodes, url): return ''\n")
    (tmp_path / "shop.py").write_text(PLUGIN)
    for _ in range(3):
        assert "(formatter shop)" in await late(begun, result(formatters))
    for _ in range(2):
        assert "(formatter shop)" in await result(formatters)
    assert caplog.text.count("the formatter a failed to match") == 3


async def test_the_users_plug_ins_are_asked_before_the_shipped_ones(tmp_path: Path) -> None:
    for folder, name in (("shipped", "a"), ("own", "b")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{name}.py").write_text(PLUGIN)
    formatters = Formatters([tmp_path / "shipped", tmp_path / "own"])
    assert "(formatter b)" in await result(formatters)
    await formatters.close()


async def test_a_snapshot_that_is_given_up_leaves_no_reply_to_the_next(
    formatters: Formatters, tmp_path: Path, begun: Begun
) -> None:
    (tmp_path / "slow.py").write_text(LOOP.replace("shop", "slow"))
    (tmp_path / "shop.py").write_text(PLUGIN)
    given_up = spawn(result(formatters, url="https://slow.example/"), "a snapshot")
    await asyncio.wait_for(begun.get(), PATIENCE_S)
    await end(given_up)
    assert await result(formatters) == "# Shop (formatter shop)\nBuy [ref=e1]"


async def test_a_long_text_is_cut_at_a_line_and_says_so(formatters: Formatters, tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("def match(url): return True\ndef format(nodes, url): return ['x' * 99] * 1000\n")
    text = await result(formatters)
    assert len(text) < MAX_CHARS + 200
    assert text.endswith(
        "x\n(680 more lines left out; narrow the snapshot with a target, or page through formatter none)"
    )


async def test_a_note_of_a_plug_in_is_in_the_first_line(formatters: Formatters, tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("NOTE = 'unverified'" + PLUGIN)
    assert (await result(formatters)).startswith("# Shop (formatter shop, unverified)\n")


async def test_every_shipped_plug_in_loads_and_leaves_a_page_it_does_not_know(caplog: pytest.LogCaptureFixture) -> None:
    formatters = Formatters([paths.resources() / "formatters"])
    for url in (
        "https://x.example/admin/",
        "https://www.zillow.com/homes/",
        "https://threads.com/",
        "https://a.b/c.html",
    ):
        assert await result(formatters, url=url) == DEFAULT
    for name in ("django_admin", "sphinx_docs", "threads", "zillow"):
        assert f"the formatter {name} does not know this page" in await result(formatters, formatter=name)
    assert caplog.text == ""
    await formatters.close()
