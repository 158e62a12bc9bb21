"""What came of an action, in one word: decided in the extension alone (`tab/outcome.js`)."""

from __future__ import annotations

import msgspec


class _Outcome(msgspec.Struct, tag_field="outcome"):
    pass


class Confirmed(_Outcome, tag="confirmed"):
    """The target's own state was read back: its value, whether it is checked, the address that was reached."""


class Done(_Outcome, tag="done"):
    """It reached its target, and an effect was seen."""


class NoEffect(_Outcome, tag="no_effect"):
    """It reached its target, and no effect was seen within the wait."""


class Unverifiable(_Outcome, tag="unverifiable"):
    """Nobody could tell; `reason` says why."""

    reason: str = ""


Outcome = Confirmed | Done | NoEffect | Unverifiable


def as_json(outcome: Outcome | None) -> dict[str, str]:
    """As answers tell it: `outcome` in one word, with the `reason` of one that nobody could tell."""
    told: dict[str, str] = msgspec.to_builtins(outcome) if outcome is not None else {}
    return told
