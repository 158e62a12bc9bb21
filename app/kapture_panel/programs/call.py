"""`kapture click e5` and `kapture call`: one command from a terminal, under an agent's policy.

It starts with a few modules of the standard library alone and leaves the check of values to the panel: a coding agent
makes one such call after the other, each a process of its own.
"""

from __future__ import annotations

import json
import os

from kapture_panel import door, door_socket, shipped
from kapture_panel.core.catalogue import command_line
from kapture_panel.core.catalogue.command_line import Line
from kapture_panel.programs import terminal
from kapture_panel.programs.command_words import Words, Wrong

TYPE_CHECKING = False  # importing typing costs a tenth of a call
if TYPE_CHECKING:
    from kapture_panel.core.basics.free_json import JsonObject, Params

#: Names the session when a call does not: the calls of one session share their current tab and what they hold.
SESSION = "KAPTURE_SESSION"
#: Exit codes; they are documented in docs/terminal.md.
DONE, FAILED, WRONG_USAGE, NO_PANEL, INTERRUPTED = 0, 1, 2, 3, 130


class Options:
    """What a call may say beside its command: the same for all commands. `rest` are the other words."""

    def __init__(self, words: list[str]) -> None:
        self.json = False
        self.help = False
        self.data_dir = ""
        self.session = os.environ.get(SESSION, "")
        self.rest: list[str] = []
        left = list(words)
        while left:
            word = left.pop(0)
            if word == "--":
                self.rest += [word, *left]
                break
            name, equals, value = word.partition("=")
            if word == "--json":
                self.json = True
            elif word in ("-h", "--help"):
                self.help = True
            elif name in ("--data-dir", "--session"):
                if not equals and not left:
                    raise Wrong(f"{name} needs a value", "a folder" if name == "--data-dir" else "any name")
                setattr(self, name[2:].replace("-", "_"), value if equals else left.pop(0))
            else:
                self.rest.append(word)


def main(words: list[str], *, general: bool = False) -> int:
    """Run the command that `words` begin with, in the running panel, and print its answer.

    Args:
        general: every parameter is key=value, as in `kapture call`.

    Returns:
        The exit code.
    """
    is_json = "--json" in words
    try:
        groups, lines = command_line.read(os.path.join(shipped.folder("extension"), "commands.json"))
        options = Options(words)
        if options.help or not options.rest:
            return _help(groups, lines, options)
        line = _named(lines, options.rest.pop(0))
        reader = Words(lines, terminal.read_input)
        params = (reader.named if general else reader.parameters)(line, options.rest)
        return _ask(line, params, options)
    except Wrong as wrong:
        return _complain({"code": "INVALID_PARAMS", "message": f"{wrong.what}; {wrong.next_step}"}, is_json, "kapture")
    except KeyboardInterrupt:
        return INTERRUPTED
    except terminal.ReaderGone:
        terminal.stop_printing()
        return FAILED


def _ask(line: Line, params: Params, options: Options) -> int:
    root = door.data_dir(options.data_dir or None)
    try:
        panel, secret = door_socket.connect(root)
    except OSError:
        down = {"code": "PANEL_DOWN", "message": f"no panel is running for {root}; start one with: kapture"}
        return _complain(down, options.json, "kapture")
    greeting = {"role": "call", "pid": os.getpid(), "session": options.session, **secret}
    with panel, panel.makefile("rb") as answers:
        try:
            # Both lines at once: what is asked need not wait for the greeting's answer.
            panel.sendall(b"".join(json.dumps(said).encode() + b"\n" for said in (
                greeting, {"command": line.name, "params": params},
            )))  # fmt: skip
            greeted = answers.readline()
            answer = json.loads(greeted) if b'"error"' in greeted else json.loads(answers.readline() or b"{}")
        except OSError:
            answer = {}
    if not answer:
        lost = "the panel went away before it answered; start it again, and look what was done before you repeat it"
        return _complain({"code": "PANEL_DOWN", "message": lost}, options.json, "kapture")
    if "error" in answer:
        return _complain(answer["error"], options.json)
    text, source = answer.pop("text"), answer["untrusted"]
    if options.json:
        terminal.say_json({"success": True, **answer}, flush=True)
        return DONE
    if source:
        # Beside the text, not in it: a script reads the one, an agent with a shell sees both.
        terminal.complain(f"[untrusted: {source}]")
    terminal.say(text, flush=True)
    return DONE


def _complain(error: JsonObject, is_json: bool, teller: str = "") -> int:
    """Say an error, in the form that was asked for; `teller` is who found it, where it is not the panel."""
    if is_json:
        terminal.say_json({"success": False, "error": error}, flush=True)
    else:
        terminal.complain(f"{teller or error['code']}: {error['message']}")
    if error["code"] == "PANEL_DOWN":
        return NO_PANEL
    return WRONG_USAGE if teller else FAILED


def _named(lines: dict[str, Line], name: str) -> Line:
    """The command of that name; `list-tabs` and `kapturemcp_list_tabs` are `list_tabs`."""
    line = lines.get(name.removeprefix("kapturemcp_").replace("-", "_"))
    if line is None:
        from difflib import get_close_matches

        near = get_close_matches(name, lines, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else "kapture call --help lists them"
        raise Wrong(f"there is no command {name!r}", hint)
    return line


def _help(groups: dict[str, str], lines: dict[str, Line], options: Options) -> int:
    from kapture_panel.programs import call_help

    if options.rest:
        terminal.say(call_help.of_command(_named(lines, options.rest[0])), flush=True)
    else:
        terminal.say(call_help.of_all(groups, lines), flush=True)
    return DONE if options.help else WRONG_USAGE
