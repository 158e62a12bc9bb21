"""How the child is started: its options, and the panel it starts itself."""

from __future__ import annotations

import os
import select
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.mcp_child.conversation import HELLO, Conversation, answer_of, text_of
from tests.support.mcp_child.fakes import Child, FakePanel, call
from tests.support.patience import PATIENCE_S


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Conversation]:
    with FakePanel(tmp_path) as panel, Child("--data-dir", str(tmp_path)) as child:
        made = Conversation(tmp_path, panel, child)
        with made.attached:
            yield made


def test_it_tells_the_panel_who_it_is(tmp_path: Path) -> None:
    with (
        FakePanel(tmp_path) as panel,
        Child(f"--data-dir={tmp_path}", "--tools=core,tabs") as child,
        panel.accept() as attached,
    ):
        wishes = {"tools": "core,tabs", "profile": "", "isolated": False, "idle": "", "on": ""}
        assert attached.greeting == {"role": "mcp", **wishes, "pid": child.process.pid}


def test_it_asks_for_a_profile(tmp_path: Path) -> None:
    with (
        FakePanel(tmp_path) as panel,
        Child(f"--data-dir={tmp_path}", "--profile", "phoenix"),
        panel.accept() as attached,
    ):
        assert attached.greeting["profile"] == "phoenix"


def test_it_asks_for_a_browser_of_its_own(tmp_path: Path) -> None:
    with (
        FakePanel(tmp_path) as panel,
        Child(f"--data-dir={tmp_path}", "--isolated", "--idle", "5", "--on", "night"),
        panel.accept() as attached,
    ):
        assert (attached.greeting["isolated"], attached.greeting["idle"]) == (True, "5")
        assert attached.greeting["on"] == "night"


def test_it_knows_the_secret_of_a_tcp_door(tmp_path: Path) -> None:
    with (
        FakePanel(tmp_path, secret="s3cret") as panel,
        Child("--data-dir", str(tmp_path), environment={"KAPTURE_DOOR": "tcp"}) as child,
        panel.accept() as attached,
    ):
        assert attached.greeting["secret"] == "s3cret"
        child.say(HELLO)
        assert attached.answer({}) == HELLO
        assert child.hear()["id"] == 1


def test_the_data_directory_may_come_from_the_environment(tmp_path: Path) -> None:
    with (
        FakePanel(tmp_path) as panel,
        Child(environment={"KAPTURE_HOME": str(tmp_path)}),
        panel.accept() as attached,
    ):
        assert attached.greeting["tools"] == "all"


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["--tools", "core", "--help"]])
def test_help_is_printed_and_nothing_started(arguments: list[str]) -> None:
    with Child(*arguments) as child:
        code, out, complaints = child.end()
    assert (code, complaints) == (0, "")
    assert out.startswith("usage: kapture mcp [--data-dir DIR] [--tools all|core|GROUP,…]")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [(["--nope"], "--nope"), (["tabs"], "tabs"), (["--tools"], "--tools"), (["--data-dir"], "--data-dir"),
     (["--tools", "core", "x"], "x"), (["--port=1"], "--port")],
)  # fmt: skip
def test_a_wrong_option_is_named_with_the_usage(arguments: list[str], named: str) -> None:
    with Child(*arguments) as child:
        code, out, complaints = child.end()
    assert (code, out) == (2, "")
    assert complaints.startswith(f"kapture mcp: cannot use {named!r}\nusage: kapture mcp")


#: The child with another way to start a panel.
STARTING = """
import os, sys
from kapture_panel.mcp_child import launch, relay
relay.START_DEADLINE_S = {deadline}
def start_panel(root):
    {start}
launch.start_panel = start_panel
sys.exit(relay.main(["--data-dir", sys.argv[1]]))
"""


@pytest.mark.parametrize(
    ("start", "deadline", "reason"),
    [
        ("raise OSError('no such program')", PATIENCE_S, "the panel could not be started: no such program"),
        ("return 0", 0, "the panel did not start within 0 s (its log: {root}/panel.log)"),
        (
            "open(os.path.join(root, 'panel.log'), 'w').write('first\\nkapture: port 1 is taken\\n\\n');"
            " return os.posix_spawn(sys.executable, [sys.executable, '-c', 'raise SystemExit(1)'], os.environ)",
            PATIENCE_S,
            "the panel could not start: kapture: port 1 is taken (its log: {root}/panel.log)",
        ),
    ],
    ids=["cannot be started", "takes too long", "ends at once"],
)
def test_without_a_panel_that_starts_the_client_is_told_why(
    tmp_path: Path, start: str, deadline: float, reason: str
) -> None:
    with Child(str(tmp_path), program=STARTING.format(start=start, deadline=deadline)) as child:
        child.say(HELLO)
        answer = child.hear()
        assert answer["id"] == 1
        assert answer["error"]["code"] == -32000
        assert reason.format(root=tmp_path) in answer["error"]["message"]
        with FakePanel(tmp_path) as panel, panel.accept() as attached:
            assert attached.answer({})["id"] == "kapture-replay-0"
            child.say(call(2))
            while (message := attached.hear())["method"] != "tools/call":
                pass
            assert message["id"] == 2
        assert text_of(child.hear()).startswith("OUTCOME_UNKNOWN")


#: Each start is told through a pipe; the first one fails.
SECOND_TIME = """
    with open(os.path.join(root, "starts"), "w") as starts:
        starts.write("x")
    launch.tries = getattr(launch, "tries", 0) + 1
    if launch.tries == 1:
        raise OSError("not yet")
    return 0
"""


class Starts:
    """Hears when the child of a data directory starts a panel."""

    def __init__(self, root: Path) -> None:
        os.mkfifo(root / "starts")
        # For writing, too: without a writer a pipe is at its end and has always something to read.
        self._pipe = os.open(root / "starts", os.O_RDWR | os.O_NONBLOCK)

    def __enter__(self) -> Starts:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._pipe)

    def heard(self, wait_s: float = PATIENCE_S) -> bool:
        """Whether there was one more."""
        return bool(select.select([self._pipe], [], [], wait_s)[0]) and os.read(self._pipe, 1) == b"x"


def test_a_start_that_failed_is_tried_again_with_the_next_call(tmp_path: Path) -> None:
    program = STARTING.format(start=SECOND_TIME, deadline=PATIENCE_S)
    with Starts(tmp_path) as starts, Child(str(tmp_path), program=program) as child:
        child.say(HELLO)
        assert "not yet; nothing was done, the call can be made again" in child.hear()["error"]["message"]
        assert starts.heard()
        assert not starts.heard(0), "what failed is told before it is tried again"
        child.say(HELLO)
        assert starts.heard()
        with FakePanel(tmp_path) as panel, panel.accept() as attached:
            while attached.hear() != HELLO:
                pass
            attached.say({"jsonrpc": "2.0", "id": 1, "result": {}})
            assert child.hear() == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_a_panel_that_ran_and_was_ended_is_not_started_by_a_call(tmp_path: Path) -> None:
    program = STARTING.format(start=SECOND_TIME, deadline=PATIENCE_S)
    with Starts(tmp_path) as starts, FakePanel(tmp_path) as panel, Child(str(tmp_path), program=program) as child:
        talk = Conversation(tmp_path, panel, child)
        with talk.attached:
            talk.panel_dies()
            for _ in range(2):
                assert "the panel has ended" in text_of(answer_of(child))
        assert not starts.heard(0)
