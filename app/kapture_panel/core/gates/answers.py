"""What a person answered for as long as a client is here."""

from __future__ import annotations

from kapture_panel.core.basics.signal import Signal
from kapture_panel.core.gates.approvals import Ask
from kapture_panel.core.registry.clients import Client


class Answers:
    """Kept with each client, as `granted` and `refused`; `changed` names the client whose answers have changed."""

    def __init__(self) -> None:
        self.changed: Signal[Client] = Signal()

    def keep(self, ask: Ask) -> None:
        """Remember an answer that was given for longer than one call."""
        if ask.scope == "once" or ask.state not in ("allowed", "denied"):
            return
        client, key = ask.client, (ask.site, ask.permission)
        kept, other = (client.granted, client.refused) if ask.state == "allowed" else (client.refused, client.granted)
        other.discard(key)
        kept.add(key)
        self.changed.emit(client)

    def take_back(self, client: Client, site: str, permission: str) -> None:
        """Have the person asked again, as if there had been no answer."""
        for kept in (client.granted, client.refused):
            kept.discard((site, permission))
        self.changed.emit(client)
