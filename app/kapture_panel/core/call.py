"""One command on its way: who gives it, what it means, where, and how far it has come."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from pathlib import Path

from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.catalogue.catalogue import Command
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.wire.protocol import Grant


@dataclass(eq=False)
class Call:
    """The one thing that gates, router and executor hand on.

    `given` are the parameters as they came, `params` with their defaults once they are checked; with `follow` its
    tab becomes the client's current one, without `is_kept` its row is not written. `page` is the origin of the
    document it is about, empty without one, and `is_managed` says whether the panel started that browser. `tab`,
    `grant` and `row` are there once they are known, and `reals` of the files it reads where each path led when the
    policy looked. `is_sent` holds as long as something of it may have been done; `limit` is set by the pause, which
    ends it that way. `is_given_up` says that the panel ended it though its link stayed up. `waited_ms` is how long it
    has waited for a person's answer.
    """

    client: Client
    name: str
    given: Params
    follow: bool = True
    is_kept: bool = True
    command: Command = field(init=False)
    params: Params = field(init=False)
    is_checked: bool = False
    tab: Tab | None = None
    page: str = ""
    is_managed: bool = True
    grant: Grant = field(default_factory=Grant)
    row: Row = field(init=False)
    is_sent: bool = False
    is_given_up: bool = False
    limit: asyncio.Timeout | None = None
    reals: dict[str, Path] = field(default_factory=dict)
    started: float = field(default_factory=time.perf_counter)
    waited_ms: float = 0.0

    def mean(self, command: Command) -> None:
        """Take what was given as parameters of `command`.

        Raises:
            KaptureError: `INVALID_PARAMS`.
        """
        self.command = command
        self.params = command.validate(self.given)
        self.is_checked = True

    @property
    def acts(self) -> bool:
        """Whether it may change something."""
        return self.command.class_with(self.params) != "read"

    @property
    def timeout_ms(self) -> int:
        """How long it may take."""
        timeout_ms: int = self.params["timeout"]
        return timeout_ms

    @property
    def sent(self) -> Params:
        """The parameters that its handler gets: neither the time nor the tab, which its link is."""
        without = {"timeout", "tabId"} if self.tab is not None else {"timeout"}
        sent = {name: value for name, value in self.params.items() if name not in without}
        if "paths" in sent and self.reals:
            sent["reals"] = {path: str(real) for path, real in self.reals.items()}
        # A time that was given is meant for the target, too.
        if self.command.waits and self.given.get("timeout") is not None:
            sent.setdefault("wait", self.timeout_ms)
        return sent

    @property
    def looked_at(self) -> Params:
        """The parameters, and with a `path` where the policy saw it lead, as `real`."""
        real = self.reals.get(str(Path(self.params["path"]))) if self.reals and "path" in self.params else None
        return self.params if real is None else {**self.params, "real": str(real)}

    @property
    def ms(self) -> float:
        """How long it has been on its way, without the time a person took to answer."""
        return (time.perf_counter() - self.started) * 1000 - self.waited_ms
