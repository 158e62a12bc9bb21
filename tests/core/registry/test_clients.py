"""Who gives commands."""

from __future__ import annotations

from kapture_panel.core.registry.clients import Client, Clients


def test_clients_come_and_go_in_order() -> None:
    clients = Clients()
    heard: list[tuple[str, str]] = []
    clients.added.connect(lambda client: heard.append(("added", client.name)))
    clients.removed.connect(lambda client: heard.append(("removed", client.name)))
    first, second = Client("claude", "agent"), Client("terminal", "terminal")
    clients.add(first)
    clients.add(second)
    assert list(clients) == [first, second]
    assert len(clients) == 2
    clients.remove(first)
    clients.remove(first)
    assert heard == [("added", "claude"), ("added", "terminal"), ("removed", "claude")]


def test_two_clients_of_one_name_are_two_clients() -> None:
    clients = Clients()
    one, other = Client("claude", "agent"), Client("claude", "agent")
    clients.add(one)
    clients.add(other)
    clients.remove(one)
    (left,) = clients
    assert left is other


def test_agents_are_neither_the_person_nor_a_terminal() -> None:
    clients = Clients()
    for client in (Client("you", "person"), Client("claude", "agent"), Client("terminal", "terminal")):
        clients.add(client)
    assert [client.name for client in clients.agents()] == ["claude"]
    assert len(clients) == 3
