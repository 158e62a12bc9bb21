"""The person's rules for agents as rows, in plain words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt

from kapture_panel.core.gates.rules import Rule, Rules
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.roles import DETAIL, ITEM, PILL, Index
from kapture_panel.window.widgets.subscriptions import Subscriptions

#: What a rule may be about → how it is said of it; empty is everything.
PERMISSIONS = {
    "": "Everything",
    "secret": "Password, card and code fields",
    "navigate": "Going there",
    "execute": "Running code",
    "interact": "Acting on it",
}
#: Decision → (the word, what it means).
DECISIONS = {
    "trusting": ("Trusting", "asks only about files outside the allowed folders"),
    "careful": ("Careful", "asks about secret fields, sites other than the tab's, code and files"),
    "read-only": ("Read-only", "only looking is allowed"),
    "allow": ("Allow", "without a question"),
    "ask": ("Ask", "each time, unless your answer holds for longer"),
    "block": ("Block", "refused without a question"),
}
_TONES = {"trusting": "ok", "allow": "ok", "careful": "warn", "ask": "warn"}


def subject(rule: Rule) -> str:
    """Whom and where a rule is about."""
    return f"{safe_text.line(rule.client, 60) or 'Every agent'} on {safe_text.line(rule.site, 100) or 'any site'}"


def capital(words: str) -> str:
    """`words` as they begin a line."""
    return words[:1].upper() + words[1:]


class RulesModel(QAbstractListModel):
    """The narrowest rule first, in the order in which they count; `titles` are those of commands, by their names."""

    def __init__(
        self, rules: Rules, titles: Mapping[str, str], subscriptions: Subscriptions, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._store = rules
        self._titles = titles
        self._rules = list(rules)
        subscriptions.connect(rules.changed, self.refresh)

    def refresh(self) -> None:
        """Read again."""
        self.beginResetModel()
        self._rules = list(self._store)
        self.endResetModel()

    def row_of(self, rule: Rule) -> int:
        """Where a rule stands, -1 when it is not there."""
        return self._rules.index(rule) if rule in self._rules else -1

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._rules)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid():
            return None
        rule = self._rules[index.row()]
        word, meaning = DECISIONS[rule.decision]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return subject(rule)
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{subject(rule)}, {word}, {self._detail(rule, meaning)}"
            case Qt.ItemDataRole.ToolTipRole:
                return safe_text.tooltip(f"{subject(rule)}\n{self._detail(rule, meaning)}")
            case _ if role == DETAIL:
                return self._detail(rule, meaning)
            case _ if role == PILL:
                return word.lower(), _TONES.get(rule.decision, "neutral")
        return rule if role == ITEM else None

    def _detail(self, rule: Rule, meaning: str) -> str:
        matter = self._titles.get(rule.command, rule.command) or PERMISSIONS[rule.permission]
        about = f"{matter}: {meaning}" if rule.preset is None else capital(meaning)
        return f"{about} · started by {safe_text.line(rule.program, 200)}" if rule.program else about
