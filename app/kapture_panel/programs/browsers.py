"""`kapture browsers`: the places where browsers on other machines come from, each link to them tried."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

import msgspec

from kapture_panel import door, paths
from kapture_panel.core.doctor import Check, is_well, line
from kapture_panel.hub.browsers.remote.examine import examine
from kapture_panel.hub.browsers.remote.places import Place, Places
from kapture_panel.programs import terminal


def run(options: argparse.Namespace) -> int:
    """List and try the places that are named, or all; 0 when all of them hold, else 1."""
    places = Places(paths.DataDir(Path(door.data_dir(options.data_dir))).places)
    chosen = [places.get(name) for name in options.places] or list(places.all().values())
    if not chosen and not options.json:
        terminal.say(f"No place is named: write one into {places.path}, see docs/remote.md")
    tried = asyncio.run(_try_all(chosen, is_tried=not options.list, is_told=not options.json))
    checks = [check for _place, made in tried for check in made]
    if options.json:
        told = [
            {"name": place.name, "address": place.address, "atOnce": place.at_once, "checks": msgspec.to_builtins(made)}
            for place, made in tried
        ]
        terminal.say_json({"ok": is_well(checks), "places": told})
    return 0 if is_well(checks) else 1


async def _try_all(places: list[Place], *, is_tried: bool, is_told: bool) -> list[tuple[Place, list[Check]]]:
    found: list[tuple[Place, list[Check]]] = []
    for place in places:
        made: list[Check] = []
        if is_told:
            terminal.say(f"{place.name}  {place.address}  at most {place.at_once} at once", flush=True)
        if is_tried:
            async for check in examine(place, paths.extension()):
                made.append(check)
                if is_told:
                    terminal.say(line(check), flush=True)
        found.append((place, made))
    return found
