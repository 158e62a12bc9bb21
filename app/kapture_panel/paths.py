"""Every location on disk, for a development tree and for an installed wheel alike."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kapture_panel import door, shipped


def extension() -> Path:
    """The folder of the Chrome extension as shipped."""
    return Path(shipped.folder("extension"))


def resources() -> Path:
    """Icons, theme and the demo site."""
    return Path(shipped.folder("resources"))


def catalogue() -> Path:
    """The one declaration of all commands."""
    return extension() / "commands.json"


@dataclass(frozen=True)
class DataDir:
    """The places of one instance; `open` makes the folders with mode 0700."""

    root: Path

    @classmethod
    def open(cls, override: str | None = None) -> DataDir:
        """The data directory: `override`, else `KAPTURE_HOME`, else the system's place for user data."""
        data = cls(Path(door.data_dir(override)))
        data.root.mkdir(parents=True, exist_ok=True, mode=0o700)
        return data

    def misplaced(self) -> Iterator[tuple[Path, str]]:
        """Places where something else stands than the "file" or "folder" that belongs there.

        To open a pipe would wait for ever, to open a folder fail where nobody expects it.
        """
        files = (self.port, self.lock, self.history, self.history_key, self.settings, self.policy, self.paused)
        folders = (self.extension, self.screenshots, self.browser, self.sessions, self.downloads, self.output)
        for place in (*files, self.paired, self.places, self.log):
            if place.exists() and not place.is_file():
                yield place, "file"
        for place in (*folders, self.profiles, self.videos, self.uploads):
            if place.exists() and not place.is_dir():
                yield place, "folder"

    @property
    def is_usual(self) -> bool:
        """Whether it is the system's place for user data: the instance a person has without choosing one."""
        plain = {name: value for name, value in os.environ.items() if name != "KAPTURE_HOME"}
        return os.path.realpath(self.root) == os.path.realpath(door.data_dir(environment=plain))

    @property
    def port(self) -> Path:
        """Where the extension connects to an instance that is not the usual one; see `hub.extension_door.ports`."""
        return self.root / "port.json"

    @property
    def lock(self) -> Path:
        """Held by the one process that owns the instance."""
        return self.root / "instance.lock"

    @property
    def history(self) -> Path:
        """The SQLite database of commands."""
        return self.root / "history.sqlite3"

    @property
    def history_key(self) -> Path:
        """What the fingerprints of typed values are made with."""
        return self.root / "history.key"

    @property
    def settings(self) -> Path:
        """The person's choices."""
        return self.root / "settings.json"

    @property
    def policy(self) -> Path:
        """The person's rules for agents."""
        return self.root / "policy.json"

    @property
    def paused(self) -> Path:
        """There while the person holds the agents; see `core.gates.pause`."""
        return self.root / "paused.json"

    @property
    def places(self) -> Path:
        """Where browsers on other machines come from, as the person wrote it."""
        return self.root / "browsers.toml"

    @property
    def paired(self) -> Path:
        """The person's own browsers with their keys."""
        return self.root / "paired.json"

    @property
    def extension(self) -> Path:
        """The copy of the extension that the person's own browsers load."""
        return self.root / "extension"

    @property
    def screenshots(self) -> Path:
        """The bounded picture store."""
        return self.root / "screenshots"

    @property
    def videos(self) -> Path:
        """The bounded store of videos of tabs."""
        return self.root / "videos"

    @property
    def browser(self) -> Path:
        """The managed browser's profile."""
        return self.root / "browser"

    @property
    def sessions(self) -> Path:
        """The throw-away profiles of browsers that conversations have for themselves."""
        return self.root / "sessions"

    @property
    def downloads(self) -> Path:
        """What managed browsers downloaded; those of a session in a folder of its name."""
        return self.root / "downloads"

    @property
    def output(self) -> Path:
        """Answers that were too long to be told; see `core.stores.outputs`."""
        return self.root / "output"

    @property
    def uploads(self) -> Path:
        """Files that were uploaded; see `core.stores.upload_copies`."""
        return self.root / "uploads"

    @property
    def profiles(self) -> Path:
        """The person's own profiles, `NAME.json` each."""
        return self.root / "profiles"

    @property
    def log(self) -> Path:
        """What the panel tells about itself."""
        return self.root / "panel.log"

    @property
    def door(self) -> str:
        """Where MCP children and terminals connect."""
        return door.address(str(self.root))
