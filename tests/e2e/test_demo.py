"""The demo as a person runs it: whole from the built wheel in an environment of its own, its bad ends from the tree."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path

import psutil
import pytest
from PIL import Image

from kapture_panel import paths
from kapture_panel.demo import job
from kapture_panel.hub.browsers.helper_processes import wait_ended
from kapture_panel.programs.demo_process import ENDED_EARLY
from tests.support.patience import PATIENCE_S

REPOSITORY = paths.resources().parent


def run_demo(command: list[str], output: Path, cwd: Path) -> str:
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run(
        [*command, "demo", "--output", str(output)],
        capture_output=True, text=True, check=False, cwd=cwd, env=environment, timeout=10 * PATIENCE_S,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "✗" not in done.stdout
    return done.stdout


def check(said: str, output: Path) -> None:
    steps = re.findall(r"\[ ?(\d+)/(\d+)\] ✓ .+ \d+ ms", said)
    assert steps
    assert len(steps) == int(steps[0][1])
    lines = said.splitlines()
    with Image.open(next(line for line in lines if line.endswith(".png"))) as picture:
        assert picture.size == (1440, 900)
    history = json.loads(Path(next(line for line in lines if line.endswith(".json"))).read_text())
    assert {"navigate", "fill", "click", "snapshot"} <= {row["command"] for row in history}
    assert "correct horse" not in json.dumps(history)
    # Each action before and after; what only looks has none, and one picture may stand for two moments.
    assert (output / "recording.html").read_text().count("<figure>") > len(history)
    assert sorted(path.name for path in output.iterdir()) == ["history.json", "panel.png", "recording.html"]


def of_demo(output: Path) -> list[psutil.Process]:
    """Every process that names the demo's folder."""
    running = psutil.process_iter(["cmdline"])
    return [process for process in running if str(output) in " ".join(process.info["cmdline"] or [])]


def test_a_killed_demo_leaves_nothing(tmp_path: Path) -> None:
    output = tmp_path / "out"
    command = [sys.executable, "-m", "kapture_panel", "demo", "--output", str(output)]
    demo = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert demo.stdout is not None
    said = next((line for line in demo.stdout if "✓ Open the shop" in line), "")
    running = of_demo(output)
    demo.kill()
    assert said, "the demo ended before it was killed"
    assert demo.wait() == -signal.SIGKILL
    demo.stdout.close()
    assert len(running) > 1, "only itself was killed"
    assert wait_ended({*running, *of_demo(output)}, PATIENCE_S) == []
    assert list(output.iterdir()) == []


#: A short demo, as on a screen: it tells of each command whether Watch was in sight with its tab, and whether the
#: window fits into the screen.
LOOKED_AT = """
import asyncio, sys
from kapture_panel.demo import job
from kapture_panel.programs import demo
from tests.support import panel_program

job.STEPS = (job.STEPS[0], job.STEPS[-3])
demo.has_display = lambda: True

async def beside(hub, window):
    watch, told = window.rooms.watch.view, set()

    def tell(row):
        if row.id in told:
            return  # its picture came, perhaps once the demo goes on elsewhere
        told.add(row.id)
        is_seen = watch.isVisible() and watch.tab is not None and watch.tab.tab_id == row.tab_id
        print("seen" if is_seen else "unseen", row.kind, row.command)
        print("fits" if window.screen().availableGeometry().contains(window.frameGeometry()) else "too large")

    hub.state.history.settled.connect(tell)
    await asyncio.Event().wait()

sys.exit(panel_program.run(["demo", "--close", "--output", sys.argv[1]], beside))
"""


def test_the_agents_page_is_live_from_its_first_command_on_in_a_window_that_fits(tmp_path: Path) -> None:
    home = tmp_path / "home"
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run(
        [sys.executable, "-c", LOOKED_AT, str(tmp_path / "out")],
        capture_output=True, text=True, check=False, cwd=REPOSITORY, timeout=10 * PATIENCE_S,
        env={**environment, "KAPTURE_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    told = set(done.stdout.splitlines())
    assert {"seen agent navigate", "seen agent click"} <= told
    # A tab that was just opened is followed once the agent acts there.
    assert not {"unseen agent navigate", "unseen agent click"} & told
    assert "fits" in told
    assert "too large" not in told
    assert not home.exists(), "the person's own settings are not the demo's"


#: A person closes the window as soon as the agent has done something.
CLOSED_EARLY = """
import asyncio, sys
from tests.support import panel_program

async def beside(hub, window):
    acted = asyncio.Event()
    hub.state.history.settled.connect(lambda _row: acted.set())
    await acted.wait()
    window.quit()
    await asyncio.Event().wait()

sys.exit(panel_program.run(["demo", "--output", sys.argv[1]], beside))
"""


def test_a_demo_whose_window_is_closed_ends_its_agent_and_its_browser(tmp_path: Path) -> None:
    output = tmp_path / "out"
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run(
        [sys.executable, "-c", CLOSED_EARLY, str(output)],
        capture_output=True, text=True, check=False, cwd=REPOSITORY, env=environment, timeout=10 * PATIENCE_S,
    )  # fmt: skip
    assert done.returncode == ENDED_EARLY, done.stdout + done.stderr
    assert "ended before its last step" in done.stdout
    assert done.stdout.count("✓") < len(job.STEPS)
    assert list(output.iterdir()) == []
    assert of_demo(output) == []


def test_the_demo_tells_a_failing_step_by_its_exit_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = (
        "import sys; from kapture_panel.demo import job;"
        "job.STEPS = (job.STEPS[0], ('Sort by price', job.submit), job.STEPS[1]);"
        "from kapture_panel.cli import main; sys.exit(main())"
    )
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run(
        [sys.executable, "-c", broken, "demo", "--output", str(tmp_path / "out")],
        capture_output=True, text=True, check=False, env=environment, timeout=10 * PATIENCE_S,
    )  # fmt: skip
    assert done.returncode == 1
    assert "✗ Sort by price" in done.stdout
    assert "2 of 3 steps passed" in done.stdout


def test_the_built_wheel_passes_the_demo_in_an_empty_environment(tmp_path: Path) -> None:
    built = tmp_path / "dist"
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(built)],
        check=True, cwd=REPOSITORY, capture_output=True,
    )  # fmt: skip
    (wheel,) = built.glob("*.whl")
    environment = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    site = next((environment / "lib").glob("python*")) / "site-packages"
    # The dependencies are those of this run; the package itself comes from the wheel alone.
    ours = sysconfig.get_path("purelib")
    (site / "dependencies.pth").write_text(f"{ours}\n")
    install = ["install", "--quiet", "--no-deps", "--no-index", "--target", str(site), str(wheel)]
    subprocess.run([sys.executable, "-m", "pip", *install], check=True)
    python = environment / "bin" / "python"
    where = subprocess.run(
        [python, "-c", "import kapture_panel; print(kapture_panel.__file__)"],
        capture_output=True, text=True, check=True, cwd=tmp_path,
    )  # fmt: skip
    assert where.stdout.startswith(str(site))
    output = tmp_path / "out"
    check(run_demo([str(python), "-m", "kapture_panel"], output, tmp_path), output)
