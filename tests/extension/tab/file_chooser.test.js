import assert from "node:assert/strict";
import { beforeEach, mock } from "node:test";
import { test } from "../testing.js";
import { FileChooser } from "../../../extension/tab/file_chooser.js";

let sent, told, chooser, children, pressedAt;
const FIELD = { node: { attributes: ["type", "file", "accept", ".csv", "webkitdirectory", ""] } };

beforeEach(() => {
  sent = [];
  told = [];
  children = { frameSessions: [] };
  pressedAt = null;
  const cdp = {
    send: async (method, params, session) => {
      sent.push([method, params, session]);
      if (method === "Runtime.callFunctionOn") return { result: { value: { value: pressedAt } } };
      return { "DOM.describeNode": FIELD, "DOM.resolveNode": { object: { objectId: "o" } } }[method] ?? {};
    },
  };
  chooser = new FileChooser({
    cdp,
    frames: {
      get children() {
        return children;
      },
      worlds: { all: () => [{ id: "W1" }] },
      worldsOf: () => ({ known: () => "W2", numberOf: () => 3 }),
    },
    effects: { fileChooser: (opening) => told.push(opening) },
  });
});

const interceptions = () =>
  sent.filter(([method]) => method.includes("Intercept")).map(([, { enabled }, session]) => [enabled, session]);

test("choosers are kept from the person from an action until a page can open none because of it", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  chooser.begin();
  chooser.end();
  mock.timers.tick(4999);
  chooser.begin(); // another one
  chooser.end();
  assert.deepEqual(interceptions(), [[true, undefined]]);
  mock.timers.tick(5000);
  assert.deepEqual(interceptions(), [
    [true, undefined],
    [false, undefined],
  ]);
});

test("a frame that is stuck and answers nothing holds no action up", async () => {
  children.frameSessions = ["stuck"];
  const { send } = chooser.cdp;
  chooser.cdp.send = (method, params, session) =>
    session === "stuck" ? new Promise(() => {}) : send(method, params, session);
  chooser.begin();
  assert.deepEqual(interceptions(), [[true, undefined]]);
});

test("so are those of frames in other processes, also of one that came later", async () => {
  children.frameSessions = ["s1"];
  chooser.begin();
  children.frameSessions = ["s1", "s2"];
  chooser.begin();
  assert.deepEqual(interceptions(), [
    [true, undefined],
    [true, "s1"],
    [true, "s2"],
  ]);
});

test("what a chooser asks for is told, and its field kept", async () => {
  chooser.onOpened({ frameId: "F", mode: "selectMultiple", backendNodeId: 7 }, "s1");
  assert.deepEqual(await told[0], { multiple: true, folder: true, accept: ".csv" });
  assert.deepEqual(sent.find(([method]) => method === "DOM.resolveNode").slice(1), [
    { backendNodeId: 7, objectGroup: "kapture file chooser 7" },
    "s1",
  ]);
  assert.equal(chooser.waiting.backendNodeId, 7);
  chooser.over();
  assert.equal(chooser.waiting, null);
  assert.equal(sent.at(-1)[0], "Runtime.releaseObjectGroup");
});

test("one without a field takes files from a person only", async () => {
  chooser.onOpened({ frameId: "F", mode: "selectSingle" });
  assert.deepEqual(await told[0], { refused: true, multiple: false });
  assert.equal(chooser.waiting, null);
});

test("one is waited for from a mark on", async () => {
  const { signal } = new AbortController();
  chooser.onOpened({ frameId: "F", mode: "selectSingle" });
  const opening = chooser.opened(chooser.mark, 10_000, signal);
  chooser.onOpened({ frameId: "F", mode: "selectSingle", backendNodeId: 7 });
  assert.equal(await opening, true);
  assert.equal(await chooser.opened(chooser.mark, 1, signal), false);
});

test("one that the person's own press opened is opened for the person, and no agent hears of it", async () => {
  chooser.begin();
  chooser.end();
  pressedAt = Date.now() + 1; // the clock goes by whole milliseconds
  await new Promise((resolve) => setImmediate(resolve));
  sent.length = 0;
  chooser.onOpened({ frameId: "F", mode: "selectSingle", backendNodeId: 7 }, "s1");
  assert.equal(sent[0][0], "DOM.resolveNode", "nothing else keeps its field");
  assert.equal(await told[0], null);
  assert.equal(chooser.waiting, null);
  const methods = sent.map(([method]) => method);
  assert.equal(methods.at(-1), "Runtime.releaseObjectGroup");
  const off = methods.lastIndexOf("Page.setInterceptFileChooserDialog");
  const picked = sent.findIndex(([, { userGesture }]) => userGesture);
  assert.ok(off < picked, "the browser shows it only when it is kept no more");
  assert.deepEqual(interceptions().at(-1), [false, undefined]);
  assert.match(sent[picked][1].functionDeclaration, /showPicker/);
  assert.equal(sent[picked][2], "s1");
});

test("one that opens late because of the agent's press is the agent's", async () => {
  chooser.begin();
  chooser.end();
  pressedAt = Date.now() - 60_000;
  chooser.onOpened({ frameId: "F", mode: "selectSingle", backendNodeId: 7 });
  assert.deepEqual(await told[0], { multiple: false, folder: true, accept: ".csv" });
  assert.equal(chooser.waiting.backendNodeId, 7);
});

test("while an action runs a chooser is the agent's, whatever was pressed", async () => {
  chooser.begin();
  pressedAt = Date.now() + 1; // the clock goes by whole milliseconds
  chooser.onOpened({ frameId: "F", mode: "selectSingle", backendNodeId: 7 });
  assert.deepEqual(await told[0], { multiple: false, folder: true, accept: ".csv" });
});

test("a command that was given up before its action keeps none from the person", async () => {
  await assert.rejects(
    chooser.during(async () => {}, AbortSignal.abort(new Error("over"))),
    /over/,
  );
  assert.deepEqual(interceptions(), []);
});
