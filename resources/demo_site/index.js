import { byId, loadProducts, make, money, plural, stockText } from "/shop.js";
import { picture } from "/pictures.js";

const form = byId("filters");
const products = await loadProducts();

function score({ name, category, description }, words) {
  const places = [[name, 3], [category, 2], [description, 1]];
  const scores = words.map((word) => Math.max(0, ...places.map(([text, weight]) => (text.toLowerCase().includes(word) ? weight : 0))));
  return scores.includes(0) ? 0 : scores.reduce((sum, value) => sum + value, 1);
}

const orders = {
  relevance: (a, b) => b.score - a.score,
  "price-asc": (a, b) => a.price - b.price,
  "price-desc": (a, b) => b.price - a.price,
  rating: (a, b) => b.rating - a.rating,
};

function find({ q, category, sort, stock }) {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return products
    .map((product) => ({ ...product, score: score(product, words) }))
    .filter((product) => product.score && (!category || product.category === category) && (!stock || product.stock))
    .sort(orders[sort]);
}

function card(product) {
  const { id, name, category, price, rating, stock } = product;
  return make("li", { class: "card", "data-id": id, "data-price": price.toFixed(2) },
    picture(product),
    make("h2", {}, make("a", { id: `product-${id}`, href: `/product?id=${id}` }, name)),
    make("p", { class: "quiet" }, `${category} · ${rating.toFixed(1)} of 5`),
    make("p", { class: "facts" },
      make("strong", { class: "price" }, money(price)),
      make("span", { class: stock ? "ok" : "out" }, stockText(stock))));
}

function query() {
  return { q: "", category: "", stock: "", ...Object.fromEntries(new FormData(form)) };
}

function mirrorInUrl({ q, category, sort, stock }) {
  const wanted = { q: q.trim(), category, sort: sort === "relevance" ? "" : sort, stock };
  const search = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value));
  history.replaceState(null, "", search.size ? `?${search}` : location.pathname);
}

function show() {
  const found = find(query());
  byId("products").replaceChildren(...found.map(card));
  byId("result-count").textContent = `${found.length} of ${plural(products.length, "product")}`;
  byId("no-results").hidden = found.length > 0;
  mirrorInUrl(query());
  return found;
}

function readUrl() {
  const search = new URLSearchParams(location.search);
  byId("search").value = search.get("q") ?? "";
  byId("category").value = search.get("category") ?? "";
  byId("sort").value = search.get("sort") ?? "relevance";
  byId("in-stock").checked = search.has("stock");
  // An unknown value would leave a list with nothing chosen.
  for (const list of form.querySelectorAll("select")) if (list.selectedIndex < 0) list.selectedIndex = 0;
}

async function recommend() {
  const target = byId("recommendations");
  try {
    const response = await fetch("/api/recommendations");
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    target.textContent = "";
  } catch (error) {
    console.error(`On purpose, to show an error: recommendations failed: ${error.message}`);
    target.textContent = "No recommendations today";
  }
}

byId("category").append(...[...new Set(products.map(({ category }) => category))].sort().map((name) => make("option", {}, name)));
readUrl();
show();
byId("main").setAttribute("aria-busy", "false");

form.addEventListener("input", show);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  console.log(`search: "${byId("search").value}", ${plural(show().length, "result")}`);
});
byId("clear-filters").addEventListener("click", () => {
  form.reset();
  show();
  byId("search").focus();
});
recommend();
