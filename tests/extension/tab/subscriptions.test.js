import assert from "node:assert/strict";
import { FakeChrome } from "../fake_chrome.js";
import { connectedTab, tabOver } from "../tab.js";
import { test } from "../testing.js";

test("connecting attaches, learns where the tab is and switches on what it listens to", async () => {
  const { chrome, parts, session } = tabOver(new FakeChrome({ tabs: [{ id: 7 }] }));
  await session.start();
  assert.deepEqual(
    chrome.methods().slice(0, 2),
    ["Page.enable", "Page.getFrameTree"],
    "what happens after the look must be heard",
  );
  assert.deepEqual(
    new Set(chrome.methods().slice(2)),
    new Set([
      "Page.setLifecycleEventsEnabled",
      "Page.addScriptToEvaluateOnNewDocument",
      "Runtime.enable",
      "Log.enable",
      "Network.enable",
      "Inspector.enable",
      "Emulation.setFocusEmulationEnabled",
      "Target.setAutoAttach",
      "Runtime.addBinding",
    ]),
  );
  const script = chrome.sent.find(({ method }) => method === "Page.addScriptToEvaluateOnNewDocument").params;
  assert.deepEqual(script, { worldName: "kapture", source: "0", runImmediately: true });
  assert.deepEqual(
    [session.url, parts.navigation.loaderId, [...parts.navigation.reached]],
    ["https://shop.example/", "L1", ["DOMContentLoaded", "load"]],
  );
});

test("a protected page is refused in words", async () => {
  const { session } = tabOver(new FakeChrome({ tabs: [{ id: 7, url: "chrome://settings/" }] }));
  await assert.rejects(session.start(), { code: "PROTECTED_PAGE" });
});

test("after a worker restart the attachment is taken up and the contexts are announced again", async () => {
  const { chrome } = await connectedTab();
  chrome.killWorker();
  const { session, run } = tabOver(chrome);
  assert.equal(await session.start(), false);
  assert.ok(chrome.methods().includes("Runtime.disable"));
  assert.ok(chrome.methods().indexOf("Runtime.disable") < chrome.methods().indexOf("Runtime.enable"));
  assert.equal((await run("click", { ref: "e1", button: "left", clickCount: 1, modifiers: [] })).success, true);
});

test("what was remembered is taken up with the attachment it belongs to", async () => {
  const { chrome } = await connectedTab();
  chrome.killWorker();
  const { session, parts } = tabOver(chrome);
  await session.start({ nextRef: 41, offline: true, size: { width: 5, height: 5 }, kept: { h1: "9" } });
  assert.deepEqual(
    [parts.snapshots.nextRef, parts.emulation.isOffline, { ...parts.keptScripts.identifiers }],
    [41, true, { h1: "9" }],
  );
});

test("of what ended with the attachment of before only the numbering of refs goes on", async () => {
  const { session, parts } = tabOver(new FakeChrome({ tabs: [{ id: 7 }] }));
  await session.start({ nextRef: 41, offline: true, size: null, kept: { h1: "9" } });
  assert.deepEqual(
    [parts.snapshots.nextRef, parts.emulation.isOffline, { ...parts.keptScripts.identifiers }],
    [41, false, {}],
  );
});
