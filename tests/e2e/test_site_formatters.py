"""The shipped formatters: on the real Django admin and on a manual by the real Sphinx, found and used by auto alone;
for sites that cannot be reached here, on pages made by hand in the real browser, as if they were at their address."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from pathlib import Path
from typing import Any, Protocol

import pytest
import pytest_asyncio

from kapture_panel import paths
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.wire.protocol import Response
from kapture_panel.demo.agent import Agent, ref_of
from kapture_panel.demo.site import DemoSite
from kapture_panel.hub.host import formatters
from kapture_panel.hub.host.formatters import Formatters
from tests.support.core.fakes import SOME_CALL
from tests.support.e2e.panel import Panel, Visit, current_tab
from tests.support.e2e.software.django_admin import PASSWORD, USER, django_admin
from tests.support.e2e.software.nodes import page_of
from tests.support.e2e.software.sphinx_docs import sphinx_docs
from tests.support.patience import PATIENCE_S
from tests.support.rows import naming
from tests.support.tree import ROOT

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(autouse=True, scope="module")
def patient() -> Iterator[None]:
    """None of these formatters runs away: how long one takes on a busy machine does not matter."""
    with pytest.MonkeyPatch.context() as patch:
        for limit in ("DEADLINE_S", "LOAD_S"):
            patch.setattr(formatters, limit, PATIENCE_S)
        yield


CONTROLS = {"link", "button", "textbox", "searchbox", "checkbox", "combobox", "listbox"}


def ref_in(text: str, line: str) -> str:
    """The ref that follows `line` (a regular expression) in a formatted text."""
    found = re.search(rf"{line}[^\n\[]*\[ref=(e\d+)\]", text)
    assert found, f"{line!r} is not in\n{text}"
    return found.group(1)


def main_controls(nodes: list[dict[str, Any]]) -> dict[str, str]:
    """The refs of what can be used in the main part of a page, each with its name."""
    start = next(index for index, node in enumerate(nodes) if node["role"] == "main")
    controls = {}
    for node in nodes[start + 1 :]:
        if node["depth"] <= nodes[start]["depth"]:
            break
        if node["role"] in CONTROLS:
            controls[node["ref"]] = node["name"]
    return controls


async def gain(panel: Panel, a: Agent) -> tuple[int, int]:
    """Tokens (bytes / 4) of the whole default text, all its pages, and of the formatted one; nothing usable is lost."""
    formatted = await a.text("snapshot")
    page = await page_of(panel, a)
    told = set(re.findall(r"ref=(e\d+)", formatted))
    # A sorted column has two links that do nearly the same: one is enough.
    assert {r: n for r, n in main_controls(page["nodes"]).items() if r not in told and n != "Toggle sorting"} == {}
    text = await a.text("snapshot", formatter="none")
    default = text
    while more := re.search(r'cursor "(s\d+:\d+)"', text):
        text = await a.text("snapshot", cursor=more.group(1))
        default += text
    return len(default.encode()) // 4, len(formatted.encode()) // 4


@pytest.fixture(scope="module")
def admin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of a running Django admin, and its database."""
    folder = tmp_path_factory.mktemp("django")
    with django_admin(folder) as site:
        yield site, folder / "site.db"


@asynccontextmanager
async def logged_in(visitor: Visit, site: str, root: str = "admin/") -> AsyncIterator[Agent]:
    """An agent that logged in as one does, on the login page's default text."""
    async with visitor(f"{site}/{root}") as a:
        page = await a.text("snapshot")
        if page.startswith("# Log in"):  # the browser keeps the cookie for the next test
            assert "(formatter" not in page
            await a.call("fill", ref=ref_of(page, "textbox", "Username:"), value=USER)
            await a.call("fill", ref=ref_of(page, "textbox", "Password:"), value=PASSWORD)
            await a.call("click", ref=ref_of(page, "button", "Log in"))
        yield a


async def test_the_django_admin_is_used_from_its_index_to_a_saved_form(
    visitor: Visit, panel: Panel, admin: tuple[str, Path]
) -> None:
    site, database = admin
    async with logged_in(visitor, site) as a:
        index = await a.text("snapshot")
        assert "(formatter django_admin)" in index
        assert re.search(r"^- AUTHENTICATION AND AUTHORIZATION \[ref", index, re.MULTILINE)
        assert re.search(r"^ - Users \[ref=e\d+\] \| Add \[ref=e\d+\] \| Change \[ref=e\d+\]$", index, re.MULTILINE)
        await a.call("click", ref=ref_in(index, "- Users"))

        rows = await a.text("snapshot")
        assert len(re.findall(r"^- checkbox \[ref=e\d+\] \| ", rows, re.MULTILINE)) == 100
        assert re.search(r"\| reader010 \[ref=e\d+\] \| reader10@example.org \| Carl \| Number 10 \| True\n", rows)
        assert re.search(r"^columns: .*USERNAME \[ref=e\d+\] \(sorted\) \| EMAIL ADDRESS \[ref", rows, re.MULTILINE)
        assert "230 users" in rows
        assert "0 of 100 selected" in rows
        assert "left out: navigation" in rows
        await a.call("click", ref=ref_in(rows, "1 · 2"))
        assert "reader150" in await a.text("snapshot")

        page = await a.text("snapshot")
        await a.call("fill", ref=ref_in(page, 'search: textbox "Search"'), value="reader15")
        await a.call("click", ref=ref_in(page, r'search: .*button "Search"'))
        found = await a.text("snapshot")
        assert re.search(r"search: .* value=\"reader15\" .*11 results \( 230 total \[ref=e\d+\] \)", found)
        await a.call("click", ref=ref_in(found, r"\| reader151"))

        form = await a.text("snapshot")
        assert re.search(r'textbox "Username:" \[ref=e\d+\] \[required\] value="reader151" help: Required\. 150', form)
        assert 'group "Personal info"' in form
        assert re.search(r'listbox "Available groups" \[ref=e\d+\] \[multiselectable\] options: Librarians\n', form)
        await a.call("fill", ref=ref_in(form, 'textbox "First name:"'), value="Emmy")
        await a.call("click", ref=ref_in(form, 'button "Save"'))
        assert "was changed successfully" in await a.text("snapshot")
        with closing(sqlite3.connect(database)) as rows_of:
            saved = rows_of.execute("SELECT first_name FROM auth_user WHERE username = 'reader151'").fetchone()
        assert saved == ("Emmy",)


async def test_what_django_refuses_stands_before_its_field(visitor: Visit, admin: tuple[str, Path]) -> None:
    site, _ = admin
    async with logged_in(visitor, site) as a:
        await a.call("navigate", url=f"{site}/admin/auth/user/20/change/")
        form = await a.text("snapshot")
        await a.call("fill", ref=ref_in(form, 'textbox "Username:"'), value="not a name")
        await a.call("click", ref=ref_in(form, 'button "Save"'))
        refused = await a.text("snapshot")
        assert re.search(
            r"- error: Enter a valid username\..*\n - textbox \"Username:\" \[ref=e\d+\] \[required\] \[invalid\] "
            r'value="not a name" help: Required\.',
            refused.replace("\n- ", "\n - "),
        )


async def test_filters_actions_and_rows_to_choose_of_the_change_list(visitor: Visit, admin: tuple[str, Path]) -> None:
    site, _ = admin
    async with logged_in(visitor, site) as a:
        await a.call("navigate", url=f"{site}/admin/auth/user/")
        await a.call("click", ref=ref_in(await a.text("snapshot"), r"By staff status.*Yes"))
        staff = await a.text("snapshot")
        assert re.search(r"By staff status.*All \[ref=e\d+\] Yes \[ref=e\d+\] \(chosen\) No \[ref=e\d+\]\n", staff)
        await a.call("click", ref=ref_in(staff, r"\n- checkbox"))
        await a.call("select", ref=ref_in(staff, 'combobox "Action:"'), labels=["Delete selected users"])
        chosen = await a.text("snapshot")
        assert "1 of 23 selected" in chosen
        assert re.search(r'combobox "Action:" .*value="Delete selected users" · button "Go"', chosen)
        assert len(re.findall(r"^- checkbox \[ref=e\d+\] \[checked\]", chosen, re.MULTILINE)) == 1
        await a.call("click", ref=ref_in(chosen, 'button "Go"'))
        asked = await a.text("snapshot")
        assert "Are you sure" in asked
        assert re.search(r'button "Yes, I’m sure" \[ref=e\d+\]', asked)


async def test_an_admin_at_an_address_of_its_own_is_known_and_other_pages_of_it_keep_the_default(
    visitor: Visit, panel: Panel, admin: tuple[str, Path]
) -> None:
    site, _ = admin
    async with logged_in(visitor, site, "backoffice/") as a:
        assert "The back office" in await a.text("snapshot")
        await a.call("navigate", url=f"{site}/backoffice/auth/group/")
        assert re.search(r"\| Librarians \[ref=e\d+\]\n", await a.text("snapshot"))
        await a.call("navigate", url=f"{site}/admin/auth/user/2/history/")
        assert "(formatter" not in await a.text("snapshot")
        told = await a.text("snapshot", formatter="django_admin")
        assert "(default text: the formatter django_admin does not know this page)" in told
        assert '- heading "Change history' in told


#: A page of the admin, and the largest part of the default text's tokens that its formatted one may have.
COSTS = {
    "": 0.5,
    "auth/user/": 0.35,
    "auth/user/?is_staff__exact=1&q=reader&o=1.-2": 0.35,
    "auth/user/1/change/": 0.7,
    "auth/user/add/": 0.7,
    "auth/group/1/change/": 0.7,
    "admin/logentry/": 0.4,
}


async def test_the_django_admin_costs_less_and_nothing_to_use_is_lost(
    visitor: Visit, panel: Panel, admin: tuple[str, Path]
) -> None:
    site, _ = admin
    async with logged_in(visitor, site) as a:
        for path, most in COSTS.items():
            with naming(path):
                await a.call("navigate", url=f"{site}/admin/{path}")
                before, after = await gain(panel, a)
                print(f"admin/{path}: {before} → {after} tokens")
                assert after <= most * before


@pytest.mark.parametrize("theme", ["alabaster", "classic"])
async def test_a_manual_by_sphinx_is_read_searched_and_followed(
    visitor: Visit, panel: Panel, tmp_path: Path, theme: str
) -> None:
    with sphinx_docs(tmp_path, theme) as site:
        async with visitor(f"{site}/guide.html") as a:
            guide = await a.text("snapshot")
            assert "(formatter sphinx_docs)" in guide
            assert re.search(r"\n# Guide \[ref=e\d+\]\nHow to light a lantern\.\n## Installing \[ref", guide)
            assert re.search(r"\n- Fill the tank, see Reference \[ref=e\d+\]", guide)
            assert "\n - strong | a wall\n" in guide
            sizes = {"guide": await gain(panel, a)}
            await a.call("click", ref=ref_in(guide, "see Reference"))
            assert await panel.witness(site).see("location.pathname") == "/reference.html"

            reference = await a.text("snapshot")
            assert 'term "class Lamp(oil, *, wick=1)"' in reference
            await a.call("navigate", url=f"{site}/search.html?q=lamp")
            await a.call("wait", text="found 45 pages")
            results = await a.text("snapshot")
            assert re.search(r"\n1\. .*\[ref=e\d+\] \S+\.html", results)
            assert len(re.findall(r"^\d+\. ", results, re.MULTILINE)) == 45
            sizes["search"] = await gain(panel, a)
            await a.call("click", ref=ref_in(results, r"\d+\. Guide"))
            assert await panel.witness(site).see("location.pathname") == "/guide.html"
            print(theme, sizes)
            assert all(after < 0.85 * before for before, after in sizes.values())


class AsIfAt(Protocol):
    """Opens a page made by hand, and tells the text its snapshot would have at another address."""

    def __call__(self, page: str, url: str) -> AbstractAsyncContextManager[tuple[Agent, str]]: ...


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def as_if_at(panel: Panel, visitor: Visit) -> AsyncIterator[AsIfAt]:
    """One helper and one site for all pages made by hand."""
    formatters = Formatters([paths.resources() / "formatters"])
    with DemoSite(ROOT / "tests/support/e2e/software/pages") as site:

        @asynccontextmanager
        async def open_page(page: str, url: str) -> AsyncIterator[tuple[Agent, str]]:
            async with visitor(f"{site.url}/{page}.html") as a:
                tab = panel.hub.state.tabs.get(await current_tab(a))

                async def send(params: dict[str, Any]) -> Response:
                    return await panel.hub.executor.run_in_tab(tab, "kapturemcp_snapshot", params, 10_000)

                told = await formatters.snapshot(SOME_CALL, Tab("t1", url, "", "browser"), {"formatter": "auto"}, send)
                yield a, str(told.result)

        yield open_page
    await formatters.close()


async def test_the_feeds_of_threads(as_if_at: AsIfAt) -> None:
    async with as_if_at("threads_home", "https://www.threads.com/") as (a, text):
        assert "(formatter threads, unverified)" in text
        assert "\nposts: 2\n" in text
        assert re.search(
            r"1\. ada \[ref=e\d+\] · 2h \[ref=e\d+\]\n   Engines weave\n   algebra \[ref=e\d+\]\n   \.\n"
            r"   Like 5 \[ref=e\d+\] · Reply 2 \[ref=e\d+\] · Repost 0 \[ref=e\d+\]\n2\. blaise",
            text,
        )
        assert "Like 1.2K" in text
        await a.call("click", ref=ref_in(text, "Like 5"))

        assert "Unlike 6" in await a.text("snapshot", formatter="none")
    async with as_if_at("threads_search", "https://www.threads.net/search?q=algebra") as (_, text):
        assert re.search(r'searchbox "Search" \[ref=e\d+\] value="algebra"\nresults: 2\n1\. ada', text)
    async with as_if_at("threads_activity", "https://www.threads.com/activity") as (_, text):
        assert re.search(r'\n1\. carl \[ref=e\d+\] .*3d.* Followed you button "Follow back" \[ref=e\d+\]\n', text)
        assert re.search(r"\n2\. dorothy .* Liked your thread: Numbers \[ref=e\d+\]", text)


async def test_the_listings_of_zillow(as_if_at: AsIfAt) -> None:
    address = r"12 Elm St, Springfield, CA \[ref=e\d+\]"
    listing = rf"\$450,000 .*3 bds · 2 ba · 1,500 sqft · {address} .*button \"Save\" \[ref=e\d+\]"
    async with as_if_at("zillow_home", "https://www.zillow.com/") as (_, text):
        assert '(formatter zillow, unverified)\nsearch: textbox "Enter an address" [ref=' in text
        assert re.search(rf"\nlistings: 2\n1\. {listing}\n2\. \$1,250,000", text)
    async with as_if_at("zillow_search", "https://www.zillow.com/springfield-ca/") as (a, text):
        assert re.search(rf"\nlistings: 2\n1\. {listing}\n2\. \$1,250,000", text)
        assert re.search(r'link "Next page" \[ref=e\d+\]', text) or re.search(r"Next page \[ref=e\d+\]", text)
        await a.call("click", ref=ref_in(text, r'1\. .*button "Save"'))
        assert 'button "Saved"' in await a.text("snapshot", formatter="none")
    for page, what in (("zillow_detail", "details over the search"), ("zillow_detail_page", "details")):
        async with as_if_at(page, "https://www.zillow.com/homedetails/12-Elm-St/1_zpid/") as (_, text):
            assert f"\n{what}: $450,000 · 3 beds · 2 baths · 1,500 sqft\n" in text
            assert "Year built | 1962" in text
            assert re.search(r'button "Request a tour" \[ref=e\d+\]', text)
            assert "7 Oak" not in text


async def test_a_page_that_no_formatter_knows_keeps_the_default(as_if_at: AsIfAt) -> None:
    for url in ("https://www.threads.com/@ada", "https://www.zillow.com/mortgage/", "https://x.example/admin/"):
        with naming(url):
            async with as_if_at("threads_home", url) as (_, text):
                assert "(formatter" not in text
                assert '- button "New thread" [ref=' in text
