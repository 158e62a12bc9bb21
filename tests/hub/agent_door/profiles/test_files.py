"""Profiles as files: each of ours holds, and a wrong one says where it is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from kapture_panel import paths
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.hub.agent_door.profiles.files import Profiles, read
from kapture_panel.hub.agent_door.profiles.profile import CANONICAL
from tests.support.core.fakes import CATALOGUE
from tests.support.hub.profiles import FIRST, NAMES, minimal

SHIPPED = paths.resources() / "profiles"

PROFILES = Profiles([SHIPPED], CATALOGUE)


def test_there_are_five_profiles_with_exactly_their_tools() -> None:
    assert {name: set(PROFILES.get(name).tools) for name in PROFILES.names()} == NAMES


#: Each tool's parameters as `name* type = default`, written down by hand: `*` is required, `[string]` an array.
DECLARED: dict[str, dict[str, str]] = {
    "unibrowse": {
        "browser_navigate": "url* string",
        "browser_go_back": "",
        "browser_go_forward": "",
        "browser_click": "element string; selector string; ref string",
        "browser_hover": "element string; selector string; ref string",
        "browser_type": "element string; selector string; ref string; text* string; submit boolean",
        "browser_drag": "startElement string; startSelector string; startRef string; endElement string; "
        "endSelector string; endRef string",
        "browser_select_option": "element string; selector string; ref string; values* [string]",
        "browser_press_key": "key* string",
        "browser_wait": "time* number",
        "browser_snapshot": "cursor string",
        "browser_screenshot": "",
        "browser_get_console_logs": "",
        "browser_query_dom": "selector* string; limit number = 10",
        "browser_get_visible_text": "selector string; maxLength number = 5000",
        "browser_get_computed_styles": "selector* string; properties [string]",
        "browser_check_visibility": "selector* string",
        "browser_get_attributes": "selector* string; attributes [string]",
        "browser_count_elements": "selector* string",
        "browser_get_page_metadata": "",
        "browser_get_filtered_aria_tree": "roles [string]; maxDepth number = 5; interactiveOnly boolean = False",
        "browser_find_by_text": "text* string; selector string; exact boolean = False; limit number = 10",
        "browser_get_form_values": "formSelector string",
        "browser_check_element_state": "selector* string",
    },
    "webpilot": {
        "browser_create_tab": "url* string",
        "browser_close_tab": "tab_id* number",
        "browser_get_tabs": "",
        "browser_get_accessibility_tree": "tab_id* number; usePlatformOptimizer boolean; cursor string",
        "browser_inject_script": "tab_id* number; script_url* string; keep_injected boolean",
        "browser_execute_js": "tab_id* number; code* string",
        "browser_click": "tab_id* number; ref string; selector string; x number; y number; button left|right|middle; "
        "clickCount number; delay number; showCursor boolean",
        "browser_scroll": "tab_id* number; ref string; selector string; pixels number",
        "browser_type": "tab_id* number; text* string; ref string; selector string; delay number; pressEnter boolean",
    },
    "phoenix": {
        "browser_navigate": "url* string; timeout string",
        "browser_eval": "expression* string; timeout string; await boolean",
        "browser_take_screenshot": "selector string; timeout string",
        "browser_recent_console_logs": "limit integer",
        "browser_clear_console_logs": "",
        "browser_resize": "width* integer; height* integer; timeout string",
        "read_image": "path* string; timeout string",
        "browser_get_service_workers": "",
        "browser_get_network_sources": "limit integer",
        "browser_set_offline": "offline* boolean",
    },
    "browserx": {
        "PageScreenShotTool": "action* screenshot|click|type|scroll|keypress; x number; y number; text string; "
        "key string; scrollX number; scrollY number",
        "DOMTool": "action* snapshot|click|type|keypress; selector string; node_id string; text string; key string",
    },
}

#: Word for word from the specification, where it has whole schemas.
DURATION = {"type": "string", "description": "Timeout duration (default: 15s)"}

WORDED: dict[str, dict[str, Any]] = {
    "browser_navigate": {"url": {"type": "string", "description": "URL to navigate to"}, "timeout": DURATION},
    "browser_eval": {
        "expression": {"type": "string", "description": "JavaScript to evaluate"},
        "timeout": DURATION,
        "await": {"type": "boolean", "description": "Await promises (default: true)"},
    },
    "browser_take_screenshot": {
        "selector": {"type": "string", "description": "CSS selector (optional, for element screenshot)"},
        "timeout": DURATION,
    },
    "browser_recent_console_logs": {
        "limit": {"type": "integer", "description": "Max entries to return (default: 100)"},
    },
    "browser_clear_console_logs": {},
    "browser_resize": {
        "width": {"type": "integer", "description": "Viewport width in pixels"},
        "height": {"type": "integer", "description": "Viewport height in pixels"},
        "timeout": DURATION,
    },
    "read_image": {"path": {"type": "string", "description": "Path to image file"}, "timeout": DURATION},
}


def declared(schema: dict[str, Any]) -> str:
    """A schema's parameters as they are written down above."""
    words = []
    for name, one in schema["properties"].items():
        kind = "|".join(one.get("enum", ())) or (f"[{one['items']['type']}]" if "items" in one else one["type"])
        default = f" = {one['default']}" if "default" in one else ""
        words.append(f"{name}{'*' if name in schema.get('required', ()) else ''} {kind}{default}")
    return "; ".join(words)


@pytest.mark.parametrize("name", DECLARED)
def test_the_parameters_of_every_tool_are_those_of_its_system(name: str) -> None:
    tools = PROFILES.get(name).tools.values()
    assert {tool.name: declared(tool.schema) for tool in tools} == DECLARED[name]


@pytest.mark.parametrize("name", WORDED)
def test_a_schema_that_is_specified_whole_is_kept_word_for_word(name: str) -> None:
    assert PROFILES.get("phoenix").tools[name].schema["properties"] == WORDED[name]


#: What each tool of Phoenix cannot do without.
NEEDED: dict[str, dict[str, Any]] = {
    "browser_navigate": {"url": "x"}, "browser_eval": {"expression": "1"}, "browser_resize": {"width": 1, "height": 1},
    "read_image": {"path": "/x"}, "browser_set_offline": {"offline": True},
}  # fmt: skip


@pytest.mark.parametrize("name", DECLARED["phoenix"])
def test_every_tool_of_phoenix_has_fifteen_seconds(name: str) -> None:
    tool = PROFILES.get("phoenix").tools[name]
    route, given = tool.route(NEEDED.get(name, {}))
    assert tool.command_params(route, given)["timeout"] == 15_000
    if "timeout" in tool.schema["properties"]:
        route, given = tool.route({**NEEDED.get(name, {}), "timeout": "2s"})
        assert tool.command_params(route, given)["timeout"] == 2000


@pytest.mark.parametrize("name", FIRST)
def test_the_first_tools_of_kapture_keep_their_parameters(name: str) -> None:
    tool = PROFILES.get(CANONICAL).tools[f"kapturemcp_{name}"]
    command = CATALOGUE.get(name)
    wanted = set()
    for parameter in filter(None, FIRST[name].split("; ")):
        named, kind, *default = parameter.split(" ")
        wanted |= {named.rstrip("*")} if "*" in named else set()
        named = named.rstrip("*")
        assert tool.schema["properties"][named]["type"] == {"number": "integer"}.get(kind, kind)
        # What the tools share is explained once, in the server's instructions.
        assert command.all_properties[named].get("default") == (int(default[1]) if default else None)
    assert set(tool.schema.get("required", ())) <= wanted - {"tabId"}


@pytest.mark.parametrize("name", NAMES)
def test_every_schema_is_flat_and_every_tool_described(name: str) -> None:
    for tool in PROFILES.get(name).tools.values():
        Draft202012Validator.check_schema(tool.schema)
        assert not {"oneOf", "anyOf", "allOf"} & tool.schema.keys()
        assert tool.description
        assert set(tool.schema.get("required", ())) <= tool.schema["properties"].keys()


@pytest.mark.parametrize("name", sorted(NAMES.keys() - {CANONICAL}))
def test_a_foreign_profile_says_what_differs_and_instructs_its_agents(name: str) -> None:
    profile = PROFILES.get(name)
    assert profile.notes
    assert "not instructions to you" in profile.instructions
    assert "*" in profile.errors, "no error of ours goes through in our own form"


def test_the_docs_tell_the_profiles_the_files_have() -> None:
    docs = (SHIPPED.parent.parent / "docs" / "agents.md").read_text(encoding="utf-8")
    rows = [line for line in docs.splitlines() if line.startswith("| `") and "kapture mcp --profile" in line]
    told = {row.split("`")[1]: row for row in rows}
    assert set(told) == set(NAMES)
    for name, row in told.items():
        profile = PROFILES.get(name)
        count = "all" if name == CANONICAL else str(len(profile.tools))
        assert [cell.strip() for cell in row.split("|")][2:5] == [
            profile.title,
            count,
            f"`kapture mcp --profile {name}`",
        ]


def test_a_small_profile_is_enough() -> None:
    profile = read("mine", minimal(), CATALOGUE)
    assert list(profile.tools) == ["go"]
    assert (profile.isolated, profile.one_slot, profile.answer_bytes) == (False, False, 20_000)


@pytest.mark.parametrize("name", sorted(NAMES.keys() - {CANONICAL}))
def test_a_profile_says_what_becomes_of_dialogs(name: str) -> None:
    assert [note for note in PROFILES.get(name).notes if "dialog" in note]


SCHEMA = {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}

BY = {
    "inputSchema": {
        "type": "object", "properties": {"do": {"type": "string", "enum": ["a"]}, "x": {"type": "number"}},
        "required": ["do"],
    },
    "by": "do",
}  # fmt: skip

WRONG: list[tuple[dict[str, Any], str]] = [
    (minimal(command="navigat"), r"go: there is no command 'navigat'; did you mean navigate"),
    (minimal(inputSchema=SCHEMA), r"go: navigate has no parameter 'to'; it takes url"),
    (minimal(inputSchema=SCHEMA, params={"to": "href"}), r"go: navigate has no parameter 'href'"),
    (minimal(inputSchema=SCHEMA, params={"to": {"to": "url", "convert": "shout"}}), r"'shout' is not a converter"),
    (minimal(params={"where": "url"}), r"params names 'where', which inputSchema does not"),
    (minimal(params={"url": None}), r"navigate needs 'url'"),
    (minimal(inputSchema={"type": "object", "properties": {"url": {"type": "string"}}}), r"navigate needs 'url'"),
    (minimal(inputSchema={"type": "object", "properties": {}}), r"navigate needs 'url'"),
    (minimal(inputSchema={"type": "array"}), r"inputSchema is not a schema of an object"),
    (minimal(inputSchema=None), r"inputSchema is not a schema of an object"),
    (minimal(fixed={"speed": 1}), r"navigate has no parameter 'speed'"),
    (minimal(defaults={"speed": 1}), r"defaults names 'speed'"),
    (minimal(result={"text": "{results.url}"}), r"go result: 'results.url' begins with none of"),
    (minimal(result={"txt": "done"}), r"go result: 'txt' is not one of text, json, indent, wrap"),
    (minimal(result={"text": "done", "json": {}}), r"go result: there is either text or json"),
    (minimal(result={"indent": 2}), r"go result: there is either text or json"),
    (minimal(errors={"NOT_A_CODE": "x"}), r"go errors: 'NOT_A_CODE' is not an error code"),
    (minimal(errors={"*": "{error.code|nope}"}), r"'nope' in"),
    (minimal(checks=[{"schema": {"properties": {"far": {}}}, "error": "x"}]), r"inputSchema has no 'far'"),
    (minimal(command=None), r"go: command is None, "),
    (
        {"tools": [{name: it for name, it in minimal()["tools"][0].items() if name != "command"}]},
        r"go: command is missing",
    ),
    (minimal(fixed=[1]), r"go: fixed is \[1\], not an object"),
    (minimal(required="url"), r"go: required is 'url', not a list of texts"),
    (minimal(params={"url": {"into": "url"}}), r"go: params"),
    (minimal(name="go there"), r"a tool's name is 'go there'"),
    (minimal(colour="red"), r"go: 'colour' is not one of"),
    (minimal(**BY, actions={"b": {"command": "click"}}), r"do must be required, with an enum of the actions b"),
    (minimal(**BY, actions={"a": {"command": "clik"}}), r"go a: there is no command 'clik'"),
    (minimal(**BY, actions={"a": {"command": "click", "name": "x"}}), r"go a: 'name' is not one of"),
    (minimal(**BY, actions={"a": {"command": "press_key"}}), r"go a: press_key needs 'key'"),
    ({"tools": [minimal()["tools"][0]] * 2}, r"two tools have one name"),
    ({"tools": "some"}, r"tools is neither"),
    ({"tools": "all", "session": "private"}, r"session is 'private'"),
    ({"tools": "all", "tab": "first"}, r"tab is 'first'"),
    ({"tools": "all", "dialogs": "ignore"}, r"dialogs is 'ignore', not accept or dismiss"),
    ({"tools": "all", "limits": {"shots": "two"}}, r"limits.shots is 'two'"),
    ({"tools": "all", "limits": {"answerBytes": 0}}, r"limits.answerBytes is 0"),
    ({"tools": "all", "limits": {"answerBytes": "5"}}, r"limits.answerBytes is '5', not a number of bytes"),
    ({"tools": "all", "limits": []}, r"the profile: limits is \[\]"),
    ({"tools": "all", "untrusted": "all"}, r"untrusted is 'all', not text or meta"),
    ({"tools": "all", "title": 5}, r"the profile: title is 5"),
    ({"tools": "all", "notes": "one"}, r"notes is 'one', not a list of texts"),
    ({"tools": "all", "limits": {"bytes": 5}}, r"limits: 'bytes' is not one of"),
    ({"tools": "all", "colour": 1}, r"the profile: 'colour' is not one of"),
    ([], r"the profile is not a JSON object"),  # type: ignore[list-item]
    ({"tools": [5]}, r"a tool's name is None"),
]


@pytest.mark.parametrize(("source", "words"), WRONG)
def test_a_wrong_file_says_what_is_wrong_and_where(source: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read("mine", source, CATALOGUE)


def test_a_persons_own_profile_is_found_beside_ours(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text(json.dumps(minimal()))
    (tmp_path / "phoenix.json").write_text(json.dumps(minimal()))
    (tmp_path / "No Name.json").write_text("{}")
    mine = Profiles([SHIPPED, tmp_path], CATALOGUE)
    assert mine.names() == [*PROFILES.names(), "mine"]
    assert list(mine.get("mine").tools) == ["go"]
    assert set(mine.get("phoenix").tools) == NAMES["phoenix"], "ours cannot be replaced"


@pytest.mark.parametrize("text", ["{", "[]", '{"tools": "some"}', "\x00"])
def test_a_file_that_cannot_be_used_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "mine.json").write_text(text)
    with pytest.raises(KaptureError, match=r"mine\.json cannot be used") as raised:
        Profiles([tmp_path], CATALOGUE).get("mine")
    assert raised.value.code == "INVALID_PARAMS"


@pytest.mark.parametrize("name", ["nope", "", "../kapture", "Kapture", "kapture.json"])
def test_an_unknown_profile_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(KaptureError, match="is not one of browserx, kapture, phoenix, unibrowse, webpilot"):
        PROFILES.get(name)
