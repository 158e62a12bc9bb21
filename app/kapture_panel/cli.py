"""`kapture`: chooses the program. `mcp` and the catalogue's commands come first, as others wait for their start."""

import sys

#: The programs by name. Any other first word is a command of the catalogue: `kapture click e5`.
PROGRAMS = frozenset(
    ("browsers", "call", "completion", "demo", "doctor", "export", "install", "mcp", "run", "serve", "uninstall")
)  # fmt: skip


def main() -> int:
    """Run what the command line names and return the exit code."""
    return run(sys.argv[1:])


def run(arguments: "list[str]") -> int:
    """Run what `arguments` name and return the exit code."""
    _set_encodings()
    first = arguments[0] if arguments else ""
    if first == "mcp":
        from kapture_panel.mcp_child import relay

        return relay.main(arguments[1:])
    if first == "call" or (first and first[0] != "-" and first not in PROGRAMS):
        from kapture_panel.programs import call

        return call.main(arguments[1:] if first == "call" else arguments, general=first == "call")
    from kapture_panel.programs import arguments as command_line

    return command_line.run(arguments)


def panel_main() -> int:
    """`kapture-panel` is the same as `kapture`; on Windows it opens no console."""
    return main()


def _set_encodings() -> None:
    """Files and pipes are UTF-8, and no character that a stream cannot say ends a program whose work is done.

    Windows gives them the code page of its language, which has no "→"; there, the null device calls itself a terminal.
    """
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if not hasattr(stream, "reconfigure"):  # a program without a console has None
            continue
        errors = "strict" if name == "stdin" else "backslashreplace"
        stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors=errors)
