import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { TabBar } from "../../../extension/devtools/tab_bar.js";
import { fakeDocument } from "../dom.js";
import { test } from "../testing.js";

let bar, parts;
beforeEach(() => {
  globalThis.document = fakeDocument();
  parts = ["one", "two"].map((id) => [id, id, document.createElement("section")]);
  bar = new TabBar(parts);
});
const inSight = () => parts.filter(([, , node]) => !node.hidden).map(([id]) => id);

test("one part is in sight, the pressed one", async () => {
  assert.deepEqual(inSight(), ["one"]);
  await bar.tabs[1].tab.click();
  assert.deepEqual([inSight(), bar.tabs.map(({ tab }) => tab.getAttribute("aria-selected"))], [["two"], ["false", "true"]]);
});

test("arrows go round", async () => {
  await bar.tabs[0].tab.emit("keydown", { key: "ArrowLeft" });
  assert.deepEqual([inSight(), document.activeElement], [["two"], bar.tabs[1].tab]);
  await bar.tabs[1].tab.emit("keydown", { key: "ArrowRight" });
  assert.deepEqual(inSight(), ["one"]);
});

test("a count is shown when there is something", () => {
  bar.count("two", 3);
  assert.deepEqual([bar.tabs[1].count.textContent, bar.tabs[1].count.hidden], ["3", false]);
  bar.count("two", 0);
  assert.equal(bar.tabs[1].count.hidden, true);
});
