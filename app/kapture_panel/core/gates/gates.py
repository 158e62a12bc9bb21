"""The gates in order: everything that a command must pass before it is carried out."""

from __future__ import annotations

from kapture_panel.core.call import Call
from kapture_panel.core.gates.approvals import Approvals
from kapture_panel.core.gates.consent import Consent
from kapture_panel.core.gates.leases import Leases
from kapture_panel.core.gates.pause import Pause
from kapture_panel.core.gates.policy import Policy
from kapture_panel.core.gates.rates import Rates
from kapture_panel.core.registry.clients import Clients
from kapture_panel.core.registry.executor import Executor
from kapture_panel.core.registry.tabs import Tabs


class Gates:
    """The gates of one instance; `policy` may be another one at any time.

    Args:
        policy: what the person laid down.
        tabs: those that leases are about.
        clients: whoever goes has nothing open any more.
        executor: takes the picture the person is shown with a question.
        pause: the person's brake.
    """

    def __init__(
        self, policy: Policy, tabs: Tabs, clients: Clients, executor: Executor, pause: Pause | None = None
    ) -> None:
        self.policy = policy
        self.pause = Pause() if pause is None else pause
        self.rates = Rates(lambda: self.policy.rules.rate)
        self.leases = Leases(clients, tabs)
        self.approvals = Approvals()
        self.consent = Consent(lambda: self.policy, self.approvals, executor)
        clients.removed.connect(self.approvals.withdraw)
        tabs.changed.connect(self.approvals.on_tab_changed)
        tabs.navigated.connect(self.approvals.on_navigated)
        tabs.removed.connect(self.approvals.on_tab_removed)
        # Not `self.policy.remember` itself: the policy of then may be another one.
        self.approvals.settled.connect(lambda ask: self.policy.remember(ask))

    def admit_client(self, call: Call) -> None:
        """What is asked of whoever gives a command, before anything is made of it.

        Raises:
            KaptureError: `PAUSED` or `RATE_LIMITED`.
        """
        self.pause.admit(call)  # first: a call that is refused anyway takes no token
        self.rates.admit(call)

    def admit(self, call: Call) -> None:
        """What is asked once it is known what the command means, and where.

        Raises:
            KaptureError: `DENIED` or `TAB_LEASED`.
        """
        self.consent.admit(call)  # first: who may not act there need not learn who holds the tab
        self.leases.admit(call)
