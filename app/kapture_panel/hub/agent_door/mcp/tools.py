"""The tools of one MCP conversation: what a profile lists, and how a call's answer becomes a tool result."""

from __future__ import annotations

import json
import logging
import shlex
from typing import Any

import mcp_types as types
import msgspec
from msgspec import UnsetType

from kapture_panel.core.answer import Answer
from kapture_panel.core.basics.errors import KaptureError, defect
from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.router import Router
from kapture_panel.core.stores.notes import Notes
from kapture_panel.core.stores.outputs import Outputs
from kapture_panel.core.wire.dialogs import AnsweredDialog
from kapture_panel.hub.agent_door import answers, clipping, notes_said, untrusted
from kapture_panel.hub.agent_door.mcp.listed import listed
from kapture_panel.hub.agent_door.profiles import advice, templates
from kapture_panel.hub.agent_door.profiles.profile import CANONICAL, Profile, Route, Tool, not_offered
from kapture_panel.hub.agent_door.profiles.source import Result

log = logging.getLogger(__name__)

#: Where the resource of a long answer is: its name in the store of outputs follows.
OUTPUT_URI = "kapture://output/"
#: A long answer shows this part of what would have been allowed.
HEAD_PART = 4


class Tools:
    """What one client may list and call.

    Args:
        client: whose conversation it is.
        router: takes the calls.
        profile: the tools, their parameters and the form of their answers.
        outputs: where answers go that are too long to be told.
        notes: what the person has said about places in tabs.
    """

    def __init__(self, client: Client, router: Router, profile: Profile, outputs: Outputs, notes: Notes) -> None:
        self._client = client
        self._router = router
        self._profile = profile
        self._outputs = outputs
        self._notes = notes
        #: Whether an answer may have a link to a resource, which the client's version of the protocol may lack.
        self.links = True
        self._listed = [listed(entry) for entry in profile.tools.values()]

    @property
    def instructions(self) -> str:
        """What the profile tells its agents; empty for our own words."""
        return self._profile.instructions

    def listed(self) -> list[types.Tool]:
        """The tools in the order of the profile."""
        return self._listed

    def behind(self, name: str, arguments: Params) -> tuple[str, Params]:
        """The command a call of a tool runs, and its parameters.

        Raises:
            KaptureError: `INVALID_PARAMS`, as the call itself would answer.
        """
        entry = self._tool(name)
        route, given = entry.route(arguments)
        return route.command.name, entry.command_params(route, given)

    async def call(self, name: str, arguments: Params) -> types.CallToolResult:
        """Run the command behind a tool; whatever goes wrong is a result that says so."""
        try:
            return await self._call(name, arguments)
        except Exception as error:
            log.exception("%s failed", name)
            text = answers.error_text(defect(error))
            return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)

    async def _call(self, name: str, arguments: Params) -> types.CallToolResult:
        given, route = arguments, None
        try:
            entry = self._tool(name)
            route, given = entry.route(arguments)
            params = entry.command_params(route, given)
            if route.command.composite:
                self._profile.demand_steps(params, self._router.catalogue)
            if self._profile.newest_tab and not self._client.current_tab:
                self._client.current_tab = self._router.newest_tab(self._client)
            try:
                answer = await self._router.run(self._client, route.command.name, params)
            except KaptureError as error:
                raise route.in_own_words(error, params) from None
            answer = advice.in_own_tools(answer, self._profile, route)
            told = _with_dialogs(self._result(route, answer, given), answer.dialogs)
            return self._with_notes(told, answer.tab_id or self._client.current_tab)
        except KaptureError as error:
            failure = self._with_notes(self._failure(error, name, route, given), self._client.current_tab)
            return _with_dialogs(failure, msgspec.convert(error.details.get("dialogs", []), list[AnsweredDialog]))

    def _tool(self, name: str) -> Tool:
        if name in self._profile.tools:
            return self._profile.tools[name]
        if self._profile.name != CANONICAL:
            raise KaptureError(
                "INVALID_PARAMS", f"there is no tool {name!r}", f"there are {', '.join(self._profile.tools)}"
            )
        self._router.catalogue.get(name)
        raise not_offered(name)

    def _result(self, route: Route, answer: Answer, given: Params) -> types.CallToolResult:
        content = answers.content(answer, self._router.url_of(answer.tab_id))
        if route.result is not None:
            text = _rendered(route.result, answer, content.text, given)
            paged = text if answer.command.paged else ""
            content = answers.Content(text, images=content.images, paged=paged, source=content.source)
        elif self._profile.marks_texts:
            content = answers.marked(content)
        result = self._told(content)
        for place, (data, mime_type) in enumerate(content.images):
            result.content.insert(place, types.ImageContent(type="image", data=data, mime_type=mime_type))
            self._client.result_bytes += len(data)
        if self._profile.one_slot and answer.shot is not None:
            self._router.shots.remove(answer.shot)
        return result

    def _failure(self, error: KaptureError, name: str, route: Route | None, given: Params) -> types.CallToolResult:
        entry = self._profile.tools.get(name)
        error.next_step = self._profile.in_own_tools(error.next_step)
        wire = clipping.clipped(error.as_wire(), [name, given])
        source = untrusted.source_of(error)
        thrown = {"thrown": clipping.clipped(error.thrown, given)} if error.thrown else {}
        scope = {"error": {**wire, **thrown}, "given": clipping.clipped(given, given)}
        tables = [route.errors] if route else [one.errors for one in entry.routes.values()] if entry else []
        for table in [*tables, self._profile.errors]:
            for key in (f"{error.code} {error.details.get('netError', '')}", error.code, "*"):
                text = templates.text(table[key], scope) if key in table else None
                if text is not None:
                    return self._told(answers.Content(text, source=source), is_error=True)
        text = answers.error_text(KaptureError.from_wire(wire))
        structured = {"error": wire}
        if source and self._profile.marks_texts:
            text, structured = f"{text}\n{untrusted.line(source)}", {"error": wire, untrusted.KEY: source}
        return self._told(answers.Content(text, structured, source=source), is_error=True)

    def _with_notes(self, result: types.CallToolResult, tab_id: str) -> types.CallToolResult:
        """The person's notes about the tab stand in a text of their own, which no page can have written."""
        notes = self._notes.take(self._client, tab_id)
        if notes:
            result.content.append(types.TextContent(type="text", text=notes_said.text(notes)))
            if result.structured_content is not None:
                result.structured_content[notes_said.KEY] = [notes_said.as_json(note) for note in notes]
        return result

    def _told(self, content: answers.Content, *, is_error: bool = False) -> types.CallToolResult:
        """A text answer: all of it, or its head and where all of it is; what pages itself is never cut."""
        bounded = content.text.removesuffix(content.paged)
        blocks: list[Any] = [types.TextContent(type="text", text=content.text)]
        structured = content.structured
        if len(bounded.encode("utf-8", "replace")) > self._profile.answer_bytes:
            blocks = self._spilled(bounded.removesuffix("\n"), content.suffix)
            structured = None
            if content.paged:
                blocks[0].text += f"\n{content.paged}"
        self._client.result_bytes += len(blocks[0].text.encode("utf-8", "replace"))
        meta = {untrusted.META: content.source} if content.source else None
        return types.CallToolResult(content=blocks, structured_content=structured, is_error=is_error, _meta=meta)

    def _spilled(self, text: str, suffix: str) -> list[Any]:
        """The head of a long text, and where all of it is."""
        session = self._client.session
        head, shown = head_of(text, max(1, self._profile.answer_bytes // HEAD_PART))
        try:
            name = self._outputs.add(text, suffix, session)
        except OSError as error:  # what was done is done, and its answer says so
            log.error("a long answer could not be kept: %s", error)
            size = len(text.encode("utf-8", "replace"))
            said = f"{head}\n(cut: {shown} of {size} bytes. The rest could not be kept: {error.strerror})"
            return [types.TextContent(type="text", text=said)]
        path = self._outputs.path(name, session)
        size = path.stat().st_size
        how = f"read it with `cat {shlex.quote(str(path))}`, or as the MCP resource {OUTPUT_URI}{name}"
        said = f"{head}\n(cut: {shown} of {size} bytes. All of it is in {path}: {how})"
        if not self.links:
            return [types.TextContent(type="text", text=said)]
        link = types.ResourceLink(
            type="resource_link", uri=f"{OUTPUT_URI}{name}", name=name, mime_type=_MIME[suffix], size=size
        )
        return [types.TextContent(type="text", text=said), link]


_MIME = {".txt": "text/plain", ".json": "application/json"}


def _with_dialogs(result: types.CallToolResult, dialogs: list[AnsweredDialog]) -> types.CallToolResult:
    """The dialogs that were answered stand in a text of their own: the first may be JSON that a program reads."""
    if dialogs:
        result.content.append(types.TextContent(type="text", text=answers.dialogs_said(dialogs)))
    return result


def head_of(text: str, max_bytes: int) -> tuple[str, int]:
    """The first whole lines of `text` that fit, and their bytes; of a first line that does not fit, its beginning."""
    cut = text.encode("utf-8", "replace")[:max_bytes]
    whole, newline, _ = cut.rpartition(b"\n")
    head = (whole if newline else cut).decode("utf-8", "ignore")
    return head, len(head.encode())


def _rendered(result: Result, answer: Answer, text: str, given: Params) -> str:
    """An answer in the profile's form."""
    effects = answer.effects.as_json() if answer.effects is not None else {}
    scope = {
        "result": answer.result, "effects": effects, "text": text, "given": given, "tabId": answer.tab_id,
    }  # fmt: skip
    if not isinstance(result.text, UnsetType):
        return templates.text(result.text, scope) or text
    value = templates.shaped(result.json, scope)
    separators = None if result.indent else (",", ":")
    shown = json.dumps(
        None if value is templates.MISSING else value, ensure_ascii=False, indent=result.indent, separators=separators
    )
    return result.wrap.replace("{}", shown, 1)
