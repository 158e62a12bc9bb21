"""The agent's job: find a lamp, compare, order it, read the confirmation. Every step looks at the page itself."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from kapture_panel.demo.agent import Agent, ref_of
from kapture_panel.demo.witness import Witness

ORDER = {
    "full-name": "Ada Lovelace",
    "email": "ada@example.com",
    "phone": "+353 1 234 5678",
    "website": "https://example.com",
    "new-password": "correct horse",
    "street": "1 Main Street",
    "floor": "3",
    "city": "Dublin",
    "postcode": "D01 F5P2",
    "pickup-point": "Station",
    "delivery-date": "2030-05-17",
    "delivery-time": "10:30",
    "delivery-week": "2030-W20",
    "courier-note": "Ring twice, please",
    "tip": "3",
    "occasion": "Birthday",
    "reminder": "2030-05-16T09:00",
    "invoice-month": "2030-05",
    "wrap-colour": "#ff8800",
    "gift-message": "Happy birthday,\nAda",
    "card": "4111 1111 1111 1111",
    "card-expiry": "12/39",
    "one-time-code": "123456",
}
CHECKS = ("delivery-express", "gift", "terms")
EXTRAS = ["Greeting card", "Cloth bag"]


class CheckFailed(Exception):
    """The page does not show what it should."""


@dataclass
class Job:
    """What the steps share; `total` and `order` are what the page itself said."""

    agent: Agent
    witness: Witness
    site: str
    order: str = ""

    async def expect(self, what: str, expression: str, wanted: Any, page: str = "") -> None:
        """Compare what the page shows with what it should.

        Raises:
            CheckFailed: naming both.
        """
        seen = await self.witness.see(expression, page)
        if seen != wanted:
            raise CheckFailed(f"{what} is {seen!r}, not {wanted!r}")


Step = Callable[[Job], Awaitable[None]]


async def open_shop(job: Job) -> None:
    await job.agent.call("navigate", url=job.site)
    await job.agent.call("wait", selector="main[aria-busy=false]", state="attached")
    await job.expect("the heading", "document.querySelector('h1').textContent", "Catalogue")


async def read_structure(job: Job) -> None:
    snapshot = await job.agent.text("snapshot")
    names = await job.witness.see("[...document.querySelectorAll('li.card h2')].map(h => h.textContent)")
    missing = [name for name in names if f'"{name}"' not in snapshot]
    if len(names) != 24 or missing:
        raise CheckFailed(f"the snapshot leaves out {missing or 'the products'}")


async def search(job: Job) -> None:
    ref = ref_of(await job.agent.text("snapshot", interactiveOnly=True), "searchbox", "Search")
    await job.agent.call("type", ref=ref, text="lamp", submit=True)
    await job.expect("the count", "document.querySelector('#result-count').textContent", "6 of 24 products")


async def sort(job: Job) -> None:
    await job.agent.call("select", selector="#sort", labels=["Price: low to high"])
    prices = await job.witness.see("[...document.querySelectorAll('li.card')].map(c => Number(c.dataset.price))")
    if prices != sorted(prices) or len(prices) != 6:
        raise CheckFailed(f"the prices are {prices}")


async def picture_of_results(job: Job) -> None:
    picture = await job.agent.picture(name="results")
    size = await job.witness.see("[innerWidth, innerHeight]")
    if list(picture.size) != size:
        raise CheckFailed(f"the picture is {picture.size}, the viewport {size}")
    if len(picture.convert("RGB").getcolors(1 << 20) or ()) < 50:
        raise CheckFailed("the picture is nearly empty")


async def compare(job: Job) -> None:
    await job.agent.call("click", selector="#products li:first-child a")
    await job.agent.call("wait", selector="main[aria-busy=false]", state="attached")
    await job.agent.call("click", selector="#compare-toggle")
    await job.agent.call("go_back")
    await job.agent.call("wait", selector="#product-desk-lamp")
    await job.agent.call("click", selector="#product-desk-lamp")
    await job.agent.call("wait", selector="main[aria-busy=false]", state="attached")
    await job.agent.call("click", selector="#compare-toggle")
    columns = "[...document.querySelectorAll('#compare-table th[data-id]')].map(th => th.dataset.id)"
    await job.expect("the comparison", columns, ["clip-lamp", "desk-lamp"])


async def add_to_cart(job: Job) -> None:
    await job.agent.call("navigate", url="/product?id=clip-lamp")
    await job.agent.call("wait", selector="main[aria-busy=false]", state="attached")
    await job.agent.call("fill", selector="#quantity", value="2")
    await job.agent.call("click", selector="#add-to-cart")
    await job.expect("the cart", "document.querySelector('#cart-link').textContent.trim()", "Cart (2)")


async def open_checkout(job: Job) -> None:
    snapshot = await job.agent.text("snapshot", interactiveOnly=True)
    await job.agent.call("click", ref=ref_of(snapshot, "link", "Cart (2)"))
    await job.agent.call("wait", selector="main[aria-busy=false]", state="attached")
    await job.expect("the page", "location.pathname", "/checkout")


async def fill_form(job: Job) -> None:
    for field, value in ORDER.items():
        await job.agent.call("fill", selector=f"#{field}", value=value)
    await job.agent.call("select", selector="#country", value="IE")
    await job.agent.call("select", selector="#extras", labels=EXTRAS)
    for field in CHECKS:
        await job.agent.call("fill", selector=f"#{field}", value="true")
    for field, value in ORDER.items():
        read = f"(e => e.isContentEditable ? e.innerText : e.value)(document.querySelector('#{field}'))"
        await job.expect(field, read, value)
    for field in CHECKS:
        await job.expect(field, f"document.querySelector('#{field}').checked", True)
    extras = "[...document.querySelector('#extras').selectedOptions].map(o => o.label)"
    await job.expect("the extras", extras, EXTRAS)


async def submit(job: Job) -> None:
    job.order = str(await job.witness.see("document.querySelector('#order-total').textContent"))
    answer = await job.agent.call("click", selector="#place-order")
    if "/thanks" not in answer["effects"].get("url", ""):
        raise CheckFailed(f"the effects tell nothing of the order: {answer['effects']}")
    await job.expect("the heading", "document.querySelector('h1').textContent", "Thank you")
    await job.expect("the total", "document.querySelector('#order-total').textContent", job.order)


async def read_confirmation(job: Job) -> None:
    snapshot = await job.agent.text("snapshot")
    number = await job.witness.see("document.querySelector('#order-number').textContent")
    shown = (str(number), "Ada Lovelace", "Express", "•••• 1111")
    missing = [text for text in shown if text not in snapshot]
    if missing:
        raise CheckFailed(f"the snapshot does not show {missing}")


async def picture_of_confirmation(job: Job) -> None:
    picture = await job.agent.picture(name="confirmation", selector="main", format="jpeg")
    box = await job.witness.see("(r => [r.width, r.height])(document.querySelector('main').getBoundingClientRect())")
    if abs(picture.size[0] / picture.size[1] - box[0] / box[1]) > 0.02:
        raise CheckFailed(f"the picture is {picture.size}, the element {box}")


async def read_console(job: Job) -> None:
    number = await job.witness.see("document.querySelector('#order-number').textContent")
    lines = await job.agent.text("logs")
    for wanted in (f'"id":{number}', "recommendations failed: HTTP 500", "cart: 2 items"):
        if wanted not in lines:
            raise CheckFailed(f"the console does not tell of {wanted!r}")


async def second_tab(job: Job) -> None:
    await job.agent.call("new_tab", url=f"{job.site}/lab")
    await asyncio.gather(*(job.agent.call("click", selector="#counter-button") for _ in range(8)))
    await job.expect("the counter", "Number(document.querySelector('#counter-output').textContent)", 8, "/lab")


async def answer_dialog(job: Job) -> None:
    answer = await job.agent.call("click", selector="#show-confirm")
    if [dialog["type"] for dialog in answer["effects"].get("dialogs", [])] != ["confirm"]:
        raise CheckFailed(f"the dialog was not told of: {answer}")
    await job.agent.call("handle_dialog", accept=True)
    await job.expect("the answer", "document.querySelector('#dialog-output').textContent", "confirm: true", "/lab")


async def close_second_tab(job: Job) -> None:
    await job.agent.call("close_tab")
    tabs = (await job.agent.call("list_tabs"))["tabs"]
    if [tab for tab in tabs if "/lab" in tab["url"]]:
        raise CheckFailed("the tab is still there")
    await job.agent.call("snapshot", tabId=tabs[0]["tabId"])
    await job.expect("the page", "location.pathname", "/thanks", "/thanks")


STEPS: tuple[tuple[str, Step], ...] = (
    ("Open the shop", open_shop),
    ("Read the page's structure", read_structure),
    ("Search for “lamp”", search),
    ("Sort by price", sort),
    ("Take a picture of the results", picture_of_results),
    ("Compare two lamps", compare),
    ("Put two of the cheaper in the cart", add_to_cart),
    ("Go to the checkout", open_checkout),
    ("Fill in the form, every kind of field", fill_form),
    ("Place the order", submit),
    ("Read the confirmation", read_confirmation),
    ("Take a picture of it", picture_of_confirmation),
    ("Read the console", read_console),
    ("Open a second tab, click 8 times at once", second_tab),
    ("Answer a dialog", answer_dialog),
    ("Close the second tab", close_second_tab),
)
