"""Tool calls after the handshake, answered without the SDK.

Nearly all messages of a client are tool calls, and the SDK (models, streams, contexts) took as long for each as the
panel itself. A call that is unusual in any way, above all in its form, is left to the SDK.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Annotated, Literal

import anyio
import mcp_types as types
import msgspec
from anyio.abc import TaskGroup
from msgspec import UNSET, UnsetType

from kapture_panel.core.basics.free_json import JsonObject, Params
from kapture_panel.hub.agent_door.mcp.outbox import Outbox, UnderWay
from kapture_panel.hub.agent_door.mcp.progress import Send

#: Of the protocol's versions with a handshake those whose results may hold all that a tool answers.
VERSIONS = ("2025-06-18", "2025-11-25")

#: Of a result what only later versions know.
_LATER = {"result_type"}
#: Runs a tool with arguments; the last tells the client how far it is, if it asked for that.
CallTool = Callable[[str, Params, Send | None], Awaitable[types.CallToolResult]]


class _Asked(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    arguments: Params | None = None
    meta: JsonObject | UnsetType = msgspec.field(default=UNSET, name="_meta")


class Call(msgspec.Struct, forbid_unknown_fields=True, tag_field="method", tag="tools/call"):
    """A request that calls a tool."""

    jsonrpc: Literal["2.0"]
    id: Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)] | str
    params: _Asked

    @property
    def progress_token(self) -> int | str | None:
        """Under what the client wants to hear how far the call is."""
        token = None if isinstance(self.params.meta, UnsetType) else self.params.meta.get("progressToken")
        return token if isinstance(token, (int, str)) and not isinstance(token, bool) else None


_decoder = msgspec.json.Decoder(Call)


def call_in(line: bytes) -> Call | None:
    """The call in a line; None for anything else, also for a call that has more or other parts than usual."""
    try:
        return _decoder.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return None


class Calls:
    """The calls of one conversation that are under way.

    Args:
        call_tool: carries out each.
        outbox: takes the answers.
        under_way: hears which are over.
    """

    def __init__(self, call_tool: CallTool, outbox: Outbox, under_way: UnderWay) -> None:
        self._call_tool = call_tool
        self._outbox = outbox
        self._under_way = under_way
        #: By their ids as text: whoever gives one up may name it so.
        self._open: dict[str, tuple[Call, anyio.TaskHandle[None]]] = {}

    def start(self, group: TaskGroup, call: Call) -> None:
        """Carry out a call and answer it."""
        self._open[str(call.id)] = (call, group.create_task(self._carry_out(call)))

    def cancel(self, request_id: object) -> None:
        """The client gives a call up, and gets no answer; one that is no more is over already."""
        _call, work = self._open.pop(str(request_id), (None, None))
        if work is not None:
            work.cancel()

    async def end(self) -> None:
        """The client has said its last word: what is under way is given up, and answered with that."""
        error = {"code": types.CONNECTION_CLOSED, "message": "Connection closed"}
        for call, work in list(self._open.values()):
            work.cancel()
            await self._put({"id": call.id, "error": error})

    async def _carry_out(self, call: Call) -> None:
        token = call.progress_token

        async def report(progress: float, total: float, message: str) -> None:
            told = {"progressToken": token, "progress": progress, "total": total, "message": message}
            await self._put({"method": "notifications/progress", "params": told})

        asked = call.params
        result = await self._call_tool(asked.name, asked.arguments or {}, None if token is None else report)
        under_way, _work = self._open.get(str(call.id), (None, None))
        if under_way is not call:
            return  # it was given up before it began, or as its answer came; another one may have its id
        # From here on it is too late to give it up.
        del self._open[str(call.id)]
        self._under_way.over(call.id)
        told = result.model_dump_json(by_alias=True, exclude_none=True, exclude=_LATER)
        await self._outbox.put(f'{{"jsonrpc":"2.0","id":{json.dumps(call.id)},"result":{told}}}')

    async def _put(self, message: JsonObject) -> None:
        await self._outbox.put(json.dumps({"jsonrpc": "2.0"} | message, ensure_ascii=False))
