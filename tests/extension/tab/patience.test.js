import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { patienceOf } from "../../../extension/tab/patience.js";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

const DISABLED = {
  code: "ELEMENT_NOT_VISIBLE",
  message: "<button> is disabled",
  nextStep: "do first what enables it",
  waits: true,
};

let tab, chrome, looks, errors;

beforeEach(async () => {
  tab = await connectedTab();
  ({ chrome } = tab);
  looks = 0;
  errors = [];
  const answer = chrome.replies["Runtime.callFunctionOn"];
  chrome.replies["Runtime.callFunctionOn"] = (params) => {
    if (params.arguments[0].value !== "locate") return answer(params);
    const error = errors[looks];
    looks += 1;
    return error ? { result: { value: { error } } } : answer(params);
  };
});

const click = (params = {}, timeout) =>
  tab.run("click", { selector: "button", button: "left", clickCount: 1, modifiers: [], ...params }, timeout);
const watched = () =>
  tab
    .sent("Runtime.callFunctionOn")
    .map((params) => params.arguments[0].value)
    .filter((name) => /Chang/.test(name) && name !== "changedSince");

test("a target that is not ready is looked for again whenever the page has changed", async () => {
  errors = [DISABLED, DISABLED];
  const changes = [
    { seen: 1, quiet: false },
    { seen: 2, quiet: false },
  ];
  // The first change takes its time: waits of less than half a millisecond are none.
  chrome.page.nextChange = () =>
    changes.length ? new Promise((resolve) => setTimeout(resolve, 5, changes.shift())) : new Promise(() => {});
  const { result } = await click();
  assert.equal(result.clicked, "<button>");
  assert.ok(result.waitedMs >= 1);
  assert.equal(looks, 3);
  // Whether the change after the last one that counted is asked for is a matter of the moment.
  assert.match(watched().join(" "), /^watchChanges (nextChange ){2,3}stopWatchingChanges$/);
});

test("a target that is ready costs no watching", async () => {
  assert.ok(!("waitedMs" in (await click()).result));
  assert.deepEqual(watched(), []);
});

test("on a page where nothing happens the wait ends, and the error says how long it was", async () => {
  errors = Array(9).fill(DISABLED);
  const { error } = await click();
  assert.match(error.message, /^<button> is disabled \(waited \d+\.\d s\)$/);
  assert.equal(error.nextStep, DISABLED.nextStep);
  assert.equal(error.code, DISABLED.code);
  assert.ok("waitedMs" in error);
});

test("while the page has a request under way, quiet is no end", async () => {
  errors = Array(4).fill(DISABLED);
  chrome.cdp(7, "Network.requestWillBeSent", {
    requestId: "1",
    type: "Fetch",
    request: { url: "https://shop.example/api", method: "GET", headers: {} },
    wallTime: Date.now() / 1000,
    timestamp: 1,
  });
  assert.equal((await click()).result?.clicked, "<button>");
});

test("a wait that was asked for is not ended by quiet, but by its time", async () => {
  errors = Array(9999).fill(DISABLED);
  chrome.page.nextChange = () => new Promise((resolve) => setTimeout(resolve, 5, { seen: 0, quiet: true }));
  const { error } = await click({ wait: 60 });
  assert.ok(error.waitedMs >= 60, error.waitedMs);
});

test("with no patience the error comes at once", async () => {
  errors = [DISABLED];
  const { error } = await click({ wait: 0 });
  assert.equal(error.message, DISABLED.message);
  assert.deepEqual(watched(), []);
});

test("an error that no waiting mends comes at once", async () => {
  errors = [{ ...DISABLED, waits: false }];
  assert.equal((await click()).error.message, DISABLED.message);
});

test("a wait ends with its command", async () => {
  errors = Array(9999).fill(DISABLED);
  chrome.page.nextChange = () => new Promise(() => {});
  const clicking = tab.run("click", { selector: "button", button: "left", clickCount: 1, modifiers: [] }, 30_000, "c1");
  await chrome.until(() => watched().includes("nextChange"));
  tab.session.cancel("c1");
  assert.equal((await clicking).error.code, "OUTCOME_UNKNOWN");
  await chrome.until(() => watched().includes("stopWatchingChanges"));
});

for (const [waitMs, timeoutMs, ms] of [
  [undefined, 30_000, 5000],
  [undefined, 1000, 900],
  [0, 30_000, 0],
  [8000, 30_000, 8000],
  [60_000, 4000, 3800],
])
  test(`a wait of ${waitMs ?? "nobody's choice"} within ${timeoutMs} ms is ${ms} ms`, () =>
    assert.deepEqual(patienceOf(waitMs, timeoutMs), { ms, isGiven: waitMs !== undefined }));
