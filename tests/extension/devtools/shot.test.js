/** The page a thumbnail opens. */
import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { emit, showDocument } from "../dom.js";
import { extensionFile } from "../fakes.js";
import { test } from "../testing.js";

const ORIGIN = "chrome-extension://extension-id";
let serial = 0;
const element = (id) => document.getElementById(id);
async function open(given) {
  globalThis.location = { origin: ORIGIN, hash: `#${new URLSearchParams(given)}` };
  await import(`../../../extension/devtools/shot.js?opened=${(serial += 1)}`);
}
beforeEach(() => showDocument(extensionFile("devtools/shot.html")));

test("it shows the picture under its name", async () => {
  await open({ address: `blob:${ORIGIN}/1`, name: "shop <b>" });
  assert.deepEqual(
    [element("picture").src, document.title, element("picture").alt],
    [`blob:${ORIGIN}/1`, "shop <b>", "Screenshot shop <b>"],
  );
  await emit(element("picture"), "error");
  assert.match(element("words").textContent, /closed together with its DevTools/);
  assert.equal(element("picture").hidden, true);
});

for (const address of [
  "https://evil.example/x.png",
  "javascript:alert(1)",
  "blob:https://evil.example/1",
  `${ORIGIN}/x.png`,
])
  test(`it shows nothing from ${address}`, async () => {
    await open({ address, name: "x" });
    assert.equal(element("picture").src, "");
    assert.match(element("words").textContent, /no picture here/);
  });
