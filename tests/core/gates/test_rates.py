"""A client may give so many commands a second, and is told when to try again."""

from __future__ import annotations

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.gates.rates import Rate, Rates
from kapture_panel.core.registry.clients import Client
from tests.support.core.fakes import call_of


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def taken(rates: Rates, client: Client, tries: int = 100) -> int:
    """How many of so many commands at once get through."""
    for number in range(tries):
        try:
            rates.admit(call_of(client, "click"))
        except KaptureError:
            return number
    return tries


def test_a_burst_goes_through_and_then_so_many_a_second() -> None:
    clock = Clock()
    rates = Rates(lambda: Rate(per_s=10, burst=20), clock)
    agent = Client("a", "agent")
    assert taken(rates, agent) == 20
    clock.now += 1
    assert taken(rates, agent) == 10
    clock.now += 3600
    assert taken(rates, agent) == 20


def test_the_error_names_when_to_try_again_and_then_it_goes() -> None:
    clock = Clock()
    rates = Rates(lambda: Rate(per_s=4, burst=1), clock)
    agent = Client("a", "terminal")
    rates.admit(call_of(agent, "click"))
    clock.now += 0.1
    with pytest.raises(KaptureError, match="try again in 150 ms") as error:
        rates.admit(call_of(agent, "click"))
    assert (error.value.code, error.value.details) == ("RATE_LIMITED", {"retryAfterMs": 150})
    clock.now += 0.15
    rates.admit(call_of(agent, "click"))


def test_all_whose_program_is_not_known_share_theirs_and_the_person_has_none() -> None:
    rates = Rates(lambda: Rate(per_s=1, burst=5), Clock())
    one, other, person = Client("a", "agent"), Client("b", "agent"), Client("you", "person")
    assert [taken(rates, one), taken(rates, other), taken(rates, person)] == [5, 0, 100]
    assert taken(rates, Client("a", "agent", parent="editor", program="/opt/editor")) == 5


def test_the_clients_that_one_program_starts_share_theirs() -> None:
    clock = Clock()
    rates = Rates(lambda: Rate(per_s=10, burst=20), clock)
    clients = [Client("a", "agent", parent="editor", program="/opt/editor") for _ in range(12)]
    assert sum(taken(rates, client) for client in clients) == 20
    clock.now += 1
    terminal = Client("terminal", "terminal", parent="editor", program="/opt/editor")
    assert taken(rates, terminal) == 10
    assert taken(rates, Client("a", "agent", parent="editor", program="/opt/another")) == 20


def test_another_rate_holds_at_once() -> None:
    clock, rate = Clock(), Rate(per_s=1, burst=50)
    rates = Rates(lambda: rate, clock)
    agent = Client("a", "agent")
    rates.admit(call_of(agent, "click"))
    rate = Rate(per_s=1, burst=3)
    assert taken(rates, agent) == 3


@pytest.mark.parametrize("per_s", [0, -1, 10_001, 1.5, True, "5", None])
def test_a_rate_nobody_could_mean_is_refused(per_s: object) -> None:
    with pytest.raises(ValueError, match="is not a rate"):
        Rate(per_s=per_s)  # type: ignore[arg-type]
