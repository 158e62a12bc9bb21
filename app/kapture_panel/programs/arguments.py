"""The command line: one table of programs, each with its options and help."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from kapture_panel import __version__
from kapture_panel.core.errors import KaptureError
from kapture_panel.core.policy import PRESETS

EPILOG = """\
Data (history, screenshots, settings, the managed browser's profile) lives in one folder; --data-dir or
KAPTURE_HOME names another, as a separate instance. Without a command the panel's window opens.
"""


def run(arguments: list[str]) -> int:
    """Parse and run; an error is one line that says what to do, exit code 1; wrong usage is 2."""
    options = _parser().parse_args(arguments)
    program: Callable[[argparse.Namespace], int] = options.program
    try:
        return program(options)
    except KaptureError as error:
        print(f"kapture: {error.message}", file=sys.stderr)
        return 3 if error.code == "PANEL_DOWN" else 1
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "--data-dir",
        metavar="DIR",
        help="the instance's folder (default: KAPTURE_HOME or the system's place)",
    )
    serving = argparse.ArgumentParser(add_help=False)
    serving.add_argument(
        "--port",
        type=_port,
        default=None,
        help="where the extension connects (default 61822, 0: any free one)",
    )
    serving.add_argument(
        "--policy", choices=sorted(PRESETS), default="trusting", help="what agents may do (default: trusting)"
    )
    serving.add_argument(
        "--allow-dir", metavar="DIR", type=_folder, action="append", default=[],
        help="a folder whose files agents may open; may be given several times",
    )  # fmt: skip

    parser = argparse.ArgumentParser(
        prog="kapture",
        description="Kapture Panel: drive the tabs of a real browser, by hand and through AI agents.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[common, serving],
    )
    parser.add_argument("--version", action="version", version=f"kapture {__version__}")
    parser.add_argument("--tray", action="store_true", help="start hidden in the tray")
    parser.set_defaults(program=_panel)
    programs = parser.add_subparsers(title="commands", metavar="")

    serve = programs.add_parser("serve", parents=[common, serving], help="the panel without a window")
    serve.add_argument("--browser", action="store_true", help="start the managed browser at once")
    serve.add_argument("--headless", action="store_true", help="its browser has no window")
    serve.add_argument("--url", help="what the browser's tab shows (with --browser)")
    serve.add_argument("--idle-exit", type=float, metavar="S", help="end S seconds after the last client has gone")
    serve.set_defaults(program=_serve)

    programs.add_parser("mcp", help="speak MCP on stdin and stdout, for an MCP client to start", add_help=False)

    call = programs.add_parser(
        "call", parents=[common], help="run one command in the running panel",
        epilog="A value is JSON where the parameter is no string: kapture call click selector='#buy' clickCount=2",
    )  # fmt: skip
    call.add_argument("command", help="a command's name, with or without kapturemcp_")
    call.add_argument("parameters", nargs="*", metavar="key=value", help="its parameters")
    call.add_argument("--json", action="store_true", help="print the whole answer as JSON")
    call.set_defaults(program=_call)

    demo = programs.add_parser("demo", help="watch an agent shop in a bundled demo site, each step checked")
    demo.add_argument("--output", metavar="DIR", type=Path, help="where the picture and the history go")
    demo.add_argument("--close", action="store_true", help="end when the job is done, with a display too")
    demo.set_defaults(program=_demo)
    return parser


def _panel(options: argparse.Namespace) -> int:
    from kapture_panel.programs import panel

    return panel.run(options)


def _serve(options: argparse.Namespace) -> int:
    from kapture_panel.programs import serve

    return serve.run(options)


def _call(options: argparse.Namespace) -> int:
    from kapture_panel.programs import call

    return call.run(options)


def _demo(options: argparse.Namespace) -> int:
    from kapture_panel.programs import demo

    return demo.run(options)


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port; give 0 to 65535")
    return int(text)


def _folder(text: str) -> Path:
    folder = Path(text).expanduser().resolve()
    if not folder.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is no folder")
    return folder
