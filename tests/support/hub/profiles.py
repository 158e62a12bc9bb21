"""What the shipped profiles hold, written down by hand, and a small profile to make wrong ones of."""

from __future__ import annotations

from typing import Any

from tests.support.core.fakes import CATALOGUE

#: What each system has, written down from its specification.
NAMES = {
    "kapture": {command.name for command in CATALOGUE},
    "unibrowse": {
        "browser_navigate", "browser_go_back", "browser_go_forward", "browser_click", "browser_hover",
        "browser_type", "browser_drag", "browser_select_option", "browser_press_key", "browser_wait",
        "browser_snapshot", "browser_screenshot", "browser_get_console_logs", "browser_query_dom",
        "browser_get_visible_text", "browser_get_computed_styles", "browser_check_visibility",
        "browser_get_attributes", "browser_count_elements", "browser_get_page_metadata",
        "browser_get_filtered_aria_tree", "browser_find_by_text", "browser_get_form_values",
        "browser_check_element_state",
    },
    "webpilot": {
        "browser_create_tab", "browser_close_tab", "browser_get_tabs", "browser_get_accessibility_tree",
        "browser_inject_script", "browser_execute_js", "browser_click", "browser_scroll", "browser_type",
    },
    "phoenix": {
        "browser_navigate", "browser_eval", "browser_take_screenshot", "browser_recent_console_logs",
        "browser_clear_console_logs", "browser_resize", "read_image", "browser_get_service_workers",
        "browser_get_network_sources", "browser_set_offline",
    },
    "browserx": {"PageScreenShotTool", "DOMTool"},
}  # fmt: skip
#: The first eleven tools of Kapture: `number` is a whole one here, and tabId and selector may be left out.
FIRST = {
    "navigate": "tabId* string; url* string; timeout number = 30000",
    "go_back": "tabId* string",
    "go_forward": "tabId* string",
    "list_tabs": "",
    "screenshot": "tabId* string; name* string; selector string; width number; height number",
    "click": "tabId* string; selector* string",
    "hover": "tabId* string; selector* string",
    "fill": "tabId* string; selector* string; value* string",
    "select": "tabId* string; selector* string; value* string",
    "evaluate": "tabId* string; code* string",
    "logs": "tabId* string; max number = 100",
}


def minimal(**changed: Any) -> dict[str, Any]:
    tool = {
        "name": "go", "description": "Go", "command": "navigate", "result": {"text": "done"},
        "inputSchema": {"type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]},
    }  # fmt: skip
    return {"title": "Mine", "tools": [{**tool, **changed}]}
