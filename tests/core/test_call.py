"""A call: what it means and what of it is sent."""

from __future__ import annotations

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.call import Call
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tab
from tests.support.core.fakes import CATALOGUE

AGENT = Client("a", "agent")


def meant(name: str, **params: object) -> Call:
    call = Call(AGENT, name, dict(params))
    call.mean(CATALOGUE.get(name))
    return call


def test_it_has_the_defaults_of_its_command_and_keeps_what_was_given() -> None:
    call = meant("click", selector="#a")
    assert call.given == {"selector": "#a"}
    assert (call.params["selector"], call.timeout_ms) == ("#a", CATALOGUE.get("click").validate(call.given)["timeout"])
    with pytest.raises(KaptureError) as wrong:
        meant("click", selector=1)
    assert wrong.value.code == "INVALID_PARAMS"


def test_neither_the_time_nor_the_tab_is_sent_to_a_tab() -> None:
    call = meant("click", selector="#a", tabId="t1", timeout=5)
    call.tab = Tab("t1", "https://a.example/", "A", "install")
    assert not {"timeout", "tabId"} & call.sent.keys()
    assert call.sent["selector"] == "#a"
    assert call.params["tabId"] == "t1"


@pytest.mark.parametrize(
    ("params", "wait"),
    [({}, None), ({"timeout": 4000}, 4000), ({"wait": 0}, 0), ({"wait": 0, "timeout": 4000}, 0)],
)
def test_a_time_that_was_given_is_meant_for_the_target_too(params: dict[str, int], wait: int | None) -> None:
    assert meant("click", selector="#a", **params).sent.get("wait") == wait


def test_what_acts_on_no_element_waits_for_none() -> None:
    assert "wait" not in meant("evaluate", code="1", timeout=4000).sent


@pytest.mark.parametrize(
    ("name", "params", "acts"),
    [("click", {"selector": "#a"}, True), ("snapshot", {}, False), ("wait", {"time": 1}, False),
     ("wait", {"expression": "pay()"}, True)],
)  # fmt: skip
def test_whatever_runs_code_acts(name: str, params: dict[str, object], acts: bool) -> None:
    assert meant(name, **params).acts is acts
