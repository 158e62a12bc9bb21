"""Everything that can be pressed has a line and a ref, whatever its role: `clickable`."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.support.e2e.panel import Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def lines(visitor: Visit, pages: str) -> AsyncIterator[list[str]]:
    async with visitor(f"{pages}/pressable.html") as a:
        yield [said(line) for line in (await a.text("snapshot")).splitlines()]


def said(line: str) -> str:
    return re.sub(r"\[ref=e\d+\]", "[ref]", line.strip().removesuffix(" offscreen"))


@pytest.mark.parametrize(
    "line",
    [
        '- clickable "the terms" [ref]',
        '- clickable [ref] hint="box teal"',
        '- clickable [ref] hint="red"',
        '- clickable "Inline handler" [ref]',
        '- clickable "Own listener" [ref]',
        '- clickable "Takes the focus" [ref]',
        '- clickable "Draggable" [ref]',
        '- canvas [ref] [clickable] hint="canvas"',
        '- button [ref] hint="paper-plane"',
        '- clickable [ref] hint="icon-trash"',
        '- img [ref] [clickable] hint="Reply"',
        "- link [ref] url=/pages/about.html",
        '- columnheader "Day" [ref] [clickable]',
        "- row [ref] [clickable]",
        '- cell "1" [ref] [clickable]',
        '- clickable "x" [ref]',
        '- clickable "o" [ref]',
        '- clickable "done" [ref]',
        '- clickable [ref] hint="grabbed box"',
        '- clickable "In the frame" [ref]',
        '- link "Only link" [ref]',
        '- clickable "Todo one" [ref]',
        '- clickable "Todo two" [ref]',
        '- clickable "Lamp 49 €" [ref]',
        '- button "Unspoken" [ref]',
        '- clickable [ref] hint="bell"',
    ],
)
async def test_it_has_a_line(lines: list[str], line: str) -> None:
    assert line in lines, "\n".join(lines)


async def test_each_cell_of_a_board_that_listens_for_them_has_a_line(lines: list[str]) -> None:
    assert lines.count('- clickable [ref] hint="square"') == 3, "\n".join(lines)


async def test_what_holds_more_is_a_line_around_it(lines: list[str]) -> None:
    card = lines.index("- clickable [ref]")
    assert [line.split(" [")[0] for line in lines[card + 1 : card + 4]] == [
        '- heading "Card"',
        "- text: About it",
        '- link "More"',
    ]


async def test_what_cannot_be_pressed_is_no_line_of_its_own(lines: list[str]) -> None:
    for text in ["Takes it by script alone", "Takes no presses", "Below a listener", "Plain"]:
        assert f"- text: {text}" in lines, text
    assert not any("Whole" in line for line in lines if "button" not in line)


async def test_what_is_hidden_from_screen_readers_has_a_line_only_if_it_can_be_pressed_alone(lines: list[str]) -> None:
    text = "\n".join(lines)
    for absent in ["Gone", "picture", "anchor", "▾"]:
        assert absent not in text, absent
    assert lines.count('- link "Card link" [ref] url=/pages/card.html') == 1


async def test_what_lies_behind_a_dialog_has_no_line(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/pressable.html") as a:
        for show in ("document.querySelector('#unspoken').scrollIntoView()", "scrollTo(0, 0)"):
            await a.call("evaluate", code=show)
            assert '"Unspoken"' in await a.text("snapshot")
        await a.call("evaluate", code="document.querySelector('#cover').scrollIntoView()")
        assert '"Covered"' not in await a.text("snapshot")
        code = """document.body.insertAdjacentHTML('beforeend',
          '<div role=dialog style="position: fixed; inset: 0; background: white"><button>Close</button></div>')"""
        await a.call("evaluate", code=code)
        for show in ("document.querySelector('#unspoken').scrollIntoView()", "scrollTo(0, 0)"):
            await a.call("evaluate", code=show)
            text = await a.text("snapshot")
            assert ('"Unspoken"' in text, '"Close"' in text) == (False, True)


async def test_without_its_texts_a_page_names_what_can_be_pressed_by_its_words(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/pressable.html") as a:
        told = [said(line) for line in (await a.text("snapshot", interactiveOnly=True)).splitlines()]
        for line in [
            '- clickable "Only words and more" [ref]',
            '- row "1 one" [ref] [clickable]',
            '- button "Unspoken" [ref]',
        ]:
            assert line in told, "\n".join(told)
        bare = [line for line in told if re.search(r"clickable", line) and not re.search(r'"|hint=', line)]
        assert bare == [], bare


async def test_they_can_be_pressed_by_their_refs(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/pressable.html") as a:
        text = await a.text("snapshot", interactiveOnly=True)
        for sign in ['clickable "Own listener"', '- cell "1"', 'clickable "o"', 'clickable "Inline handler"', "canvas"]:
            line = next(line for line in text.splitlines() if sign in line)
            await a.call("click", ref=line.partition("[ref=")[2].partition("]")[0])
        log = await a.text("get_visible_text", selector="#log")
        assert log.split() == ["listens", "cell1", "o", "inline", "canvas"]
        text = await a.text("snapshot")
        line = next(line for line in text.splitlines() if '"Unspoken"' in line)
        await a.call("evaluate", code="document.getElementById('unspoken').onclick = () => told('unspoken')")
        await a.call("click", ref=line.partition("[ref=")[2].partition("]")[0])
        assert (await a.text("get_visible_text", selector="#log")).split()[-1] == "unspoken"


async def test_a_listener_that_is_gone_leaves_no_mark(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/pressable.html") as a:
        assert '- clickable "No listener any more"' in await a.text("snapshot")
        await a.call("evaluate", code="remove()")
        assert "- text: No listener any more" in await a.text("snapshot")


async def test_a_filter_by_role_finds_them_all(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/pressable.html") as a:
        text = await a.text("snapshot", roles=["clickable"])
        assert 'cell "1"' in text
        assert 'clickable "Own listener"' in text
        assert "heading" not in text


async def test_a_ref_of_a_row_that_shows_another_is_stale(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/pressable.html") as a:
        text = await a.text("snapshot")
        line = next(line for line in text.splitlines() if 'clickable "Own listener"' in line)
        await a.call("evaluate", code='document.getElementById("listens").textContent = "Another"')
        with pytest.raises(Exception, match="STALE_REF"):
            await a.call("click", ref=line.partition("[ref=")[2].partition("]")[0])


async def test_a_closer_look_adds_box_and_colours(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/pressable.html") as a:
        paint = "const c = document.getElementById('canvas').getContext('2d'); c.fillStyle = '#ff8000';"
        await a.call("evaluate", code=f"{paint} c.fillRect(0, 0, 30, 15); scrollTo(0, 0)")
        text = await a.text("snapshot", look=True)
        for name, sign, more in [
            ("teal", 'hint="box teal"', "background=#008080"),
            ("canvas", 'hint="canvas"', "drawn=#ff8000"),
            ("listens", '"Own listener"', "color=#000000"),
            ("disc", "#00aa55", "drawn=#00aa55"),
            ("ring", "#800080", "drawn=#800080"),
        ]:
            code = f"Object.values(document.getElementById('{name}').getBoundingClientRect().toJSON()).slice(0, 4)"
            box = ",".join(str(int(side + 0.5)) for side in (await a.call("evaluate", code=code))["value"])
            (line,) = [line for line in text.splitlines() if sign in line]
            assert f"box={box} {more}" in line
        looked = [line for line in text.splitlines() if "box=" in line]
        assert all(re.search("- clickable|clickable]|- canvas", line) for line in looked), looked
        assert len(looked) == sum("- clickable" in line or "[clickable]" in line for line in text.splitlines())
        assert "box=" not in await a.text("snapshot")


async def test_a_closer_look_leaves_a_canvas_as_it_was(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/pressable.html") as a:
        await a.call("evaluate", code="document.getElementById('canvas').width = 0")
        await a.text("snapshot", look=True)
        free = "const c = document.getElementById('canvas'); c.width = 9; c.getContext('webgl2') !== null"
        assert (await a.call("evaluate", code=free))["value"], "it had no context before"
