"""`kapture install` and `kapture uninstall`: the desktop's launcher, and the MCP clients."""

from __future__ import annotations

import argparse
import contextlib
import shutil
from pathlib import Path

from kapture_panel import door
from kapture_panel.hub.host import desktop
from kapture_panel.installing import plans, skill
from kapture_panel.installing.clients import Server, Surroundings, by_key
from kapture_panel.installing.plans import Change, Plan
from kapture_panel.programs import terminal


def run(options: argparse.Namespace) -> int:
    """Write the launcher's entry and say each file."""
    root = Path(door.data_dir(options.data_dir))
    places = desktop.Places.of_user()
    for path in desktop.install(places, desktop.start_command(root), autostart=options.autostart):
        terminal.say(f"wrote {path}")
    return 0


def run_uninstall(_options: argparse.Namespace) -> int:
    """Remove it again and say each file."""
    removed = desktop.uninstall(desktop.Places.of_user())
    for path in removed:
        terminal.say(f"removed {path}")
    if not removed:
        terminal.say("nothing was installed")
    return 0


def run_client(options: argparse.Namespace) -> int:
    """Add Kapture Panel to an MCP client: show the change, then write it."""
    from kapture_panel.hub.agent_door import child

    client, surroundings = by_key(options.what), Surroundings.of_user()
    root = Path(door.data_dir(options.data_dir))
    usual = Server.of(child.mcp_config(root))
    more = child.wishes(root, profile=options.profile, tools=options.tools, isolated=options.isolated)
    path = options.file or client.file(surroundings)
    server = Server(usual.command, [*usual.args, *more])
    # A file that was named is wanted, whatever else is there.
    plan = plans.adding(
        client, path, server, options.name, surroundings,
        force=options.force, create=options.create or options.file is not None,
    )  # fmt: skip
    if not plan.has_changes:
        terminal.say(f"already there: {path} has {options.name!r}, which starts this Kapture Panel")
        return 0
    _carry_out(plan, is_dry=options.dry_run)
    if not options.dry_run:
        terminal.say(client.then)
    return 0


def run_uninstall_client(options: argparse.Namespace) -> int:
    """Remove Kapture Panel from an MCP client: show the change, then write it."""
    client = by_key(options.what)
    path = options.file or client.file(Surroundings.of_user())
    plan = plans.removing(client, path, options.name, force=options.force)
    if not plan.has_changes:
        terminal.say(f"nothing to remove: there is no {options.name!r} in {path}")
        return 0
    _carry_out(plan, is_dry=options.dry_run)
    return 0


def run_skill(options: argparse.Namespace) -> int:
    """Put the skill where the agents of this machine look: show the change, then write it."""
    changes = skill.adding(
        Surroundings.of_user(), _skill_program(), options.folder, force=options.force, create=options.create
    )
    for change in changes:
        if change.has_changes:
            _carry_out(change, is_dry=options.dry_run)
        else:
            terminal.say(f"already there: {change.path}")
    if not options.dry_run:
        terminal.say("Restart an agent that already runs, so that it finds the skill.")
    return 0


def run_uninstall_skill(options: argparse.Namespace) -> int:
    """Take the skill out of there again: show the change, then write it."""
    changes = skill.removing(Surroundings.of_user(), options.folder, force=options.force)
    for change in changes:
        _carry_out(change, is_dry=options.dry_run)
        if not options.dry_run:
            # Left are one that has something else in it, and a link, which a person has made.
            with contextlib.suppress(OSError):
                change.path.parent.rmdir()
    if not changes:
        terminal.say("nothing to remove: the skill is in none of the agents' folders")
    return 0


def _skill_program() -> str:
    """How an agent starts this very program: by its name where the shell finds it so."""
    from kapture_panel.hub.agent_door import child

    program = Server.of(child.mcp_config(Path(door.data_dir()))).command
    found = shutil.which(skill.NAME)
    is_found = found is not None and Path(found).resolve() == Path(program).resolve()
    return skill.NAME if is_found else program


def _carry_out(plan: Change, *, is_dry: bool) -> None:
    terminal.say(plan.diff())
    if is_dry:
        return
    done = plans.carry_out(plan)
    terminal.say()
    why = ", which was made for this" if isinstance(plan, Plan) else ""
    terminal.say(f"removed {done.path}{why}" if plan.after is None else f"wrote {done.path}")
    if done.backup is not None:
        terminal.say(f"kept what it was as {done.backup}")
    elif plan.restores is not None:
        terminal.say("it is exactly as it was before")
