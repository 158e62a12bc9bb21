"""What agents may do: the presets of both kinds of browser, and the person's rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLineEdit, QPushButton, QWidget

from kapture_panel.core.basics import addresses
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.catalogue.catalogue import Command
from kapture_panel.core.gates.policy import Policy
from kapture_panel.core.gates.rates import MAX_PER_S, Rate
from kapture_panel.core.gates.rules import PRESETS, VERDICTS, Kind, Preset, Rule
from kapture_panel.core.registry.clients import Client, Clients
from kapture_panel.window.agents.answers_list import AnswersList
from kapture_panel.window.agents.folders_list import FoldersList
from kapture_panel.window.agents.rules_model import DECISIONS, PERMISSIONS, RulesModel, capital
from kapture_panel.window.widgets import figures, safe_text
from kapture_panel.window.widgets.combo_box import ComboBox
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.middle_overlay import MiddleOverlay
from kapture_panel.window.widgets.roles import ITEM
from kapture_panel.window.widgets.rows_list import RowsList
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.theme import Theme

#: More rules than these scroll.
_MOST_ROWS = 5
#: What somebody may expect to be asked about, and is not.
_UNASKED = {"careful": " Nothing else, such as a click, needs a question."}
_KINDS: dict[Kind, str] = {"managed": "In the panel's browser", "own": "In your own browser"}
#: As much of a program's path as fits beside its agent's name.
_PROGRAM_CHARS = 30
_ORDER = "The most specific rule wins: agent and site, then agent, then site, then command."
#: No agent in particular.
_EVERY = ("", "")


#: What is offered; somebody who wants another one writes it into the file.
_RATES_PER_S = (5, 20, 100, 1000)


class PolicyView(MiddleOverlay):
    """The form below the list makes a rule, or changes the chosen one."""

    def __init__(
        self,
        host: QWidget,
        policy: Policy,
        commands: Iterable[Command],
        clients: Clients,
        subscriptions: Subscriptions,
        theme: Theme,
    ) -> None:
        super().__init__(host, "What agents may do", "What agents may do", theme)
        self._policy = policy
        self._clients = clients
        titles = {command.short_name: command.title for command in commands}
        self._model = RulesModel(policy.rules, titles, subscriptions, self)
        self.folders = FoldersList(policy, self._do, subscriptions, theme)
        #: What each chosen preset means, below it.
        self.said: dict[Kind, Label] = {kind: Label(kind="small") for kind in _KINDS}
        self.defaults: dict[Kind, ComboBox] = {kind: self._default(kind) for kind in _KINDS}
        self.rate = _combo("Commands a second")
        self.rate.setToolTip("All agents of one program together")
        self.rate.activated.connect(lambda _index: self._on_rate(self.rate.currentData()))
        self._fill_rate()
        self.list = RowsList(self._model, theme, "Rules", _MOST_ROWS)
        self.list.selectionModel().currentChanged.connect(self._show_chosen)
        self._model.modelReset.connect(self._on_reset)
        self.nothing = Label(
            "No rules yet: the choices above hold everywhere. “Always allow” adds one, where a question offers it."
        )
        self.nothing.setProperty("kind", "secondary")
        self.answers = AnswersList(policy, clients, titles, subscriptions, theme)
        self.answers.emptied.connect(lambda: self.first().setFocus(Qt.FocusReason.OtherFocusReason))
        self._make_form(titles)
        self._lay_out()
        self._offer_decisions()
        self._say("")

    def _make_form(self, titles: Mapping[str, str]) -> None:
        """What a rule is made of; `titles` are those of commands, by their names."""
        self.agent = _combo("Agent of the rule")
        #: Name and program of each agent the rule can be about, as they stand in the box.
        self.subjects = [_EVERY]
        self.agent.addItem("Every agent")
        self.site = QLineEdit()
        self.site.setPlaceholderText("any site")
        self.site.setAccessibleName("Site of the rule")
        self.site.setMaxLength(300)
        #: Its data are permission and command, as a rule has them.
        self.matter = _combo("What the rule is about")
        for permission, words in PERMISSIONS.items():
            self.matter.addItem(words, (permission, ""))
        self.matter.insertSeparator(self.matter.count())
        for name, title in sorted(titles.items(), key=lambda item: item[1]):
            self.matter.addItem(f"Command: {title}", ("", name))
        self.matter.currentIndexChanged.connect(self._offer_decisions)
        self.decision = _combo("What the rule says")
        self.meaning = Label(kind="small")
        self.meaning.setWordWrap(True)
        self.decision.currentIndexChanged.connect(self._show_meaning)
        self.order = Label(_ORDER, kind="small")
        self.order.setWordWrap(True)
        self.order.setContentsMargins(0, 4, 0, 4)
        self.heading = Label("New rule", kind="strong")
        self.saved = Label("✓ Saved", kind="small", tone="ok-text")
        self.saved.setAccessibleName("Saved")
        self.saved.hide()
        # What is changed in the rule below is not saved yet.
        for box in (self.agent, self.matter, self.decision):
            box.activated.connect(lambda _index: self.saved.hide())
        self.site.textEdited.connect(lambda _text: self.saved.hide())
        self.problem = Label(kind="error")
        self.problem.setWordWrap(True)
        self.add = _button("Add rule", self._on_add)
        self.change = _button("Change it", self._on_change)
        self.remove = _button("Remove it", self._on_remove)

    def first(self) -> QWidget:
        """The list, or without rules the agent of the first one."""
        return self.list if self._model.rowCount() else self.agent

    def open(self) -> None:
        """Show what holds now."""
        if self.isHidden():
            self._fill_agents()
            self._begin()
            for kind, combo in self.defaults.items():
                combo.setCurrentIndex(combo.findData(self._policy.default(kind)))
            self._fill_rate()
            self.folders.fill()
            self.answers.fill()
            self._on_reset()
            self._say(self._policy.rules.warning)
        super().open()

    def open_for(self, client: Client) -> None:
        """Show its widest rule, or the form ready for its first; one whose program is not known gets no rule."""
        if self.isHidden():
            self.open()
        self.list.setCurrentIndex(self._model.index(-1))
        self._fill_agents()
        self._begin()
        if not client.program:
            name = safe_text.line(client.name, 60)
            self._say(f"It is not known which program started {name}. So a rule could not tell it from other agents.")
            return
        own = [rule for rule in self._policy.rules if rule.client and rule.is_about(client)]
        if own:
            self.list.setCurrentIndex(self._model.index(self._model.row_of(own[-1])))
        else:
            self.agent.setCurrentIndex(self.subjects.index((client.name, client.program)))
            self.agent.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def chosen(self) -> Rule | None:
        """The chosen rule."""
        found: Rule | None = self.list.currentIndex().data(ITEM)
        return found

    def _default(self, kind: Kind) -> ComboBox:
        combo = _combo(_KINDS[kind], ((preset, DECISIONS[preset][0]) for preset in PRESETS))
        combo.activated.connect(lambda _index: self._on_default(kind, combo.currentData()))
        self.said[kind].setWordWrap(True)
        combo.currentIndexChanged.connect(lambda _index: self._say_preset(kind, combo.currentData()))
        self._say_preset(kind, combo.currentData())
        return combo

    def _say_preset(self, kind: Kind, preset: Preset) -> None:
        self.said[kind].setText(f"{capital(DECISIONS[preset][1])}.{_UNASKED.get(preset, '')}")

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        row = 0
        for kind, words in _KINDS.items():
            grid.addWidget(Label(words, kind="secondary"), row, 0)
            grid.addWidget(self.defaults[kind], row, 1)
            grid.addWidget(self.said[kind], row + 1, 1, 1, 2)
            row += 2
        grid.addWidget(Label("Agents may do at most", kind="secondary"), row, 0)
        grid.addWidget(self.rate, row, 1)
        files = Label("Files may be read in", kind="secondary")
        files.setFixedHeight(26)
        grid.addWidget(files, row + 1, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self.folders, row + 1, 1, 1, 2)
        grid.setColumnStretch(2, 1)
        form = QGridLayout()
        form.setHorizontalSpacing(8)
        form.setVerticalSpacing(6)
        fields: tuple[tuple[str, QWidget], ...] = (
            ("Agent", self.agent), ("Site", self.site), ("What", self.matter), ("Decision", self.decision),
        )  # fmt: skip
        for row, (words, widget) in enumerate(fields):
            form.addWidget(Label(words, kind="secondary"), row, 0)
            form.addWidget(widget, row, 1, 1, 1 if widget is self.decision else 2)
        form.addWidget(self.meaning, len(fields) - 1, 2)
        form.setColumnStretch(2, 1)
        buttons = QHBoxLayout()
        buttons.addWidget(self.add)
        buttons.addStretch(1)
        buttons.addWidget(self.change)
        buttons.addWidget(self.remove)
        self.body.addLayout(grid)
        self.body.addWidget(self.order)
        self.nothing.setWordWrap(True)
        self.body.addWidget(self.nothing)
        self.body.addWidget(self.list)
        self.body.addWidget(self.answers)
        self.body.addWidget(self.heading)
        self.body.addLayout(form)
        self.add_beside_title(self.saved)
        self.body.addLayout(buttons)
        self.foot.addWidget(self.problem)

    def _fill_agents(self) -> None:
        known = {(client.name, client.program) for client in self._clients.all_but_the_person() if client.program}
        known |= {(rule.client, rule.program) for rule in self._policy.rules if rule.client}
        self.subjects = [_EVERY, *sorted(known)]
        self.agent.clear()
        for name, program in self.subjects:
            self.agent.addItem(_agent_words(name, program))
            tip = safe_text.tooltip(f"{name} ({program})" if name else "Every agent")
            self.agent.setItemData(self.agent.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)

    def _offer_decisions(self) -> None:
        wanted = self.decision.currentData()
        self.decision.clear()
        for decision in VERDICTS if any(self._wanted_matter) else PRESETS:
            self.decision.addItem(DECISIONS[decision][0], decision)
        at = self.decision.findData(wanted)
        # The last is the strictest: a rule that is added without a choice gives nobody more freedom.
        self.decision.setCurrentIndex(at if at >= 0 else self.decision.count() - 1)

    def _begin(self) -> None:
        """The form of a new rule: nothing of the last one is left in it."""
        self.agent.setCurrentIndex(0)
        self.site.clear()
        self.matter.setCurrentIndex(0)
        self.decision.setCurrentIndex(self.decision.count() - 1)

    def _show_meaning(self) -> None:
        decision = self.decision.currentData()
        if decision:
            self.meaning.setText(f"{capital(DECISIONS[decision][1])}.")

    def _show_chosen(self) -> None:
        rule = self.chosen
        for button in (self.change, self.remove):
            button.setVisible(rule is not None)
        self.heading.setText("New rule" if rule is None else "The chosen rule")
        self._say("")
        if rule is None:
            return
        if (rule.client, rule.program) not in self.subjects:
            self._fill_agents()
        self.agent.setCurrentIndex(self.subjects.index((rule.client, rule.program)))
        self.site.setText(rule.site)
        self.matter.setCurrentIndex(self._at_matter(rule))
        self.decision.setCurrentIndex(self.decision.findData(rule.decision))

    def _on_reset(self) -> None:
        has_rows = self._model.rowCount() > 0
        had_focus = self.list.hasFocus()
        self.nothing.setVisible(not has_rows)
        self.order.setVisible(has_rows)
        self.list.setVisible(has_rows)
        if had_focus and not has_rows:
            self.agent.setFocus(Qt.FocusReason.OtherFocusReason)
        self._show_chosen()

    def _rule(self) -> Rule:
        name, program = self.subjects[self.agent.currentIndex()]
        site = addresses.site_named(self.site.text())
        return Rule(self.decision.currentData(), name, program, site, *self._wanted_matter)

    @property
    def _wanted_matter(self) -> tuple[str, str]:
        """Permission and command of the form."""
        permission, command = self.matter.currentData()
        return permission, command

    def _at_matter(self, rule: Rule) -> int:
        """Where what a rule is about stands; one of a command that is gone is added."""
        matters = [self.matter.itemData(at) for at in range(self.matter.count())]
        if rule.matter not in [data and tuple(data) for data in matters]:
            self.matter.addItem(f"Command: {safe_text.line(rule.command, 60)}", rule.matter)
            return self.matter.count() - 1
        return next(at for at, data in enumerate(matters) if data and tuple(data) == rule.matter)

    def _on_add(self) -> None:
        self._put(None)

    def _on_change(self) -> None:
        self._put(self.chosen)

    def _put(self, instead_of: Rule | None) -> None:
        rule = self._rule()
        if self._do(lambda: self._policy.rules.put(rule, instead_of)):
            self.list.setCurrentIndex(self._model.index(self._model.row_of(rule)))
            self.saved.show()  # the choice of another row takes it away

    def _on_remove(self) -> None:
        rule = self.chosen
        if rule is not None and self._do(lambda: self._policy.rules.remove(rule)):
            self._begin()

    def _on_default(self, kind: Kind, preset: Preset) -> None:
        if not self._do(lambda: self._policy.set_default(kind, preset)):
            self.defaults[kind].setCurrentIndex(self.defaults[kind].findData(self._policy.default(kind)))

    def _fill_rate(self) -> None:
        """Offer the usual rates, and the one that holds."""
        current = self._policy.rules.rate
        self.rate.clear()
        for per_s in sorted({*_RATES_PER_S, current.per_s}):
            self.rate.addItem(f"{figures.number(per_s)} commands a second", per_s)
        self.rate.setCurrentIndex(self.rate.findData(current.per_s))

    def _on_rate(self, per_s: int) -> None:
        burst = min(2 * per_s, MAX_PER_S)
        if not self._do(lambda: self._policy.rules.set_rate(Rate(per_s, burst))):
            self._fill_rate()

    def _do(self, act: Callable[[], None]) -> bool:
        try:
            act()
        except (OSError, KaptureError) as error:
            self._say(f"It could not be saved: {error}")
            return False
        self._say("")
        self.saved.show()
        QAccessible.updateAccessibility(QAccessibleEvent(self.saved, QAccessible.Event.Alert))
        return True

    def _say(self, problem: str) -> None:
        self.saved.hide()
        self.problem.setText(safe_text.text(problem, 400))
        self.problem.setVisible(bool(problem))


def _agent_words(name: str, program: str) -> str:
    """An agent in a line that fits: of a long path the end, which tells programs apart."""
    if not name:
        return "Every agent"
    path = safe_text.line(program, 300)
    shown = path if len(path) <= _PROGRAM_CHARS else f"…{path[-_PROGRAM_CHARS:]}"
    return f"{safe_text.line(name, 24)} ({shown})"


def _combo(name: str, items: Iterable[tuple[str, str]] = ()) -> ComboBox:
    combo = ComboBox()
    combo.setAccessibleName(name)
    combo.view().setAccessibleName(f"{name}: choices")
    combo.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
    for data, words in items:
        combo.addItem(words, data)
    return combo


def _button(words: str, act: Callable[[], None]) -> QPushButton:
    button = QPushButton(words)
    button.clicked.connect(act)
    return button
