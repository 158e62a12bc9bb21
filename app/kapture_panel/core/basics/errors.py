"""The one error family: stable codes that cross the wire, what went wrong, the next step, the parameter."""

from __future__ import annotations

import errno
import os
from typing import Any

from kapture_panel.core.basics.free_json import JsonObject

#: Every code a command may answer, with what it means. The command reference is made from this.
CODES: dict[str, str] = {
    "TAB_NOT_FOUND": "no connected tab has this tabId, or none was named and none is obvious",
    "TAB_DISCONNECTED": "the tab was closed or disconnected",
    "TAB_CRASHED": "the tab's renderer crashed",
    "COMMAND_TIMEOUT": "the command did not finish within its timeout",
    "INVALID_PARAMS": "a parameter is missing, unknown or has a wrong value",
    "INVALID_SELECTOR": "the selector or XPath cannot be parsed",
    "ELEMENT_NOT_FOUND": "nothing in the page matches the target",
    "ELEMENT_NOT_VISIBLE": "the element is hidden, disabled, covered or outside the page",
    "STALE_REF": "the ref's element is gone or became another one",
    "EXECUTION_ERROR": "the script threw an exception",
    "NAVIGATION_FAILED": "the browser could not load the page, or the panel a script's address",
    "PROTECTED_PAGE": "the browser lets no extension into this page",
    "DIALOG_OPEN": "a JavaScript dialog is open and blocks the page",
    "FILE_NOT_FOUND": "the file does not exist",
    "FILE_NOT_ALLOWED": "the file is outside the allowed folders",
    "DENIED": "a person or the policy does not allow this command here",
    "PAUSED": "a person paused the agents",
    "BUSY": "too many commands of this client are waiting",
    "TAB_LEASED": "another agent holds this tab",
    "RATE_LIMITED": "the program of this client sends commands too fast",
    "APPROVAL_PENDING": "a person has not decided yet",
    "APPROVAL_EXPIRED": "nobody decided in time",
    "NOT_SENT": "the connection broke before the command was sent; nothing happened",
    "OUTCOME_UNKNOWN": "the connection broke, or no answer came in time; it may or may not have happened",
    "NO_BROWSER": "the place for browsers has none free, cannot be reached or allows no extension",
    "NO_ENCODER": "what makes videos is not installed",
    "PANEL_DOWN": "no panel is running",
    "INTERNAL": "a defect in Kapture Panel",
}


class KaptureError(Exception):
    """An error with a stable code, as data: who shows it words it for its reader.

    Args:
        code: one of `CODES`, or what only the extension is told (`hub/extension_door`).
        what: what went wrong; names the value.
        next_step: what can be done about it, or what was not done; empty when there is nothing to say.
        param: the parameter it is about, empty when it is about none.
        details: further JSON values that go with the error, such as `netError`.
    """

    def __init__(self, code: str, what: str, next_step: str = "", *, param: str = "", **details: Any) -> None:
        super().__init__(code, what, next_step)
        self.code = code
        self.what = what
        self.next_step = next_step
        self.param = param
        self.details = details
        #: What a script threw, without the place in the code that `what` ends with.
        self.thrown = ""
        #: What the steps before it answered, a text each; for the caller alone: the history has rows for them.
        self.done_before: list[str] = []
        #: How long the command took, as its row in the history says it; None before there is one.
        self.ms: float | None = None
        #: The address of the tab it came from, for its words may be of that page; None when all are ours.
        self.page: str | None = None

    def __str__(self) -> str:
        return self.message

    @property
    def message(self) -> str:
        """For agents, terminals and logs: in one line, but for what was done before."""
        done = "\n".join(["done before it:", *self.done_before]) if self.done_before else ""
        return "; ".join(filter(None, (self.what, self.next_step, done)))

    def as_wire(self) -> JsonObject:
        """The error as agents, terminals and DevTools get it: `{code, message, param?, …details}`."""
        about = {"param": self.param} if self.param else {}
        return {"code": self.code, "message": self.message, **about, **self.details}

    @classmethod
    def from_wire(cls, error: JsonObject) -> KaptureError:
        """Rebuild an error the panel sent, worded already; an unknown code becomes `INTERNAL`."""
        details = {key: value for key, value in error.items() if key not in ("code", "message", "param")}
        code, param = str(error.get("code", "INTERNAL")), str(error.get("param", ""))
        return cls(code if code in CODES else "INTERNAL", str(error.get("message", "")), param=param, **details)


#: The disk is full, over its quota, read-only or broken.
_OF_THE_DISK = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EROFS, errno.EIO}


def defect(error: Exception) -> KaptureError:
    """What is told of an exception nobody foresaw. That the disk takes no more is none of ours."""
    if isinstance(error, OSError) and error.errno is not None and error.errno in _OF_THE_DISK:
        why = os.strerror(error.errno)
        return KaptureError("EXECUTION_ERROR", f"the panel cannot write to its disk ({why})", "make room and try again")
    return KaptureError("INTERNAL", f"a defect in Kapture Panel ({type(error).__name__})", "its log has the details")


def in_one_line(what: str, next_step: str) -> str:
    """What went wrong and the next step, as one line says them."""
    return f"{what}; {next_step}" if next_step else what
