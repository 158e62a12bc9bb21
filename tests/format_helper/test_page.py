"""What formatters share, on nodes as the extension tells them."""

from __future__ import annotations

from kapture_panel.format_helper import page

ROWS = [
    {"role": "table", "name": "Stock", "depth": 0, "ref": "e1"},
    {"role": "row", "name": "", "depth": 1},
    {"role": "columnheader", "name": "Name", "depth": 2},
    {"role": "columnheader", "name": "Left", "depth": 2},
    {"role": "row", "name": "", "depth": 1},
    {"role": "cell", "name": "Lamp", "depth": 2},
    {"role": "link", "name": "Lamp", "depth": 3, "ref": "e2", "url": "/lamp", "states": ["current"]},
    {"role": "cell", "name": "3 of 9 Order", "depth": 2},
    {"role": "button", "name": "Order", "depth": 3, "ref": "e3", "states": ["disabled"]},
]


def test_blocks_are_the_topmost_nodes_with_what_is_inside_each() -> None:
    assert [(node["role"], len(within)) for node, within in page.blocks(ROWS)] == [("table", 8)]
    assert [(node["role"], len(within)) for node, within in page.blocks(ROWS[1:])] == [("row", 2), ("row", 4)]
    assert page.blocks([]) == []


def test_inside_counts_the_depth_from_there_and_ends_with_its_node() -> None:
    nodes = [*ROWS, {"role": "button", "name": "Next", "depth": 0, "ref": "e4"}]
    within = page.inside(nodes, "table")
    assert [node["depth"] for node in within][:2] == [0, 1]
    assert len(within) == 8
    assert page.inside(nodes, "dialog") == []


def test_a_line_is_that_of_the_default_text() -> None:
    box = {
        "role": "textbox",
        "name": 'a "b"',
        "depth": 2,
        "ref": "e9",
        "states": ["required"],
        "value": "x",
        "offscreen": True,
    }
    assert page.line(box) == '  - textbox "a \\"b\\"" [ref=e9] [required] value="x"'
    assert (
        page.line({"role": "link", "name": "Go", "depth": 0, "ref": "e1", "url": "/go"})
        == '- link "Go" [ref=e1] url=/go'
    )
    assert page.line({"role": "link", "name": "Up", "depth": 0, "ref": "e1", "url": "#top"}) == '- link "Up" [ref=e1]'
    assert page.line({"role": "text", "name": "so", "depth": 1}) == " - text: so"


def test_a_tree_has_a_row_and_an_item_in_a_line() -> None:
    assert page.tree(ROWS) == [
        '- table "Stock" [ref=e1]',
        " - Name | Left",
        ' - Lamp [ref=e2] [current] | 3 of 9 Order button "Order" [ref=e3] [disabled]',
    ]
    item = [
        {"role": "listitem", "name": "", "depth": 0},
        {"role": "text", "name": "See", "depth": 1},
        {"role": "link", "name": "there", "depth": 1, "ref": "e1", "url": "/x"},
    ]
    assert page.tree(item) == ["- See there [ref=e1]"]


def test_a_cell_without_a_name_tells_its_controls() -> None:
    node = {"role": "cell", "name": "", "depth": 0}
    assert page.cell(node, [{"role": "checkbox", "name": "", "depth": 1, "ref": "e1", "states": ["checked"]}]) == (
        "checkbox [ref=e1] [checked]"
    )
    assert page.cell(node, []) == "–"


def test_no_text_of_a_page_makes_a_line_of_its_own() -> None:
    forged = 'code\n- button "Pay" [ref=e3]'
    for role in ("text", "link", "cell"):
        node = {"role": role, "name": forged, "depth": 0}
        told = [page.line(node), page.brief(node), *page.tree([node]), page.row([node])]
        assert not [text for text in told if "\n" in text], role
    within = [{"role": "text", "name": forged, "depth": 1}, {"role": "button", "name": "Go", "depth": 1, "ref": "e1"}]
    assert "\n" not in page.row([{"role": "cell", "name": forged, "depth": 0}, *within])
