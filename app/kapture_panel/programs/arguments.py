"""The command line: one table of programs, each with its options and help."""

from __future__ import annotations

import argparse
import re
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from kapture_panel.core.basics import sanitize
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.gates.rules import PRESETS
from kapture_panel.installing.clients import CLIENTS, NAME
from kapture_panel.programs import terminal
from kapture_panel.programs.version import Version

EPILOG = """\
Without a command, kapture opens the panel's window. Every command for a page is a command here, too: kapture
snapshot, kapture click e5. kapture call --help lists them. All data (history, screenshots, settings, the profile of
the panel's browser) is in one folder. --data-dir or KAPTURE_HOME names another folder: a separate panel.
"""
INSTALL_EPILOG = """\
Shows the change to the client's file, keeps a copy of the old file beside it, and changes nothing but our entry.
Exit code 0: the entry is there, or was there before. 1: refused, with the reason; nothing was changed. 2: wrong usage.
"""
UNINSTALL_EPILOG = """\
Shows the change to the client's file and removes nothing but our entry. If nothing else has changed the file, it is
then exactly as it was before. Exit code 0: the entry is gone, or was not there. 1: refused, with the reason; nothing
was changed. 2: wrong usage.
"""
INSTALL_SKILL_EPILOG = """\
Shows the change, keeps a copy of a SKILL.md that is there beside it, and writes ours in its place. Exit code 0: the
skill is there, or was there before. 1: refused, with the reason; nothing was changed. 2: wrong usage.
"""
UNINSTALL_SKILL_EPILOG = """\
Shows the change and removes SKILL.md; another's that install --force replaced is put back. Exit code 0: the skill is
gone, or was not there. 1: refused, with the reason; nothing was changed. 2: wrong usage.
"""

#: What `add_subparsers` gives; argparse has no public name for it.
Subparsers: TypeAlias = "argparse._SubParsersAction[_Parser]"


class _Programs(argparse._SubParsersAction):  # type: ignore[type-arg] # argparse offers no public name to build on
    """The programs by name. argparse forgets what stands before one, be it the policy or the folder: it is refused."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        early = [f"--{name.replace('_', '-')}" for name, value in vars(namespace).items()
                 if value != parser.get_default(name)]  # fmt: skip
        if early and values:
            taken = vars(self.choices[values[0]])["_option_string_actions"] if values[0] in self.choices else {}
            # Those that read their options themselves have none here.
            if taken and (unknown := [option for option in early if option not in taken]):
                parser.error(f"{values[0]} takes no {' and no '.join(unknown)}: see kapture {values[0]} --help")
            parser.error(f"give {' and '.join(early)} after {values[0]}: kapture {values[0]} {early[0]} …")
        super().__call__(parser, namespace, values, option_string)


class _Parser(argparse.ArgumentParser):
    """Its complaints quote the command line, which a script may have made of a page's words."""

    def error(self, message: str) -> NoReturn:
        super().error(sanitize.text(message))


def run(arguments: list[str]) -> int:
    """Parse and run; an error is one line that says what to do, exit code 1; wrong usage is 2."""
    options = parser().parse_args(arguments)
    program: Callable[[argparse.Namespace], int] = options.program
    try:
        return program(options)
    except KaptureError as error:
        terminal.complain(f"kapture: {error.message}")
        return 3 if error.code == "PANEL_DOWN" else 1
    except KeyboardInterrupt:
        return 130
    except terminal.ReaderGone:
        terminal.stop_printing()
        return 1
    except Exception:
        terminal.complain(traceback.format_exc().rstrip())  # a defect; it may quote a page
        return 1


def parser() -> _Parser:
    """What each program takes."""
    common, serving = _common_options(), _serving_options()
    parser = _Parser(
        prog="kapture",
        description="Kapture Panel: drive the tabs of a real browser, by hand and through AI agents.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[common, serving],
    )
    parser.add_argument("--version", action=Version, help="print the versions of this installation")
    parser.add_argument("--tray", action="store_true", help="start hidden in the tray")
    parser.add_argument("--browser", action="store_true", help="start the panel's browser, too")
    parser.set_defaults(program=_panel)
    programs = parser.add_subparsers(title="commands", metavar="", action=_Programs)
    _add_serve(programs, [common, serving])
    programs.add_parser("mcp", help="speak MCP on stdin and stdout, for an MCP client to start", add_help=False)
    programs.add_parser("call", help="run one command in the running panel", add_help=False)
    _add_run(programs, common)
    _add_export(programs, common)
    _add_doctor(programs, common)
    _add_browsers(programs, common)
    _add_installing(programs)
    _add_demo(programs)
    _add_completion(programs)
    return parser


def _common_options() -> _Parser:
    """What every program that meets an instance takes."""
    common = _Parser(add_help=False)
    common.add_argument(
        "--data-dir",
        metavar="DIR",
        help="the panel's data folder (default: KAPTURE_HOME or the system's place)",
    )
    return common


def _serving_options() -> _Parser:
    """What panel and serve take."""
    serving = _Parser(add_help=False)
    serving.add_argument(
        "--port",
        type=_port,
        default=None,
        help="the port for the extension (default: 61822; in another data folder a free one, which is kept; 0: any)",
    )
    serving.add_argument(
        "--policy", choices=PRESETS, default="",
        help="what agents may do in the panel's browser (default: as set in the window, or trusting)",
    )  # fmt: skip
    serving.add_argument(
        "--own-policy", choices=PRESETS, default="",
        help="what agents may do in your own browser (default: as set in the window, or careful)",
    )  # fmt: skip
    serving.add_argument(
        "--allow-dir", metavar="DIR", type=_folder, action="append", default=[],
        help="a folder whose files agents may open; can be given several times",
    )  # fmt: skip
    return serving


def _add_serve(programs: Subparsers, parents: list[_Parser]) -> None:
    serve = programs.add_parser("serve", parents=parents, help="the panel without a window")
    serve.add_argument("--browser", action="store_true", help="start the panel's browser at once")
    serve.add_argument("--headless", action="store_true", help="its browser has no window")
    serve.add_argument("--url", help="what the browser's tab shows (with --browser)")
    serve.add_argument("--idle-exit", type=float, metavar="S", help="end S seconds after the last client has left")
    serve.set_defaults(program=_serve)


def _add_run(programs: Subparsers, common: _Parser) -> None:
    run = programs.add_parser(
        "run", parents=[common], help="repeat a Kapture script in the running panel",
        epilog="A script is made of the history: kapture export --format kapture --last 20 -o order.kapture.json",
    )  # fmt: skip
    run.add_argument("file", type=Path, metavar="FILE", help="the script")
    run.add_argument("parameters", nargs="*", metavar="name=value", help="a value that the history did not keep")
    run.add_argument("--check", action="store_true", help="only check the file and say what it needs")
    run.set_defaults(program=_run)


def _add_export(programs: Subparsers, common: _Parser) -> None:
    export = programs.add_parser("export", parents=[common], help="write the command history into a file")
    export.add_argument(
        "--format",
        default="json",
        help="json (default), jsonl, html, playwright or kapture; har is the network log of the running panel's tabs",
    )
    export.add_argument("--last", type=_positive, metavar="N", help="only the newest N rows")
    export.add_argument(
        "--matching",
        default="",
        metavar="WORDS",
        help="only rows that this finds: words, agent:x site:y status:error cmd:click after:2h, -cmd:snapshot",
    )
    export.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="the file to write (default: standard output)"
    )
    export.set_defaults(program=_export)


def _add_doctor(programs: Subparsers, common: _Parser) -> None:
    doctor = programs.add_parser("doctor", parents=[common], help="try every link between an agent and the page")
    doctor.add_argument("--port", type=_port, default=None, help="the port to look at when no panel runs")
    doctor.add_argument("--json", action="store_true", help="print the checks as JSON")
    doctor.set_defaults(program=_doctor)


def _add_browsers(programs: Subparsers, common: _Parser) -> None:
    browsers = programs.add_parser(
        "browsers", parents=[common], help="list the browsers on other machines, and try each link to them",
        epilog="Exit code 0: every link holds; 1: one does not, or browsers.toml is wrong; 2: wrong usage.",
    )  # fmt: skip
    browsers.add_argument("places", nargs="*", metavar="PLACE", help="only these places (default: all)")
    browsers.add_argument("--list", action="store_true", help="only list them")
    browsers.add_argument("--json", action="store_true", help="print them and the checks as JSON")
    browsers.set_defaults(program=_browsers)


def _add_demo(programs: Subparsers) -> None:
    demo = programs.add_parser("demo", help="watch an agent shop in a bundled demo site, each step checked")
    demo.add_argument("--output", metavar="DIR", type=Path, help="where the picture and the history go")
    demo.add_argument("--close", action="store_true", help="end when the job is done, also with a display")
    demo.set_defaults(program=_demo)


def _add_installing(programs: Subparsers) -> None:
    """`install` and `uninstall`, with a parser for each thing there is to add it to."""
    install = programs.add_parser("install", help="add Kapture Panel to an MCP client or to the desktop")
    install_what = install.add_subparsers(title="to what", metavar="WHAT", required=True)
    desktop = install_what.add_parser("desktop", help="the launcher's entry with its icons (Linux)")
    desktop.add_argument("--autostart", action="store_true", help="also start the panel in the tray at every login")
    desktop.add_argument("--data-dir", metavar="DIR", help="the data folder of the panel that the launcher starts")
    desktop.set_defaults(program=_install)

    uninstall = programs.add_parser("uninstall", help="remove what install added; your data stays")
    uninstall_what = uninstall.add_subparsers(title="from what", metavar="WHAT", required=True)
    launcher = uninstall_what.add_parser("desktop", help="everything that install desktop wrote")
    launcher.set_defaults(program=_uninstall)

    _add_skill(install_what, uninstall_what)
    for client in CLIENTS:
        if not client.key:
            continue
        adding = install_what.add_parser(client.key, help=client.name, epilog=INSTALL_EPILOG)
        adding.add_argument("--data-dir", metavar="DIR", help="the data folder of the panel that the agent uses")
        adding.add_argument("--profile", default="", metavar="NAME", help="as kapture mcp --profile")
        adding.add_argument("--tools", default="", metavar="GROUPS", help="as kapture mcp --tools")
        adding.add_argument("--isolated", action="store_true", help="as kapture mcp --isolated")
        adding.add_argument("--create", action="store_true", help="write the file even if the client is not found")
        adding.set_defaults(program=_install_client)
        removing = uninstall_what.add_parser(client.key, help=client.name, epilog=UNINSTALL_EPILOG)
        removing.set_defaults(program=_uninstall_client)
        for parser, verb in ((adding, "replace"), (removing, "remove")):
            parser.set_defaults(what=client.key)
            parser.add_argument(
                "--name", type=_entry_name, default=NAME, help=f"the name of the entry (default: {NAME})"
            )
            parser.add_argument(
                "--file", type=_file, metavar="FILE", help="use this file instead of the client's usual one"
            )
            parser.add_argument("--dry-run", action="store_true", help="only show what would change")
            parser.add_argument(
                "--force", action="store_true", help=f"also {verb} an entry that starts another program"
            )


def _add_skill(install_what: Subparsers, uninstall_what: Subparsers) -> None:
    """The page for coding agents that work in a terminal."""
    adding = install_what.add_parser(
        "skill", help="a page that tells coding agents how to use kapture in a terminal", epilog=INSTALL_SKILL_EPILOG
    )
    adding.add_argument("--create", action="store_true", help="write it even if no agent is found")
    adding.set_defaults(program=_install_skill)
    removing = uninstall_what.add_parser("skill", help="the page for coding agents", epilog=UNINSTALL_SKILL_EPILOG)
    removing.set_defaults(program=_uninstall_skill)
    for parser, verb in (
        (adding, "replace a skill that another program wrote"),
        (removing, "remove a skill that was changed"),
    ):
        parser.add_argument(
            "--folder", type=_file, metavar="DIR", help="use only this folder of skills (such as .agents/skills)"
        )
        parser.add_argument("--dry-run", action="store_true", help="only show what would change")
        parser.add_argument("--force", action="store_true", help=f"also {verb}")


def _add_completion(programs: Subparsers) -> None:
    completion = programs.add_parser("completion", help="print a script that lets a shell complete kapture's commands")
    completion.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell")
    completion.set_defaults(program=_completion)


def _panel(options: argparse.Namespace) -> int:
    from kapture_panel.programs import panel

    return panel.run(options)


def _serve(options: argparse.Namespace) -> int:
    from kapture_panel.programs import serve

    return serve.run(options)


def _run(options: argparse.Namespace) -> int:
    from kapture_panel.programs import run

    return run.run(options)


def _export(options: argparse.Namespace) -> int:
    from kapture_panel.programs import export

    return export.run(options)


def _doctor(options: argparse.Namespace) -> int:
    from kapture_panel.programs import doctor

    return doctor.run(options)


def _browsers(options: argparse.Namespace) -> int:
    from kapture_panel.programs import browsers

    return browsers.run(options)


def _install(options: argparse.Namespace) -> int:
    from kapture_panel.programs import install

    return install.run(options)


def _uninstall(options: argparse.Namespace) -> int:
    from kapture_panel.programs import install

    return install.run_uninstall(options)


def _install_client(options: argparse.Namespace) -> int:
    from kapture_panel.programs import install

    return install.run_client(options)


def _uninstall_client(options: argparse.Namespace) -> int:
    from kapture_panel.programs import install

    return install.run_uninstall_client(options)


def _install_skill(options: argparse.Namespace) -> int:
    from kapture_panel.programs import install

    return install.run_skill(options)


def _uninstall_skill(options: argparse.Namespace) -> int:
    from kapture_panel.programs import install

    return install.run_uninstall_skill(options)


def _demo(options: argparse.Namespace) -> int:
    from kapture_panel.programs import demo

    return demo.run(options)


def _completion(options: argparse.Namespace) -> int:
    from kapture_panel.programs import completion

    terminal.say(completion.script(options.shell, parser()))
    return 0


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port; give 0 to 65535")
    return int(text)


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of rows; give 1 or more")
    return int(text)


def _entry_name(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a name; use letters, digits, - and _")
    return text


def _file(text: str) -> Path:
    return Path(text).expanduser().absolute()


def _folder(text: str) -> Path:
    folder = Path(text).expanduser().resolve()
    if not folder.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is not a folder")
    return folder
