"""The agents: who is here and at work, what they may do, what they ask, and how one is brought here."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from kapture_panel.core.catalogue.catalogue import Command
from kapture_panel.core.gates.approvals import Ask
from kapture_panel.core.gates.gates import Gates
from kapture_panel.core.registry.clients import Client, Clients
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.window.agents import ask_words
from kapture_panel.window.agents.activity import Activity
from kapture_panel.window.agents.agent_setup import AgentSetup
from kapture_panel.window.agents.agents_model import AgentsModel
from kapture_panel.window.agents.agents_view import AgentsView
from kapture_panel.window.agents.approvals_view import ApprovalsView
from kapture_panel.window.agents.entries import ENTRIES
from kapture_panel.window.agents.policy_view import PolicyView
from kapture_panel.window.widgets import figures, safe_text, tab_names
from kapture_panel.window.widgets.browser_names import BrowserNames
from kapture_panel.window.widgets.off_thread import OffThread
from kapture_panel.window.widgets.question import Question
from kapture_panel.window.widgets.shell import Call, Shell
from kapture_panel.window.widgets.throttle import Throttle

#: More agents than these are only counted.
_NAMED = 3

#: Agents with the tab of each, and what they are: at work or connected.
_Found = tuple[list[tuple[Client, Tab | None]], str]


class AgentsRoom(QObject):
    """`add_asked`: the person wants to bring an agent here. `setup` does it, `client_added` tells the name of the
    client that was written to; the first page shows both."""

    add_asked = Signal()
    client_added = Signal(str)

    def __init__(
        self,
        shell: Shell,
        clients: Clients,
        tabs: Tabs,
        gates: Gates,
        commands: Iterable[Command],
        names: BrowserNames,
        mcp_config: str,
    ) -> None:
        super().__init__(shell.host)
        self._shell = shell
        shell.actions.declare(ENTRIES)
        self._pause = gates.pause
        self._approvals = gates.approvals
        #: How the person was called to each open question.
        self._calls: dict[Ask, Call] = {}
        self._mcp_config = mcp_config
        host, theme, subscriptions = shell.host, shell.theme, shell.subscriptions
        self.activity = Activity(clients, tabs, gates, subscriptions, host)
        off_thread = OffThread(host, threads=1)
        shell.at_end(off_thread.close)
        self.setup = AgentSetup(mcp_config, shell.background.start, off_thread, theme)
        self.view = AgentsView(AgentsModel(clients, self.activity, gates, subscriptions, host), mcp_config, theme)
        self.approvals = ApprovalsView(gates.approvals, gates.pause, names, theme, subscriptions, shell.pictures)
        self.policy = PolicyView(host, gates.policy, commands, clients, subscriptions, theme)
        self.at_work = Question(host, "Agents are at work")
        #: Brings the open question up to date.
        self._ask_again: Callable[[], None] = lambda: None
        self._follows = Throttle(self, self._follow)
        shell.add_dock("agents", "Agents", self.view, self.view.title_bar)
        shell.add_dock("approvals", "Questions", self.approvals, self.approvals.title_bar, comes_by_itself=True)
        self._room_for_questions = QTimer(self, singleShot=True, interval=0)
        self._room_for_questions.timeout.connect(self._give_room)
        self._add_actions()
        self._connect()
        self.activity.changed.connect(self._on_changed)
        for signal in (clients.added, clients.changed, clients.removed):
            subscriptions.connect(signal, self._on_changed)
        for signal_of_tabs in (tabs.changed, tabs.removed):
            subscriptions.connect(signal_of_tabs, self._on_changed)
        gates.approvals.attend()
        shell.at_end(gates.approvals.leave)
        if warning := gates.policy.rules.warning:
            shell.toasts.tell("Your rules for agents could not be read", warning, "error")

    def focus_setup(self) -> None:
        """Give the focus to the list of agents that can be brought here."""
        self.setup.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def ask_while_at_work(self, button: str, words: str, do: Callable[[], object]) -> None:
        """Do what ends their work, after a question where agents are at work.

        Args:
            button: what the button that goes on says.
            words: what would come of it.
            do: what is done then.
        """
        self._ask_about(lambda: (self.activity.at_work(), "at work"), button, words, do)

    def ask_while_connected(self, button: str, words: str, do: Callable[[], object]) -> None:
        """The same while any agent is connected, also one that does nothing."""

        def find() -> _Found:
            busy = self.activity.at_work()
            return (busy, "at work") if busy else (self.activity.connected(), "connected")

        self._ask_about(find, button, words, do)

    def _ask_about(self, find: Callable[[], _Found], button: str, words: str, do: Callable[[], object]) -> None:
        if not find()[0]:
            do()
            return
        self._shell.raise_window()

        def ask() -> None:
            agents, state = find()
            title = _how_many(agents, state)
            self.at_work.ask(title, f"{', '.join(_who(agents))}. {words}" if agents else words, button, do)

        self._ask_again = ask
        ask()

    def _on_changed(self, _one: Client | Tab | None = None) -> None:
        if self.at_work.isVisible():  # tabs change many times a second
            self._follows.ask()

    def _follow(self) -> None:
        """Who is at work changes while the person reads; where nobody is any more, going on is still theirs."""
        if self.at_work.isVisible():
            self._ask_again()

    def _add_actions(self) -> None:
        actions = self._shell.actions
        actions.add("pause", self._pause_or_resume)
        actions.add("add_agent", self.add_asked.emit)
        actions.add("policy", self.policy.open)
        actions.add("copy_config", self._copy_config)
        actions.add("go_agents", lambda: self._shell.go_to("agents", self.view))
        actions.add("go_questions", self._go_to_questions)

    def _connect(self) -> None:
        self._shell.subscriptions.connect(self._pause.changed, self._show_pause)
        self._shell.subscriptions.connect(self._approvals.settled, self._on_settled)
        self._show_pause()
        self.view.copy_config.connect(self._copy_config)
        self.view.add_asked.connect(self.add_asked)
        self.view.disconnect_asked.connect(self._disconnect)
        self.setup.added.connect(self.client_added)
        self.view.policy_asked.connect(self.policy.open_for)
        self.setup.copied.connect(lambda name, text: self._shell.copy(text, f"Copied for {name}"))
        self.approvals.asked.connect(self._on_asked)
        self.approvals.changed.connect(self._on_asks_changed)
        self.approvals.left.connect(self._shell.host.setFocus)
        self.approvals.grown.connect(self._room_for_questions.start)
        self.approvals.told.connect(lambda title, words: self._shell.toasts.tell(title, words, "warn"))

    def _go_to_questions(self) -> None:
        if self.approvals.card is not None:
            # Not `go_to`, which leaves a page: this dock stands beside it.
            self.approvals.card.text.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _pause_or_resume(self) -> None:
        if self._pause.is_on:
            self._pause.lift()
        else:
            self._pause.hold()

    def _show_pause(self) -> None:
        self._shell.actions["pause"].setText("Resume agents" if self._pause.is_on else "Pause agents")

    def _copy_config(self) -> None:
        self._shell.copy(self._mcp_config, "MCP configuration copied")

    def _disconnect(self, client: Client) -> None:
        """Show an agent or a terminal out; what it was doing is cancelled."""
        client.disconnect()
        words = "It can connect again after its MCP server is restarted."
        if client.kind == "terminal":
            words = "It holds no tab any more. Its next call connects it again."
        self._shell.toasts.tell(f"{safe_text.line(client.name, 60)} is disconnected", words, "ok")

    def _on_asked(self, ask: Ask) -> None:
        on = f" on {safe_text.line(ask.site)}" if ask.site else ""
        call = Call("A question for you", f"{ask_words.title(ask)}{on}", lambda: self._approvals.deny(ask))
        self._calls[ask] = call
        self._shell.draw_attention(call)

    def _on_settled(self, ask: Ask) -> None:
        if call := self._calls.pop(ask, None):
            self._shell.drop_attention(call)

    def _on_asks_changed(self) -> None:
        asked = self.approvals.card.ask if self.approvals.card is not None else None
        self.view.keep_in_sight(asked.client if asked is not None else None)
        if self.approvals.asks:
            if not self.approvals.isVisible():
                self._shell.bring("approvals", 1)
            self._room_for_questions.start()
        else:
            self._shell.send_away("approvals")
        self._shell.order_tabs()

    def _give_room(self) -> None:
        """How high the questions are is known once they are laid out."""
        if self.approvals.asks:
            self._shell.bring("approvals", self.approvals.wanted_px())


def _how_many(agents: list[tuple[Client, Tab | None]], state: str) -> str:
    if not agents:
        return f"No agent is {state} any more"
    return f"{figures.count(len(agents), 'agent')} {'is' if len(agents) == 1 else 'are'} {state}"


def _who(agents: list[tuple[Client, Tab | None]]) -> list[str]:
    """The first of them, each with its tab, and how many more there are."""
    who = [f"{safe_text.line(client.name, 40)} in “{tab_names.name(tab, 100)}”" if tab
           else safe_text.line(client.name, 40) for client, tab in agents[:_NAMED]]  # fmt: skip
    return [*who, f"{len(agents) - _NAMED} more"] if len(agents) > _NAMED else who
