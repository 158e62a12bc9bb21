const price = new Intl.NumberFormat("en-IE", { style: "currency", currency: "EUR" });
export const money = (euros) => price.format(euros);

export const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

export const byId = (id) => document.getElementById(id);

/** Make an element: "class", "for" and "aria-…" are attributes; functions are listeners. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

export async function loadProducts() {
  const response = await fetch("/products.json");
  if (!response.ok) throw new Error(`products.json: HTTP ${response.status}`);
  return response.json();
}

export const stockText = (stock) => (stock ? `${stock} in stock` : "Out of stock");

function memoryStorage() {
  const values = new Map();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => values.set(key, value),
    removeItem: (key) => values.delete(key),
  };
}

function openStorage(name) {
  // Where storage is blocked, reading the property is already an error.
  try {
    const storage = window[name];
    storage.setItem("probe", "1");
    storage.removeItem("probe");
    return storage;
  } catch {
    return memoryStorage();
  }
}

function jsonStore(storage) {
  return {
    read(key, fallback) {
      try {
        return JSON.parse(storage.getItem(key)) ?? fallback;
      } catch {
        return fallback;
      }
    },
    write: (key, value) => storage.setItem(key, JSON.stringify(value)),
    remove: (key) => storage.removeItem(key),
  };
}

const local = jsonStore(openStorage("localStorage"));
export const session = jsonStore(openStorage("sessionStorage"));

function saveCart(quantities) {
  local.write("cart", quantities);
  document.dispatchEvent(new Event("cart"));
}

/** The cart holds {product id: quantity}; prices always come from products.json. */
export const cart = {
  quantities: () => local.read("cart", {}),
  count: () => Object.values(cart.quantities()).reduce((sum, quantity) => sum + quantity, 0),
  lines: (products) => {
    const quantities = cart.quantities();
    return products.filter(({ id }) => quantities[id] > 0).map((product) => ({ ...product, quantity: quantities[product.id] }));
  },
  add: (id, quantity) => {
    const quantities = cart.quantities();
    saveCart({ ...quantities, [id]: (quantities[id] ?? 0) + quantity });
  },
  remove: (id) => {
    const { [id]: _, ...rest } = cart.quantities();
    saveCart(rest);
  },
  clear: () => saveCart({}),
};

/** Call back now and whenever the cart changes: here, in another tab, or before a "back". */
export function watchCart(callback) {
  document.addEventListener("cart", callback);
  window.addEventListener("storage", callback);
  window.addEventListener("pageshow", ({ persisted }) => persisted && callback());
  callback();
}

function navLink(id, path, ...content) {
  const here = location.pathname.replace(/\.html$/, "").replace(/^\/index$/, "/");
  return make("li", {}, make("a", { id, href: path, ...(here === path && { "aria-current": "page" }) }, ...content));
}

function showHeader() {
  const count = make("span", { id: "cart-count" });
  byId("site-header").append(
    make("a", { class: "brand", href: "/" }, "Corner Shop"),
    make("nav", { "aria-label": "Main" }, make("ul", {},
      navLink("nav-catalogue", "/", "Catalogue"),
      navLink("nav-lab", "/lab", "Lab"),
      navLink("cart-link", "/checkout", "Cart (", count, ")"))));
  watchCart(() => { count.textContent = cart.count(); });
}

showHeader();
