"""What the person laid down for agents and sites: one file, and the rule that counts in a case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from kapture_panel.core.basics import addresses, private_file
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.signal import Signal
from kapture_panel.core.gates.rates import Rate
from kapture_panel.core.registry.clients import Client

#: What a client may do, as a whole.
Preset = Literal["trusting", "careful", "read-only"]
PRESETS: tuple[Preset, ...] = get_args(Preset)
#: What can be decided apart from the rest; "secret" are password, card and one-time-code fields.
Permission = Literal["interact", "secret", "navigate", "execute"]
PERMISSIONS: tuple[Permission, ...] = get_args(Permission)
#: What each of them is called where a person reads why they are asked.
_MATTERS: dict[str, str] = {
    "interact": "acting in pages",
    "secret": "password, card and one-time-code fields",
    "navigate": "going to pages",
    "execute": "running code",
}
Verdict = Literal["allow", "ask", "block"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
#: Which browser a tab is in: one the panel started, or a person's own.
Kind = Literal["managed", "own"]


@dataclass(frozen=True)
class Rule:
    """One rule.

    `client` and `program` name an agent by what it calls itself and by the executable that started it, both empty for
    every agent; `site` is host and port, empty for every site. With a `permission`, or the `command` of that short
    name, the `decision` is a verdict, without one a preset.
    """

    decision: str
    client: str = ""
    program: str = ""
    site: str = ""
    permission: str = ""
    command: str = ""

    def __post_init__(self) -> None:
        is_narrow = bool(self.permission or self.command)
        is_known = self.permission in ("", *PERMISSIONS) and not (self.permission and self.command)
        if self.decision not in (VERDICTS if is_narrow else PRESETS) or not is_known:
            about = self.permission or self.command or "everything"
            raise KaptureError("INVALID_PARAMS", f"{self.decision!r} for {about!r} is not a rule")
        if bool(self.client) != bool(self.program):
            raise KaptureError("INVALID_PARAMS", "a rule for one agent needs its name and its program")

    @property
    def preset(self) -> Preset | None:
        """What it decides about everything; None when it is about one permission or command."""
        return next((preset for preset in PRESETS if preset == self.decision), None)

    @property
    def subject(self) -> tuple[str, str, str]:
        """Whom and where it is about: agent, program and site."""
        return self.client, self.program, self.site

    @property
    def matter(self) -> tuple[str, str]:
        """What of it: the permission or the command; both are empty for everything."""
        return self.permission, self.command

    def named(self, title: str) -> str:
        """What of it, and where, as a person would say it; `title` is that of its command."""
        matter = f"“{title}”" if self.command else _MATTERS[self.permission]
        return f"{matter} on {self.site}" if self.site else matter

    def applies_to(self, permission: str, command: str) -> bool:
        """Whether it says something about this. That a command is allowed opens no secret field to it."""
        if self.command:
            return self.command == command and not (self.decision == "allow" and permission == "secret")
        return self.permission in ("", permission)

    def is_about(self, client: Client) -> bool:
        """Whether it is meant for `client`."""
        return not self.client or (self.client == client.name and self.program == client.program)


class Rules:
    """All rules of an instance, and what holds without one.

    Args:
        path: the JSON file, mode 0600; None keeps them in memory. A damaged one is moved aside; `warning` then says so.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._rules: list[Rule] = []
        self._defaults: dict[str, Preset] = {}
        self._rate = Rate()
        self._folders: tuple[Path, ...] = ()
        #: Emitted once a change is kept.
        self.changed: Signal[()] = Signal()
        self.warning = ""
        if path is not None:
            kept, self.warning = private_file.read(path, "the rules for agents", _taken)
            self._rules, self._defaults, self._rate, self._folders = kept or ([], {}, Rate(), ())

    def __iter__(self) -> Iterator[Rule]:
        """The rules, those of a site and an agent first."""
        return iter(sorted(self._rules, key=_order))

    def __len__(self) -> int:
        return len(self._rules)

    def default(self, kind: Kind) -> Preset | None:
        """What the person chose to hold in this kind of browser without a rule."""
        return self._defaults.get(kind)

    def set_default(self, kind: Kind, preset: Preset) -> None:
        """Let `preset` hold in this kind of browser without a rule.

        Raises:
            OSError: it could not be written down; then nothing has changed.
        """
        self._keep(defaults={**self._defaults, kind: preset})

    @property
    def rate(self) -> Rate:
        """How fast each client may give commands."""
        return self._rate

    def set_rate(self, rate: Rate) -> None:
        """Let `rate` hold for each client.

        Raises:
            OSError: it could not be written down; then nothing has changed.
        """
        self._keep(rate=rate)

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders whose files agents may read, besides those of the command line."""
        return self._folders

    def set_folders(self, folders: Iterable[Path]) -> None:
        """Let agents read the files of these folders, each an absolute path without links, and of no others.

        Raises:
            OSError: it could not be written down; then nothing has changed.
        """
        self._keep(folders=tuple(dict.fromkeys(folders)))

    def find(self, client: Client, site: str, permission: str, command: str = "") -> Rule | None:
        """The rule that counts: client and site before client before site, of equals the one for this command, then
        the one for this permission."""
        found = [
            rule
            for rule in self._rules
            if rule.is_about(client) and rule.site in ("", site) and rule.applies_to(permission, command)
        ]
        return max(found, key=lambda rule: (_rank(rule), bool(rule.command), bool(rule.permission)), default=None)

    def find_for_command(self, client: Client, site: str, command: str) -> Rule | None:
        """The rule for this command that counts, whatever others say."""
        found = [
            rule
            for rule in self._rules
            if rule.command == command and rule.is_about(client) and rule.site in ("", site)
        ]
        return max(found, key=_rank, default=None)

    def preset_of(self, client: Client, site: str) -> Preset | None:
        """What is laid down to hold for `client` on a site, but for single permissions and commands."""
        rule = self.find(client, site, "")
        return rule.preset if rule is not None else None

    def depends_on_site(self, client: Client) -> bool:
        """Whether what `client` may do is not the same everywhere."""
        return any(rule.site and rule.is_about(client) for rule in self._rules)

    def put(self, rule: Rule, instead_of: Rule | None = None) -> None:
        """Lay down a rule in the place of what there was for the same; a preset takes that of what is narrower, too.

        Raises:
            OSError: it could not be written down; then nothing has changed.
        """
        others = [
            other
            for other in self._rules
            if other != instead_of and not (other.subject == rule.subject and rule.matter in (("", ""), other.matter))
        ]
        self._keep([*others, rule])

    def remove(self, rule: Rule) -> None:
        """Drop a rule; one that is not there is no error.

        Raises:
            OSError: it could not be written down; then it holds still.
        """
        self._keep([other for other in self._rules if other != rule])

    def _keep(
        self,
        rules: list[Rule] | None = None,
        defaults: dict[str, Preset] | None = None,
        rate: Rate | None = None,
        folders: tuple[Path, ...] | None = None,
    ) -> None:
        """Write down what holds with these changes, then let it hold."""
        rules = self._rules if rules is None else rules
        defaults = self._defaults if defaults is None else defaults
        rate = rate or self._rate
        folders = self._folders if folders is None else folders
        if self._path is not None:
            kept = {"defaults": defaults, "rules": [_kept(rule) for rule in rules], "rate": asdict(rate)}
            private_file.write(self._path, {**kept, "folders": [str(folder) for folder in folders]})
        self._rules, self._defaults, self._rate, self._folders = rules, defaults, rate, folders
        self.changed.emit()


def preset_for(client: Client, usual: Preset) -> Preset:
    """What holds for a client without a rule: of a browser on another machine, what the person said of its place, else
    Careful; and nobody gets more there than `usual`, unless it was said."""
    if not client.place:
        return usual
    said = [preset for preset in PRESETS if preset == client.place_policy]
    return said[0] if said else max(("careful", usual), key=PRESETS.index)


def _rank(rule: Rule) -> int:
    return 2 * bool(rule.client) + bool(rule.site)


def _order(rule: Rule) -> tuple[int, str, str, str, str]:
    return -_rank(rule), rule.client.lower(), rule.site, rule.permission, rule.command


def _kept(rule: Rule) -> dict[str, str]:
    """A rule as the file has it, where the permission is called "matter"."""
    told = asdict(rule)
    told["matter"] = told.pop("permission")
    return told


def _rule(kept: dict[str, str]) -> Rule:
    told = dict(kept)
    told["site"] = addresses.site_named(told.get("site", ""))  # as a browser names it, however it was written once
    return Rule(permission=told.pop("matter", ""), **told)


def _taken(kept: Any) -> tuple[list[Rule], dict[str, Preset], Rate, tuple[Path, ...]]:
    defaults = dict(kept["defaults"])
    if not set(defaults) <= set(get_args(Kind)) or not set(defaults.values()) <= set(PRESETS):
        raise ValueError(f"defaults {defaults}")
    try:
        rules = [_rule(rule) for rule in kept["rules"]]
    except KaptureError as error:
        raise ValueError(error.message) from None
    folders = tuple(Path(folder) for folder in kept.get("folders", ()))
    if not all(folder.is_absolute() for folder in folders):
        raise ValueError(f"folders {folders}")
    return rules, defaults, Rate(**kept.get("rate", {})), folders
