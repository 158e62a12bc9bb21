"""What an action did, as the extension saw it and as its answer tells it."""

from __future__ import annotations

from typing import Literal

import msgspec

from kapture_panel.core.basics.free_json import JsonObject


class NewTab(msgspec.Struct, omit_defaults=True):
    """A tab that was opened; without a `tabId` no extension may enter it. Of one in a person's own browser that is not
    shared there are its `browserTabId`, its `host` and in `next` how to ask for it. One that has `closed` again by
    itself has shown nothing, as one does that becomes a download."""

    tabId: str = ""
    url: str | None = None
    closed: bool = False
    browserTabId: int | None = None
    host: str = ""
    next: str = ""


class SeenDialog(msgspec.Struct, omit_defaults=True):
    """A JavaScript dialog that was answered, or is `open` still: then `next` says how to answer it, and `default` is
    the text a prompt offers."""

    type: str
    message: str
    default: str = ""
    accepted: bool | None = None
    open: bool | None = None
    next: str = ""


class Download(msgspec.Struct, omit_defaults=True):
    """A file the browser fetches. The extension knows `guid`, `fileName` and `url`; of a managed browser the panel
    adds the rest: `state` (inProgress, completed, canceled), `bytes` so far, and `path` once the file is whole, or the
    `folder` it goes to; `note` says why a whole one has no path."""

    guid: str = ""
    fileName: str | None = None
    url: str | None = None
    state: str = ""
    bytes: int | None = None
    path: str = ""
    folder: str = ""
    note: str = ""


class FileChooser(msgspec.Struct, omit_defaults=True):
    """A file chooser that the page opened and that waits for files; one that is `refused` takes them from a person
    only, and the page was told that it was closed."""

    multiple: bool = False
    folder: bool = False
    accept: str = ""
    refused: bool = False


class ProgramAddress(msgspec.Struct):
    """An address of another program the page led to; one that was not `kept` from it may have started it."""

    url: str
    kept: bool


class ByPerson(msgspec.Struct, omit_defaults=True):
    """What the person did in a tab meanwhile: where it is now, if that is new, the commands they gave, the newest
    last, and the tabIds of tabs that were closed. Without any of it `changed` is False."""

    url: str | None = None
    title: str | None = None
    did: list[str] = []  # msgspec copies it per instance
    closed: list[str] = []
    changed: bool | None = None


class Settled(msgspec.Struct, omit_defaults=True):
    """What became of a command that was answered `OUTCOME_UNKNOWN`: the `command` and what it was done to, its
    `outcome` (that of an action, `ok`, or the code of its error), and what came of it in words."""

    command: str
    outcome: str
    said: str = ""


Threefold = bool | Literal["mixed"]


class TargetChanges(msgspec.Struct, omit_defaults=True, kw_only=True):
    """What is different about an action's target, each as [before, after]; of a secret field's value only its
    `length` is told. `expanded` is None where nothing opens."""

    focused: tuple[bool, bool] | None = None
    value: tuple[str, str] | None = None
    length: tuple[int, int] | None = None
    checked: tuple[Threefold, Threefold] | None = None
    selected: tuple[bool, bool] | None = None
    expanded: tuple[bool | None, bool | None] | None = None
    pressed: tuple[Threefold, Threefold] | None = None


class InvalidField(msgspec.Struct, omit_defaults=True):
    """A field whose value keeps its form from being sent: its name and tag, and what the browser says of it."""

    field: str
    message: str = ""


class Effects(msgspec.Struct, omit_defaults=True, kw_only=True):
    """What was seen after an action, or of late since the answer before; what was not seen is left out.

    `url` and `title` are where the tab is, when that is new; `requests` counts; `pending` is what the
    page still waits for, "POST https://…" each; `invalid` are the fields that kept a form from being sent; `changed` is
    "unknown" where nobody looks, as at what a canvas shows; `person` and `settled` are the panel's to tell."""

    url: str | None = None
    title: str | None = None
    newTabs: list[NewTab] = []  # msgspec copies it per instance
    dialogs: list[SeenDialog] = []
    downloads: list[Download] = []
    fileChooser: FileChooser | None = None
    consoleErrors: list[str] = []
    programs: list[ProgramAddress] = []
    requests: int = 0
    pending: list[str] = []
    loadFailed: bool = False
    reloaded: bool = False
    changed: bool | Literal["unknown"] | None = None
    target: TargetChanges | None = None
    invalid: list[InvalidField] = []
    person: ByPerson | None = None
    settled: list[Settled] = []

    def as_json(self) -> JsonObject:
        """As answers tell it."""
        told: JsonObject = msgspec.to_builtins(self)
        if self.target is not None:
            told["target"] = {name: list(pair) for name, pair in told["target"].items()}
        return told

    def for_history(self) -> JsonObject:
        """As rows keep it: what a field held, and holds now, is not kept."""
        told = self.as_json()
        if self.target is not None:
            told["target"] = {name: pair for name, pair in told["target"].items() if name not in ("value", "length")}
            if not told["target"]:
                del told["target"]
        if self.invalid:  # the message may quote what was typed
            told["invalid"] = [{"field": one.field} for one in self.invalid]
        return told
