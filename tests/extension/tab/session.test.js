import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { settle } from "../fakes.js";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

let chrome, parts, session, run;
beforeEach(async () => void ({ chrome, parts, session, run } = await connectedTab()));

const click = () => run("click", { ref: "e1", button: "left", clickCount: 1, modifiers: [] });
const openDialog = (more = {}) =>
  chrome.cdp(7, "Page.javascriptDialogOpening", { type: "confirm", message: "Sure?", ...more });

test("letting go of the tab fails what runs and all that comes, and detaches", async () => {
  chrome.hold("Input.dispatchMouseEvent");
  const answer = click();
  await settle();
  await session.end(Object.assign(new Error("closed"), { asWire: null }));
  assert.equal((await answer).success, false);
  assert.deepEqual([...chrome.attached], []);
  assert.equal((await click()).success, false);
});

test("close_tab still answers although its tab is gone", async () => {
  chrome.tabs.onRemoved.addListener(() => session.end(new Error("the tab was closed")));
  const { success, result } = await run("close_tab");
  assert.deepEqual([success, result], [true, { closed: "abcde" }]);
});

test("a tab that does not close is not taken for one that does", async () => {
  chrome.tabs.remove = () => Promise.reject(new Error("Tabs cannot be edited right now"));
  assert.equal((await run("close_tab")).success, false);
  assert.equal(session.isClosing, false);
});

test("a page that asks before it is left keeps its tab: what runs later still ends with the tab", async () => {
  chrome.tabs.remove = async () => {
    openDialog({ type: "beforeunload", message: "" });
  };
  await run("close_tab");
  assert.equal(session.isClosing, false);
});

test("executing says whether a command runs or waits", async () => {
  const { release } = chrome.hold("Input.dispatchMouseEvent");
  assert.equal(session.isExecuting, false);
  const answer = click();
  await settle();
  assert.equal(session.isExecuting, true);
  release({});
  await answer;
  assert.equal(session.isExecuting, false);
});

test("what is kept of its last commands is without what was typed into secret fields", async () => {
  parts.typedSecrets.noted({ secret: true }, ["e1", "open sesame"]);
  parts.results.begin("c1");
  parts.results.end({ type: "response", id: "c1", success: true, ms: 1, effects: { title: "You typed open sesame" } });
  const [{ effects }] = session.lastResults();
  assert.doesNotMatch(effects.title, /sesame/);
});
