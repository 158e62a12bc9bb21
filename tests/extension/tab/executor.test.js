import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { ACTIVATION_MS } from "../../../extension/tab/file_chooser.js";
import { Clock } from "../clock.js";
import { settle } from "../fakes.js";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

let chrome, parts, session, run;
beforeEach(async () => void ({ chrome, parts, session, run } = await connectedTab()));

const click = () => run("click", { ref: "e1", button: "left", clickCount: 1, modifiers: [] });
const sentTypes = () =>
  chrome.sent.filter(({ method }) => method === "Input.dispatchMouseEvent").map(({ params }) => params.type);

test("a command is answered under its id with its result, outcome, effects and time", async () => {
  const { ms, ...response } = await session.execute({
    id: "c77",
    command: "kapturemcp_click",
    params: { ref: "e1", button: "left", clickCount: 1, modifiers: [] },
    timeout: 30_000,
  });
  assert.deepEqual(response, {
    type: "response",
    id: "c77",
    success: true,
    result: { clicked: "<button>", x: 10, y: 20 },
    outcome: { outcome: "no_effect" },
    effects: { changed: false },
  });
  assert.ok(ms >= 0);
});

for (const command of ["something_new", "new_tab", "list_tabs", "constructor"])
  test(`${command} is no command of a tab`, async () => {
    const { success, error } = await run(command);
    assert.deepEqual([success, error.code], [false, "INVALID_PARAMS"]);
  });

for (const [command, params] of [
  ["click", { ref: "e1", button: "left", clickCount: 1, modifiers: [] }],
  ["press_key", { key: "Enter", count: 1 }],
  ["type", { text: "a", clear: false, delay: 0, submit: false }],
  ["evaluate", { code: "1", awaitPromise: true }],
])
  test(`${command}: the page is watched before anything is done to it`, async () => {
    chrome.replies["Runtime.evaluate"] = () => ({ result: { type: "number", value: 1 } });
    assert.equal((await run(command, params)).success, true);
    const [first] = chrome.sent.filter(({ method }) => method !== "Page.startScreencast"); // so that it is drawn
    assert.deepEqual([first.method, first.params.arguments?.[0].value], ["Runtime.callFunctionOn", "observe"]);
  });

test("commands run one at a time", async () => {
  const { release } = chrome.hold("Input.dispatchMouseEvent");
  const first = click();
  await settle();
  assert.deepEqual(sentTypes(), ["mouseMoved", "mousePressed", "mouseReleased"]);
  const second = click();
  await settle();
  assert.equal(sentTypes().length, 3);
  release({});
  await Promise.all([first, second]);
  assert.equal(sentTypes().length, 6);
});

test("a frame that comes twice presses once: it is answered once while it runs, and then as it ended", async () => {
  const { release } = chrome.hold("Input.dispatchMouseEvent");
  const press = () => run("click", { ref: "e1", button: "left", clickCount: 1, modifiers: [] }, 30_000, "c9");
  const runs = press();
  await settle();
  assert.equal(await press(), null);
  release({});
  const { success, outcome, effects } = await runs;
  assert.equal(success, true);
  const again = await press();
  assert.deepEqual([again.success, again.outcome, again.effects], [success, outcome, effects]);
  assert.equal(sentTypes().length, 3);
});

test("a frame that comes twice while it waits is one, also when it never ran", async () => {
  const { release } = chrome.hold("Input.dispatchMouseEvent");
  const runs = click();
  const press = () => run("click", { ref: "e1", button: "left", clickCount: 1, modifiers: [] }, 30_000, "c9");
  const waits = press();
  assert.equal(await press(), null);
  session.cancel("c9");
  release({});
  assert.deepEqual([(await runs).success, (await waits).success, (await press()).success], [true, false, false]);
  assert.equal(sentTypes().length, 3);
});

test("one that asked back runs under the same id once it is allowed", async () => {
  chrome.replies["Page.navigate"] = () => ({ errorText: "net::ERR_NAME_NOT_RESOLVED" });
  const params = { url: "https://shop.example/", waitUntil: "load" };
  const codeWith = async (grant) => (await run("navigate", params, 30_000, "c9", grant)).error.code;
  for (const _ of [1, 2]) assert.equal(await codeWith({ origins: [] }), "NEEDS_APPROVAL");
  for (const _ of [1, 2]) assert.equal(await codeWith({ origins: "*" }), "NAVIGATION_FAILED");
  assert.equal(chrome.methods().filter((method) => method === "Page.navigate").length, 1);
});

test("one that is cancelled while it waits says that nothing was done", async () => {
  const { release } = chrome.hold("Input.dispatchMouseEvent");
  const runs = run("click", { ref: "e1", button: "left", clickCount: 1, modifiers: [] }, 30_000, "c8");
  const waits = run("click", { ref: "e1", button: "left", clickCount: 1, modifiers: [] }, 30_000, "c9");
  await settle();
  for (const id of ["c8", "c9"]) session.cancel(id);
  release({});
  assert.deepEqual([(await runs).error.code, (await waits).error.code], ["OUTCOME_UNKNOWN", "NOT_SENT"]);
});

test("a cancelled command sends nothing more", async () => {
  const { promise, resolve } = Promise.withResolvers();
  chrome.page.locate = () => promise;
  const answer = run("click", { ref: "e1", button: "left", clickCount: 1, modifiers: [] }, 30_000, "c9");
  await settle();
  session.cancel("c9");
  assert.equal((await answer).error.code, "OUTCOME_UNKNOWN");
  resolve({ x: 1, y: 2, element: "<a>" });
  await settle();
  assert.deepEqual(sentTypes(), []);
});

test("handle_dialog passes a command that is stuck", async () => {
  chrome.hold("Page.reload");
  run("reload", { ignoreCache: false });
  await settle();
  assert.equal((await run("handle_dialog", { accept: true })).error.message, "no dialog is open in this tab");
});

test("a navigation that takes too long is given up with COMMAND_TIMEOUT, whatever the browser says to stopping it", async () => {
  chrome.replies["Page.navigate"] = () => {
    chrome.cdp(7, "Page.frameStartedNavigating", {
      frameId: "F1",
      url: "https://slow.example/",
      loaderId: "L2",
      navigationType: "differentDocument",
    });
    return { loaderId: "L2" };
  };
  chrome.replies["Page.stopLoading"] = () => Promise.reject(new Error("Internal error"));
  const { error } = await run("navigate", { url: "https://slow.example/", waitUntil: "load" }, 20);
  assert.equal(error.code, "COMMAND_TIMEOUT");
  assert.ok(chrome.methods().includes("Page.stopLoading"));
  chrome.replies["Input.dispatchMouseEvent"] = () => ({});
  assert.equal((await click()).success, true);
});

test("a page stuck in a script of its own says so until it answers again or is left", async () => {
  chrome.hold("Runtime.callFunctionOn");
  const { release } = chrome.hold("Runtime.evaluate");
  assert.equal((await run("hover", { ref: "e1" }, 20)).error.code, "COMMAND_TIMEOUT");
  const { error } = await run("hover", { ref: "e1" }, 200);
  assert.match(error.message, /stuck in a script of its own/);
  release({});
  await settle();
  assert.equal(parts.renderer.isStuck, false);
});

test("when nobody waits any more what waits or only looks is given up, and an action that runs comes to its end", async () => {
  const { release } = chrome.hold("Input.dispatchMouseEvent");
  const [acting, waits] = [click(), click()];
  await settle();
  session.cutOff();
  release({});
  assert.equal((await acting).success, true);
  const { success, error } = await waits;
  assert.deepEqual([success, error.code, sentTypes().length], [false, "NOT_SENT", 3]);
  const looks = run("wait", { time: 60_000 });
  await settle();
  session.cutOff();
  assert.equal((await looks).error.code, "NOT_SENT");
});

test("an action whose caller is gone is given up when a person pauses", async () => {
  chrome.hold("Input.dispatchMouseEvent");
  const acting = click();
  await settle();
  session.giveUpOrphans(new Error("nobody was cut off yet"));
  session.cutOff();
  session.giveUpOrphans(new Error("paused"));
  assert.match((await acting).error.message, /paused/);
});

test("code that goes on after its command's time keeps no chooser from the person", async (t) => {
  const clock = new Clock();
  t.after(() => clock.stop());
  chrome.replies["Runtime.evaluate"] = ({ awaitPromise }) =>
    awaitPromise ? new Promise(() => {}) : { result: { type: "undefined" } };
  const choosers = () =>
    chrome.sent
      .filter(({ method }) => method === "Page.setInterceptFileChooserDialog")
      .map(({ params }) => params.enabled);
  const code = "await new Promise(() => {})";
  const { error } = await clock.during(run("evaluate", { code, awaitPromise: true }, 20));
  assert.equal(error.code, "COMMAND_TIMEOUT");
  assert.deepEqual(choosers(), [true]);
  await clock.tick(ACTIVATION_MS);
  assert.deepEqual(choosers(), [true, false]);
});
