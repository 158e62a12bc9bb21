"""Which parameters a command shares with others. Standard library only: a terminal's call uses it."""

TYPE_CHECKING = False  # importing typing costs a terminal's call a tenth of its time
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from kapture_panel.core.basics.free_json import Schema


def waits(klass: str, target: str, own: "Mapping[str, Any]") -> bool:
    """Whether a command acts on elements, and so waits until they are there and ready.

    Args:
        klass: its class.
        target: whether it takes one: none, optional or required.
        own: its own parameters.
    """
    return klass in ("interact", "file") and (target != "none" or "fields" in own)


def all_properties(
    own: "Mapping[str, Any]",
    shared: "Mapping[str, Any]",
    targets: "Mapping[str, Any]",
    *,
    klass: str,
    scope: str,
    target: str,
    action: bool,
) -> "Schema":
    """Every parameter a command takes, a flat JSON Schema each, in the order a form shows them.

    Args:
        own: its own parameters.
        shared: what the catalogue declares once: snapshot, wait, timeout, tabId.
        targets: the ways to name a target.
    """
    properties: Schema = {}
    if target != "none":
        properties.update(targets)
    properties.update(own)
    if action:
        properties["snapshot"] = shared["snapshot"]
    if waits(klass, target, own) and "wait" in shared:
        properties["wait"] = shared["wait"]
    if "timeout" in shared:
        properties["timeout"] = shared["timeout"]
    if scope == "tab":
        properties["tabId"] = shared["tabId"]
    return properties
