import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { Result } from "../../../extension/devtools/result.js";
import { emit, showDocument } from "../dom.js";
import { test } from "../testing.js";

let result;
const ways = () => [...result.views.querySelectorAll("input")].map(({ value }) => value);
beforeEach(() => {
  showDocument();
  result = new Result();
});

test("a value is a tree or JSON, with its effects", async () => {
  result.show("Click", {
    success: true,
    result: { clicked: true },
    effects: { changed: true, url: "https://a.example/", newTabs: [{}], dialogs: [] },
    ms: 12.4,
  });
  assert.deepEqual(ways(), ["Tree", "JSON"]);
  assert.equal(result.state.textContent, "✓ done");
  assert.equal(result.words.textContent, "Click · 12 ms · now at https://a.example/ · 1 new tab");
  assert.match(result.body.textContent, /clicked.*true/);
  await emit(result.views.querySelectorAll("input")[1], "change");
  assert.deepEqual(JSON.parse(result.body.textContent).result, { clicked: true });
  result.show("Click", { success: true, outcome: { outcome: "confirmed" }, effects: { changed: true }, ms: 1 });
  assert.equal(result.words.textContent, "Click · 1 ms · confirmed");
  assert.equal(JSON.parse(result.body.textContent).outcome, "confirmed");
  const unseen = { outcome: "unverifiable", reason: "the clipboard is not read" };
  result.show("Click", { success: true, outcome: unseen, effects: { changed: "unknown" }, ms: 1 });
  assert.equal(result.words.textContent, "Click · 1 ms · unverifiable: the clipboard is not read");
  result.show("Click", { success: true, result: 1, effects: { changed: false }, ms: 1500 });
  assert.equal(result.words.textContent, "Click · 1.5 s · nothing observable changed");
  assert.match(result.body.textContent, /^\{/, "the way that was chosen stays");
});

test("a text and a snapshot are text, never markup", () => {
  result.show("Snapshot", { success: true, result: "- button <b>Pay</b>", ms: 1 });
  assert.deepEqual(ways(), ["Text", "Tree", "JSON"]);
  assert.equal(result.body.textContent, "- button <b>Pay</b>");
  assert.equal(result.body.querySelector("b"), null);
  result.show("Click", { success: true, result: { clicked: true }, snapshot: "- heading", ms: 1 });
  assert.equal(result.body.textContent, "- heading");
});

test("a picture is shown as one", () => {
  result.show("Screenshot", { success: true, result: { width: 10 }, picture: "blob:x", name: "shop", ms: 1 });
  assert.deepEqual(ways(), ["Picture", "Tree", "JSON"]);
  assert.equal(result.body.querySelector("img").alt, "Screenshot shop");
});

test("an error is told with its code and its words", () => {
  result.wait("Click");
  assert.equal(result.words.textContent, "Click runs …");
  result.show("Click", { success: false, error: { code: "ELEMENT_NOT_FOUND", message: "nothing matches #a" } });
  assert.deepEqual(
    [result.state.textContent, result.error.textContent, result.error.hidden],
    ["✗ ELEMENT_NOT_FOUND", "nothing matches #a", false],
  );
  result.wait("Click");
  assert.equal(result.error.hidden, true);
});
