import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { TabBar } from "../../../extension/devtools/tab_bar.js";
import { click, emit, showDocument } from "../dom.js";
import { test } from "../testing.js";

let bar, parts;
beforeEach(() => {
  showDocument();
  parts = ["one", "two"].map((id) => [id, id, document.createElement("section")]);
  bar = new TabBar(parts);
  document.body.append(bar.node);
});
const inSight = () => parts.filter(([, , node]) => !node.hidden).map(([id]) => id);

test("one part is in sight, the pressed one", async () => {
  assert.deepEqual(inSight(), ["one"]);
  await click(bar.tabs[1].tab);
  assert.deepEqual(
    [inSight(), bar.tabs.map(({ tab }) => tab.getAttribute("aria-selected"))],
    [["two"], ["false", "true"]],
  );
});

test("arrows go round", async () => {
  await emit(bar.tabs[0].tab, "keydown", { key: "ArrowLeft" });
  assert.deepEqual([inSight(), document.activeElement], [["two"], bar.tabs[1].tab]);
  await emit(bar.tabs[1].tab, "keydown", { key: "ArrowRight" });
  assert.deepEqual(inSight(), ["one"]);
});

test("a count is shown when there is something", () => {
  bar.count("two", 3);
  assert.deepEqual([bar.tabs[1].count.textContent, bar.tabs[1].count.hidden], ["3", false]);
  bar.count("two", 0);
  assert.equal(bar.tabs[1].count.hidden, true);
});
