import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { test } from "../testing.js";
import { KaptureError } from "../../../extension/basics/errors.js";
import { Grant } from "../../../extension/wire/grant.js";
import { Run } from "../../../extension/tab/run.js";
import { settle } from "../fakes.js";

let over, sent, answer, contexts, forgotten, tab, run;
beforeEach(() => {
  over = new AbortController();
  sent = [];
  contexts = ["W1", "W2", "W3"];
  forgotten = [];
  answer = async () => ({ result: { value: { value: 42 } } });
  tab = {
    typedSecrets: { noted: (target) => target },
    cdp: {
      send: async (method, params) => {
        sent.push([method, params]);
        return answer(method, params);
      },
    },
    children: { answered: (_childSession, sending) => sending },
    frames: { worldsOf: () => ({ numberOf: () => 1 }) },
    heldKeys: { modifiers: 0 },
    navigation: { frameId: "F1" },
    worlds: {
      known: () => undefined,
      of: async () => contexts[0],
      forget: (id) => (forgotten.push(id), contexts.shift()),
    },
  };
  run = new Run(tab, { signal: over.signal });
});

const chromeError = (message) => new Error(JSON.stringify({ code: -32000, message }));

test("a command goes out and its answer comes back", async () => {
  answer = async () => ({ data: "x" });
  assert.deepEqual(await run.send("Page.captureScreenshot", { format: "png" }), { data: "x" });
  assert.deepEqual(sent, [["Page.captureScreenshot", { format: "png" }]]);
});

test("mouse, keys and drags are sent with the keys that are held, and nothing else is", async () => {
  tab.heldKeys.modifiers = 8;
  for (const method of ["Input.dispatchMouseEvent", "Input.dispatchKeyEvent", "Input.dispatchDragEvent"])
    await run.send(method, { modifiers: 2 });
  await run.send("Input.insertText", { text: "x" });
  assert.deepEqual(
    sent.map(([, { modifiers }]) => modifiers),
    [10, 10, 10, undefined],
  );
});

test("a tab that is gone is told as the door has it", async () => {
  const gone = new KaptureError("TAB_DISCONNECTED", "gone");
  answer = () => Promise.reject(gone);
  await assert.rejects(run.send("Page.reload"), (error) => error === gone);
});

for (const message of ["Target closed.", "No target with given id found", "Session with given id not found."])
  test(`"${message}" of a worker or frame means that its context is gone`, async () => {
    answer = () => Promise.reject(chromeError(message));
    await assert.rejects(run.send("Runtime.evaluate", {}, "child"), { code: "EXECUTION_ERROR", contextGone: true });
  });

test("any other error names the method and what the browser said, out of its JSON", async () => {
  answer = () => Promise.reject(chromeError("Could not compute box model."));
  await assert.rejects(run.send("DOM.getBoxModel"), {
    code: "EXECUTION_ERROR",
    message: "DOM.getBoxModel: Could not compute box model.",
    contextGone: false,
  });
});

for (const message of [
  "Execution context was destroyed.",
  "Cannot find context with specified id",
  "Inspected target navigated or closed",
  "uniqueContextId not found",
  "Promise was collected",
  "Cannot find default execution context",
])
  test(`"${message}" means that the page went away under the call`, async () => {
    answer = () => Promise.reject(chromeError(message));
    await assert.rejects(run.send("Runtime.evaluate"), { contextGone: true });
  });

for (const message of ["Execution context was destroyed.", "Inspected target navigated or closed"])
  test(`"${message}" is told in our words`, async () => {
    answer = () => Promise.reject(chromeError(message));
    await assert.rejects(run.send("Runtime.evaluate"), {
      what: "the page or frame was left or loaded again before it answered",
      nextStep: "look at a snapshot before you try again",
    });
  });

test("after the command's end nothing is sent any more", async () => {
  over.abort(new KaptureError("COMMAND_TIMEOUT", "late"));
  await assert.rejects(run.send("Input.dispatchMouseEvent"), { code: "COMMAND_TIMEOUT" });
  await assert.rejects(run.page("click"), { code: "COMMAND_TIMEOUT" });
  await assert.rejects(run.frame(), { code: "COMMAND_TIMEOUT" });
  assert.deepEqual(sent, []);
});

test("a command that ends while the browser answers does not go on", async () => {
  const { promise, resolve } = Promise.withResolvers();
  answer = () => promise;
  const steps = (async () => {
    await run.send("first");
    await run.send("second");
  })();
  await settle();
  over.abort(new Error("over"));
  resolve({});
  await assert.rejects(steps, /over/);
  assert.deepEqual(
    sent.map(([method]) => method),
    ["first"],
  );
});

test("a page function is called in the isolated world of the main frame, by unique id", async () => {
  assert.equal(await run.page("locate", { ref: "e1" }, { enabled: false }), 42);
  const [[method, params]] = sent;
  assert.equal(method, "Runtime.callFunctionOn");
  assert.deepEqual(
    [params.uniqueContextId, params.arguments, params.awaitPromise, params.returnByValue],
    ["W1", [{ value: "locate" }, { value: [{ ref: "e1" }, { enabled: false }] }], true, true],
  );
  assert.match(
    params.functionDeclaration,
    /^function \(name, args, place, grant\) \{ return globalThis\.kapture\(name, args, place, grant\); \}$/,
  );
});

test("a page function's own error crosses with its code and details", async () => {
  answer = async () => ({
    result: { value: { error: { code: "STALE_REF", message: "take a new snapshot", details: { ref: "e1" } } } },
  });
  await assert.rejects(run.page("locate"), {
    code: "STALE_REF",
    message: "take a new snapshot",
    details: { ref: "e1" },
  });
});

test("a page function that breaks is INTERNAL and named", async () => {
  answer = async () => ({ exceptionDetails: { exception: { description: "TypeError: x" } } });
  await assert.rejects(run.page("locate"), { code: "INTERNAL", message: "page/locate: TypeError: x" });
});

test("when the page navigates under it a look is taken again in the new document", async () => {
  let call = 0;
  answer = async () =>
    (call += 1) < 3
      ? Promise.reject(chromeError("Execution context was destroyed."))
      : { result: { value: { value: "there" } } };
  assert.equal(await run.page("state"), "there");
  assert.deepEqual(
    sent.map(([, { uniqueContextId }]) => uniqueContextId),
    ["W1", "W2", "W3"],
  );
  assert.deepEqual(forgotten, ["W1", "W2"]);
});

test("what acts is never called a second time", async () => {
  answer = () => Promise.reject(chromeError("Execution context was destroyed."));
  await assert.rejects(run.pageOnce("select"), { contextGone: true });
  assert.equal(sent.length, 1);
});

const pageCalls = () => sent.filter(([, params]) => params?.arguments?.[0]?.value === "locate");

test("what a document cannot look into is handed in, and the function called again", async () => {
  const replies = [{ opaque: true }, { opaque: true }, { value: 42, target: "it" }];
  answer = async (method, params) => {
    if (method === "Runtime.getProperties") return { result: [] };
    return {
      result: { objectId: "O1", value: params.arguments?.[0]?.value === "locate" ? replies.shift() : undefined },
    };
  };
  assert.deepEqual(await run.call({ id: "W1" }, "locate", []), { value: 42 });
  assert.deepEqual([pageCalls().length, run.targets], [3, ["it"]]);
});

test("a page that always makes more to look into is answered for all the same", async () => {
  answer = async (method) =>
    method === "Runtime.getProperties"
      ? { result: [] }
      : { result: { objectId: "O1", value: { value: 42, opaque: true } } };
  assert.deepEqual(await run.call({ id: "W1" }, "locate", []), { value: 42 });
  assert.equal(pageCalls().length, 6);
});

test("what may be touched goes along with each call of the page, unless that is everything", async () => {
  await run.page("locate", { ref: "e1" });
  run.grant = new Grant({ origins: ["https://a.example"] });
  await run.page("locate", { ref: "e1" });
  assert.deepEqual(
    pageCalls().map(([, params]) => params.arguments.slice(2)),
    [[], [{ value: null }, { value: { origins: ["https://a.example"], secret: [] } }]],
  );
});

test("code runs in the one document that was looked at, and in none that came in its place", async () => {
  run.grant = new Grant({ origins: ["https://a.example"] });
  tab.navigation.url = "https://a.example/";
  let page = { id: "P1", origin: "https://a.example" };
  Object.assign(tab.worlds, { known: () => "W1", pageOf: () => page });
  answer = async (method, { uniqueContextId }) => {
    if (method !== "Runtime.evaluate") return { result: { value: { value: null } } };
    if (uniqueContextId === page.id) return { result: { value: 1 } };
    throw chromeError("uniqueContextId not found");
  };
  await run.code.evaluate({ expression: "1" });
  assert.deepEqual(sent.at(-1), ["Runtime.evaluate", { expression: "1", uniqueContextId: "P1" }]);
  const before = page;
  tab.worlds.pageOf = () => (sent.length < 2 ? before : page);
  sent.length = 0;
  page = { id: "P2", origin: "https://evil.example" };
  await assert.rejects(run.code.evaluate({ expression: "2" }), { code: "NEEDS_APPROVAL" });
  assert.ok(!sent.some(([method, params]) => method === "Runtime.evaluate" && params.uniqueContextId === "P2"));
});

test("what a command changed in the browser is undone also after its end", async () => {
  over.abort(new Error("over"));
  await run.undo("Page.stopScreencast");
  assert.deepEqual(sent, [["Page.stopScreencast", {}]]);
});

test("a call beside the command goes out after its end, too, and fails nobody", async () => {
  over.abort(new Error("over"));
  await run.callBeside("stopWaiting");
  assert.equal(sent[0][1].uniqueContextId, "W1");
  answer = () => Promise.reject(chromeError("Target closed."));
  await run.callBeside("stopWaiting", { id: "W2" });
  assert.equal(sent[1][1].uniqueContextId, "W2");
});
