"""What answers advise, told with the tools of a profile. Only words of ours are changed, never those of a page."""

from __future__ import annotations

import re
from dataclasses import replace

import msgspec

from kapture_panel.core.answer import Answer
from kapture_panel.core.wire.effects import Effects
from kapture_panel.hub.agent_door.profiles.profile import Profile, Route

#: The last line of a page's text, where it is ours: all lines of the page begin with a dash or spaces.
_GO_ON = re.compile(
    r"^\((?P<left>\d+ of \d+ nodes left out); go on with kapturemcp_snapshot and cursor (?P<cursor>\"s\d+:\d+\"), "
    r"or narrow it with a target, roles or interactiveOnly\)\Z",
    re.MULTILINE,
)
_NOT_FOUND = re.compile(r"(?P<why>^\(no line says \".*\"; )(?P<advice>kapturemcp_\w+ looks .*\))\Z", re.MULTILINE)
#: Stands before what to do about a list or picker, behind the words of its page.
_OPEN = " is open; "


def in_own_tools(answer: Answer, profile: Profile, route: Route) -> Answer:
    """`answer` as an agent with the tools of `profile` reads it who called `route`."""
    if profile.has_all:
        return answer
    told = replace(
        answer, effects=_effects(answer.effects, profile), late_effects=_effects(answer.late_effects, profile)
    )
    if answer.command.paged and isinstance(answer.result, str):
        told.result = _text(answer.result, profile, route)
    elif isinstance(answer.result, dict) and isinstance(popup := answer.result.get("popup"), str):
        told.result = {**answer.result, "popup": _popup(popup, profile)}
    if answer.snapshot is not None:  # the tool that acted would act again
        told.snapshot = _text(answer.snapshot, profile, profile.going_on[1] if profile.going_on else None)
    return told


def _effects(effects: Effects | None, profile: Profile) -> Effects | None:
    if effects is None or not (effects.newTabs or effects.dialogs):
        return effects
    tabs = [msgspec.structs.replace(one, next=profile.in_own_tools(one.next)) for one in effects.newTabs]
    dialogs = [msgspec.structs.replace(one, next=profile.in_own_tools(one.next)) for one in effects.dialogs]
    return msgspec.structs.replace(effects, newTabs=tabs, dialogs=dialogs)


def _popup(said: str, profile: Profile) -> str:
    before, is_open, advice = said.rpartition(_OPEN)
    return f"{before}{is_open}{profile.in_own_tools(advice)}"


def _text(text: str, profile: Profile, narrows: Route | None) -> str:
    """A page's text with our lines in its tools; `narrows` is the one that gives less of the page."""

    def go_on(found: re.Match[str]) -> str:
        goes = profile.going_on
        on = [f"go on with {goes[0]} and {goes[1].own_name('cursor')} {found['cursor']}"] if goes else []
        names = ("selector", "roles", "interactiveOnly") if narrows else ()
        narrower = [own for name in names if narrows and (own := narrows.own_name(name))]
        named = ", ".join(narrower).replace("selector", "a target")
        less = [f"narrow it with {' or '.join(named.rsplit(', ', 1))}"] if narrower else []
        return f"({'; '.join(filter(None, (found['left'], ', or '.join(on + less))))})"

    def not_found(found: re.Match[str]) -> str:
        return f"{found['why']}{profile.in_own_tools(found['advice'])}"

    return _NOT_FOUND.sub(not_found, _GO_ON.sub(go_on, text))
