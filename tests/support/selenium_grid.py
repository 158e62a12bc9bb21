"""A real Selenium Grid on this machine: a hub, nodes with Debian's driver, and how a test breaks them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from kapture_panel.hub.browsers.helper_processes import wait_ended
from tests.support.patience import PATIENCE_S
from tests.support.ports import quiet_port
from tests.support.tree import ROOT

#: Fetched by `make test-grid`.
JAR = ROOT / "build" / "grid" / "selenium-server.jar"
#: What was measured beside the checks.
FIGURES = JAR.with_name("figures.json")
#: A session that nobody speaks to ends after so long.
SESSION_TIMEOUT_S = 12

_NODE = """
[node]
detect-drivers = false
max-sessions = {slots}
override-max-sessions = true
session-timeout = {timeout}
register-cycle = 1

[[node.driver-configuration]]
display-name = "Chromium"
stereotype = '{{"browserName": "chrome"}}'
max-sessions = {slots}
webdriver-executable = "{driver}"
"""


class Node:
    """One machine with browsers, as far as a Grid can tell."""

    def __init__(self, grid: Grid, slots: int) -> None:
        config = grid.folder / f"node{quiet_port()}.toml"
        driver = shutil.which("chromedriver")
        config.write_text(_NODE.format(slots=slots, timeout=grid.timeout_s, driver=driver))
        self.address = f"http://127.0.0.1:{quiet_port()}"
        port = self.address.rpartition(":")[2]
        self.process = grid.java(
            "node", "--host", "127.0.0.1", "--hub", grid.address, "--port", port, *grid.bus, "--config", str(config)
        )

    def freeze(self) -> None:
        """It answers nobody any more, and its sockets stay open."""
        for process in self._all():
            process.suspend()

    def kill(self) -> None:
        """It is gone at once, with its browsers."""
        processes = self._all()
        for process in processes:
            process.kill()
        wait_ended(processes, PATIENCE_S)
        self.process.wait(PATIENCE_S)

    def browsers(self) -> list[psutil.Process]:
        """What runs on it for its sessions: drivers, browsers and what belongs to them."""
        below: list[psutil.Process] = psutil.Process(self.process.pid).children(recursive=True)
        return below

    def _all(self) -> list[psutil.Process]:
        return [psutil.Process(self.process.pid), *self.browsers()]


class Grid:
    """A Grid's hub and its nodes."""

    def __init__(self, folder: Path, timeout_s: int) -> None:
        self.folder = folder
        self.timeout_s = timeout_s
        self.address = f"http://127.0.0.1:{quiet_port()}"
        publish, subscribe = (f"tcp://127.0.0.1:{quiet_port()}" for _ in range(2))
        self.bus = ["--publish-events", publish, "--subscribe-events", subscribe]
        self.nodes: list[Node] = []
        self._log = (folder / "grid.log").open("ab")
        self.hub = self._start_hub()

    def _start_hub(self) -> subprocess.Popen[bytes]:
        return self.java("hub", "--host", "127.0.0.1", "--port", self.address.rpartition(":")[2], *self.bus)

    def kill_hub(self) -> None:
        """It is gone at once; the nodes and their browsers run on."""
        self.hub.kill()
        self.hub.wait(PATIENCE_S)

    def start_hub_again(self) -> None:
        """Have one where the killed one was; it does not answer yet when this returns."""
        self.hub = self._start_hub()

    def java(self, *arguments: str) -> subprocess.Popen[bytes]:
        # Small heaps: four of them run beside their browsers.
        command = ["java", "-Xmx192m", "-jar", str(JAR), *arguments]
        return subprocess.Popen(command, stdout=self._log, stderr=subprocess.STDOUT, start_new_session=True)

    def add(self, slots: int) -> Node:
        """Have one node more; it is not there yet when this returns."""
        node = Node(self, slots)
        self.nodes.append(node)
        return node

    def ask(self, path: str) -> Any:
        """What the Grid says, without the panel's code."""
        with urllib.request.urlopen(f"{self.address}{path}", timeout=PATIENCE_S) as answer:
            return json.load(answer)["value"]

    def sessions(self) -> list[str]:
        """The ids of the sessions there are."""
        slots = [slot for node in self.ask("/status")["nodes"] for slot in node["slots"]]
        return [slot["session"]["sessionId"] for slot in slots if slot["session"]]

    def queue(self) -> list[object]:
        """The requests that wait for a browser."""
        waiting: list[object] = self.ask("/se/grid/newsessionqueue/queue")
        return waiting

    def has_free_slot(self, node: Node) -> bool:
        """Whether a node has come, and gives browsers."""
        nodes = [known for known in self._known() if known["uri"] == node.address]
        return any(slot["session"] is None for known in nodes for slot in known["slots"])

    def slots(self) -> int:
        """How many sessions there could be."""
        return sum(len(node["slots"]) for node in self._known() if node["availability"] == "UP")

    def _known(self) -> list[Any]:
        """The nodes; a hub that has just started does not answer, or does not speak of them yet."""
        try:
            nodes: list[Any] = self.ask("/status").get("nodes", [])
        except OSError:
            return []
        return nodes

    def until(self, what: str, condition: Any) -> None:
        """Wait for something that a Grid tells nobody by itself."""
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < deadline, f"never came: {what}; {self.folder / 'grid.log'}"
            time.sleep(0.1)

    def close(self) -> None:
        """End all of it."""
        for node in self.nodes:
            if node.process.poll() is None:
                node.kill()
        self.kill_hub()
        self._log.close()


@contextmanager
def grid(folder: Path, *slots: int, timeout_s: int = SESSION_TIMEOUT_S) -> Iterator[Grid]:
    """A Grid with a node for each number of slots, ready."""
    made = Grid(folder, timeout_s)
    try:
        for number in slots:
            made.add(number)
        made.until("the nodes", lambda: made.slots() == sum(slots))
        yield made
    finally:
        made.close()


def places(**grids: str) -> str:
    """A `browsers.toml` with a trusting place for each address; as root Chromium needs to be told that it has no
    sandbox."""
    args = '["--no-sandbox"]' if os.geteuid() == 0 else "[]"
    return "\n".join(
        f'[places.{name}]\ngrid = "{address}"\npolicy = "trusting"\nat_once = 30\n'
        f'capabilities = {{"goog:chromeOptions" = {{args = {args}}}}}'
        for name, address in grids.items()
    )


def note(name: str, **figures: object) -> None:
    """Write figures down beside those of other checks: they are judged by a reader and never by a check."""
    known = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    FIGURES.write_text(f"{json.dumps({**known, name: figures}, indent=1)}\n")
