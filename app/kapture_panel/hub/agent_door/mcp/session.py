"""One MCP conversation: the official SDK's server, fed with the lines an MCP child relays."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import NotificationOptions
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourcesListChanged, ResourceUpdated
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from kapture_panel.core.basics.errors import KaptureError, defect
from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.catalogue.catalogue import PREFIX
from kapture_panel.core.registry.clients import Client, Clients
from kapture_panel.core.router import Router
from kapture_panel.hub.agent_door import answers
from kapture_panel.hub.agent_door.mcp import instructions
from kapture_panel.hub.agent_door.mcp import prompts as mcp_prompts
from kapture_panel.hub.agent_door.mcp.calls import VERSIONS, Calls, call_in
from kapture_panel.hub.agent_door.mcp.outbox import Outbox, UnderWay
from kapture_panel.hub.agent_door.mcp.progress import CallProgress, Send, parts
from kapture_panel.hub.agent_door.mcp.resources import MAX_COMPLETIONS, NotFound, Resources
from kapture_panel.hub.agent_door.mcp.server import PanelServer
from kapture_panel.hub.agent_door.mcp.tools import Tools
from kapture_panel.hub.agent_door.mcp.updates import LIST, Updates

log = logging.getLogger(__name__)

#: One conversation may follow this many resources.
MAX_SUBSCRIPTIONS = 1000
#: Versions of the protocol before this one know no links in answers.
FIRST_WITH_LINKS = "2025-06-18"
#: The code for a resource that is not there: of the handshake era, and of the stateless one.
NOT_FOUND, NOT_FOUND_STATELESS = -32002, types.INVALID_PARAMS
#: Who has said all it wants to say may read so long what was answered already.
LAST_WORDS_S = 1.0
#: The child begins the ids of what it says again to a new panel with this.
REPLAYED = "kapture-replay-"


class McpSession:
    """Serves one client.

    Args:
        client: enters `clients` with its first message, under the name its MCP client reports there.
        tools: what it may list and call.
        resources: what it may list, read and follow.
        router: knows what a tool's command takes.
        send: writes one line to the child; raises ConnectionError when it is gone.
    """

    def __init__(
        self,
        client: Client,
        clients: Clients,
        tools: Tools,
        resources: Resources,
        router: Router,
        send: Callable[[str], Awaitable[None]],
    ) -> None:
        self._client = client
        self._clients = clients
        self._tools = tools
        self._resources = resources
        self._router = router
        self._outbox = Outbox(send)
        client.unread, client.reads = lambda: self.waiting_bytes, self._outbox.calm
        self._under_way = UnderWay(self._outbox)
        self._calls = Calls(self._call, self._outbox, self._under_way)
        self._listing = asyncio.Lock()
        #: The protocol's version both agreed on in the handshake, and whether it is over.
        self._version = ""
        self._has_agreed = False
        #: How changes are told: in the handshake era straight to the client, in the stateless one to its streams.
        self._direct: ServerSession | None = None
        self._streams = InMemorySubscriptionBus()
        self._serve_stream = ListenHandler(self._streams)

    @property
    def waiting_bytes(self) -> int:
        """How much of what was answered the client has not read."""
        return self._outbox.waiting_bytes

    async def serve(self, lines: AsyncIterator[bytes]) -> None:
        """Answer the lines of the client until they end."""
        server = self._server()
        options = server.create_initialization_options(NotificationOptions(resources_changed=True))
        self._updates = Updates(self._client, self._resources.sources)
        to_server, server_reads = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        server_writes, from_server = anyio.create_memory_object_stream[SessionMessage](0)

        async def feed() -> None:
            async with to_server:
                async for line in lines:
                    # A client that reads nothing is read on, for what it cancels and whether it is there; not for ever.
                    await self._outbox.room()
                    if self._has_agreed and self._version in VERSIONS and (call := call_in(line)) is not None:
                        if await self._admitted("tools/call", call.id):
                            self._calls.start(group, call)
                    elif (message := await self._taken(line)) is not None:
                        await to_server.send(SessionMessage(message))

        async def drain() -> None:
            async with from_server:
                async for sent in from_server:
                    if isinstance(sent.message, (types.JSONRPCResponse, types.JSONRPCError)):
                        self._under_way.over(sent.message.id)
                    if isinstance(sent.message, types.JSONRPCResponse) and "protocolVersion" in sent.message.result:
                        self._version = sent.message.result["protocolVersion"]
                        self._tools.links = self._version >= FIRST_WITH_LINKS
                    await self._outbox.put(sent.message.model_dump_json(by_alias=True, exclude_unset=True))

        async with anyio.create_task_group() as group:
            group.start_soon(feed)
            group.start_soon(drain)
            group.start_soon(self._outbox.carry)
            group.start_soon(self._tell_changes)
            try:
                await server.run(server_reads, server_writes, options)
            finally:
                self._updates.close()
            await self._calls.end()
            with anyio.move_on_after(LAST_WORDS_S):
                await self._outbox.emptied()
            group.cancel_scope.cancel()

    async def _taken(self, line: bytes) -> types.JSONRPCMessage | None:
        """The message in a line, for the SDK, or None when it was refused."""
        try:
            message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValidationError as error:
            # The SDK would only log it, and whoever asked would wait for ever.
            await self._outbox.put(_refused(line, error))
            return None
        self._note_client(message)
        if isinstance(message, types.JSONRPCNotification):
            self._note(message)
        if isinstance(message, types.JSONRPCRequest) and not await self._admitted(message.method, message.id):
            return None
        return message

    def _note(self, message: types.JSONRPCNotification) -> None:
        """What the SDK hears of, too, and later."""
        if message.method == "notifications/initialized":
            self._has_agreed = True
        elif message.method == "notifications/cancelled":
            request = (message.params or {}).get("requestId")
            self._under_way.over(request)
            self._calls.cancel(request)

    async def _admitted(self, method: str, request: int | str) -> bool:
        """Whether a request may be carried out; it is answered when it may not."""
        try:
            self._under_way.admit(method, request)
        except KaptureError as error:
            data = types.ErrorData(code=types.INTERNAL_ERROR, message=answers.error_text(error), data=error.as_wire())
            refusal = types.JSONRPCError(jsonrpc="2.0", id=request, error=data)
            await self._outbox.put(refusal.model_dump_json(by_alias=True, exclude_unset=True))
            return False
        return True

    def _server(self) -> PanelServer:
        server = PanelServer(
            instructions=self._tools.instructions or instructions.of({tool.name for tool in self._tools.listed()}),
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_subscribe_resource=self._subscribe,
            on_unsubscribe_resource=self._unsubscribe,
            on_subscriptions_listen=self._listen,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
            on_completion=self._complete,
        )
        server.add_notification_handler("notifications/initialized", types.NotificationParams, self._on_initialized)
        return server

    def _note_client(self, message: Any) -> None:
        """Take the self-reported name from whichever era's first request carries it; then the client is shown."""
        if getattr(message, "method", None) == "ping" and self._client not in self._clients:
            return  # the doctor's child only asks whether somebody is there
        name, version = _self_report(message) or (self._client.name, self._client.version)
        changed = name != self._client.name
        self._client.name, self._client.version = name, version
        if self._client not in self._clients:
            self._clients.add(self._client)
        elif changed:
            self._clients.changed.emit(self._client)

    async def _list_tools(
        self, _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        # One at a time: each takes a few ms, and other clients get their turn between two.
        async with self._listing:
            return types.ListToolsResult(tools=self._tools.listed())

    async def _call_tool(
        self, context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        report = context.session.report_progress if "progress_token" in (context.meta or {}) else None
        return await self._call(params.name, params.arguments or {}, report)

    async def _call(self, name: str, arguments: Params, report: Send | None) -> types.CallToolResult:
        work = self._tools.call(name, arguments)
        if report is None:
            return await work
        try:
            whole = parts(self._router.catalogue, *self._tools.behind(name, arguments))
        except KaptureError:
            return await work  # it answers what is wrong
        return await CallProgress(whole, report).during(work)

    async def _list_resources(
        self, _context: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        cursor = params.cursor if params else None
        try:
            return self._resources.listed(cursor)
        except ValueError:
            raise MCPError(
                types.INVALID_PARAMS, f"the cursor {cursor!r} was not given by this panel; list again without a cursor"
            ) from None

    async def _list_templates(
        self, _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=self._resources.templates())

    async def _read_resource(
        self, context: ServerRequestContext[Any], params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        try:
            return types.ReadResourceResult(contents=await self._resources.read(params.uri))
        except NotFound as error:
            raise _not_found(context, error) from None
        except KaptureError as error:
            raise MCPError(types.INTERNAL_ERROR, answers.error_text(error), error.as_wire()) from None
        except Exception as error:
            log.exception("reading %s failed", params.uri)
            raise MCPError(types.INTERNAL_ERROR, answers.error_text(defect(error))) from None

    async def _subscribe(
        self, context: ServerRequestContext[Any], params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        uri = params.uri
        if not self._resources.may_change(uri):
            raise _not_found(context, NotFound(uri, "nothing that changes has this address"))
        if len(self._updates) >= MAX_SUBSCRIPTIONS:
            text = f"a conversation may follow {MAX_SUBSCRIPTIONS} resources; unsubscribe from one first"
            raise MCPError(types.INVALID_PARAMS, text)
        self._updates.unwant(uri)  # twice subscribed is once subscribed in this era
        self._updates.want(uri)
        if str(context.request_id).startswith(REPLAYED):
            # Nobody knows what changed while there was no panel.
            self._updates.tell(uri)
        return types.EmptyResult()

    async def _unsubscribe(
        self, _context: ServerRequestContext[Any], params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        self._updates.unwant(params.uri)
        return types.EmptyResult()

    async def _listen(
        self, context: ServerRequestContext[Any], params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        asked = params.notifications
        uris = [uri for uri in asked.resource_subscriptions or () if self._resources.may_change(uri)]
        # The client is told what it gets of what it asked for.
        granted = types.SubscriptionFilter(
            resources_list_changed=asked.resources_list_changed, resource_subscriptions=uris[:MAX_SUBSCRIPTIONS]
        )
        wanted = [*(granted.resource_subscriptions or ()), *([LIST] if granted.resources_list_changed else [])]
        with self._updates.wanting(wanted):
            return await self._serve_stream(context, params.model_copy(update={"notifications": granted}))

    async def _on_initialized(
        self, context: ServerRequestContext[Any], _params: types.NotificationParams | None
    ) -> None:
        self._direct = context.session
        self._client.echo = context.session.send_ping
        self._updates.want(LIST)

    async def _tell_changes(self) -> None:
        while True:
            await self._outbox.calm()
            uri = await self._updates.next()
            if self._direct is None:
                await self._streams.publish(ResourcesListChanged() if uri == LIST else ResourceUpdated(uri))
            elif uri == LIST:
                await self._direct.send_resource_list_changed()
            else:
                await self._direct.send_resource_updated(uri)

    async def _list_prompts(
        self, _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=mcp_prompts.listed(self._tool_names()))

    def _tool_names(self) -> set[str]:
        return {tool.name.removeprefix(PREFIX) for tool in self._tools.listed() if tool.name.startswith(PREFIX)}

    async def _get_prompt(
        self, _context: ServerRequestContext[Any], params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        try:
            text = mcp_prompts.text(params.name, params.arguments or {}, self._tool_names())
        except ValueError as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from None
        message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
        return types.GetPromptResult(description=mcp_prompts.JOBS[params.name].description, messages=[message])

    async def _complete(
        self, _context: ServerRequestContext[Any], params: types.CompleteRequestParams
    ) -> types.CompleteResult:
        argument, value = params.argument.name, params.argument.value
        if isinstance(params.ref, types.PromptReference):
            values = mcp_prompts.completions(params.ref.name, argument, value, self._resources.tabs)
        else:
            values = self._resources.completions(params.ref.uri, argument, value)
        shown = values[:MAX_COMPLETIONS]
        completion = types.Completion(values=shown, total=len(values), has_more=len(shown) < len(values))
        return types.CompleteResult(completion=completion)


def _refused(line: bytes, error: ValidationError) -> str:
    """The answer to a line that is not a message of the protocol."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    request = message.get("id") if isinstance(message, dict) and "method" in message else None
    why = error.errors(include_url=False)[0]["msg"][:200]
    refusal = {
        "code": types.PARSE_ERROR if message is None else types.INVALID_REQUEST,
        "message": f"the panel cannot read this message: {why}",
    }
    is_id = isinstance(request, (str, int)) and not isinstance(request, bool)
    return json.dumps({"jsonrpc": "2.0", "id": request if is_id else None, "error": refusal})


def _not_found(context: ServerRequestContext[Any], error: NotFound) -> MCPError:
    code = NOT_FOUND_STATELESS if context.protocol_version in MODERN_PROTOCOL_VERSIONS else NOT_FOUND
    return MCPError(code, str(error), {"uri": error.uri})


def _self_report(message: Any) -> tuple[str, str] | None:
    """Name and version in an `initialize`, or in the envelope every request of the stateless era carries."""
    params = getattr(message, "params", None)
    if not isinstance(params, dict):
        return None
    info = params.get("clientInfo") or (params.get("_meta") or {}).get("io.modelcontextprotocol/clientInfo")
    if not isinstance(info, dict) or not isinstance(info.get("name"), str):
        return None
    return info["name"][:80], str(info.get("version", ""))[:40]
