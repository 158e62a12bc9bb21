"""Files for fields, for choosers that a click opens, and for drop zones."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from kapture_panel.demo.agent import Agent, ToolError, connect
from kapture_panel.hub.hub import Hub
from tests.support.e2e import late, own_browser
from tests.support.e2e.panel import Panel, Visit
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture
def folder(tmp_path: Path, panel: Panel) -> Iterator[Path]:
    """A folder agents may read, with two files and a folder in it."""
    (tmp_path / "one.txt").write_text("one")
    (tmp_path / "two.csv").write_text("1;2")
    (tmp_path / "papers/old").mkdir(parents=True)
    (tmp_path / "papers/a.txt").write_text("a")
    (tmp_path / "papers/old/b.txt").write_text("b")
    policy = panel.hub.core.router.gates.policy
    before, policy.allow_dirs = policy.allow_dirs, (tmp_path.resolve(),)
    yield tmp_path
    policy.allow_dirs = before


def told(path: str, content: bytes) -> str:
    """How the page tells of a file: its path, size and a sum of its bytes."""
    total = 0
    for byte in content:
        total = (total * 31 + byte) % 2**32
    return f"{path}:{len(content)}:{total}"


#: More than two pieces.
SIZE = 2 * 1024 * 1024 + 5
ONE = told("one.txt", b"one")
TWO = told("two.csv", b"1;2")


async def titled(a: Agent, title: str) -> None:
    """The page has told of these files."""
    await a.call("wait", expression=f"document.title === {title!r}")


async def test_one_several_and_none(visitor: Visit, pages: str, folder: Path) -> None:
    one, two = str(folder / "one.txt"), str(folder / "two.csv")
    async with visitor(f"{pages}/uploads.html") as a:
        answer = await a.call("upload_file", selector="#several", paths=[one, two])
        assert answer["files"] == [{"name": "one.txt", "size": 3}, {"name": "two.csv", "size": 3}]
        assert answer["way"] == "path"
        await titled(a, f"several {ONE},{TWO}")
        assert (await a.call("upload_file", selector="#several", paths=[]))["files"] == []
        await titled(a, f"several {ONE},{TWO} | several")
        assert "takes one file, not 2" in await a.fails("upload_file", selector="#single", paths=[one, two])
        # A label stands for its field.
        assert (await a.call("upload_file", xpath="//label", paths=[two]))["files"] == [{"name": "two.csv", "size": 3}]
        # A page may take the files out at once.
        assert len((await a.call("upload_file", selector="#eager", paths=[one, two]))["files"]) == 2


async def test_a_folder_goes_into_a_field_for_folders_alone(visitor: Visit, pages: str, folder: Path) -> None:
    papers = str(folder / "papers")
    async with visitor(f"{pages}/uploads.html") as a:
        answer = await a.call("upload_file", selector="#folder", paths=[papers])
        assert sorted(file["name"] for file in answer["files"]) == ["papers/a.txt", "papers/old/b.txt"]
        assert "takes files, not a folder" in await a.fails("upload_file", selector="#several", paths=[papers])
        said = await a.fails("upload_file", selector="#folder", paths=[str(folder / "one.txt")])
        assert "takes a folder" in said
        (folder / "papers/old/link").symlink_to("/etc/passwd")
        assert (await a.fails("upload_file", selector="#folder", paths=[papers])).startswith("FILE_NOT_ALLOWED")


async def test_the_answer_of_a_click_tells_of_the_chooser_it_opened(visitor: Visit, pages: str, folder: Path) -> None:
    one = str(folder / "one.txt")
    async with visitor(f"{pages}/uploads.html") as a:
        assert "no file chooser waits" in await a.fails("upload_file", paths=[one])
        clicked = await a.call("click", selector="#open")
        assert clicked["effects"]["fileChooser"] == {"multiple": True, "accept": ".txt"}
        # What holds the field alone is the browser.
        await a.call("evaluate", code="Array.from({length: 50}, () => new Uint8Array(1e6)).length")
        assert (await a.call("upload_file", paths=[one]))["files"] == [{"name": "one.txt", "size": 3}]
        await titled(a, f"open {ONE}")
        assert "no file chooser waits" in await a.fails("upload_file", paths=[one])


async def test_a_chooser_that_opens_late_is_told_with_the_next_answer(visitor: Visit, pages: str, folder: Path) -> None:
    async with visitor(f"{pages}/uploads.html") as a:
        clicked = await a.call("click", selector="#open-late")
        for delay in (2400, 4800):
            if "fileChooser" in clicked["effects"]:  # on a busy machine it was not late enough
                await a.call("evaluate", code=f"lateMs = {delay}")
                clicked = await a.call("click", selector="#open-late")
        assert "fileChooser" not in clicked["effects"]
        chooser: object = await late.told(a, clicked, "fileChooser")
        assert chooser == {"multiple": True, "accept": ".txt"}
        await a.call("upload_file", paths=[str(folder / "one.txt")])
        await titled(a, f"late {ONE}")


@pytest.mark.parametrize(("opener", "how"), [("open", "open"), ("open-late", "late"), ("open-div", "open-div")])
async def test_what_opens_a_chooser_stands_for_it(
    visitor: Visit, pages: str, folder: Path, opener: str, how: str
) -> None:
    async with visitor(f"{pages}/uploads.html") as a:
        answer = await a.call("upload_file", selector=f"#{opener}", paths=[str(folder / "one.txt")])
        assert answer["files"] == [{"name": "one.txt", "size": 3}]
        await titled(a, f"{how} {ONE}")


async def test_what_takes_no_files_is_told_so(visitor: Visit, pages: str, folder: Path) -> None:
    one = str(folder / "one.txt")
    async with visitor(f"{pages}/uploads.html") as a:
        assert "opened no file chooser" in await a.fails("upload_file", selector="#open-none", paths=[one])
        assert "took no drop" in await a.fails("upload_file", selector="#dead", paths=[one])
        assert "is not a file field" in await a.fails("upload_file", selector="#text", paths=[one])
        assert "only a person can answer" in await a.fails("upload_file", selector="#picker", paths=[one])
        clicked = await a.call("click", selector="#picker")
        assert clicked["effects"]["fileChooser"] == {"refused": True}
        assert (await a.call("evaluate", code="location.pathname"))["value"] == "/uploads.html"


async def test_files_and_folders_are_dropped(visitor: Visit, pages: str, folder: Path) -> None:
    one, two = str(folder / "one.txt"), str(folder / "two.csv")
    async with visitor(f"{pages}/uploads.html") as a:
        answer = await a.call("upload_file", selector="#zone", paths=[one, two])
        assert answer["droppedOn"] == '<div id="zone">'
        await titled(a, f"zone true {ONE},{TWO}")
        await a.call("upload_file", selector="#picky", paths=[one])
        await titled(a, f"zone true {ONE},{TWO} | picky true {ONE}")
        await a.call("upload_file", selector="#zone", paths=[str(folder / "papers")])
        await titled(a, "folder /papers/a.txt,/papers/old/b.txt")
        # A field within is the surer way.
        assert (await a.call("upload_file", selector="#wrap", paths=[one]))["into"] == '<input id="wrapped">'


@contextmanager
def flipping(allowed: Path, other: Path) -> Iterator[None]:
    """Meanwhile a file is by turns itself and a link to another one, which is as old."""
    kept, link = allowed.with_name("kept"), allowed.with_name("link")
    kept.hardlink_to(allowed)
    for file in (kept, other):
        os.utime(file, (5, 5))
    is_over = threading.Event()

    def flip() -> None:
        while not is_over.is_set():
            link.symlink_to(other)
            link.replace(allowed)
            link.hardlink_to(kept)
            link.replace(allowed)

    thread = threading.Thread(target=flip)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


async def test_a_link_that_flips_while_files_are_uploaded_never_gives_another_file(
    visitor: Visit, pages: str, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("elsewhere") / "other.txt"
    other.write_text("six")
    held = "const [file] = document.querySelector('#single').files; file ? file.text().catch(String) : ''"
    taken: list[str] = []
    async with visitor(f"{pages}/uploads.html") as a, asyncio.timeout(PATIENCE_S):
        with flipping(folder / "one.txt", other):
            while taken.count("one") < 10:
                with suppress(ToolError):  # it was a link when it was looked at
                    await a.call("upload_file", selector="#single", paths=[str(folder / "one.txt")])
                taken.append((await a.call("evaluate", code=held))["value"])
    assert set(taken) <= {"one", ""}


async def test_a_persons_browser_reads_files_itself_or_gets_them_in_pieces(tmp_path: Path, pages: str) -> None:
    large = tmp_path / "large.bin"
    with large.open("wb") as file:
        file.truncate(SIZE)
    (tmp_path / "one.txt").write_text("one")
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers/a.txt").write_text("a")
    (tmp_path / "other.txt").symlink_to(tmp_path / "one.txt")
    one, other = str(tmp_path / "one.txt"), str(tmp_path / "other.txt")
    async with (
        own_browser.paired(tmp_path, f"{pages}/blank.html") as (hub, browser),
        connect(tmp_path / "data", "uploader") as client,
    ):
        policy = hub.core.router.gates.policy
        policy.own_preset, policy.allow_dirs = "trusting", (tmp_path.resolve(),)
        await shared(browser)
        a = Agent(client)
        await a.call("new_tab", url=f"{pages}/uploads.html")
        assert (await a.call("upload_file", selector="#several", paths=[one, str(large)]))["way"] == "path"
        # By its path the page would see another name.
        answer = await a.call("upload_file", selector="#single", paths=[other])
        assert answer == {**answer, "way": "pieces", "files": [{"name": "other.txt", "size": 3}]}
        await a.call("upload_file", selector="#zone", paths=[one])
        title = f"several {ONE},{told('large.bin', bytes(SIZE))}"
        title += f" | single {told('other.txt', b'one')} | zone true {ONE}"
        await titled(a, title)

        await again(hub, browser)
        await shared(browser)
        await a.call("new_tab", url=f"{pages}/uploads.html?again")
        answer = await a.call("upload_file", selector="#several", paths=[one, str(large)])
        assert answer["way"] == "pieces"
        assert answer["files"] == [{"name": "one.txt", "size": 3}, {"name": "large.bin", "size": SIZE}]
        await a.call("click", selector="#open")
        await a.call("upload_file", paths=[one])
        await a.call("upload_file", selector="#zone", paths=[one])
        title = f"several {ONE},{told('large.bin', bytes(SIZE))} | open {ONE} | zone false {ONE}"
        await titled(a, title)
        said = await a.fails("upload_file", selector="#folder", paths=[str(tmp_path / "papers")])
        assert said.startswith("FILE_NOT_ALLOWED")
        assert "Allow access to file URLs" in said
        assert "took no drop" in await a.fails("upload_file", selector="#dead", paths=[one])
        await the_persons_chooser_is_left_alone(a, browser, one)


async def the_persons_chooser_is_left_alone(a: Agent, browser: own_browser.OwnBrowser, one: str) -> None:
    """What the person opens in the moment after is the person's; the agent's are told to this session, too."""
    page = await browser.page("/uploads.html?again")
    await browser.show_choosers(page)
    await a.call("click", selector="#text")
    await browser.click(page, "#open")
    await browser.chooser_shown(2)
    assert "fileChooser" not in (await a.call("evaluate", code="1")).get("lateEffects", {})
    assert "no file chooser waits" in await a.fails("upload_file", paths=[one])
    clicked = await a.call("click", selector="#open")
    assert clicked["effects"]["fileChooser"]["multiple"]
    assert "changed" not in clicked["effects"]


async def shared(browser: own_browser.OwnBrowser) -> None:
    """The person shares a tab, so that the agent's are opened beside it."""
    popup = await browser.popup("/blank.html")
    await browser.click(popup, "#toggle:not([disabled], [aria-disabled=true])")
    await browser.until(popup, "document.querySelector('#tab').textContent === 'connected'")
    await browser.close("popup/popup.html")


async def again(hub: Hub, browser: own_browser.OwnBrowser) -> None:
    """The extension starts again, without access to files, and is back at the panel."""
    (before,) = hub.connections.of_browsers.values()
    news = asyncio.Event()
    hub.state.paired.changed.connect(lambda _browser: news.set())
    await browser.keep_from_files()
    async with asyncio.timeout(PATIENCE_S):
        while before in (now := hub.connections.of_browsers.values()) or not now:
            await news.wait()
            news.clear()


async def test_files_that_the_page_took_out_of_their_field_are_not_said_to_be_in_it(
    visitor: Visit, pages: str, folder: Path
) -> None:
    async with visitor(f"{pages}/outcomes_unseen.html") as a:
        answer = await a.call("upload_file", selector="#taken", paths=[str(folder / "one.txt")])
        left = await a.call("evaluate", code="by('taken').files.length")
    assert (answer["outcome"], answer["files"], left["value"]) == ("done", [{"name": "one.txt", "size": 3}], 0)
