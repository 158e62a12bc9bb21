import assert from "node:assert/strict";
import { test } from "../testing.js";
import { PROTOCOL } from "../../../extension/basics/agreed.js";
import { nonce, proof, verify } from "../../../extension/wire/handshake.js";

const KEY = "k".repeat(64);
const TAB = { protocol: 1, role: "tab", install: "install-1", tabId: "abcde", nonce: "11".repeat(32) };
const ADDRESS = "127.0.0.1:61822";
const PANEL_NONCE = "22".repeat(32);
// kapture_panel.core.wire.handshake.proof(Pairing("install-1", "k" * 64), side, Hello(…), "22" * 32, ADDRESS)
const PYTHON = {
  panel: "b6e2a400396c3172edcf2f93620d356a7921b63e40fd82a2c3b505eefdadd593",
  extension: "bf21399243080633ed9fcb19f58d37bcdb7992e3c4190ec4f3ba353383f5dfc6",
  browser: "b2c12b24b000f9286023c6cc731fd599de22ce87ede967d0394e87cef92a6671",
};

test("the proofs are those of the panel's own implementation", async () => {
  assert.equal(await proof(KEY, "panel", TAB, PANEL_NONCE, ADDRESS), PYTHON.panel);
  assert.equal(await proof(KEY, "extension", TAB, PANEL_NONCE, ADDRESS), PYTHON.extension);
  const browser = { protocol: 1, role: "browser", install: "install-1", nonce: TAB.nonce };
  assert.equal(await proof(KEY, "extension", browser, PANEL_NONCE, ADDRESS), PYTHON.browser);
});

test("the protocol version is the panel's", () => assert.equal(PROTOCOL, 13));

test("a proof verifies for the side that made it", async () => {
  assert.equal(await verify(KEY, "panel", TAB, PANEL_NONCE, ADDRESS, PYTHON.panel), true);
  assert.equal(await verify(KEY, "extension", TAB, PANEL_NONCE, ADDRESS, PYTHON.extension), true);
});

test("a proof sent back to its author does not verify", async () => {
  assert.equal(await verify(KEY, "panel", TAB, PANEL_NONCE, ADDRESS, PYTHON.extension), false);
});

for (const [what, key, hello, panelNonce, address = ADDRESS] of [
  ["another key", "l".repeat(64), TAB, PANEL_NONCE],
  ["another protocol", KEY, { ...TAB, protocol: 2 }, PANEL_NONCE],
  ["another role", KEY, { ...TAB, role: "browser" }, PANEL_NONCE],
  ["another install", KEY, { ...TAB, install: "install-2" }, PANEL_NONCE],
  ["another tab", KEY, { ...TAB, tabId: "abcdf" }, PANEL_NONCE],
  ["another nonce of the extension", KEY, { ...TAB, nonce: "12".repeat(32) }, PANEL_NONCE],
  ["another nonce of the panel", KEY, TAB, "23".repeat(32)],
  ["another port", KEY, TAB, PANEL_NONCE, "127.0.0.1:61823"],
  ["another name of the host", KEY, TAB, PANEL_NONCE, "localhost:61822"],
])
  test(`a proof does not verify for ${what}`, async () => {
    assert.equal(await verify(key, "panel", hello, panelNonce, address, PYTHON.panel), false);
  });

for (const claimed of [
  undefined,
  null,
  "",
  "00",
  7,
  {},
  "f0".repeat(32),
  PYTHON.panel.slice(2),
  PYTHON.panel + "00",
  PYTHON.panel.toUpperCase(),
])
  test(`${JSON.stringify(claimed)} is not a proof`, async () => {
    assert.equal(await verify(KEY, "panel", TAB, PANEL_NONCE, ADDRESS, claimed), false);
  });

test("a nonce is 32 bytes as hex and never the same", () => {
  const made = new Set(Array.from({ length: 100 }, nonce));
  assert.equal(made.size, 100);
  for (const one of made) assert.match(one, /^[0-9a-f]{64}$/);
});
