"""`kapture`: chooses the program. `mcp` is dispatched first, for its client waits."""

import sys


def main() -> int:
    """Run what the command line names and return the exit code."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["mcp"]:
        from kapture_panel.mcp_child import relay

        return relay.main(arguments[1:])
    from kapture_panel.programs import arguments as command_line

    return command_line.run(arguments)


def panel_main() -> int:
    """`kapture-panel` is the same as `kapture`; on Windows it opens no console."""
    return main()
