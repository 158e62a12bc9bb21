"""What a line of a snapshot tells beside role and name: breaks, code, states, values, pictures, documents within."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.support.e2e.panel import Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def lines(visitor: Visit, pages: str) -> AsyncIterator[list[str]]:
    """The lines of the page's snapshot, without refs and indentation."""
    async with visitor(f"{pages}/lines.html") as a:
        text = await a.text("snapshot")
        yield [line.strip() for line in text.splitlines()]


def line_of(lines: list[str], sign: str) -> str:
    (found,) = [line for line in lines if sign in line]
    return found.removesuffix(" offscreen")


def place(lines: list[str], sign: str) -> int:
    return next(index for index, line in enumerate(lines) if sign in line)


async def test_a_break_is_a_line(lines: list[str]) -> None:
    assert r'- text: "12 High St\nLondon\nUK SW1"' in lines


async def test_code_keeps_its_lines_and_its_indentation(lines: list[str]) -> None:
    assert r'- text: "def f(x):\n    if x:\n        return"' in lines
    assert r'- text: "\n    return  2"' not in lines
    assert '- text: "    return  2"' in lines


async def test_other_text_is_in_one_line(lines: list[str]) -> None:
    assert "- text: one two three" in lines


async def test_the_active_descendant_is_marked(lines: list[str]) -> None:
    assert "[active]" in line_of(lines, '- option "Pear"')
    assert "[active]" not in line_of(lines, '- option "Apple"')


async def test_a_sorted_column_says_how(lines: list[str]) -> None:
    assert "[sort=ascending]" in line_of(lines, '- columnheader "Name"')
    assert "sort" not in line_of(lines, '- columnheader "Age"')


async def test_what_a_press_opens_is_told(lines: list[str]) -> None:
    assert "[haspopup=menu]" in line_of(lines, '- button "More"')
    assert "[haspopup=dialog]" in line_of(lines, '- button "Ask"')
    assert "haspopup" not in line_of(lines, '- button "Plain"')


async def test_a_value_in_words_has_its_number_beside_it(lines: list[str]) -> None:
    assert line_of(lines, '- slider "Heat"').endswith('[valuenow=2] value="Medium"')


async def test_a_value_keeps_its_blanks(lines: list[str]) -> None:
    assert line_of(lines, '"Verse"').endswith(r'value="roses  are\n  red"')
    assert line_of(lines, '"Note"').endswith('value="two  blanks"')


async def test_a_broken_picture_says_so(lines: list[str]) -> None:
    assert "[broken]" in line_of(lines, '- img "Gone"')
    assert "[broken]" not in line_of(lines, '- img "There"')
    assert "[broken]" not in line_of(lines, '- img "Nowhere"')


async def test_documents_in_objects_are_part_of_the_page(lines: list[str]) -> None:
    inside = [place(lines, '- object "Object"'), place(lines, '- embed "Embed"')]
    report = place(lines, '- object "Report"')
    assert "url=report.pdf" in lines[report]
    for start, end in zip(inside, [inside[1], report], strict=True):
        assert any("[ref=e" in line for line in lines[start + 1 : end]), lines


async def test_what_is_in_an_object_can_be_pressed(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/lines.html") as a:
        text = await a.text("snapshot", roles=["button"])
        refs = [line.partition("[ref=")[2].partition("]")[0] for line in text.splitlines() if '- button "Deep"' in line]
        assert len(refs) == 2
        for ref in refs:
            answer = await a.call("click", ref=ref)
            assert answer["effects"]["changed"]
