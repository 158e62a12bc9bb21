"""A person who has just got a package: an empty home, a plain environment, no checkout."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from mcp import Client, StdioServerParameters
from mcp_types import Implementation

from tests.support.tree import ROOT

DIST = ROOT / "dist"
#: How long the longest step may take: fetching Qt for a new environment.
DEADLINE_S = 900


def built(pattern: str) -> Path:
    """The one package in `dist/` whose name is like this."""
    found = list(DIST.glob(pattern))
    assert len(found) == 1, f"{pattern} is not in {DIST}: run make dist first"
    return found[0]


def as_built() -> dict[str, str]:
    """An environment in which a build gives the same: the time that the packages in `dist/` bear."""
    with tarfile.open(built("kapture_panel-*.tar.gz")) as packed:
        return {**os.environ, "SOURCE_DATE_EPOCH": str(int(packed.getmembers()[0].mtime))}


@dataclass
class Newcomer:
    """Runs programs as this person does.

    Attributes:
        home: their home.
        path: where programs are looked for.
        prefix: words before each command, to be another user.
    """

    home: Path
    path: str = "/usr/local/bin:/usr/bin:/bin"
    prefix: list[str] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        """All the variables there are. Whom to trust and whom to ask for packages is the system's matter."""
        of_the_system = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "UV_", "SSL_"))}
        more = {"LANG": "C.UTF-8", "QT_QPA_PLATFORM": "offscreen", "UV_NATIVE_TLS": "1"}
        return {**of_the_system, **more, "HOME": str(self.home), "PATH": self.path}

    def command(self, words: Sequence[str | Path]) -> list[str]:
        """A command with what goes before it."""
        return [*self.prefix, *map(str, words)]

    def run(self, *words: str | Path, fails: bool = False) -> str:
        """Run a program in the home and return all it said."""
        done = subprocess.run(
            self.command(words), env=self.environment, cwd=self.home, timeout=DEADLINE_S, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        assert (done.returncode != 0) == fails, f"{words} ended with {done.returncode}:\n{done.stdout}"
        return done.stdout

    def uses_it(self, kapture: str | Path) -> None:
        """Have the program do what the first page of the docs promises."""
        version = self.run(kapture, "--version")
        assert all(part in version for part in ("kapture", "Python", "Qt", "extension", "protocol")), version
        assert "Extension files" in self.run(kapture, "doctor")
        folder = self.home / ".cursor"
        if not folder.exists():
            self.run("mkdir", folder)
        said = self.run(kapture, "install", "cursor")
        entry = json.loads((folder / "mcp.json").read_text())["mcpServers"]["kapture"]
        assert entry["args"] == ["mcp"], said
        assert "usage: kapture mcp" in self.run(entry["command"], "mcp", "--help")
        self.run(kapture, "uninstall", "cursor")
        assert not (folder / "mcp.json").exists()
        said = self.run(kapture, "demo", "--close", "--output", self.home / "demo")
        steps = re.findall(r"^(\d+) of (\d+) steps passed", said, re.MULTILINE)
        assert steps, said
        assert steps[0][0] == steps[0][1], said

    async def asks_as_an_agent(self, *words: str | Path) -> list[str]:
        """The names of the tools that an MCP client gets from the server which `words` start, in a folder of its own."""
        command = self.command(words)
        data = self.home / "agent-data"
        server = StdioServerParameters(
            command=command[0], args=[*command[1:], "--data-dir", str(data)],
            env=self.environment, cwd=str(self.home),
        )  # fmt: skip
        with ended(data):
            async with Client(server, client_info=Implementation(name="newcomer", version="1")) as client:
                return [tool.name for tool in (await client.list_tools()).tools]


@contextmanager
def ended(data: Path) -> Iterator[None]:
    """End the panel that an agent started for the folder `data`, and wait until it has gone."""
    try:
        yield
    finally:
        running = psutil.process_iter(["cmdline"])
        panels = [one for one in running if {"serve", str(data)} <= set(one.info["cmdline"] or [])]
        for one in panels:
            one.terminate()
        _gone, alive = psutil.wait_procs(panels, timeout=30)
        assert alive == []
