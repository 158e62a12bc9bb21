"""The helper as a process: what it says of good and bad plug-ins."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

GOOD = "NOTE = 'new\\n in May'\ndef match(url): return 'shop' in url\ndef format(nodes, url): return [url]\n"


def says(folder: Path, *requests: dict[str, Any], without: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """All lines the helper says, when asked these requests."""
    done = subprocess.run(
        [sys.executable, "-m", "kapture_panel.format_helper", str(folder), "--without", *without],
        input="".join(json.dumps(request) + "\n" for request in requests),
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_it_names_each_file_before_it_loads_it_and_tells_why_one_is_broken(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def match(url):")
    (tmp_path / "b.py").write_text(GOOD)
    (tmp_path / "c.py").write_text("def match(url): return True")
    (tmp_path / "d.py").write_text("raise SystemExit(4)")
    *loading, last = says(tmp_path)
    assert loading == [{"loading": name} for name in "abcd"]
    assert last["names"] == ["b"]
    assert "IndentationError" in last["broken"]["a"]
    assert last["broken"]["c"] == "TypeError: there is no function format in it"
    assert last["broken"]["d"] == "SystemExit: 4"
    assert says(tmp_path, without=("a", "c", "d")) == [{"loading": "b"}, {"names": ["b"], "broken": {}}]


def test_it_answers_what_a_plug_in_says_and_what_it_raises(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "no.py").write_text("def match(url): 1 / 0\ndef format(nodes, url): print('aside')\n")
    asked = (
        {"match": "http://shop/", "name": "good"},
        {"format": "good", "nodes": [], "url": "http://shop/"},
        {"match": "http://shop/", "name": "no"},
        {"format": "no", "nodes": [], "url": "http://shop/"},
    )
    assert says(tmp_path, *asked)[3:] == [
        {"takes": True, "signs": []},
        {"text": "http://shop/", "note": "new in May"},
        {"error": "ZeroDivisionError: division by zero"},
        {"text": None, "note": ""},
    ]
