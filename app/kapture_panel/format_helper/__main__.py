"""Load formatter plug-ins and answer one JSON line per request; started by `hub.host.formatters`.

First it says `{"loading": NAME}` before each file, then `{"names": […], "broken": {NAME: why}}`; the names in the
order they are asked. Requests: `{"match": url, "name": NAME}` → `{"takes": bool, "signs": […]}`;
`{"format": NAME, "nodes": […], "url": url}` → `{"text": text or null, "note": …}`. What fails is told as `error`.
Arguments: the folders, the one whose plug-ins go first last, then `--without` and names to leave out.
"""

import json
import runpy
import sys
from pathlib import Path
from typing import Any

Plugins = dict[str, dict[str, Any]]


def main(arguments: list[str]) -> None:
    """Serve until standard input ends; the plug-ins' own output goes to standard error."""
    answers, sys.stdout = sys.stdout, sys.stderr

    def say(value: object) -> None:
        answers.write(json.dumps(value) + "\n")
        answers.flush()

    end = arguments.index("--without") if "--without" in arguments else len(arguments)
    plugins: Plugins = {}
    broken: dict[str, str] = {}
    for folder in reversed(arguments[:end]):
        for path in sorted(Path(folder).glob("*.py")):
            if path.stem in plugins or path.stem in arguments[end + 1 :]:
                continue
            say({"loading": path.stem})
            try:
                plugins[path.stem] = load(path)
            except (Exception, SystemExit) as error:
                broken[path.stem] = f"{type(error).__name__}: {error}"
    say({"names": list(plugins), "broken": broken})
    for line in sys.stdin:
        say(answer(plugins, json.loads(line)))


def load(path: Path) -> dict[str, Any]:
    """What a plug-in's file defines.

    Raises:
        TypeError: it lacks one of its two functions. Whatever else its code raises comes through.
    """
    plugin = runpy.run_path(str(path))
    for name in ("match", "format"):
        if not callable(plugin.get(name)):
            raise TypeError(f"there is no function {name} in it")
    return plugin


def answer(plugins: Plugins, request: dict[str, Any]) -> dict[str, Any]:
    """The answer to one request."""
    try:
        if "match" in request:
            plugin = plugins[request["name"]]
            return {"takes": bool(plugin["match"](request["match"])), "signs": list(map(str, plugin.get("SIGNS", ())))}
        plugin = plugins[request["format"]]
        made = plugin["format"](request["nodes"], request["url"])
        text = made if made is None or isinstance(made, str) else "\n".join(made)
        return {"text": text, "note": " ".join(str(plugin.get("NOTE", "")).split())[:80]}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    main(sys.argv[1:])
