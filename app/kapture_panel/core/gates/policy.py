"""What a client may do: allow, ask or block, by class of command, site and browser. Kept by the panel alone."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Literal

from kapture_panel.core.basics import addresses, real_file
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.call import Call
from kapture_panel.core.catalogue.catalogue import Command
from kapture_panel.core.gates.answers import Answers
from kapture_panel.core.gates.approvals import Ask, Scope
from kapture_panel.core.gates.rules import PERMISSIONS, PRESETS, Kind, Preset, Rule, Rules, Verdict, preset_for
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.wire.protocol import EVERYTHING, Grant

log = logging.getLogger(__name__)

__all__ = ["PRESETS", "Case", "Decision", "Policy"]

#: Before the name of a command, what an answer about that command alone is remembered under.
_COMMAND = "command "

#: Preset → class of command → what it says where nothing sharper holds.
TABLE: dict[Preset, dict[str, Verdict]] = {
    "trusting": {"read": "allow", "interact": "allow", "navigate": "allow", "execute": "allow", "file": "allow"},
    "careful": {"read": "allow", "interact": "allow", "navigate": "allow", "execute": "ask", "file": "ask"},
    "read-only": {"read": "allow", "interact": "block", "navigate": "block", "execute": "block", "file": "block"},
}


@dataclass(frozen=True)
class Case:
    """What is to be decided.

    `page` is the origin of the tab's document, empty without a tab; `origin` is what the extension told when it went
    to do it: of another frame's document, or where a navigation leads; `secret` says which kind of secret field it
    would touch. `is_managed` is about the browser. `reals` gets where each path leads that is looked at.
    """

    client: Client
    command: Command
    params: Params
    page: str = ""
    is_managed: bool = True
    tab_id: str = ""
    origin: str = ""
    secret: str = ""
    reals: dict[str, Path] = field(default_factory=dict)

    @classmethod
    def of(cls, call: Call) -> Case:
        """What a call asks for, as far as the panel knows before the extension has looked."""
        tab_id = call.tab.tab_id if call.tab is not None else ""
        return cls(call.client, call.command, dict(call.params), call.page, call.is_managed, tab_id, reals=call.reals)

    def real(self, path: Path) -> Path:
        """Where a path leads, as it was when it was looked at first.

        Raises:
            KaptureError: `INVALID_PARAMS`.
        """
        return self.reals.setdefault(str(path), real_file.resolved(path))

    @cached_property
    def klass(self) -> str:
        """The class of what really happens; asked for again and again while one case is judged."""
        return self.command.class_with(self.params)

    @property
    def foreign_scheme(self) -> str:
        """The scheme of the address it goes to when no page is behind it, but a program; empty otherwise."""
        address = self.params.get("url")
        return addresses.foreign(address) if self.klass == "navigate" and isinstance(address, str) else ""

    @property
    def permission(self) -> str:
        """What rules and answers call it."""
        return "secret" if self.secret else self.klass

    @property
    def name(self) -> str:
        """What rules call the command."""
        return self.command.short_name

    @property
    def site(self) -> str:
        """The site it is about, empty without one."""
        return addresses.site_of(self.origin or self.page)

    @property
    def kind(self) -> Kind:
        """The browser it is in."""
        return "managed" if self.is_managed else "own"


@dataclass(frozen=True)
class Decision:
    """What the policy says. `reason` tells the person why they are asked, or the agent why not; `permission` is what an
    answer for longer than this call is remembered under; `way_out` says how a person would allow it, and
    `code` is the error's when nobody can be asked."""

    verdict: Verdict
    reason: str = ""
    permission: str = ""
    site: str = ""
    scopes: tuple[Scope, ...] = ("once",)
    way_out: str = ""
    code: str = "DENIED"


ALLOWED = Decision("allow")


@dataclass
class Policy:
    """Decides for agents and terminals; the person is never asked.

    Args:
        preset: what holds in a managed browser without a rule.
        allow_dirs: absolute folders whose files agents may read, also with a `file:` address, besides those of the
            rules.
        instance_dirs: the instance's own folders an agent is told of (screenshots, downloads): their files may be
            read, too, but not opened as pages.
        own_preset: what holds in a person's own browser without a rule.
        rules: what the person laid down.
        answers: what they answered for a conversation.
    """

    preset: Preset = "trusting"
    allow_dirs: tuple[Path, ...] = ()
    instance_dirs: tuple[Path, ...] = ()
    own_preset: Preset = "careful"
    rules: Rules = field(default_factory=Rules)
    answers: Answers = field(default_factory=Answers)

    def __post_init__(self) -> None:
        for preset in (self.preset, self.own_preset):
            if preset not in PRESETS:
                raise KaptureError("INVALID_PARAMS", f"no policy {preset!r}", f"there are {', '.join(PRESETS)}")

    @property
    def folders(self) -> tuple[Path, ...]:
        """All folders that are open to agents."""
        return (*self.allow_dirs, *self.rules.folders)

    def default(self, kind: Kind) -> Preset:
        """What holds in this kind of browser without a rule."""
        return self.preset if kind == "managed" else self.own_preset

    def set_default(self, kind: Kind, preset: Preset) -> None:
        """The person chose what is to hold there without a rule, from now on and after a restart.

        Raises:
            OSError: it could not be written down; then nothing has changed.
        """
        self.rules.set_default(kind, preset)
        setattr(self, "preset" if kind == "managed" else "own_preset", preset)

    def decide(self, case: Case) -> Decision:
        """Allow, ask or block. What the person answered for this conversation stands in for a question."""
        if case.client.kind == "person":
            return ALLOWED
        decision = self._judge(case)
        if decision.verdict != "ask":
            return decision
        decision = replace(decision, scopes=_scopes(case, decision))
        key = decision.site, decision.permission
        if key in case.client.granted:
            return ALLOWED
        if key in case.client.refused:
            return replace(decision, verdict="block", reason=f"a person refused {_what(case)} for this conversation")
        return decision

    def grant(self, case: Case) -> Grant:
        """What goes to the extension with what may be done to the tab's page: it asks back about everything else."""
        if case.client.kind == "person" or case.klass == "read":
            return EVERYTHING
        if case.command.asks:  # only the extension knows which tab is meant: it asks back in any case
            return Grant()
        is_same = not self.rules.depends_on_site(case.client)
        if is_same and self._is_free(case, case.klass):
            origins: list[str] | Literal["*"] = "*"
        else:
            origins = [case.page] if case.page else []
            if case.foreign_scheme:  # the person has been asked about this very address
                origins.append(addresses.origin_of(case.params["url"].strip()))
        if is_same and self._is_free(case, "secret"):
            return Grant(origins, secret="*")
        is_open = case.klass == "interact" and self.decide(replace(case, secret="secret")).verdict == "allow"
        return Grant(origins, secret=[case.page] if is_open else [])

    def remember(self, ask: Ask) -> None:
        """Keep an answer that was given for longer than one call: as a rule, or for as long as the client is here."""
        if ask.state == "allowed" and ask.scope == "always":
            try:
                self.rules.put(_rule_of(ask))
            except OSError as error:
                log.warning("a rule could not be written down and holds for this conversation only: %s", error)
            else:
                # Whoever takes the rule away is asked again.
                self.answers.take_back(ask.client, ask.site, ask.permission)
                return
        self.answers.keep(ask)

    def _judge(self, case: Case) -> Decision:
        address = case.params.get("url")
        if case.klass == "file" and (others := [path for path in _paths(case) if self._is_anothers(case, path)]):
            why = f"{others[0]} is of another conversation, which has a browser of its own"
            return Decision("block", why)
        if case.klass == "navigate" and isinstance(address, str):
            why = addresses.closed(address, self.folders)
            if why:
                return Decision("block", why)
        if case.klass == "read":
            return self._by_rule_for_command(case) or ALLOWED  # looking changes nothing
        if case.klass == "navigate" and case.origin not in ("", case.page):
            leaving = self._by_rule_or_preset(replace(case, origin=""))
            if leaving.verdict == "block":
                return leaving  # who may not navigate a page may not leave it either
        return self._about_secret(case) if case.secret else self._by_rule_or_preset(case)

    def _about_secret(self, case: Case) -> Decision:
        """Who touches a secret field acts there, too: in another document than the page both are decided together."""
        decision = self._by_rule_or_preset(case)
        if case.origin in ("", case.page):
            return decision
        acting = self._by_rule_or_preset(replace(case, secret=""))
        # A yes to the secret fields of this very site is one to act in its frames.
        rule = self.rules.find(case.client, case.site, "secret", case.name)
        is_yes = decision.verdict == "allow" and not (rule is not None and rule.site and rule.permission == "secret")
        return acting if acting.verdict == "block" or is_yes else decision

    def _by_rule_or_preset(self, case: Case) -> Decision:
        rule = self.rules.find(case.client, case.site, case.permission, case.name)
        if rule is not None and rule.preset is None:
            decided = self._said_by(rule, case) or self._always_asked(case)
            is_file = case.klass == "file"  # that a command is allowed opens no folder to it
            return decided or (self._about_files(case, "allow") if is_file else ALLOWED)
        preset = (rule.preset if rule is not None else None) or preset_for(case.client, self.default(case.kind))
        verdict = TABLE[preset][case.klass]
        if verdict == "block":
            by = f"the policy {preset!r}{f' for {case.site}' if rule is not None and rule.site else ''} does not allow"
            return self._blocked(case, f"{by} {case.command.short_name} ({case.klass})")
        always = self._always_asked(case)
        if always is not None:
            return always
        if case.klass == "file":
            return self._about_files(case, verdict)
        reason = _CAREFUL[case.klass](case) if preset == "careful" else ""
        return self._asks(case, reason) if reason else ALLOWED

    def _by_rule_for_command(self, case: Case) -> Decision | None:
        """What a rule for the command says of looking, which nothing else restricts."""
        rule = self.rules.find_for_command(case.client, case.site, case.name)
        return self._said_by(rule, case) if rule is not None else None

    def _said_by(self, rule: Rule, case: Case) -> Decision | None:
        """What a rule for a permission or a command decides; None when it allows."""
        if rule.decision == "block":
            return self._blocked(case, f"a rule of the person does not allow {_what(case)}")
        if rule.decision == "ask":
            # A yes to the command is none to a secret field.
            answered = f"{_COMMAND}{rule.command}" if rule.command and not case.secret else ""
            return self._asks(case, f"falls under the rule to ask about {rule.named(case.command.title)}", answered)
        return None

    def _always_asked(self, case: Case) -> Decision | None:
        """What is asked whatever the preset says, unless it is blocked."""
        if case.command.asks and case.origin:
            asked = self._asks(case, "shares a tab that is not connected", "connect")
            return replace(asked, way_out="a person can connect the tab in the extension's popup")
        if case.command.closes and not case.is_managed and case.tab_id not in case.client.opened:
            return self._asks(case, "closes a tab that you opened", "close")
        scheme = case.foreign_scheme
        if scheme:
            asked = self._asks(case, f"opens a {scheme}: address, which may start a program", "program")
            return replace(asked, way_out="a person can open it themselves")
        if case.params.get("keep") and not self._is_free(case, "execute"):
            return self._asks(case, "runs code in this page and in every later page of the tab", "keep")
        return None

    def _about_files(self, case: Case, verdict: Verdict) -> Decision:
        paths = _paths(case)
        folders = sorted({real_file.folder(case.real(path)) for path in paths})
        outside = [path for path in paths if not self._is_inside(case, path)]
        permission = f"file {' and '.join(folders)}"
        named = ", ".join(map(str, outside or paths))
        what = f"gives {named or 'no files'} to the page" if case.command.scope == "tab" else f"reads {named}"
        if outside and verdict == "allow":
            return Decision(
                "ask", f"{what}; it is outside the folders agents may read", permission, case.site,
                way_out=f"{outside[0]} is outside the folders agents may read; "
                "a person can allow its folder in the panel under “What agents may do”, or by starting it with "
                f"--allow-dir {outside[0].parent}",
                code="FILE_NOT_ALLOWED",
            )  # fmt: skip
        return ALLOWED if verdict == "allow" else self._asks(case, what, permission)

    def _is_inside(self, case: Case, path: Path) -> bool:
        real = case.real(path)
        return any(real.is_relative_to(folder) for folder in (*self.folders, *self.instance_dirs))

    def _is_anothers(self, case: Case, path: Path) -> bool:
        """Whether a file is in the folder of a conversation of its own, or such a folder would be given as a whole."""
        real = case.real(path)
        for folder in self.instance_dirs:
            if not real.is_relative_to(folder):
                continue
            own = folder / (case.client.session or "shared")
            inside = real.relative_to(folder).parts
            return not inside or (not real.is_relative_to(own) and (folder / inside[0]).is_dir())
        return False

    def _is_free(self, case: Case, permission: str) -> bool:
        """Whether a permission is allowed where no rule for a site says anything."""
        rule = self.rules.find(case.client, "", permission, case.name)
        if rule is not None and rule.preset is None:
            return rule.decision == "allow"
        return (rule.decision if rule is not None else preset_for(case.client, self.default(case.kind))) == "trusting"

    def _asks(self, case: Case, reason: str, permission: str = "") -> Decision:
        return Decision("ask", reason, permission or case.permission, case.site, way_out=_way_out(case))

    def _blocked(self, case: Case, reason: str) -> Decision:
        return Decision("block", reason, case.permission, case.site, way_out=_way_out(case))


def _careful_interact(case: Case) -> str:
    around = addresses.site_of(case.page)
    is_elsewhere = case.origin not in ("", addresses.BLANK) and case.site != around
    where = f"in a frame of {case.site or 'no address'} within {around or 'a blank page'}" if is_elsewhere else ""
    if case.secret:
        return f"touches a {case.secret} field{' ' if where else ''}{where}"
    return f"acts {where}" if where else ""


def _careful_navigate(case: Case) -> str:
    if case.origin in ("", addresses.BLANK) or case.site == addresses.site_of(case.page):
        return ""
    before = addresses.site_of(case.page)
    return f"leaves {before} for {case.site}" if before else f"goes to another site: {case.site}"


#: Class → why Careful asks; empty: it does not.
_CAREFUL: dict[str, Callable[[Case], str]] = {
    "interact": _careful_interact,
    "navigate": _careful_navigate,
    "execute": lambda _case: "runs code, which can read and change everything on this page",
}


def _scopes(case: Case, decision: Decision) -> tuple[Scope, ...]:
    if decision.permission in ("connect", "close", "keep", "program"):
        return ("once",)
    # Nobody sees where a terminal's session begins or ends, so a yes to it is for one call.
    scopes: list[Scope] = ["once"] if case.client.kind == "terminal" else ["once", "session"]
    is_of_rules = decision.permission in PERMISSIONS or decision.permission.startswith(_COMMAND)
    if is_of_rules and case.client.program and decision.site:
        scopes.append("always")
    return tuple(scopes)


def _paths(case: Case) -> list[Path]:
    """The files it reads."""
    given = case.params["paths"] if "paths" in case.params else [case.params["path"]]
    return [Path(path) for path in given]


def _rule_of(ask: Ask) -> Rule:
    """The rule that is made of “always”."""
    command = ask.permission.removeprefix(_COMMAND) if ask.permission.startswith(_COMMAND) else ""
    permission = "" if command else ask.permission
    return Rule("allow", ask.client.name, ask.client.program, ask.site, permission, command)


def _what(case: Case) -> str:
    where = f" on {case.site}" if case.site else ""
    return f"{case.command.short_name} ({case.permission if not case.secret else f'{case.secret} fields'}){where}"


def _way_out(case: Case) -> str:
    if case.client.place:
        return f'a person can write policy = "trusting" for {case.client.place} into browsers.toml'
    flag = "--policy" if case.is_managed else "--own-policy"
    return f"a person can start the panel with {flag} trusting"
