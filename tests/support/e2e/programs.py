"""A page whose links, forms and scripts lead to other programs (pages/programs.html)."""

from __future__ import annotations

from kapture_panel.demo.agent import Agent

PAGE = "programs.html"
WAYS = {
    "link": "mailto:a@b.example", "other": "foo:bar", "window": "mailto:a@b.example", "script": "mailto:a@b.example",
    "form": "mailto:a@b.example",
}  # fmt: skip


async def led_nowhere(agent: Agent, page: str) -> None:
    """Click every link, form and script that leads to a program, and one that does not."""
    for way, address in WAYS.items():
        answer = await agent.call("click", selector=f"#{way}")
        assert answer["effects"] == {"programs": [{"url": address, "kept": True}], "changed": False}, way
    assert (await agent.call("click", selector="#page"))["effects"]["url"] == f"{page}#there"
