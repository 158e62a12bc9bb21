"""The resources of one MCP conversation: tabs, what can be read of them, stored screenshots and outputs."""

from __future__ import annotations

import base64
import json
from typing import Any
from urllib.parse import unquote

import mcp_types as types

from kapture_panel.core.answer import Answer
from kapture_panel.core.basics import addresses
from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.catalogue import redaction
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import SeenTabs, Tab
from kapture_panel.core.router import Router
from kapture_panel.core.stores.outputs import Outputs
from kapture_panel.hub.agent_door import answers, notes_said, untrusted
from kapture_panel.hub.agent_door.mcp.sources import TABS, VIEWS, Sources, shot_uri, tab_uri

SCHEME = "kapture://"
PAGE_SIZE = 100
#: The protocol lets a completion hold no more.
MAX_COMPLETIONS = 100
JSON = "application/json"
TEXT = "text/plain"

#: View of a tab → title, MIME type, what it is.
_VIEWS = {
    "": ("Tab", JSON, "Where the tab is: url, title, state, who drives it"),
    "console": ("Console", TEXT, "The tab's last console lines, newest first"),
    "snapshot": ("Snapshot", TEXT, "The structure of the tab's page, with refs to act on"),
    "screenshot": ("Screenshot", "image/png", "A picture of what the tab shows now"),
}
#: Template → (name, title, MIME type, description).
_TEMPLATES = {
    **{tab_uri("{tabId}", view): (f"tab {view}".strip(), *_VIEWS[view]) for view in ("", *VIEWS)},
    f"{SCHEME}screenshot/{{name}}": ("stored screenshot", "Stored screenshot", None, "A picture taken before"),
}

Contents = types.TextResourceContents | types.BlobResourceContents


class NotFound(Exception):
    """No resource has this address; the message names the next step."""

    def __init__(self, uri: str, why: str) -> None:
        super().__init__(f"{uri}: {why}; resources/list names what there is")
        self.uri = uri


class Resources:
    """What one client may list and read. Reading a tab is a command like any other: checked, run, kept in history.

    Args:
        client: whose conversation it is.
        outputs: where the answers are that were too long to be told.
    """

    def __init__(self, client: Client, router: Router, sources: Sources, outputs: Outputs) -> None:
        self._client = client
        self._router = router
        self.sources = sources
        self._outputs = outputs

    @property
    def tabs(self) -> SeenTabs:
        """The tabs this conversation may know of."""
        return self.sources.tabs.seen_by(self._client)

    def listed(self, cursor: str | None) -> types.ListResourcesResult:
        """One page of all resources; `cursor` is where the page before it ended.

        Raises:
            ValueError: the cursor is none of ours.
        """
        resources = [
            types.Resource(uri=TABS, name="tabs", title="Tabs", mime_type=JSON, description="The connected tabs")
        ]
        for tab in self.tabs:
            resources += [_tab_resource(tab, view) for view in _VIEWS]
        for shot in self.sources.shots_seen_by(self._client):
            mime_type = _MIME_OF_SUFFIX[shot.path.suffix]
            resources.append(
                types.Resource(
                    uri=shot_uri(shot), name=shot.file, title=shot.name, mime_type=mime_type, size=shot.size_bytes
                )
            )
        for note in self.sources.notes_seen_by(self._client):
            resources.append(
                types.Resource(
                    uri=f"{notes_said.NOTE_URI}{note.id}",
                    name=f"note {note.id}",
                    title=f"Note of the person: {note.words[:80]}",
                    mime_type=JSON,
                    description="What the person says about a place in a tab, the element there, and a picture",
                )
            )
        start = int(cursor or 0)
        if not 0 <= start <= len(resources):
            raise ValueError(cursor)
        end = start + PAGE_SIZE
        return types.ListResourcesResult(
            resources=resources[start:end], next_cursor=str(end) if end < len(resources) else None
        )

    def templates(self) -> list[types.ResourceTemplate]:
        """The forms addresses have."""
        return [
            types.ResourceTemplate(uri_template=uri, name=name, title=title, mime_type=mime_type, description=text)
            for uri, (name, title, mime_type, text) in _TEMPLATES.items()
        ]

    def completions(self, template: str, argument: str, value: str) -> list[str]:
        """What `argument` of a template may be, given what was typed of it."""
        known: list[str] = []
        if template in _TEMPLATES and f"{{{argument}}}" in template:
            if argument == "tabId":
                known = [tab.tab_id for tab in self.tabs]
            else:
                known = [shot.file for shot in self.sources.shots_seen_by(self._client)]
        return [name for name in known if name.startswith(value)]

    def may_change(self, uri: str) -> bool:
        """Whether a subscription to `uri` can ever be told anything; its tab need not be connected yet."""
        match _parts(uri):
            case ["tabs"] | ["tab", _]:
                return True
            case ["tab", _, view]:
                return view in VIEWS
        return False

    async def read(self, uri: str) -> list[Contents]:
        """The resource at `uri`: one content, but of a note its words and its picture.

        Raises:
            NotFound: nothing has this address, or nothing this conversation may see.
            KaptureError: the command behind it failed.
        """
        match _parts(uri):
            case ["note", note_id]:
                return self._note(uri, note_id)
        return [await self._one(uri)]

    async def _one(self, uri: str) -> Contents:
        match _parts(uri):
            case ["tabs"]:
                answer = await self._list_tabs()
                return self._json(uri, untrusted.with_mark(answer.result, answer.command.source))
            case ["tab", tab_id]:
                self._must_see(uri, tab_id)
                rows = (await self._list_tabs()).result["tabs"]
                row = next(row for row in rows if row["tabId"] == tab_id)
                return self._json(uri, untrusted.with_mark(row, addresses.origin_of(self._router.url_of(tab_id))))
            case ["tab", tab_id, view] if view in VIEWS:
                self._must_see(uri, tab_id)
                return await self._view(uri, tab_id, view)
            case ["screenshot", name]:
                return self._stored(uri, name)
            case ["output", name]:
                return self._output(uri, name)
        raise NotFound(uri, "nothing has this address")

    def _must_see(self, uri: str, tab_id: str) -> None:
        if self.tabs.find(tab_id) is None:
            raise NotFound(uri, f"no connected tab is called {tab_id!r}; {self.tabs.listing()}")

    async def _list_tabs(self) -> Answer:
        return await self._router.run(self._client, "kapturemcp_list_tabs", {})

    async def _view(self, uri: str, tab_id: str, view: str) -> Contents:
        command, params = _COMMANDS[view]
        # A client that follows the changes of one tab must not move the agent's next call there.
        answer = await self._router.run(self._client, command, {"tabId": tab_id, **params}, follow=False)
        content = answers.marked(answers.content(answer, self._router.url_of(tab_id)))
        if not content.images:
            return self._text(uri, content.text, TEXT)
        data, mime_type = content.images[0]
        return self._blob(uri, data, mime_type)

    def _stored(self, uri: str, name: str) -> Contents:
        # Looked up among the names there are: no part of the address ever becomes a path.
        for shot in self.sources.shots_seen_by(self._client):
            if shot.file == name:
                data = base64.b64encode(shot.path.read_bytes()).decode()
                return self._blob(uri, data, _MIME_OF_SUFFIX[shot.path.suffix])
        raise NotFound(uri, f"no screenshot is stored as {name!r}; they are kept for a day at most")

    def _note(self, uri: str, note_id: str) -> list[Contents]:
        note = self.sources.notes.find(note_id)
        if note is None or note.picture.session != self._client.session:
            raise NotFound(uri, f"no note is kept as {note_id!r}; they are kept for a day at most")
        data = base64.b64encode(note.picture.path.read_bytes()).decode()
        return [self._json(uri, notes_said.as_json(note)), self._blob(uri, data, "image/jpeg")]

    def _output(self, uri: str, name: str) -> Contents:
        # Long answers are not listed: who was told the name of one may read it.
        try:
            text = self._outputs.read(name, self._client.session).decode()
        except KeyError:
            raise NotFound(uri, f"no long answer is kept as {name!r}; they are kept for a day") from None
        return self._text(uri, text, JSON if name.endswith(".json") else TEXT)

    def _json(self, uri: str, value: Any) -> Contents:
        return self._text(uri, json.dumps(value, ensure_ascii=False, separators=(",", ":")), JSON)

    def _text(self, uri: str, text: str, mime_type: str) -> Contents:
        self._client.result_bytes += len(text.encode("utf-8", "replace"))
        return types.TextResourceContents(uri=uri, text=text, mime_type=mime_type)

    def _blob(self, uri: str, data: str, mime_type: str) -> Contents:
        self._client.result_bytes += len(data)
        return types.BlobResourceContents(uri=uri, blob=data, mime_type=mime_type)


#: View → the command that reads it, with its parameters.
_COMMANDS: dict[str, tuple[str, Params]] = {
    "console": ("kapturemcp_logs", {}),
    "snapshot": ("kapturemcp_snapshot", {}),
    "screenshot": ("kapturemcp_screenshot", {"name": "resource"}),
}
_MIME_OF_SUFFIX = {".png": "image/png", ".jpg": "image/jpeg", ".webp": "image/webp"}


def _parts(uri: str) -> list[str]:
    """The steps of one of our addresses, decoded each for itself; none for any other."""
    if not uri.startswith(SCHEME):
        return []
    return [unquote(part) for part in uri.removeprefix(SCHEME).split("/")]


def _tab_resource(tab: Tab, view: str) -> types.Resource:
    title, mime_type, description = _VIEWS[view]
    return types.Resource(
        uri=tab_uri(tab.tab_id, view),
        name=f"tab {tab.tab_id} {view}".strip(),
        title=f"{title}: {redaction.masked_text(tab.title or tab.site)[:80]}",
        mime_type=mime_type,
        description=description,
    )
