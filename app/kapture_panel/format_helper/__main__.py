"""Load formatter plug-ins and answer one JSON line per request. Standard library only, started by `hub.formatters`.

First it says `{"names": […]}`. Requests: `{"match": url}` → `{"name": NAME or null}`;
`{"format": NAME, "nodes": […], "url": url}` → `{"text": …}`.
A plug-in is a Python file with `match(url)` (truthy when it takes the page) and `format(nodes, url)` (text or lines).
"""

import json
import runpy
import sys
from pathlib import Path


def main(folders: "list[str]") -> None:
    """Serve until standard input ends; the plug-ins' own output goes to standard error."""
    answers, sys.stdout = sys.stdout, sys.stderr
    plugins = load(folders)
    answers.write(json.dumps({"names": sorted(plugins)}) + "\n")
    answers.flush()
    for line in sys.stdin:
        answers.write(json.dumps(answer(plugins, json.loads(line))) + "\n")
        answers.flush()


def load(folders: "list[str]") -> "dict[str, dict[str, object]]":
    """Plug-ins by file name; one in a later folder replaces one of the same name, a broken one is left out."""
    plugins = {}
    for folder in folders:
        for path in sorted(Path(folder).glob("*.py")):
            try:
                plugins[path.stem] = runpy.run_path(str(path))
            except Exception as error:
                print(f"formatter {path}: {error!r}", file=sys.stderr)
    return plugins


def answer(plugins: "dict[str, dict[str, object]]", request: "dict[str, object]") -> "dict[str, object]":
    """The answer to one request; a plug-in's failure is told as `error`."""
    try:
        if "match" in request:
            found = (name for name, plugin in plugins.items() if plugin["match"](request["match"]))  # type: ignore[operator]
            return {"name": next(found, None)}
        made = plugins[str(request["format"])]["format"](request["nodes"], request["url"])  # type: ignore[operator]
        return {"text": made if isinstance(made, str) else "\n".join(made)}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    main(sys.argv[1:])
