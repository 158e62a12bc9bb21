"""Puts the core of one instance together, for the programs and for tests."""

from __future__ import annotations

import time
from collections.abc import Callable

from kapture_panel.core.basics.settings import RECORD_TYPED
from kapture_panel.core.catalogue import redaction
from kapture_panel.core.gates.gates import Gates
from kapture_panel.core.gates.policy import Policy
from kapture_panel.core.records import Records
from kapture_panel.core.registry.executor import Executor
from kapture_panel.core.router import Handlers, Router
from kapture_panel.core.settling import Settling
from kapture_panel.core.state import State
from kapture_panel.core.stores.forgetting import Forgetting
from kapture_panel.core.stores.meanwhile import Meanwhile
from kapture_panel.core.stores.recorder import Recorder


class Core:
    """The way of every command over a `State`.

    Args:
        state: what is kept and known.
        executor: where commands go.
        policy: what the person laid down for agents.
        handlers: what the panel itself does for commands.
        clock: seconds, for how long a recorded picture holds.
    """

    def __init__(
        self,
        state: State,
        executor: Executor,
        policy: Policy,
        handlers: Handlers,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.state = state
        self.gates = Gates(policy, state.tabs, state.clients, executor, state.pause)
        self.recorder = Recorder(
            state.catalogue, state.tabs, state.history, executor, state.recordings, state.settings, clock
        )
        state.requests.changed.connect(self.recorder.on_requests)
        keeper = redaction.Keeper(state.catalogue, redaction.key(state.places.history_key), self._keeps_typed)
        records, meanwhile = Records(state.history, keeper, self.recorder), Meanwhile(state.tabs, state.clients)
        self.settling = Settling(state.history, records, meanwhile)
        self.router = Router(
            state.catalogue,
            state.tabs,
            state.clients,
            self.gates,
            records,
            state.shots,
            executor,
            handlers,
            self.settling,
            meanwhile,
        )
        self.forgetting = Forgetting(
            state.history,
            state.shots,
            state.recordings,
            state.videos,
            state.outputs,
            state.upload_copies,
            state.console,
            state.requests,
            state.notes,
        )

    def _keeps_typed(self) -> bool:
        return self.state.settings.get(RECORD_TYPED, False) is True
