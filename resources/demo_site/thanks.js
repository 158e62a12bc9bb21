import { byId, make, money, session } from "/shop.js";

const number = new URLSearchParams(location.search).get("order");
const order = session.read(`order-${number}`, null);

function showOrder({ id, total, card, items, fields }) {
  byId("order-number").textContent = id;
  byId("order-total").textContent = money(total);
  byId("order-card").textContent = `•••• ${card}`;
  byId("order-items").append(...items.map((item) =>
    make("li", { "data-id": item.id }, make("span", {}, `${item.quantity} × ${item.name}`), make("span", {}, money(item.price * item.quantity)))));
  byId("order-fields").append(...fields.map(({ name, label, value }) =>
    make("div", {}, make("dt", {}, label), make("dd", { id: `field-${name}` }, value || "—"))));
}

byId("order").hidden = !order;
byId("order-missing").hidden = Boolean(order);
if (order) showOrder(order);
else {
  byId("title").textContent = "Order not found";
  document.title = "Order not found – Corner Shop";
}
