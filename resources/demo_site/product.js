import { byId, cart, loadProducts, make, money, plural, session, stockText } from "/shop.js";
import { picture } from "/pictures.js";

const MOST = 3;
const products = await loadProducts();
const product = products.find(({ id }) => id === new URLSearchParams(location.search).get("id"));

const row = (name, cells) => make("tr", {}, make("th", { scope: "row" }, name), ...cells.map((cell) => make("td", {}, cell)));

function showProduct() {
  const { name, category, price, rating, stock, description, specification } = product;
  document.title = `${name} – Corner Shop`;
  byId("product-picture").append(picture(product));
  byId("product-name").textContent = name;
  byId("product-category").textContent = category;
  byId("product-category").href = `/?category=${encodeURIComponent(category)}`;
  byId("product-price").textContent = money(price);
  byId("product-rating").textContent = `${rating.toFixed(1)} of 5`;
  byId("product-stock").textContent = stockText(stock);
  byId("product-stock").className = stock ? "ok" : "out";
  byId("product-description").textContent = description;
  byId("specification").tBodies[0].append(...Object.entries(specification).map(([key, value]) => row(key, [value])));
  byId("quantity").max = stock;
  byId("quantity").disabled = byId("add-to-cart").disabled = !stock;
}

function addToCart(event) {
  event.preventDefault();
  const quantity = byId("quantity").valueAsNumber;
  const left = product.stock - (cart.quantities()[product.id] ?? 0);
  const wrong = !(Number.isInteger(quantity) && quantity > 0) ? "Enter a whole number, 1 or more."
    : quantity > left ? `Only ${left} more can be added.` : "";
  byId("quantity").setAttribute("aria-invalid", Boolean(wrong));
  byId("cart-status").className = wrong ? "error" : "ok";
  byId("cart-status").textContent = wrong || `Added ${quantity} × ${product.name}.`;
  if (wrong) return;
  cart.add(product.id, quantity);
  console.log(`cart: ${plural(cart.count(), "item")}`);
}

const compared = () => session.read("compare", []).map((id) => products.find((other) => other.id === id)).filter(Boolean);

function saveComparison(ids) {
  session.write("compare", ids);
  showComparison();
}

function removeButton({ id, name }) {
  return make("button", {
    type: "button", class: "small", "aria-label": `Remove ${name} from comparison`,
    click: () => saveComparison(session.read("compare", []).filter((other) => other !== id)),
  }, "Remove");
}

function showComparison() {
  const chosen = compared();
  const has = chosen.includes(product);
  const keys = Object.keys(chosen[0]?.specification ?? {});
  byId("compare-count").textContent = chosen.length;
  byId("compare-toggle").textContent = has ? "Remove from comparison" : "Add to comparison";
  byId("compare-status").textContent = chosen.length ? "" : "Nothing to compare yet.";
  byId("compare-table").hidden = byId("compare-clear").hidden = chosen.length === 0;
  byId("compare-table").replaceChildren(
    byId("compare-table").caption,
    make("thead", {}, make("tr", {}, make("td"), ...chosen.map(({ id, name }) =>
      make("th", { scope: "col", "data-id": id }, make("a", { href: `/product?id=${id}` }, name))))),
    make("tbody", {},
      row("Price", chosen.map(({ price }) => money(price))),
      row("Rating", chosen.map(({ rating }) => `${rating.toFixed(1)} of 5`)),
      row("Stock", chosen.map(({ stock }) => stockText(stock))),
      ...keys.map((key) => row(key, chosen.map(({ specification }) => specification[key]))),
      row("Remove", chosen.map(removeButton))));
}

function toggleComparison() {
  const ids = compared().map(({ id }) => id);
  if (ids.includes(product.id)) saveComparison(ids.filter((id) => id !== product.id));
  else if (ids.length < MOST) saveComparison([...ids, product.id]);
  else byId("compare-status").textContent = `Only ${MOST} products can be compared. Remove one first.`;
}

byId("main").setAttribute("aria-busy", "false");
byId("product").hidden = !product;
byId("comparison").hidden = !product;
byId("not-found").hidden = Boolean(product);

if (product) {
  showProduct();
  showComparison();
  byId("buy").addEventListener("submit", addToCart);
  byId("compare-toggle").addEventListener("click", toggleComparison);
  byId("compare-clear").addEventListener("click", () => saveComparison([]));
}
