import assert from "node:assert/strict";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

async function tab(how) {
  const made = await connectedTab(how);
  made.chrome.page.viewport = () => ({ width: 390, height: 844, devicePixelRatio: 2 });
  return made;
}

test("a size is set for good and answered as the page has it", async () => {
  const { run, sent } = await tab();
  const { result } = await run("resize", { width: 390, height: 844, deviceScaleFactor: 2 });
  assert.deepEqual(result, { innerWidth: 390, innerHeight: 844, devicePixelRatio: 2 });
  assert.deepEqual(sent("Emulation.setDeviceMetricsOverride"), [
    { width: 390, height: 844, deviceScaleFactor: 2, mobile: false },
  ]);
});

test("without a scale the display's own is kept, and 0, 0 gives all back", async () => {
  const { run, sent } = await tab();
  await run("resize", { width: 390, height: 844 });
  await run("resize", { width: 0, height: 0 });
  assert.deepEqual(
    sent("Emulation.setDeviceMetricsOverride").map(({ deviceScaleFactor }) => deviceScaleFactor),
    [0],
  );
  assert.equal(sent("Emulation.clearDeviceMetricsOverride").length, 1);
});

for (const params of [
  { width: 0, height: 5 },
  { width: 5, height: 0 },
])
  test(`${params.width} × ${params.height} is refused`, async () => {
    const { run, chrome } = await tab();
    assert.equal((await run("resize", params)).error.code, "INVALID_PARAMS");
    assert.ok(!chrome.methods().some((method) => method.startsWith("Emulation.")));
  });

test("in a browser with a stated size 0, 0 gives that back", async () => {
  const viewport = { width: 1280, height: 720, deviceScaleFactor: 1, mobile: false };
  const { run, sent } = await tab({ viewport });
  await run("resize", { width: 0, height: 0 });
  assert.deepEqual(sent("Emulation.setDeviceMetricsOverride"), [viewport]);
  assert.equal(sent("Emulation.clearDeviceMetricsOverride").length, 0);
});
