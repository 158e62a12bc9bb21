"""A conversation with a child, from both ends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.mcp_child.fakes import Attached, Child, FakePanel, call, request

HELLO = request(1, "initialize", protocolVersion="2025-06-18", clientInfo={"name": "test-agent"})


class Conversation:
    """A child attached to a fake panel."""

    def __init__(self, root: Path, panel: FakePanel, child: Child) -> None:
        self.root, self.panel, self.child = root, panel, child
        self.attached: Attached = panel.accept()

    def panel_dies(self) -> None:
        """End the panel while a call runs; the child has noticed once that call is answered."""
        self.child.say(call("last"))
        self.attached.hear()
        self.panel.__exit__(None, None, None)
        self.attached.hang_up()
        while (answer := self.child.hear())["id"] != "last":
            pass
        assert "OUTCOME_UNKNOWN" in text_of(answer)


def text_of(answer: dict[str, Any]) -> str:
    """The words of a tool error."""
    result = answer["result"]
    assert result["isError"] is True
    return str(result["content"][0]["text"])


def answer_of(child: Child) -> dict[str, Any]:
    child.say(call(9))
    answer: dict[str, Any] = child.hear()
    return answer
