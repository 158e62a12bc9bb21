import assert from "node:assert/strict";
import { beforeEach, mock } from "node:test";
import { test } from "../testing.js";
import { PROTOCOL } from "../../../extension/basics/agreed.js";
import { Link, Refused } from "../../../extension/wire/link.js";
import { FakePanel, KEY, panelProof, settle } from "../fakes.js";

const SECRETS = { url: "https://bank.example/account", title: "My account" };

let panel, link, calls;

function dial(options = {}) {
  calls = { commands: [], cancels: [], closed: [], described: 0 };
  return new Link({
    url: "ws://127.0.0.1:61822",
    key: KEY,
    role: "tab",
    install: "install-1",
    tabId: "abcde",
    describe: async () => {
      calls.described += 1;
      return SECRETS;
    },
    onCommand: (frame) => calls.commands.push(frame),
    onCancel: (id) => calls.cancels.push(id),
    onClosed: (reason) => calls.closed.push(reason),
    WebSocket: panel.WebSocket,
    ...options,
  });
}

async function opened() {
  await link.open();
  return panel.sockets[0];
}

/** Everything that crossed says nothing of the tab. */
function nothingTold() {
  const crossed = panel.sockets.flatMap(({ raw }) => raw).join("\n");
  assert.doesNotMatch(crossed, /bank|account/);
  assert.equal(calls.described, 0);
}

beforeEach((t) => {
  panel = new FakePanel();
  link = dial();
  t.after?.(() => link.close());
});

test("the greeting goes hello, proof, register and resolves when the panel has registered the tab", async () => {
  const socket = await opened();
  assert.deepEqual(
    socket.received.map(({ type }) => type),
    ["hello", "proof", "register"],
  );
  assert.deepEqual(
    { ...socket.hello, nonce: "" },
    { type: "hello", protocol: PROTOCOL, role: "tab", install: "install-1", tabId: "abcde", nonce: "" },
  );
  assert.deepEqual(socket.registered, { type: "register", tabId: "abcde", ...SECRETS });
  assert.equal(link.state, "connected");
  link.close();
});

test("nothing but the hello crosses before the panel has proved itself", async () => {
  panel.answers.hello = () => {};
  const opening = link.open();
  const socket = await panel.until(() => panel.sockets[0]?.received.length && panel.sockets[0]);
  link.event({ kind: "tab", ...SECRETS });
  link.flushEvents();
  await settle();
  assert.deepEqual(
    socket.received.map(({ type }) => type),
    ["hello"],
  );
  assert.deepEqual(Object.keys(socket.received[0]).sort(), ["install", "nonce", "protocol", "role", "tabId", "type"]);
  nothingTold();
  socket.hangUp();
  await assert.rejects(opening);
});

for (const [what, answer] of [
  [
    "a proof made with another key",
    (socket, hello) => ({ type: "challenge", nonce: "22", proof: panelProof("wrong", "panel", hello, "22") }),
  ],
  [
    "a proof for another nonce",
    (socket, hello) => ({ type: "challenge", nonce: "33", proof: panelProof(KEY, "panel", hello, "22") }),
  ],
  [
    "the extension's side of the proof",
    (socket, hello) => ({ type: "challenge", nonce: "22", proof: panelProof(KEY, "extension", hello, "22") }),
  ],
  ["no proof", () => ({ type: "challenge", nonce: "22" })],
  ["no challenge at all", () => ({ type: "accepted" })],
  ["a registration at once", () => ({ type: "registered", tabId: "abcde" })],
  ["a command at once", () => ({ type: "command", id: "1", command: "kapturemcp_evaluate", params: { code: "1" } })],
  ["a list", () => []],
  ["null", () => null],
  ["text that is not JSON", () => "GET / HTTP/1.1"],
])
  test(`a fake panel that sends ${what} learns 0 bytes of the tab and is hung up on`, async () => {
    panel.answers.hello = (socket, hello) => socket.tell(answer(socket, hello) ?? "null");
    await assert.rejects(link.open());
    nothingTold();
    assert.deepEqual(
      panel.sockets[0].received.map(({ type }) => type),
      ["hello"],
    );
    assert.deepEqual(calls.commands, []);
    assert.equal(link.state, "idle");
  });

test("a second challenge during the check of the first is refused", async () => {
  panel.answers.hello = (socket, hello) => {
    const challenge = { type: "challenge", nonce: "22", proof: panelProof(KEY, "panel", hello, "22") };
    socket.tell(challenge);
    socket.tell(challenge);
  };
  await assert.rejects(link.open(), /challenge where nothing was due/);
  nothingTold();
});

test("the proof alone does not open the tab: the panel has to accept first", async () => {
  panel.answers.proof = () => {};
  const opening = link.open();
  const socket = await panel.until(() => panel.sockets[0]?.frames("proof").length && panel.sockets[0]);
  await settle();
  nothingTold();
  socket.hangUp();
  await assert.rejects(opening);
});

test("a proof for another port is none: a program on ours that passes on what a panel elsewhere proves gets nothing", async () => {
  panel.answers.hello = (socket, hello) =>
    socket.tell({ type: "challenge", nonce: "22", proof: panelProof(KEY, "panel", hello, "22", "127.0.0.1:61823") });
  await assert.rejects(link.open(), /does not hold this browser's key/);
  nothingTold();
  assert.deepEqual(
    panel.sockets[0].received.map(({ type }) => type),
    ["hello"],
  );
});

test("a refusal rejects with the panel's words", async () => {
  panel.answers.hello = (socket) =>
    socket.tell({ type: "refused", code: "DENIED", message: "this browser is not paired with this panel" });
  await assert.rejects(link.open(), (error) => error instanceof Refused && /not paired/.test(error.message));
});

test("a panel that is away rejects the dial and is named", async () => {
  panel.running = false;
  await assert.rejects(link.open(), /the panel is not running/);
  assert.equal(link.state, "idle");
});

test("a tab that cannot be described closes the link", async () => {
  link = dial({ describe: async () => Promise.reject(new Error("No tab with id: 7.")) });
  await assert.rejects(link.open(), /No tab with id/);
  assert.equal(panel.sockets[0].readyState, 3);
});

test("a program that takes the connection and never answers is given up", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  panel.answers.hello = () => {};
  const opening = link.open();
  await panel.until(() => panel.sockets[0]?.received.length);
  mock.timers.tick(10_000);
  await assert.rejects(opening, /did not finish the greeting/);
});

test("a ping goes out every 20 s and one that comes is answered", async (t) => {
  mock.timers.enable({ apis: ["setInterval"] });
  t.after(() => mock.timers.reset());
  const socket = await opened();
  mock.timers.tick(19_999);
  assert.equal(socket.frames("ping").length, 0);
  mock.timers.tick(1);
  mock.timers.tick(40_000);
  assert.equal(socket.frames("ping").length, 3);
  socket.tell({ type: "ping" });
  assert.equal(socket.frames("pong").length, 1);
  link.close();
  await settle();
  mock.timers.tick(60_000);
  assert.equal(socket.frames("ping").length, 3);
});

test("events leave together, 50 ms after the first", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const socket = await opened();
  link.event({ kind: "console", text: "a" });
  mock.timers.tick(30);
  link.event({ kind: "console", text: "b" });
  mock.timers.tick(19);
  assert.deepEqual(socket.frames("event"), []);
  mock.timers.tick(1);
  assert.deepEqual(socket.frames("event"), [
    {
      type: "event",
      events: [
        { kind: "console", text: "a" },
        { kind: "console", text: "b" },
      ],
    },
  ]);
  mock.timers.tick(1000);
  link.event({ kind: "console", text: "c" });
  mock.timers.tick(50);
  assert.equal(socket.frames("event").length, 2);
  link.close();
});

test("what happened before an answer crosses before it", async () => {
  const socket = await opened();
  link.event({ kind: "console", text: "before" });
  await link.answer(Promise.resolve({ type: "response", id: "1", success: true }));
  assert.deepEqual(
    socket.received.slice(-2).map(({ type }) => type),
    ["event", "response"],
  );
  link.close();
});

test("closing sends what waits, the answers that are under way included", async () => {
  const socket = await opened();
  const { promise, resolve } = Promise.withResolvers();
  link.answer(promise);
  link.event({ kind: "console", text: "last words" });
  const closing = link.close();
  resolve({ type: "response", id: "1", success: true });
  await closing;
  assert.equal(socket.events().length, 1);
  assert.equal(socket.frames("response").length, 1);
  assert.equal(socket.closedWith, 1000);
});

test("that the browser was unpaired in the panel reaches its receiver", async () => {
  let told = 0;
  link = dial({ onUnpaired: () => (told += 1) });
  const socket = await opened();
  socket.tell({ type: "unpaired" });
  assert.equal(told, 1);
  link.close();
});

test("commands and cancels reach their receiver", async () => {
  const socket = await opened();
  const command = { type: "command", id: "1", command: "kapturemcp_click", params: {}, timeout: 5 };
  socket.tell(command);
  socket.tell({ type: "cancel", id: "1" });
  socket.tell({ type: "something-new" });
  assert.deepEqual([calls.commands, calls.cancels], [[command], ["1"]]);
  link.close();
});

test("a frame that is not JSON ends the link instead of being passed over", async () => {
  const socket = await opened();
  await socket.tell("{");
  await settle();
  assert.equal(calls.closed.length, 1);
});

for (const [said, wanted] of [
  ["the panel is ending", "the panel is ending"],
  ["", "the panel closed the connection"],
])
  test(`a link that closes ${said ? "with a reason" : "without one"} says: ${wanted}`, async () => {
    const socket = await opened();
    socket.hangUp(said);
    assert.deepEqual([calls.closed, link.state], [[wanted], "idle"]);
  });

test("events of a tab whose panel is away are not kept", async () => {
  const socket = await opened();
  socket.hangUp();
  for (let count = 0; count < 1000; count += 1) link.event({ kind: "console", text: "x" });
  await link.open();
  await settle();
  assert.deepEqual(panel.sockets[1].events(), []);
  link.close();
});

test("a text cut through a character still crosses as well-formed Unicode", async () => {
  const socket = await opened();
  link.event({ kind: "console", text: "😀".slice(0, 1) + "…", source: "a\\ud83d.js" });
  link.flushEvents();
  assert.deepEqual(socket.events(), [{ kind: "console", text: "\ufffd…", source: "a\\ud83d.js" }]);
  link.close();
});

test("an answer larger than the panel takes is an error of that command, not the end of the link", async () => {
  const socket = await opened();
  await link.answer(
    Promise.resolve({
      type: "response",
      id: "9",
      success: true,
      result: { value: "é".repeat(17 * 1024 * 1024) },
      ms: 1,
    }),
  );
  const [response] = socket.frames("response");
  assert.deepEqual([response.id, response.success, response.error.code], ["9", false, "EXECUTION_ERROR"]);
  assert.match(response.error.message, /34 MiB/);
  link.close();
});

test("what the person chose for the mouse comes with the registration and whenever it changes", async () => {
  const told = [];
  link = dial({ onSettings: ({ naturalMouse, showCursor }) => told.push([naturalMouse, showCursor]) });
  panel.answers.register = (socket, register) => {
    socket.registered = register;
    socket.tell({ type: "registered", tabId: "abcde", showCursor: "on" });
  };
  const socket = await opened();
  assert.deepEqual(told, [[undefined, "on"]]);
  await socket.tell({ type: "settings", naturalMouse: "off" });
  assert.deepEqual(told.at(-1), ["off", undefined]);
  link.close();
});

test("a piece of a file is asked for and handed on, or why there is none", async () => {
  const socket = await opened();
  const pieces = [link.read("t1", 0, 3), link.read("t1", 3, 3)];
  await panel.until(() => socket.received.length === 5);
  const [first, second] = socket.received.slice(3);
  assert.deepEqual({ ...first, id: "" }, { type: "read", id: "", token: "t1", start: 0, size: 3 });
  socket.tell({ type: "piece", id: second.id, error: { code: "FILE_NOT_FOUND", message: "gone" } });
  socket.tell({ type: "piece", id: first.id, data: "YWJj" });
  await assert.rejects(pieces[1], { code: "FILE_NOT_FOUND", message: "gone" });
  assert.equal(await pieces[0], "YWJj");
  link.close();
});

test("a link that ends leaves nobody waiting for a piece", async () => {
  const socket = await opened();
  const piece = link.read("t1", 0, 3);
  socket.close();
  await assert.rejects(piece, { code: "OUTCOME_UNKNOWN" });
  await assert.rejects(link.read("t1", 0, 3), { code: "OUTCOME_UNKNOWN" });
});
