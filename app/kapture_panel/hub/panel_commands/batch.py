"""`batch`: commands in order, each through validation, policy and history like any other."""

from __future__ import annotations

import asyncio
from typing import Any

from kapture_panel.core import progress
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.clients import Client
from kapture_panel.hub.agent_door import answers
from kapture_panel.hub.panel_commands.context import Context


async def batch(context: Context, client: Client, params: dict[str, Any]) -> str:
    """Run the steps until one fails or the time is over.

    Returns:
        The steps' texts, numbered.

    Raises:
        KaptureError: the failing step's code, or `COMMAND_TIMEOUT`, with the step's number and what was answered
            before it.
    """
    done: list[str] = []
    limit = asyncio.timeout(params["timeout"] / 1000)
    try:
        async with limit:
            return await _run(context, client, params["steps"], done)
    except TimeoutError:
        if not limit.expired():
            raise
        number = min(len(done) + 1, len(params["steps"]))
        why = f"cut off, the batch did not finish within {params['timeout']} ms"
        raise KaptureError("COMMAND_TIMEOUT", _told(params["steps"], number, done, why), step=number) from None


async def _run(context: Context, client: Client, steps: list[dict[str, Any]], done: list[str]) -> str:
    for number, step in enumerate(steps, 1):
        name, given = step["command"], dict(step.get("params") or {})
        try:
            if name.endswith("batch"):
                raise KaptureError("INVALID_PARAMS", "a batch cannot hold another one")
            answer = await context.run(client, name, given)
        except KaptureError as error:
            # The same call again would do again what was done.
            ahead = error.code == "APPROVAL_PENDING" and done
            go_on = f"; do that with the steps from {number} on alone" if ahead else ""
            message = _told(steps, number, done, error.message + go_on)
            failure = KaptureError(error.code, message, step=number, **error.details)
            failure.page = "" if done and error.page is None else error.page
            raise failure from None
        told = "\n".join(filter(None, (answers.content(answer).text, answers.dialogs_said(answer.dialogs))))
        done.append(f"{number}. {name}: {told}")
        await progress.step_done(number)
    return "\n".join(done)


def _told(steps: list[dict[str, Any]], number: int, done: list[str], what: str) -> str:
    """What happened to a step, and what was answered before it."""
    before = "\n".join(["; done before it:", *done]) if done else "; nothing was done before it"
    return f"step {number} of {len(steps)} ({steps[number - 1]['command']}): {what}{before}"


COMMANDS = {"kapturemcp_batch": batch}
