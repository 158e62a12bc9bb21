import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { Dialogs, named } from "../../../extension/tab/dialogs.js";
import { settle } from "../fakes.js";
import { test } from "../testing.js";

let dialogs, sent, over;

beforeEach(() => {
  dialogs = new Dialogs();
  sent = [];
  over = new AbortController();
});

const run = (send = async (...command) => void sent.push(command)) => ({ send, signal: over.signal });
const open = (more = {}) => dialogs.opened({ type: "confirm", message: "Sure?", ...more });

test("an open dialog is told with what it interrupted", () => {
  dialogs.opened({ type: "prompt", message: "Name?", defaultPrompt: "Bo", url: "x" }, { url: "https://a.example/" });
  assert.deepEqual(dialogs.open, {
    type: "prompt",
    message: "Name?",
    defaultPrompt: "Bo",
    before: { url: "https://a.example/" },
  });
});

test("an answer is over when the dialog is closed", async () => {
  open();
  const answer = dialogs.answer(run(), { accept: true, promptText: "x" });
  let done = false;
  answer.then(() => (done = true));
  await settle();
  assert.deepEqual([sent, done], [[["Page.handleJavaScriptDialog", { accept: true, promptText: "x" }]], false]);
  assert.equal(dialogs.closed({ result: true }), null, "its answer tells it");
  assert.deepEqual(await answer, { type: "confirm", message: "Sure?", accepted: true });
  assert.equal(dialogs.open, null);
});

test("a prompt that is accepted without a text gets its default, one that is dismissed or answered does not", async () => {
  const answers = [{ accept: true }, { accept: false }, { accept: true, promptText: "" }];
  for (const how of answers) {
    open({ type: "prompt", defaultPrompt: "Bo" });
    const answer = dialogs.answer(run(), how);
    dialogs.closed({ result: how.accept });
    await answer;
  }
  assert.deepEqual(
    sent.map(([, { promptText }]) => promptText),
    ["Bo", undefined, ""],
  );
});

test("one that others closed is told as such", () => {
  open();
  assert.deepEqual(dialogs.closed({ result: true }), { type: "confirm", message: "Sure?", accepted: true });
  assert.equal(dialogs.closed({ result: true }), null);
});

test("without a dialog the error names the last one and what became of it", async () => {
  await assert.rejects(dialogs.answer(run(), { accept: true }), {
    code: "INVALID_PARAMS",
    message: "no dialog is open in this tab",
  });
  open();
  dialogs.closed({ result: false });
  const message = 'no dialog is open in this tab; the last one, a confirm dialog: "Sure?", was dismissed';
  await assert.rejects(dialogs.answer(run(), { accept: true }), { code: "INVALID_PARAMS", message });
});

test("whoever was overtaken by another answer is told, a real failure stays one", async () => {
  open();
  const overtaken = async () => {
    dialogs.closed({ result: true });
    throw new Error("No dialog is showing");
  };
  await assert.rejects(dialogs.answer(run(overtaken), { accept: true }), { code: "INVALID_PARAMS" });
  open();
  const failing = async () => {
    throw new Error("broken");
  };
  await assert.rejects(dialogs.answer(run(failing), { accept: true }), { message: "broken" });
});

test("the next dialog can be waited for", async () => {
  const shown = dialogs.shown(over.signal);
  open();
  await shown;
  await dialogs.shown(over.signal);
});

test("a long message is cut where it is kept and where it is named", () => {
  open({ message: "x".repeat(100_000) });
  assert.equal(dialogs.open.message.length, 2000);
  assert.equal(named(dialogs.open).length, 'a confirm dialog: ""'.length + 300);
  assert.equal(named({ type: "alert", message: "" }), 'an alert dialog: ""');
});
