"""`batch`: commands in order, each through validation, policy and history like any other."""

from __future__ import annotations

from typing import Any

from kapture_panel.core import progress
from kapture_panel.core.clients import Client
from kapture_panel.core.errors import KaptureError
from kapture_panel.hub import answers
from kapture_panel.hub.commands.context import Context


async def batch(context: Context, client: Client, params: dict[str, Any]) -> str:
    """Run the steps until one fails.

    Returns:
        The steps' texts, numbered.

    Raises:
        KaptureError: the failing step's code, with its number and what was answered before it.
    """
    steps = params["steps"]
    done: list[str] = []
    for number, step in enumerate(steps, 1):
        name, given = step["command"], dict(step.get("params") or {})
        try:
            if name.endswith("batch"):
                raise KaptureError("INVALID_PARAMS", "a batch cannot hold another one")
            answer = await context.run(client, name, given)
        except KaptureError as error:
            before = "\n".join(["; done before it:", *done]) if done else "; nothing was done before it"
            message = f"step {number} of {len(steps)} ({name}): {error.message}{before}"
            raise KaptureError(error.code, message, step=number, **error.details) from None
        done.append(f"{number}. {name}: {answers.content(answer).text}")
        await progress.step_done(number)
    return "\n".join(done)


COMMANDS = {"kapturemcp_batch": batch}
