import assert from "node:assert/strict";
import { test } from "../testing.js";
import { nonce, PROTOCOL, proof, verify } from "../../../extension/lib/handshake.js";

const KEY = "k".repeat(64);
const TAB = { protocol: 1, role: "tab", install: "install-1", tabId: "abcde", nonce: "11".repeat(32) };
const PANEL_NONCE = "22".repeat(32);
// kapture_panel.hub.handshake.proof(Pairing("install-1", "k" * 64), side, Hello(…), "22" * 32)
const PYTHON = {
  panel: "f059c8890aabc1222da8e7832cf588865a2f41d8c334e65867ac942a4c57dca6",
  extension: "3a837ced482294904b545274c9acfd20b7ded6c9ebb92ea52fe5ec7f04fdc513",
  browser: "ba461c3e629ac1528b31154afb40e8eba222c59e04905e663f1a1df40a2c1510",
};

test("the proofs are those of the panel's own implementation", async () => {
  assert.equal(await proof(KEY, "panel", TAB, PANEL_NONCE), PYTHON.panel);
  assert.equal(await proof(KEY, "extension", TAB, PANEL_NONCE), PYTHON.extension);
  const browser = { protocol: 1, role: "browser", install: "install-1", nonce: TAB.nonce };
  assert.equal(await proof(KEY, "extension", browser, PANEL_NONCE), PYTHON.browser);
});

test("the protocol version is the panel's", () => assert.equal(PROTOCOL, 2));

test("a proof verifies for the side that made it", async () => {
  assert.equal(await verify(KEY, "panel", TAB, PANEL_NONCE, PYTHON.panel), true);
  assert.equal(await verify(KEY, "extension", TAB, PANEL_NONCE, PYTHON.extension), true);
});

test("a proof sent back to its author does not verify", async () => {
  assert.equal(await verify(KEY, "panel", TAB, PANEL_NONCE, PYTHON.extension), false);
});

for (const [what, key, hello, panelNonce] of [
  ["another key", "l".repeat(64), TAB, PANEL_NONCE],
  ["another protocol", KEY, { ...TAB, protocol: 2 }, PANEL_NONCE],
  ["another role", KEY, { ...TAB, role: "browser" }, PANEL_NONCE],
  ["another install", KEY, { ...TAB, install: "install-2" }, PANEL_NONCE],
  ["another tab", KEY, { ...TAB, tabId: "abcdf" }, PANEL_NONCE],
  ["another nonce of the extension", KEY, { ...TAB, nonce: "12".repeat(32) }, PANEL_NONCE],
  ["another nonce of the panel", KEY, TAB, "23".repeat(32)],
])
  test(`a proof does not verify for ${what}`, async () => {
    assert.equal(await verify(key, "panel", hello, panelNonce, PYTHON.panel), false);
  });

for (const claimed of [undefined, null, "", "00", 7, {}, "f0".repeat(32), PYTHON.panel.slice(2), PYTHON.panel + "00", PYTHON.panel.toUpperCase()])
  test(`${JSON.stringify(claimed)} is no proof`, async () => {
    assert.equal(await verify(KEY, "panel", TAB, PANEL_NONCE, claimed), false);
  });

test("a nonce is 32 bytes as hex and never the same", () => {
  const made = new Set(Array.from({ length: 100 }, nonce));
  assert.equal(made.size, 100);
  for (const one of made) assert.match(one, /^[0-9a-f]{64}$/);
});
