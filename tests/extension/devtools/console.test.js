import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { clock, Console } from "../../../extension/devtools/console.js";
import { click, emit, showDocument } from "../dom.js";
import { FakeChrome } from "../fake_chrome.js";
import { test } from "../testing.js";

let chrome, log;
const line = (number) => ({ at: number, level: "log", text: `line ${number}`, source: "shop.js:1", context: "page" });
const lines = (count, from = 0) => Array.from({ length: count }, (_, index) => line(from + index));
const shown = () => [...log.lines.children].map((item) => item.querySelector(".words").textContent);

beforeEach(async () => {
  showDocument();
  chrome = new FakeChrome();
  log = new Console(chrome.storage.local);
  await log.begin();
});

test("lines come in order, with time, level, words and where they are from", () => {
  log.add(
    [{ at: Date.UTC(2026, 0, 1), level: "error", text: "<b>bad</b>", source: "sw.js:3", context: "worker" }],
    true,
  );
  const [item] = log.lines.children;
  assert.equal(item.dataset.level, "error");
  assert.match(item.textContent, /^\d\d:\d\d:\d\d\.000error<b>bad<\/b>sw.js:3 · worker$/);
  assert.equal(item.querySelector("b"), null);
});

test("the newest are kept, as many as wanted", async () => {
  log.add(lines(700), true);
  assert.equal(shown().length, 500);
  log.max.value = "3";
  await emit(log.max, "change");
  assert.deepEqual(shown(), ["line 697", "line 698", "line 699"]);
  log.add(lines(2, 700), false);
  assert.deepEqual(shown(), ["line 699", "line 700", "line 701"]);
  assert.equal(log.count.textContent, "3 lines");
});

test("the maximum is remembered", async () => {
  log.max.value = "42";
  await emit(log.max, "change");
  const again = new Console(chrome.storage.local);
  await again.begin();
  assert.equal(again.max.value, "42");
});

for (const wrong of ["0", "many", "10001", "", "2.5"])
  test(`a maximum of “${wrong}” is refused in words, and the one before holds`, async () => {
    log.max.value = wrong;
    await emit(log.max, "change");
    assert.deepEqual([log.problem.textContent, log.problem.hidden], ["From 1 to 10,000", false]);
    log.add(lines(600), true);
    assert.equal(shown().length, 500);
    assert.equal(chrome.kept.consoleMax, undefined);
  });

test("Clear empties the list, and what comes later is shown", async () => {
  log.add(lines(5), true);
  await click(log.clear);
  assert.deepEqual([shown(), log.nothing.hidden], [[], false]);
  log.add(lines(1, 9), false);
  assert.deepEqual(shown(), ["line 9"]);
});

test("all there is takes the place of what was shown", () => {
  log.add(lines(5), true);
  log.add(lines(2, 10), true);
  assert.deepEqual(shown(), ["line 10", "line 11"]);
});

test("a time is told to the millisecond", () => assert.match(clock(1_700_000_000_007), /^\d\d:\d\d:\d\d\.007$/));
