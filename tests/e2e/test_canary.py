"""A canary that is typed into everything that takes text is kept nowhere, and told nobody.

There are two. `SECRET` goes into fields for passwords, cards and codes and into the secret parts of addresses: no file
holds it, no answer, no error, no resource. `TYPED` goes into other fields, where pages show it, and is in no file.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from mcp_types import TextResourceContents

from kapture_panel import export
from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.settings import RECORD_PICTURES, RECORD_TYPED
from kapture_panel.core.catalogue.catalogue import PREFIX
from kapture_panel.core.catalogue.redaction import is_redacted
from kapture_panel.core.stores.forgetting import Scope
from kapture_panel.core.stores.history_row import Row
from kapture_panel.demo.agent import Agent, ToolError, connect
from tests.support.core.fakes import CATALOGUE
from tests.support.e2e.panel import OpenAgent, Panel, current_tab

pytestmark = pytest.mark.asyncio(loop_scope="session")

SECRET = "kanari3nvogel"
TYPED = "zeisig4gruen"
ADDRESS = f"https://me:{SECRET}@a.example/?token={SECRET}&page=2#access_token={SECRET}"
SECRET_FIELDS = (
    "#password", "#shown", "#disc", "#card", "[name=cardNumber]", "#cvc", "#otp", "[name=otp_code]",
)  # fmt: skip
PLAIN_FIELDS = ("#name", "#notes", "#editor")

#: Each parameter that is a text of the caller's own choice, and how the canary goes into it. A new command fails here
#: until it is said what happens to its texts.
TYPES, ADDRESSES, STEPS, FILES, NAMES = "typed into a field", "holds an address", "steps", "names files", "names one"
TEXTS = {
    "batch.steps.command": NAMES, "batch.steps.params": STEPS,
    "new_tab.url": ADDRESSES, "navigate.url": ADDRESSES, "inject_script.url": ADDRESSES,
    "wait.text": ADDRESSES, "wait.urlContains": ADDRESSES, "wait.expression": ADDRESSES,
    "evaluate.code": ADDRESSES, "inject_script.source": ADDRESSES, "find_by_text.text": ADDRESSES,
    "list_requests.filter": ADDRESSES, "screenshot.name": ADDRESSES,
    "fill.value": TYPES, "type.text": TYPES, "insert_text.text": TYPES, "fill_form.fields.value": TYPES,
    "press_key.key": TYPES, "select.value": TYPES, "select.values": TYPES, "select.labels": TYPES,
    "handle_dialog.promptText": TYPES,
    "upload_file.paths": FILES, "read_image.path": FILES,
    **dict.fromkeys(
        ("drag.toSelector", "drag.toXpath", "drag.toRef", "fill_form.fields.selector", "fill_form.fields.xpath",
         "fill_form.fields.ref", "query_dom.selector", "get_visible_text.selector", "get_computed_styles.selector",
         "get_computed_styles.properties", "check_visibility.selector", "get_attributes.selector",
         "get_attributes.attributes", "count_elements.selector", "find_by_text.selector",
         "get_form_values.formSelector", "check_element_state.selector", "snapshot.roles", "snapshot.cursor",
         "snapshot.find", "snapshot.formatter", "get_filtered_aria_tree.roles", "get_request.requestId"),
        NAMES,
    ),
}  # fmt: skip
#: How another agent looks at the tab, with every command that reads.
FIELDS = "#form input, #form textarea, #form select, #editor"
READS: dict[str, dict[str, Any]] = {
    "list_tabs": {}, "list_browser_tabs": {}, "snapshot": {}, "get_visible_text": {}, "get_page_metadata": {},
    "get_filtered_aria_tree": {"roles": ["textbox", "option", "combobox"]}, "get_form_values": {}, "logs": {},
    "list_requests": {}, "get_network_sources": {}, "get_service_workers": {},
    "query_dom": {"selector": FIELDS, "limit": 50}, "count_elements": {"selector": FIELDS},
    "find_by_text": {"text": "Card"}, "wait": {"time": 1}, "screenshot": {"name": "look"},
}  # fmt: skip
#: These are asked about each field, or about each request.
READS_OF_ONE = ("get_attributes", "get_computed_styles", "check_visibility", "check_element_state", "get_request")
#: These are begun and ended.
READ_FOR_A_WHILE = ("record_video",)


class Heard(Agent):
    """An agent that remembers all it was told."""

    said: list[str]

    async def _call(self, command: str, params: dict[str, Any]) -> Any:
        result = await self._client.call_tool(PREFIX + command, params)
        texts = [getattr(block, "text", "") for block in result.content]
        self.said += [f"{command}: {text}" for text in (*texts, json.dumps(result.structured_content))]
        if result.is_error:
            raise ToolError("; ".join(texts))
        return result

    def told(self, canary: str) -> list[str]:
        return [one[:400] for one in self.said if canary in one]


def heard(agent: Agent) -> Heard:
    """The same conversation from here on."""
    made = Heard(agent._client)
    made.said = []
    return made


def texts(schema: dict[str, Any], name: str) -> Iterator[str]:
    """The parameters within `schema` that are texts of the caller's own choice."""
    if "items" in schema:
        yield from texts(schema["items"], name)
    elif "properties" in schema:
        for inner, one in schema["properties"].items():
            yield from texts(one, f"{name}.{inner}")
    elif schema["type"] in ("string", "object") and "enum" not in schema:
        yield name


def files(panel: Panel) -> Iterator[Path]:
    """All files of the data directory but the managed browsers' own, and those the person let an agent upload."""
    return (path for path in panel.kept() if path.is_file() and panel.data.uploads not in path.parents)


def holding(panel: Panel, *canaries: str) -> list[str]:
    panel.hub.state.history.flush()
    found = [(path, one) for path in files(panel) for one in canaries if one.encode() in path.read_bytes()]
    named = [(path, one) for path in panel.data.root.rglob("*") for one in canaries if one in path.name]
    return [f"{path.relative_to(panel.data.root)}: {one}" for path, one in (*found, *named)]


def rows(panel: Panel, since: int, command: str = "") -> list[Row]:
    every = panel.hub.state.history.rows(limit=500)[::-1]
    return [row for row in every if row.id >= since and command in ("", row.command)]


async def test_the_tables_leave_no_command_and_no_text_out() -> None:
    found = {text for command in CATALOGUE for name, schema in command.properties.items()
             for text in texts(schema, f"{command.short_name}.{name}")}  # fmt: skip
    assert set(TEXTS) == found
    reads = {command.short_name for command in CATALOGUE if command.klass == "read"}
    assert reads == {*READS, *READS_OF_ONE, *READ_FOR_A_WHILE, "batch"}


async def type_everywhere(a: Heard, panel: Panel, pages: str) -> None:
    """Both canaries into each kind of field, with each command that types."""
    for canary, fields in ((SECRET, SECRET_FIELDS), (TYPED, PLAIN_FIELDS)):
        for field in fields:
            await a.call("fill", selector=field, value=f"{canary} f", snapshot="full")
            await a.call("type", selector=field, text=f"{canary} t", clear=True, snapshot="diff")
            await a.call("insert_text", selector=field, text=f"{canary} i")
            await a.call("type", text=f"{canary} focus")
            await a.call("insert_text", text=f"{canary} caret")
            await a.call("fill_form", fields=[{"selector": field, "value": f"{canary} ff"}])
            form = [{"selector": field, "value": f"{canary} bf"}]
            steps = [
                {"command": "fill", "params": {"selector": field, "value": f"{canary} b"}},
                {"command": "fill_form", "params": {"fields": form}},
                {"command": "kapturemcp_fill", "params": {"selector": field, "vlaue": f"{canary} wrong"}},
            ]
            assert "step 3 of 3" in await a.fails("batch", steps=steps)
            for key in "k9":
                await a.call("press_key", selector=field, key=key)
            await a.call("press_key", key="9")
    # Its answer is longer than what is kept of one.
    await a.text("batch", steps=[{"command": "fill", "params": {"selector": "#notes", "value": f"{TYPED} " * 60}}])
    both = [{"selector": "#name", "value": TYPED}, {"selector": "#card", "value": SECRET}]
    await a.call("fill_form", fields=both)
    assert "another value" in await a.fails("fill", selector="#fussy", value=SECRET)
    for choice in ({"value": SECRET}, {"labels": [SECRET]}):
        await a.fails("select", selector="#expiry", **choice)
    await panel.witness(pages).see(f"offer('x', '{SECRET}')", "/canary.html")
    await a.call("select", selector="#expiry", value=SECRET)
    await a.call("select", selector="#expiries", values=[SECRET])
    await a.call("select", selector="#expiries", labels=[SECRET])
    await a.call("fill", selector="#expiry", value=SECRET)
    # From now on the page no longer offers it in words of its own.
    await panel.witness(pages).see("for (const list of [expiry, expiries]) list.replaceChildren()", "/canary.html")
    await a.call("click", selector="#ask")
    await a.call("handle_dialog", accept=True, promptText=TYPED)


async def give_addresses(a: Heard, pages: str, folder: Path) -> None:
    """An address with secrets wherever a text may hold one."""
    inside = f"{pages}/blank.html?token={SECRET}&page=2#access_token={SECRET}"
    for command, params in (
        ("wait", {"text": ADDRESS, "timeout": 50}),
        ("wait", {"urlContains": ADDRESS, "timeout": 50}),
        ("wait", {"expression": f"location.href === '{ADDRESS}'", "timeout": 50}),
        ("inject_script", {"url": f"http://me:{SECRET}@127.0.0.1:9/?key={SECRET}"}),
        ("navigate", {"url": f"http://me:{SECRET}@127.0.0.1:9/?key={SECRET}"}),
        ("read_image", {"path": str(folder / f"?token={SECRET}")}),
    ):
        await a.fails(command, **params)
    await a.call("evaluate", code=f"void '{ADDRESS}'")
    await a.call("inject_script", source=f"void '{ADDRESS}'")
    await a.call("find_by_text", text=ADDRESS)
    await a.text("list_requests", filter=ADDRESS)
    await a.text("screenshot", name=ADDRESS)
    # What a page's address holds is not told even to the agent that came there: a page may have put it in.
    a.said.clear()
    await a.call("navigate", url=inside)
    nested = quote(f"https://b.example/?jwt={SECRET}", safe="")
    going = f"location.assign('{pages}/blank.html?cvc={SECRET}&card={SECRET}&next={nested}'), 0"
    await a.call("evaluate", code=going)
    await a.call("wait", urlContains="next=")
    await a.call("reload")
    opened = await a.call("new_tab", url=inside)
    await a.call("close_tab", tabId=opened["tabId"])
    assert a.told(SECRET) == []


async def look(b: Heard, tab: str) -> None:
    """Everything another agent can ask about the tab."""
    for command, params in READS.items():
        of_tab = {"tabId": tab} if "tabId" in CATALOGUE.get(command).all_properties else {}
        await b.text(command, **params, **of_tab)
    for field in (*SECRET_FIELDS, *PLAIN_FIELDS, "#expiry", "#expiries", "#fussy"):
        for command in READS_OF_ONE[:-1]:
            await b.text(command, selector=field, tabId=tab)
    for command in READ_FOR_A_WHILE:
        await b.text(command, tabId=tab)
        await b.text("list_tabs")
        await b.text(command, tabId=tab, stop=True)
    for line in (await b.text("list_requests", tabId=tab)).splitlines():
        if line.startswith("r"):
            await b.text("get_request", requestId=line.split()[0], tabId=tab)
    for resource in (await b._client.list_resources(cache_mode="refresh")).resources:
        b.said.append(f"{resource.uri}: {resource.title} {resource.name}")
        for content in (await b._client.read_resource(str(resource.uri))).contents:
            if isinstance(content, TextResourceContents):
                b.said.append(f"{resource.uri}: {content.text}")


async def test_a_canary_is_kept_nowhere_and_told_nobody(
    agent: OpenAgent, pages: str, panel: Panel, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    note = tmp_path / "note.txt"
    note.write_text(SECRET, encoding="utf-8")
    since = panel.hub.state.history.span[1]
    policy = panel.hub.core.router.gates.policy
    allowed, policy.allow_dirs = policy.allow_dirs, (tmp_path.resolve(),)
    try:
        async with agent(f"{pages}/canary.html") as one, connect(panel.data.root, "reader") as client:
            a, b = heard(one), heard(Agent(client))
            tab = await current_tab(one)
            await type_everywhere(a, panel, pages)
            await a.call("upload_file", selector="#file", paths=[str(note)])
            await look(b, tab)
            assert b.told(SECRET) == []
            assert a.told(SECRET) == []
            # Code can read any field: who runs it is told, the history is not.
            read = await a.call("evaluate", code="document.querySelector('#password').value")
            assert SECRET in read["value"]
            b.said.clear()
            await give_addresses(a, pages, tmp_path)
            b.said.clear()
            READS_HERE = {name: READS[name] for name in ("list_tabs", "get_page_metadata", "list_requests", "logs")}
            for command, params in READS_HERE.items():
                await b.text(command, **params, **({} if command == "list_tabs" else {"tabId": tab}))
            for resource in (await client.list_resources(cache_mode="refresh")).resources:
                b.said.append(f"{resource.uri}: {resource.title} {resource.name}")
            assert b.told(SECRET) == []
    finally:
        policy.allow_dirs = allowed
    assert holding(panel, SECRET, TYPED) == []
    made = rows(panel, since)
    for key, (_, suffix, _) in export.FORMATS.items():
        out = tmp_path / f"{key}{suffix}"
        export.write(out, key, made, panel.data.screenshots, CATALOGUE)
        assert [one for one in (SECRET, TYPED) if one.encode() in out.read_bytes()] == [], key
    assert [one for one in (SECRET, TYPED) if one in caplog.text] == []
    assert {row.command for row in made} >= {text.partition(".")[0] for text in TEXTS if TEXTS[text] != NAMES}


async def test_the_answer_says_what_may_be_kept(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(f"{pages}/canary.html") as a:
        since = panel.hub.state.history.span[1]
        for field in ("#name", "#password", "#card", "#notes"):
            await a.call("fill", selector=field, value="Ada Lovelace")
            await a.call("press_key", key="x")
        name, password, card, notes = (row.params["value"] for row in rows(panel, since, "fill"))
        assert name == notes
        assert name.keys() == {"redacted", "fingerprint"}
        assert password == card == {"redacted": 12}
        keys = [row.params["key"] for row in rows(panel, since, "press_key")]
        assert keys == ["x", {"redacted": 1}, {"redacted": 1}, "x"]
        assert all(row.targets == [] for row in rows(panel, since, "press_key"))


async def test_the_person_may_have_typed_text_kept_but_no_secret(agent: OpenAgent, pages: str, panel: Panel) -> None:
    panel.hub.state.settings.set(RECORD_TYPED, True)
    try:
        async with agent(f"{pages}/canary.html") as a:
            since = panel.hub.state.history.span[1]
            fields = [{"selector": "#name", "value": "Ada"}, {"selector": "#password", "value": SECRET}]
            await a.call("fill_form", fields=fields)
            await a.call("type", selector="#notes", text="Ada")
            await a.call("type", selector="#otp", text=SECRET)
    finally:
        panel.hub.state.settings.set(RECORD_TYPED, False)
    (form,) = rows(panel, since, "fill_form")
    assert [field["value"] for field in form.params["fields"]] == ["Ada", {"redacted": len(SECRET)}]
    typed = [row.params["text"] for row in rows(panel, since, "type")]
    assert typed[0] == "Ada"
    assert is_redacted(typed[1])
    assert holding(panel, SECRET) == []


async def test_what_is_forgotten_is_in_no_file_while_a_command_goes_on(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    hub, word = panel.hub, "vergissm9innicht"
    hub.state.settings.set(RECORD_TYPED, True)
    hub.state.settings.set(RECORD_PICTURES, True)
    try:
        async with agent(f"{pages}/canary.html", "forgetful") as a:
            tab = await current_tab(a)
            await a.call("fill", selector="#name", value=word)
            await a.text("screenshot", name=word)
            assert "cut:" in await a.text("evaluate", code=f"'{word} '.repeat(5000)")
            going = tasks.spawn(a.call("wait", text="It is done"), "the command that goes on")
            await panel.executing(tab)
            assert holding(panel, word) != []
            scope = Scope("agent", "forgetful")
            told = hub.core.forgetting.forget(scope)
            # The tab was opened, a name filled in, a picture taken, a long answer given.
            assert (told.rows >= 4, told.pictures >= 3, told.answers, told.running) == (True, True, 1, 1)
            assert holding(panel, word) == []
            await panel.witness(pages).see("document.body.append('It is done')", "/canary.html")
            await going
        assert [(row.command, row.state) for row in hub.state.history.rows(limit=9, matching="agent:forgetful")] == [
            ("close_tab", "ok"), ("wait", "ok"),
        ]  # fmt: skip
    finally:
        hub.state.settings.set(RECORD_TYPED, False)
        hub.state.settings.set(RECORD_PICTURES, False)


async def test_only_its_owner_can_read_the_data_directory(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(f"{pages}/blank.html") as a:
        await a.text("screenshot", name="mine")
        await a.text("evaluate", code="'x'.repeat(50_000)")
    for path in (panel.data.root, *panel.kept()):
        if path.is_symlink() or os.name == "nt":
            continue
        mode = stat.S_IMODE(path.stat().st_mode)
        if path.is_dir():
            assert mode == 0o700, path
        elif path.is_file() and panel.data.uploads not in path.parents:  # these are the person's own
            assert mode & 0o077 == 0, path
