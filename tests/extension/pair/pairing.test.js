import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { beforeEach, mock } from "node:test";
import { PAIRING_EXPIRY_MS, PROTOCOL } from "../../../extension/basics/agreed.js";
import { codeOf, Pairing } from "../../../extension/pair/pairing.js";
import { ADDRESS, FakePanel, settle } from "../fakes.js";
import { test } from "../testing.js";

const INSTALL = "0123456789abcdef",
  KEY = "ab".repeat(32),
  NONCE = "22".repeat(32);
let panel, pairing, told;

beforeEach(() => {
  panel = new FakePanel();
  panel.answers = { pair: (socket) => socket.tell({ type: "pairing", nonce: NONCE }) };
  told = [];
  const tell = (...words) => {
    told.push(words);
    panel.changed();
  };
  pairing = new Pairing({
    url: `ws://${ADDRESS}`,
    install: INSTALL,
    WebSocket: panel.WebSocket,
    onCode: (code) => tell("code", code),
    onPaired: (key) => tell("paired", key),
    onOver: ({ why }) => tell("over", why),
  });
});

/** Up to where the code is shown. */
async function shown() {
  await pairing.open();
  const socket = await panel.until(() => panel.sockets[0]);
  await panel.until(() => told.length > 0);
  return socket;
}

const sha256 = (text) => createHash("sha256").update(text).digest();

test("it says a random name and a promise, then keeps the promise, and nothing else", async () => {
  const socket = await shown();
  const [pair, reveal] = socket.received;
  assert.deepEqual(pair, {
    type: "pair",
    protocol: PROTOCOL,
    install: INSTALL,
    commitment: sha256(reveal.nonce).toString("hex"),
  });
  assert.deepEqual(reveal, { type: "reveal", nonce: reveal.nonce });
  assert.match(reveal.nonce, /^[0-9a-f]{64}$/);
  assert.equal(socket.received.length, 2);
});

test("the code is six digits over both nonces, the name and the address that was dialled", async () => {
  const socket = await shown();
  const text = ["pairing", INSTALL, ADDRESS, socket.received[1].nonce, NONCE].join("\n");
  const code = String(sha256(text).readBigUInt64BE() % 1_000_000n).padStart(6, "0");
  assert.deepEqual(told, [["code", code]]);
  assert.notEqual(await codeOf(INSTALL, "127.0.0.1:61823", socket.received[1].nonce, NONCE), code);
});

test("the key is taken once the person has confirmed, and the socket is closed", async () => {
  const socket = await shown();
  pairing.confirm();
  assert.deepEqual(socket.received.at(-1), { type: "confirm" });
  await socket.tell({ type: "paired", key: KEY });
  await settle();
  assert.deepEqual(told.slice(1), [["paired", KEY]]);
  assert.equal(socket.readyState, 3);
});

test("a key nobody agreed to is not taken", async () => {
  const socket = await shown();
  await socket.tell({ type: "paired", key: KEY });
  assert.deepEqual(told.slice(1), [["over", "wrong"]]);
});

for (const key of ["", "ab", KEY.toUpperCase(), `${KEY}00`, 7, null, undefined, { length: 64 }])
  test(`${JSON.stringify(key)} is not a key`, async () => {
    const socket = await shown();
    pairing.confirm();
    await socket.tell({ type: "paired", key });
    assert.deepEqual(told.slice(1), [["over", "wrong"]]);
  });

for (const frame of [
  { type: "paired", key: KEY },
  { type: "challenge", nonce: "1", proof: "2" },
  { type: "command", id: "1" },
  null,
  "GET / HTTP/1.1",
])
  test(`a program that answers ${JSON.stringify(frame)} is hung up on`, async () => {
    panel.answers.pair = (socket) => socket.tell(frame ?? "null");
    await pairing.open();
    await panel.until(() => told.length > 0);
    assert.deepEqual(told, [["over", "wrong"]]);
    assert.equal(panel.sockets[0].received.length, 1);
  });

for (const [code, why] of [
  ["APPROVAL_EXPIRED", "expired"],
  ["BUSY", "busy"],
  ["RATE_LIMITED", "busy"],
  ["DENIED", "refused"],
  ["constructor", "refused"],
])
  test(`a refusal with ${code} is: ${why}`, async () => {
    const socket = await shown();
    await socket.tell({ type: "refused", code, message: "so it is" });
    assert.deepEqual(told.slice(1), [["over", why]]);
  });

test("a panel that is not there is said to be away, once", async () => {
  panel.running = false;
  await pairing.open();
  await panel.until(() => told.length > 0);
  await settle();
  assert.deepEqual(told, [["over", "away"]]);
});

test("a code that nobody compares expires here, too", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const socket = await shown();
  mock.timers.tick(PAIRING_EXPIRY_MS);
  assert.deepEqual(told.slice(1), [["over", "expired"]]);
  pairing.confirm();
  await socket.onmessage?.({ data: JSON.stringify({ type: "paired", key: KEY }) });
  assert.equal(told.length, 2);
});

test("a program that takes the connection and says nothing is given up", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  panel.answers.pair = () => {};
  await pairing.open();
  mock.timers.tick(10_000);
  assert.deepEqual(told, [["over", "wrong"]]);
});

test("one that was given up tells nothing any more", async () => {
  const socket = await shown();
  pairing.close();
  await settle();
  assert.equal(socket.readyState, 3);
  assert.equal(told.length, 1);
});
