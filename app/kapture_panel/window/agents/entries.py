"""What can be done by a menu or a key in the agents."""

from __future__ import annotations

from kapture_panel.window.widgets.entries import Entry, table

ENTRIES = table(
    Entry(
        "pause",
        "Pause agents",
        "Agents",
        "mdi6.pause",
        keys=("Ctrl+.",),
        places=frozenset({"menu", "tray"}),
        full="Pause or resume agents",
        also="stop hold halt brake freeze resume go on",
        order=70,
    ),
    Entry(
        "add_agent",
        "Add to your agent …",
        "Agents",
        "mdi6.plus",
        places=frozenset({"menu"}),
        full="Add to your agent, or remove from it",
        also="install connect mcp client claude cursor vscode codex gemini zed windsurf remove uninstall from",
        order=72,
    ),
    Entry(
        "policy",
        "What agents may do",
        "Agents",
        "mdi6.shield-check-outline",
        keys=("F6",),
        places=frozenset({"menu"}),
        also="rules permissions trust careful read-only allow block settings",
        order=74,
    ),
    Entry(
        "copy_config", "Copy MCP config", "Agents", "mdi6.content-copy", places=frozenset({"menu", "tray"}), order=76
    ),
    Entry(
        "go_agents",
        "Go to agents",
        "Go to",
        "mdi6.arrow-right-thin",
        keys=("Ctrl+4",),
        also="disconnect agent stop show out",
        order=380,
    ),
    Entry(
        "go_questions",
        "Go to questions",
        "Go to",
        "mdi6.arrow-right-thin",
        keys=("Ctrl+8",),
        also="approvals allow deny answer asked",
        order=420,
    ),
    Entry("close_change", "Close the change without writing it", "Agents", keys=("Escape",), part="agents", order=425),
)
