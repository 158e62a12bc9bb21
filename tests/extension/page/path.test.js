import assert from "node:assert/strict";
import { show } from "./jsdom.js";
import { pathOf, selectorsOf } from "../../../extension/page/path.js";
import { standAt } from "../../../extension/page/place.js";
import { test } from "../testing.js";

for (const [html, selector] of [
  [`<button data-testid="pay">Pay</button>`, `[data-testid="pay"]`],
  [`<p></p><button id="pay">Pay</button>`, "#pay"],
  [`<input name="city">`, `input[name="city"]`],
  [
    `<input type="radio" name="size" value="s"><input type="radio" name="size" value="m">`,
    `input[name="size"][value="m"]`,
  ],
  [`<a href="/cart">Cart</a>`, `a[href="/cart"]`],
  [`<p>one</p><p>two</p>`, "p:nth-of-type(2)"],
])
  test(`${html} is found by ${selector}`, () => {
    show(html);
    const element = document.body.lastElementChild;
    assert.equal(selectorsOf(element)[0] ?? pathOf(element).selector.split(" > ").at(-1), selector);
    const found = document.querySelectorAll(pathOf(element).selector);
    assert.deepEqual([...found], [element]);
  });

for (const [html, why] of [
  [`<p id="mat-input-17">x</p>`, "an id that a framework counted up"],
  [`<p id="a1b2c3d4e5">x</p>`, "an id that looks made"],
  [`<a href="/reset?token=abc">x</a>`, "an address that may carry a secret"],
  [`<a href="https://other.example/">x</a>`, "an address elsewhere"],
])
  test(`${why} names no element`, () => {
    show(html);
    assert.deepEqual(selectorsOf(document.body.firstElementChild), []);
  });

test("what is in an open shadow root is found through its host", () => {
  show(`<my-field id="host"></my-field>`);
  const root = document.body.firstElementChild.attachShadow({ mode: "open" });
  root.innerHTML = `<input id="inner">`;
  assert.deepEqual(pathOf(root.firstElementChild), { selector: "#host >>> #inner", through: ["shadow"] });
});

test("what is in a frame is found through it", () => {
  show(`<iframe id="frame"></iframe>`);
  const { contentDocument } = document.body.firstElementChild;
  contentDocument.body.innerHTML = `<input id="inner">`;
  assert.deepEqual(pathOf(contentDocument.body.firstElementChild), {
    selector: "#frame >>> #inner",
    through: ["frame"],
  });
});

test("a document of another origin begins with the path it was told", () => {
  show(`<input id="inner">`);
  standAt({ path: { selector: "#pay >>> #card", through: ["shadow"] } });
  assert.deepEqual(pathOf(document.body.firstElementChild), {
    selector: "#pay >>> #card >>> #inner",
    through: ["shadow", "frame"],
  });
});
