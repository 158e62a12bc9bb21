"""An error of the extension as a frame carries it, and the panel's error it becomes."""

from __future__ import annotations

import msgspec

from kapture_panel.core.basics.errors import CODES, KaptureError
from kapture_panel.core.wire.dialogs import OpenDialog

#: The code of an error that asks back: nothing was done, see `protocol.Grant`.
NEEDS_APPROVAL = "NEEDS_APPROVAL"


class Box(msgspec.Struct, frozen=True):
    """Where an element is in the page, in CSS pixels."""

    x: float
    y: float
    width: float
    height: float


class Failure(msgspec.Struct, omit_defaults=True, kw_only=True):
    """Why a command failed: `code`, `message` (what went wrong), `nextStep`, and what goes with some codes alone.

    `line` and `column` are where a script threw what `message` says, `filled` is how many fields of a form were
    filled before it, `tabId` the tab that is open all the same. Of what needs approval `site`, `origin`, `url` and
    `title` are of the document, `fieldKind` says which kind of secret the field holds, and `box` where it is."""

    code: str
    message: str = ""
    nextStep: str = ""
    param: str = ""
    netError: str = ""
    line: int | None = None
    column: int | None = None
    filled: int | None = None
    tabId: str = ""
    dialog: OpenDialog | None = None
    site: str = ""
    origin: str = ""
    url: str = ""
    title: str = ""
    fieldKind: str = ""
    box: Box | None = None

    def as_error(self) -> KaptureError:
        """The same as an error of the panel; an unknown code becomes `INTERNAL`."""
        told = msgspec.to_builtins(self)
        details = {name: value for name, value in told.items() if name not in _WORDS}
        code = self.code if self.code in CODES else "INTERNAL"
        if self.line is None:
            return KaptureError(code, self.message, self.nextStep, param=self.param, **details)
        placed = f"{self.message} (line {self.line}, column {self.column})"
        error = KaptureError(code, placed, self.nextStep, param=self.param, **details)
        error.thrown = self.message
        return error


_WORDS = {"code", "message", "nextStep", "param"}
