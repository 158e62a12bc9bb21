import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { settle } from "../fakes.js";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

let tab;
beforeEach(async () => {
  tab = await connectedTab();
  tab.chrome.cdp(7, "Runtime.executionContextCreated", {
    context: { id: 3, name: "kapture", uniqueId: "W1", auxData: { frameId: "F1" } },
  });
});

/** Begin, once the browser outlines. */
async function begun() {
  const picking = tab.session.pick({ id: "p1" });
  await tab.chrome.until(() => tab.sent("Overlay.setInspectMode").length);
  return picking.then.bind(picking);
}

const modes = () => tab.sent("Overlay.setInspectMode").map(({ mode }) => mode);

test("the chosen node is described in the world of its own frame", async () => {
  const told = { element: { tag: "button" }, reachable: true, candidates: [] };
  tab.chrome.replies["DOM.resolveNode"] = ({ executionContextId }) => ({
    object: { objectId: `n${executionContextId}` },
  });
  tab.chrome.replies["Runtime.callFunctionOn"] = async ({ objectId }) => ({
    result: { value: { value: { ...told, objectId } } },
  });
  const then = await begun();
  tab.chrome.cdp(7, "Overlay.inspectNodeRequested", { backendNodeId: 42 });
  const response = await new Promise((resolve) => then(resolve));
  assert.deepEqual(response, { type: "response", id: "p1", ms: 0, success: true, result: { ...told, objectId: "n3" } });
  assert.deepEqual(tab.sent("DOM.resolveNode"), [{ backendNodeId: 42, executionContextId: 3 }]);
});

test("the page to click in comes in front", async () => {
  Object.assign(tab.chrome.byId.get(7), { active: false, windowId: 3 });
  await begun();
  await tab.chrome.until(() => tab.sent("Page.bringToFront").length);
  assert.equal(tab.chrome.byId.get(7).active, true);
  assert.deepEqual(tab.chrome.focusedWindows, [3]);
  tab.chrome.cdp(7, "Overlay.inspectModeCanceled");
});

test("Escape in the page and a navigation end it, and nothing stays enabled", async () => {
  for (const [end, ended] of [
    [() => tab.chrome.cdp(7, "Overlay.inspectModeCanceled"), "escape"],
    [() => tab.shows("L2", "https://shop.example/next"), "left"],
  ]) {
    tab.chrome.sent.length = 0;
    const then = await begun();
    end();
    assert.deepEqual((await new Promise((resolve) => then(resolve))).result, { ended });
    assert.deepEqual(modes(), ["searchForNode", "none"]);
    assert.equal(tab.sent("Overlay.disable").length, 1);
    tab.chrome.cdp(7, "Overlay.inspectNodeRequested", { backendNodeId: 42 });
    await settle();
    assert.deepEqual(tab.sent("DOM.resolveNode"), [], "nobody chooses any more");
  }
});

test("a shown cursor keeps the overlay it is drawn on", async () => {
  tab.session.setMouse({ natural: false, cursor: true });
  const then = await begun();
  tab.chrome.cdp(7, "Overlay.inspectModeCanceled");
  await new Promise((resolve) => then(resolve));
  assert.equal(tab.sent("Overlay.disable").length, 0);
});

test("a command of an agent waits until the person has chosen or given up", async () => {
  const then = await begun();
  let isDone = false;
  const waiting = tab.run("wait", { time: 0 }).finally(() => (isDone = true));
  await settle();
  assert.equal(isDone, false);
  tab.session.cancel("p1");
  assert.equal((await new Promise((resolve) => then(resolve))).error.code, "OUTCOME_UNKNOWN");
  assert.equal((await waiting).success, true);
  assert.deepEqual(modes(), ["searchForNode", "none"]);
});

test("a dialog, a crash and the end of the tab end it with an error", async () => {
  for (const end of [
    () => tab.chrome.cdp(7, "Page.javascriptDialogOpening", { type: "alert", message: "no" }),
    () => tab.chrome.cdp(7, "Inspector.targetCrashed"),
  ]) {
    tab = await connectedTab();
    const then = await begun();
    end();
    assert.equal((await new Promise((resolve) => then(resolve))).success, false);
  }
});

test("a node no world knows is told", async () => {
  tab.chrome.replies["DOM.resolveNode"] = () => {
    throw new Error("No node");
  };
  const then = await begun();
  tab.chrome.cdp(7, "Overlay.inspectNodeRequested", { backendNodeId: 42 });
  assert.equal((await new Promise((resolve) => then(resolve))).error.code, "ELEMENT_NOT_FOUND");
});
