"""A question shows what it is about, found by reads that change nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.gates import close_look
from kapture_panel.core.gates.approvals import Ask
from kapture_panel.core.gates.policy import Policy
from kapture_panel.core.gates.rules import Rule
from kapture_panel.core.wire.protocol import Response
from tests.support.core.fakes import World, failed, ok, picture, refused


@pytest.fixture
def careful(world: World) -> World:
    """A person who says yes to everything, for the session where that is offered."""
    world.router.gates.policy = Policy("careful")
    approvals = world.router.gates.approvals
    approvals.attend()
    approvals.added.connect(lambda ask: asyncio.get_running_loop().call_soon(approvals.allow, ask, ask.scopes[-1]))
    world.tab()
    return world


@pytest.fixture
def asked(careful: World) -> list[Ask]:
    """What the person was asked."""
    asked: list[Ask] = []
    careful.router.gates.approvals.added.connect(asked.append)
    return asked


def element_there(world: World, **meant: Any) -> None:
    """What the page says of an element."""
    target = {"selector": "#pay", "role": "button", "name": "Pay now", **meant}
    world.executor.answers["wait"] = ok({}, targets=[target])
    world.executor.answers["check_visibility"] = ok(
        {"visible": True, "box": {"x": 100, "y": 50, "width": 80, "height": 20}}
    )
    world.executor.answers["get_page_metadata"] = ok({"scroll": {"x": 0, "y": 900}})
    world.executor.answers["screenshot"] = picture(b"element")


async def test_what_a_rule_asks_about_is_looked_at_before_anything_is_sent(careful: World, asked: list[Ask]) -> None:
    careful.router.gates.policy.rules.put(Rule("ask", command="click"))
    element_there(careful)
    await careful.run("click", ref="e5")
    (ask,) = asked
    assert (ask.scene.element, ask.picture) == ("button “Pay now”", b"element")
    assert [sent.command for sent in careful.executor.sent][-1] == "click"
    looks = {sent.command: sent for sent in careful.executor.sent[:-1]}
    assert looks["wait"].params == {"ref": "e5", "state": "attached", "wait": 0}
    assert looks["check_visibility"].params == {"selector": "#pay"}
    assert looks["screenshot"].params["clip"] == {"x": 76, "y": 926, "width": 128, "height": 68}, "a part of the page"
    assert all(sent.timeout_ms == close_look.LOOK_MS and sent.quiet for sent in looks.values())
    assert not careful.executor.sent[-1].quiet
    assert [row.command for row in careful.history.rows()] == ["click"]


@pytest.mark.parametrize(("meant", "is_plain"), [
    ({"type": "text"}, True), ({"role": "textbox"}, True), ({"type": "password", "secret": True}, False),
    ({"role": "textbox", "secret": True}, False), ({"role": "LabelText"}, False),
])  # fmt: skip
async def test_a_question_before_anything_is_sent_knows_a_field_that_is_not_secret(
    careful: World, asked: list[Ask], meant: dict[str, Any], is_plain: bool
) -> None:
    careful.router.gates.policy.rules.put(Rule("ask", command="fill"))
    element_there(careful, **meant)
    await careful.run("fill", selector="#pw", value="hunter2")
    assert asked[0].scene.is_plain_field is is_plain


@pytest.mark.parametrize(("command", "params"), [
    ("fill_form", {"fields": [{"selector": "#pw", "value": "hunter2"}]}), ("type", {"text": "hunter2"}),
])  # fmt: skip
async def test_of_a_field_that_nobody_looked_at_it_is_not_known(
    careful: World, asked: list[Ask], command: str, params: dict[str, Any]
) -> None:
    careful.router.gates.policy.rules.put(Rule("ask", command=command))
    element_there(careful, type="text")
    await careful.run(command, **params)
    assert not asked[0].scene.is_plain_field


@pytest.mark.parametrize("broken", [failed("ELEMENT_NOT_FOUND"), ok({}), KaptureError("NOT_SENT", "gone")])
async def test_what_cannot_be_found_is_named_as_the_command_names_it(
    careful: World, asked: list[Ask], broken: Any
) -> None:
    careful.router.gates.policy.rules.put(Rule("ask", command="click"))
    careful.executor.answers["wait"] = broken
    await careful.run("click", xpath="//button")
    assert [(ask.scene.element, ask.picture) for ask in asked] == [("//button", None)]


async def test_a_place_is_shown_with_what_is_around_it(careful: World, asked: list[Ask]) -> None:
    careful.router.gates.policy.rules.put(Rule("ask", permission="interact"))
    element_there(careful)
    await careful.run("click", x=200, y=100.5)
    assert [(ask.scene.element, ask.picture) for ask in asked] == [("the place 200, 100.5", b"element")]
    clip = next(sent.params["clip"] for sent in careful.executor.sent if sent.command == "screenshot")
    assert clip == {"x": 152, "y": 952.5, "width": 96, "height": 96}


async def test_an_element_that_does_not_answer_in_time_is_named_as_the_command_names_it(
    careful: World, asked: list[Ask], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(close_look, "LOOK_MS", 1)
    careful.router.gates.policy.rules.put(Rule("ask", command="click"))

    async def never(_params: dict[str, Any]) -> Response:
        await asyncio.Event().wait()
        raise AssertionError

    careful.executor.answers["wait"] = never
    await careful.run("click", selector="#pay")
    assert [ask.scene.element for ask in asked] == ["#pay"]


def meanwhile(world: World, happens: Callable[[World], object]) -> None:
    """Something happens while the element is looked at."""

    async def look(_params: dict[str, Any]) -> Response:
        happens(world)
        return picture(b"element")

    element_there(world)
    world.executor.answers["screenshot"] = look


def leave_for(url: str, *, loads: bool = True) -> Callable[[World], None]:
    """The tab shows `url` from now on, in another document or not."""

    def leave(world: World) -> None:
        tab = world.tabs.get("t1")
        world.tabs.update(tab, url=url, title="There")
        if loads:
            world.tabs.navigated.emit(tab)

    return leave


@pytest.mark.parametrize(
    ("happens", "why"),
    [
        (leave_for("https://bank.example/", loads=False), "the page was left for bank.example"),
        (leave_for("https://bank.example/"), "the page was left for bank.example"),
        (leave_for("https://shop.example/pay"), "the page was left for shop.example"),
        (lambda world: world.tabs.remove(world.tabs.get("t1")), "its tab is gone"),
    ],
    ids=["address", "site", "document", "tab"],
)
async def test_nobody_is_asked_about_a_page_that_was_left_while_it_was_looked_at(
    careful: World, asked: list[Ask], happens: Callable[[World], object], why: str
) -> None:
    careful.router.gates.policy.rules.put(Rule("ask", command="click"))
    meanwhile(careful, happens)
    error = await refused(careful, "click", selector="#pay")
    assert (error.code, error.what) == (
        "APPROVAL_EXPIRED",
        f"{why} before click, which needs a person's yes, could begin",
    )
    assert asked == []
    assert "click" not in [sent.command for sent in careful.executor.sent]


async def test_a_page_that_gives_itself_another_address_is_asked_about_as_it_was(
    careful: World, asked: list[Ask]
) -> None:
    careful.router.gates.policy.rules.put(Rule("ask", command="click"))
    meanwhile(careful, leave_for("https://shop.example/pay", loads=False))
    await careful.run("click", selector="#pay")
    assert [(ask.where, ask.scene.pages) for ask in asked] == [
        ("Cart – https://shop.example/cart", ("https://shop.example/cart",))
    ]


async def test_a_page_that_goes_where_the_extension_found_it_is_not_left(careful: World, asked: list[Ask]) -> None:
    async def elsewhere(_params: dict[str, Any]) -> Response:
        if "https://bank.example" in careful.executor.sent[-1].grant.origins:
            return ok({})
        return failed("NEEDS_APPROVAL", "", origin="https://bank.example", url="https://bank.example/")

    meanwhile(careful, leave_for("https://bank.example/"))
    careful.executor.answers["click"] = elsewhere
    await careful.run("click", selector="#pay")
    assert [ask.site for ask in asked] == ["bank.example"]


async def test_the_same_call_made_again_looks_at_nothing(world: World) -> None:
    world.router.gates.policy = Policy("careful")
    world.router.gates.policy.rules.put(Rule("ask", command="click"))
    approvals = world.router.gates.approvals
    approvals.attend()
    world.tab()
    element_there(world)
    for _ in range(2):
        assert (await refused(world, "click", selector="#pay", timeout=50)).code == "APPROVAL_PENDING"
    (ask,) = approvals
    assert [sent.command for sent in world.executor.sent].count("screenshot") == 1
    approvals.allow(ask)
    await world.run("click", selector="#pay", timeout=60)
    sent = [sent.command for sent in world.executor.sent]
    assert (sent.count("screenshot"), sent[-1]) == (1, "click")
