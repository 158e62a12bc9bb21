"""`batch`: commands in order, each through validation, policy and history like any other."""

from __future__ import annotations

import asyncio

from kapture_panel.core import progress
from kapture_panel.core.answer import Picture, Steps
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject, Params
from kapture_panel.core.registry.clients import Client
from kapture_panel.hub.agent_door import answers
from kapture_panel.hub.panel_commands.context import Context


async def batch(context: Context, client: Client, params: Params) -> Steps:
    """Run the steps until one fails or the time is over.

    Returns:
        The steps' texts, numbered, and the pictures they took.

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
        what = f"cut off, the batch did not finish within {params['timeout']} ms"
        raise _failure(params["steps"], number, done, KaptureError("COMMAND_TIMEOUT", what)) from None


async def _run(context: Context, client: Client, steps: list[JsonObject], done: list[str]) -> Steps:
    pictures: list[Picture] = []
    sources: dict[str, None] = {}
    for number, step in enumerate(steps, 1):
        name, given = step["command"], dict(step.get("params") or {})
        try:
            if name.endswith("batch"):
                raise KaptureError("INVALID_PARAMS", "a batch cannot hold another one")
            answer = await context.run(client, name, given)
        except KaptureError as error:
            raise _failure(steps, number, done, error) from None
        tab = context.tabs.find(answer.tab_id)
        content = answers.content(answer, tab.url if tab is not None else "")
        told = "\n".join(filter(None, (content.text, answers.dialogs_said(answer.dialogs))))
        if content.source:
            sources[content.source] = None
        done.append(f"{number}. {name}: {told}")
        if answer.image is not None:
            pictures.append(Picture(answer.image, answer.result))
        await progress.step_done(number)
    return Steps("\n".join(done), tuple(pictures), tuple(sources))


def _failure(steps: list[JsonObject], number: int, done: list[str], error: KaptureError) -> KaptureError:
    """The error of a step as the batch's: with its number, and what was answered before it."""
    # The same call again would do again what was done.
    is_ahead = error.code == "APPROVAL_PENDING" and done
    go_on = f"repeat only the steps from {number} on" if is_ahead else ""
    nothing = "" if done else "nothing was done before it"
    failure = KaptureError(
        error.code,
        f"step {number} of {len(steps)} ({steps[number - 1]['command']}): {error.what}",
        "; ".join(filter(None, (error.next_step, go_on, nothing))),
        param=error.param,
        step=number,
        **error.details,
    )
    failure.done_before = list(done)
    failure.page = "" if done and error.page is None else error.page
    return failure


COMMANDS = {"kapturemcp_batch": batch}
