import { byId, cart, loadProducts, make, money, plural, session, watchCart } from "/shop.js";

const EXPRESS = 6.9;
const form = byId("checkout-form");
const note = byId("courier-note");
const products = await loadProducts();
let tried = false;

const digits = (text) => text.replace(/\D/g, "");

function cardProblem(text) {
  const sum = [...digits(text)].reverse().reduce((total, digit, index) => {
    const value = index % 2 ? digit * 2 : Number(digit);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return /^[\d -]+$/.test(text) && /^\d{13,19}$/.test(digits(text)) && sum % 10 === 0 ? "" : "Check the card number";
}

function expiryProblem(text) {
  const [, month, year] = /^(0[1-9]|1[0-2]) ?\/ ?(\d\d)$/.exec(text.trim()) ?? [];
  if (!month) return "Enter the expiry date as MM/YY";
  return new Date(2000 + Number(year), Number(month)) > new Date() ? "" : "This card has expired";
}

const ownChecks = { card: cardProblem, "card-expiry": expiryProblem };

const fieldOf = (control) => control.closest(".field");
const labelOf = (control) => control.ariaLabel ?? fieldOf(control).querySelector(".label").textContent;

function problem(control) {
  if (control.validity.valueMissing) return control.type === "checkbox" ? `Tick “${labelOf(control)}”` : `${labelOf(control)} is needed`;
  if (!control.validity.valid) return control.dataset.message ?? control.validationMessage;
  return control.value ? ownChecks[control.id]?.(control.value) ?? "" : "";
}

function showProblem(control, message) {
  const id = `${control.name}-error`;
  byId(id)?.remove();
  control.removeAttribute("aria-invalid");
  control.removeAttribute("aria-describedby");
  if (!message) return;
  control.setAttribute("aria-invalid", "true");
  control.setAttribute("aria-describedby", id);
  fieldOf(control).append(make("span", { id, class: "error" }, message));
}

/** A radio group is one question: its first button stands for it. */
const questionOf = ({ name }) => form.querySelector(`[name="${name}"]`);
const questions = () => [...form.elements].filter((control) => control.name && !control.disabled && control === questionOf(control));

function check() {
  const wrong = questions().map((control) => [control, problem(control)]).filter(([control, message]) => {
    if (control.type !== "hidden") showProblem(control, message);
    return message;
  });
  return cart.count() ? wrong : [[byId("cart-link"), "Your cart is empty"], ...wrong];
}

function showSummary(wrong) {
  byId("form-errors").replaceChildren(...(wrong.length ? [
    make("h2", {}, `${plural(wrong.length, "thing")} to correct`),
    make("ul", {}, ...wrong.map(([control, message]) =>
      make("li", {}, make("a", { href: `#${control.id}`, click: (event) => { event.preventDefault(); control.focus(); } }, message)))),
  ] : []));
}

const checked = (name) => form.querySelector(`[name="${name}"]:checked`);

function totals() {
  const items = cart.lines(products).reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  const delivery = items && checked("delivery")?.value === "express" ? EXPRESS : 0;
  const tip = items && byId("tip").valueAsNumber;
  return { items, delivery, tip, total: items + delivery + tip };
}

function showTotals() {
  const { items, delivery, tip, total } = totals();
  byId("items-total").textContent = money(items);
  byId("delivery-total").textContent = money(delivery);
  byId("tip-total").textContent = money(tip);
  byId("tip-output").textContent = money(byId("tip").value);
  byId("order-total").textContent = money(total);
}

function showCart() {
  const lines = cart.lines(products);
  byId("cart-empty").hidden = lines.length > 0;
  byId("cart-items").replaceChildren(...lines.map(({ id, name, price, quantity }) =>
    make("li", { "data-id": id },
      make("span", {}, `${quantity} × ${name}`),
      make("span", {}, money(price * quantity)),
      make("button", { type: "button", class: "small", "aria-label": `Remove ${name} from cart`, click: () => cart.remove(id) }, "Remove"))));
  showTotals();
}

function answer(control) {
  if (control.type === "radio") return checked(control.name)?.labels[0].textContent.trim() ?? "";
  if (control.type === "checkbox") return control.checked ? "yes" : "no";
  if (control.type === "file") return [...control.files].map(({ name }) => name).join(", ");
  if (control.matches("select")) return [...control.selectedOptions].filter(({ value }) => value).map(({ label }) => label).join(", ");
  return control.value;
}

/** What the confirmation may show: secrets are left out here, so they are never stored. */
function answers() {
  const fields = questions()
    .filter((control) => !("secret" in control.dataset))
    .map((control) => ({ name: control.name, label: labelOf(control), value: answer(control) }));
  return [...fields, { name: note.id, label: labelOf(note), value: note.innerText.trim() }];
}

/** The same cart always gives the same four digits, so a recorded demo can be replayed. */
function orderNumber(lines) {
  const text = lines.map(({ id, quantity }) => `${id}×${quantity}`).sort().join();
  const hash = [...text].reduce((value, letter) => (value * 31 + letter.codePointAt(0)) % 1000003, 7);
  return 1000 + (hash % 9000);
}

function placeOrder() {
  const items = cart.lines(products).map(({ id, name, price, quantity }) => ({ id, name, price, quantity }));
  const order = { id: orderNumber(items), total: totals().total.toFixed(2) };
  session.write(`order-${order.id}`, { ...order, items, card: digits(byId("card").value).slice(-4), fields: answers() });
  console.log(`order placed ${JSON.stringify(order)}`);
  // "Back" may bring this page up again as it was left.
  for (const secret of form.querySelectorAll("[data-secret]")) secret.value = "";
  cart.clear();
  location.assign(`/thanks?order=${order.id}`);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const wrong = check();
  tried = wrong.length > 0;
  showSummary(wrong);
  if (tried) byId("form-errors").focus();
  else placeOrder();
});

form.addEventListener("input", ({ target }) => {
  showTotals();
  if (tried && target.name) showProblem(questionOf(target), problem(target));
});

form.addEventListener("reset", () => {
  tried = false;
  note.replaceChildren();
  for (const control of questions()) if (control.type !== "hidden") showProblem(control, "");
  showSummary([]);
  // The controls get their first values only after this event.
  setTimeout(showTotals);
});

watchCart(showCart);
byId("main").setAttribute("aria-busy", "false");
