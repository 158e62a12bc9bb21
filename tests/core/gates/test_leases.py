"""Who acts in a tab first holds it, until it goes, rests, or the person decides otherwise."""

from __future__ import annotations

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.gates.leases import IDLE_S, Leases
from kapture_panel.core.registry.clients import Client, Clients
from kapture_panel.core.registry.tabs import Tab, Tabs


class World:
    def __init__(self) -> None:
        self.now = 1000.0
        self.clients = Clients()
        self.tabs = Tabs()
        self.tab = Tab("t1", "https://shop.example/", "Shop", "install")
        self.tabs.add(self.tab)
        self.leases = Leases(self.clients, self.tabs, lambda: self.now)
        self.one, self.other = Client("one", "agent"), Client("other", "agent")
        self.clients.add(self.one)
        self.clients.add(self.other)
        self.told: list[str] = []
        self.leases.changed.connect(self.told.append)


@pytest.fixture
def world() -> World:
    return World()


def refused(world: World, client: Client) -> bool:
    try:
        world.leases.check(client, "t1")
    except KaptureError:
        with pytest.raises(KaptureError, match="held by 'one'") as error:
            world.leases.use(client, "t1", acts=True)
        assert (error.value.code, error.value.details) == ("TAB_LEASED", {"holder": "one"})
        return True
    world.leases.use(client, "t1", acts=True)
    return False


def test_the_first_that_acts_holds_the_tab_and_the_others_are_refused(world: World) -> None:
    world.leases.use(world.one, "t1", acts=True)
    assert world.leases.holder("t1") is world.one
    assert refused(world, world.other)
    assert not refused(world, world.one)
    assert world.told == ["t1"]


def test_looking_takes_nothing_and_is_never_refused(world: World) -> None:
    world.leases.use(world.other, "t1", acts=False)
    assert world.leases.holder("t1") is None
    world.leases.use(world.one, "t1", acts=True)
    world.leases.use(world.other, "t1", acts=False)


def test_the_person_is_never_refused_and_takes_nothing(world: World) -> None:
    person = Client("you", "person")
    world.leases.use(person, "t1", acts=True)
    assert world.leases.holder("t1") is None
    world.leases.use(world.one, "t1", acts=True)
    world.leases.use(person, "t1", acts=True)
    assert world.leases.holder("t1") is world.one


def test_a_holder_that_goes_lets_go(world: World) -> None:
    world.leases.use(world.one, "t1", acts=True)
    world.clients.remove(world.one)
    assert world.leases.holder("t1") is None
    assert world.told == ["t1", "t1"]


def test_a_tab_that_goes_is_held_by_nobody_nor_when_it_comes_back(world: World) -> None:
    world.leases.use(world.one, "t1", acts=True)
    world.tabs.remove(world.tab)
    assert world.leases.holder("t1") is None
    assert world.told == ["t1", "t1"]
    world.leases.give(world.one, "t1")
    world.tabs.add(world.tab)
    assert not refused(world, world.other)


def test_a_holder_that_rests_lets_go_and_looking_counts_as_use(world: World) -> None:
    world.leases.use(world.one, "t1", acts=True)
    world.now += IDLE_S
    world.leases.use(world.one, "t1", acts=False)
    world.now += IDLE_S
    assert refused(world, world.other)
    world.now += 1
    assert not refused(world, world.other)
    assert world.leases.holder("t1") is world.other


def test_a_holder_whose_command_runs_does_not_rest(world: World) -> None:
    world.leases.use(world.one, "t1", acts=True)
    world.one.running = 1
    world.now += 10 * IDLE_S
    assert refused(world, world.other)


def test_the_person_hands_over_and_releases(world: World) -> None:
    world.leases.use(world.one, "t1", acts=True)
    world.leases.give(world.other, "t1")
    assert world.leases.holder("t1") is world.other
    with pytest.raises(KaptureError, match="held by 'other'"):
        world.leases.use(world.one, "t1", acts=True)
    world.leases.release("t1")
    world.leases.release("t1")
    assert world.leases.holder("t1") is None
    assert world.told == ["t1", "t1", "t1"]


def test_the_person_hands_a_tab_over_and_both_are_told(world: World) -> None:
    told: list[tuple[Client, str]] = []
    world.leases.handed_over.connect(lambda client, tab_id: told.append((client, tab_id)))
    world.leases.use(world.one, "t1", acts=True)
    world.leases.hand_over(world.other, "t1")
    assert world.leases.holder("t1") is world.other
    assert told == [(world.other, "t1")]
    assert world.told == ["t1", "t1"]


def test_a_use_says_whether_the_tab_was_taken_by_it(world: World) -> None:
    assert world.leases.use(Client("you", "person"), "t1", acts=True) is None
    assert world.leases.use(world.one, "t1", acts=False) is None
    taken = world.leases.use(world.one, "t1", acts=True)
    assert taken is not None
    assert taken.client is world.one
    assert world.leases.use(world.one, "t1", acts=True) is None
    assert world.leases.use(world.one, "t1", acts=False) is None
    assert world.leases.use(world.one, "gone", acts=True) is None


@pytest.mark.parametrize("whose", ["one", "other"])
def test_a_lease_is_taken_back_unless_the_person_has_handed_the_tab_over_since(world: World, whose: str) -> None:
    first = world.leases.use(world.one, "t1", acts=True)
    assert first is not None
    world.leases.take_back("t1", first)
    assert world.leases.holder("t1") is None
    taken = world.leases.use(world.one, "t1", acts=True)
    assert taken is not None
    world.leases.hand_over(holder := getattr(world, whose), "t1")
    for old in (first, taken):
        world.leases.take_back("t1", old)
        assert world.leases.holder("t1") is holder


def test_an_action_that_was_not_sent_does_not_free_the_tab_of_a_later_one(world: World) -> None:
    first = world.leases.use(world.one, "t1", acts=True)
    assert first is not None
    assert world.leases.use(world.one, "t1", acts=True) is None
    world.leases.take_back("t1", first)
    assert world.leases.holder("t1") is world.one


def test_the_person_is_not_refused_in_a_tab_somebody_holds(world: World) -> None:
    world.leases.use(world.one, "t1", acts=True)
    world.leases.check(Client("you", "person"), "t1")


def test_each_client_has_its_own_tabs_and_takes_only_them_along(world: World) -> None:
    world.tabs.add(Tab("t2", "", "", "install"))
    world.leases.use(world.one, "t1", acts=True)
    world.leases.use(world.other, "t2", acts=True)
    assert [world.leases.holder(tab_id) for tab_id in ("t1", "t2")] == [world.one, world.other]
    world.clients.remove(world.one)
    assert [world.leases.holder(tab_id) for tab_id in ("t1", "t2")] == [None, world.other]


def test_a_tab_the_person_has_stepped_into_is_nobody_elses_until_it_is_given_back(world: World) -> None:
    person = Client("you", "person")
    given_back: list[str] = []
    world.leases.given_back.connect(given_back.append)
    world.leases.use(world.one, "t1", acts=True)
    world.leases.step_in(person, "t1")
    assert world.leases.holder("t1") is person
    for agent in (world.one, world.other):
        with pytest.raises(KaptureError, match="a person has stepped into the tab t1") as error:
            world.leases.use(agent, "t1", acts=True)
        assert (error.value.code, error.value.details) == ("TAB_LEASED", {"holder": "a person"})
        world.leases.use(agent, "t1", acts=False)  # looking goes on
    world.now += 10 * IDLE_S
    assert world.leases.holder("t1") is person, "a person takes the time it takes"
    world.leases.use(world.one, "t1", acts=False)
    world.told.clear()
    for _ in range(2):
        world.leases.step_out("t1")
        assert world.told == ["t1"]
    assert (world.leases.holder("t1"), given_back) == (world.one, ["t1"])


def test_a_tab_that_closes_is_given_back_to_nobody(world: World) -> None:
    person = Client("you", "person")
    world.leases.step_in(person, "gone")
    assert world.leases.holder("gone") is None
    world.leases.step_in(person, "t1")
    world.tabs.remove(world.tab)
    assert world.leases.holder("t1") is None
    world.tabs.add(world.tab)
    assert world.leases.use(world.one, "t1", acts=True)


def test_of_two_terminals_the_refused_one_is_told_how_to_be_one_with_the_other(world: World) -> None:
    first, second = Client("terminal", "terminal", parent="bash"), Client("terminal", "terminal", parent="zsh")
    world.leases.use(first, "t1", acts=True)
    with pytest.raises(KaptureError, match=r"held by another terminal \(of bash\).*--session.*5 min"):
        world.leases.use(second, "t1", acts=True)
    with pytest.raises(KaptureError, match="held by 'terminal'"):
        world.leases.use(world.one, "t1", acts=True)


def test_another_terminal_of_no_known_program_is_another_terminal() -> None:
    world = World()
    first, second = Client("terminal", "terminal"), Client("terminal", "terminal")
    world.leases.use(first, "t1", acts=True)
    with pytest.raises(KaptureError, match="held by another terminal; you can"):
        world.leases.use(second, "t1", acts=True)
