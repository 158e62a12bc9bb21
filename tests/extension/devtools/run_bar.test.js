import assert from "node:assert/strict";
import { afterEach, beforeEach, mock } from "node:test";
import { RunBar } from "../../../extension/devtools/run_bar.js";
import { click, emit, showDocument } from "../dom.js";
import { test } from "../testing.js";

let bar, done, may;
beforeEach(() => {
  mock.timers.enable({ apis: ["setInterval"] });
  showDocument();
  [done, may] = [[], true];
  bar = new RunBar({
    onRun: () => done.push("run"),
    onCancel: () => done.push("cancel"),
    onJson: (isJson) => (done.push(isJson), may),
  });
});
afterEach(() => mock.timers.reset());

test("short work shows neither time nor Cancel, longer work both", async (t) => {
  let now = 0;
  t.mock.method(performance, "now", () => now);
  await click(bar.run);
  bar.begin();
  assert.deepEqual([bar.run.ariaDisabled, bar.cancel.hidden], ["true", true]);
  now = 200;
  mock.timers.tick(100);
  assert.equal(bar.cancel.hidden, true);
  now = 1200;
  mock.timers.tick(100);
  assert.deepEqual([bar.cancel.hidden, bar.elapsed.textContent], [false, "1.2 s"]);
  await click(bar.cancel);
  bar.end();
  assert.deepEqual([bar.run.ariaDisabled, bar.cancel.hidden, done], ["false", true, ["run", "cancel"]]);
});

test("a form that cannot be shown leaves JSON chosen", async () => {
  bar.showJson(true);
  may = false;
  await emit(bar.radios[0], "change");
  assert.deepEqual([done, bar.radios.map(({ checked }) => checked)], [[false], [false, true]]);
});
