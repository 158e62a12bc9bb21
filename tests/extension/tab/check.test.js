import assert from "node:assert/strict";
import { mock } from "node:test";
import { test } from "../testing.js";
import { check } from "../../../extension/tab/check.js";

function tabOf(answers, { dialog = null, isSlowed = false, isCrashed = false } = {}) {
  const sent = [];
  const flood = { isOn: isSlowed };
  return {
    dialogs: { open: dialog },
    renderer: { isCrashed },
    console: { flood },
    sent,
    cdp: { send: (method) => (sent.push(method), answers[method]()) },
  };
}

const fine = async () => ({});
const never = () => new Promise(() => {});

test("the browser is asked first, then the page, and both times are told", async () => {
  const tab = tabOf({ "Page.getNavigationHistory": fine, "Runtime.evaluate": fine });
  const response = await check(tab, { id: "c1" });
  assert.deepEqual(tab.sent, ["Page.getNavigationHistory", "Runtime.evaluate"]);
  assert.deepEqual(
    { ...response, result: Object.keys(response.result) },
    { type: "response", id: "c1", success: true, result: ["debuggerMs", "pageMs"] },
  );
});

test("a debugger that is gone is told, and the page is not asked through it", async () => {
  const gone = async () => Promise.reject(new Error("Debugger is not attached"));
  const tab = tabOf({ "Page.getNavigationHistory": gone });
  assert.deepEqual((await check(tab, { id: "c1" })).result, { debuggerError: "Debugger is not attached" });
});

test("a dialog keeps the page from answering: it is not asked", async () => {
  const tab = tabOf({ "Page.getNavigationHistory": fine }, { dialog: { type: "alert" } });
  assert.equal((await check(tab, { id: "c1" })).result.pageError, "its page shows a dialog");
});

test("a page that crashed cannot answer: it is not asked, and that is said", async () => {
  const tab = tabOf({ "Page.getNavigationHistory": fine }, { isCrashed: true });
  assert.equal((await check(tab, { id: "c1" })).result.pageError, "its page crashed");
});

test("a page that is stuck is not waited for", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const tab = tabOf({ "Page.getNavigationHistory": fine, "Runtime.evaluate": never });
    const checking = check(tab, { id: "c1" });
    while (tab.sent.length < 2) await Promise.resolve();
    mock.timers.tick(2000);
    assert.equal((await checking).result.pageError, "it did not answer within 2 s");
  } finally {
    mock.timers.reset();
  }
});

test("that the page is slowed because it floods its console is told", async () => {
  const tab = tabOf({ "Page.getNavigationHistory": fine, "Runtime.evaluate": fine }, { isSlowed: true });
  assert.equal((await check(tab, { id: "c1" })).result.slowed, true);
});
