"""What the person answered for as long as an agent is connected, each to be taken back."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from kapture_panel.core.gates.policy import Policy
from kapture_panel.core.registry.clients import Client, Clients
from kapture_panel.window.agents.rules_model import PERMISSIONS
from kapture_panel.window.widgets import rows, safe_text
from kapture_panel.window.widgets.buttons import icon_button
from kapture_panel.window.widgets.label import ElidedLabel, Label
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.theme import Theme

_ROW_PX = 26


class AnswersList(QWidget):
    """A line for each that no rule says as well, hidden while there is none; `titles` are those of commands, by their
    names.

    `emptied` comes when the line that had the focus was the last one.
    """

    emptied = Signal()

    def __init__(
        self, policy: Policy, clients: Clients, titles: Mapping[str, str], subscriptions: Subscriptions, theme: Theme
    ) -> None:
        super().__init__()
        self._policy, self._clients, self._titles, self._theme = policy, clients, titles, theme
        self._rows = QVBoxLayout()
        self._rows.setSpacing(0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(Label("Your answers until an agent disconnects", kind="strong"))
        column.addLayout(self._rows)
        for signal in (policy.answers.changed, clients.added, clients.removed):
            subscriptions.connect(signal, self._on_changed)
        subscriptions.connect(policy.rules.changed, self.fill)
        self.hide()  # until it stands in a window

    def fill(self) -> None:
        """Show what holds now."""
        had_focus = rows.has_focus(self)
        rows.take_out(self._rows)
        for client in self._clients.all_but_the_person():
            for site, permission in sorted(client.granted | client.refused):
                if (site, permission) in client.refused or not self._is_ruled(client, site, permission):
                    self._rows.addWidget(self._row(client, site, permission))
        self.setVisible(self._rows.count() > 0)
        if had_focus:
            self._focus_first()

    def _is_ruled(self, client: Client, site: str, permission: str) -> bool:
        """Whether it would go on without a question: then it is a rule that has to go."""
        kind, _, command = permission.partition(" ")
        rules = self._policy.rules
        is_command = kind == "command"
        rule = rules.find_for_command(client, site, command) if is_command else rules.find(client, site, permission)
        return rule is not None and rule.decision == "allow"

    def _focus_first(self) -> None:
        first = self._rows.itemAt(0)
        row = first.widget() if first is not None else None
        if row is None:
            self.emptied.emit()
        else:
            row.setFocus(Qt.FocusReason.OtherFocusReason)

    def _row(self, client: Client, site: str, permission: str) -> QWidget:
        where = f" on {safe_text.line(site, 100)}" if site else ""
        decided = "allowed" if (site, permission) in client.granted else "denied"
        said = f"{safe_text.line(client.name, 60)}{where}: {self._about(permission)} {decided}"
        row = QWidget()
        row.setFixedHeight(_ROW_PX)
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(6)
        words = ElidedLabel()
        words.show_line(said)
        back = icon_button(
            self._theme,
            "mdi6.close",
            f"Ask again: {said}",
            lambda: self._policy.answers.take_back(client, site, permission),
        )
        row.setFocusProxy(back)
        line.addWidget(words, 1)
        line.addWidget(back)
        return row

    def _about(self, permission: str) -> str:
        """What an answer is about, in words."""
        kind, _, what = permission.partition(" ")
        if kind == "command":
            return f"“{self._titles.get(what, what)}”"
        if kind == "file":
            return f"files in {safe_text.line(what, 200)}" if what else "clearing the files of a field"
        words = PERMISSIONS[permission]
        return words[:1].lower() + words[1:]

    def _on_changed(self, _client: Client) -> None:
        self.fill()
