"""The one error family: stable codes that cross the wire, messages that name the next step."""

from __future__ import annotations

from typing import Any

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
    "DENIED": "the policy does not allow this command here",
    "PAUSED": "a person paused the agents",
    "BUSY": "too many commands of this client are waiting",
    "TAB_LEASED": "another agent holds this tab",
    "RATE_LIMITED": "this client sends commands too fast",
    "APPROVAL_PENDING": "a person has not decided yet",
    "APPROVAL_EXPIRED": "nobody decided in time",
    "NOT_SENT": "the connection broke before the command was sent; nothing happened",
    "OUTCOME_UNKNOWN": "the connection broke while the command ran; it may or may not have happened",
    "PANEL_DOWN": "no panel is running",
    "INTERNAL": "a defect in Kapture Panel",
}


class KaptureError(Exception):
    """An error with a stable code.

    Args:
        code: one of `CODES`.
        message: names the value and the next step; shown to agents and people as it is.
        details: further JSON values that go with the error, such as `netError`.
    """

    def __init__(self, code: str, message: str, **details: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details
        #: The address of the tab it came from, for its message may hold words of that page; None when all are ours.
        self.page: str | None = None

    def as_wire(self) -> dict[str, Any]:
        """The error as it crosses every wire: `{code, message, …details}`."""
        return {"code": self.code, "message": self.message, **self.details}

    @classmethod
    def from_wire(cls, error: dict[str, Any]) -> KaptureError:
        """Rebuild an error another process sent; an unknown code becomes `INTERNAL`."""
        details = {key: value for key, value in error.items() if key not in ("code", "message")}
        code = str(error.get("code", "INTERNAL"))
        return cls(code if code in CODES else "INTERNAL", str(error.get("message", "")), **details)
