import assert from "node:assert/strict";
import { giveBack } from "../../../extension/tab/restoring.js";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

test("size, offline and kept scripts go to the new attachment", async () => {
  const tab = await connectedTab();
  const size = { width: 500, height: 400, deviceScaleFactor: 0, mobile: false };
  await giveBack(tab.parts, { size, offline: true, scripts: { a: "1", b: "2" } });
  assert.deepEqual(tab.sent("Emulation.setDeviceMetricsOverride"), [size]);
  assert.equal(tab.sent("Network.emulateNetworkConditions")[0].offline, true);
  assert.deepEqual(
    tab.sent("Page.addScriptToEvaluateOnNewDocument").map(({ source }) => source),
    ["1", "2"],
  );
  assert.deepEqual([tab.parts.emulation.size, tab.parts.emulation.isOffline], [size, true]);
});

test("what was not there is not sent", async () => {
  const tab = await connectedTab();
  await giveBack(tab.parts, { size: null, offline: false, scripts: {} });
  assert.deepEqual(tab.chrome.sent, []);
});
