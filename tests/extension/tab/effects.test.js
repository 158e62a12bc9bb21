import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { setFlagsFromString } from "node:v8";
import vm from "node:vm";
import { test } from "../testing.js";
import { Effects } from "../../../extension/tab/effects.js";

setFlagsFromString("--expose-gc");
const collectGarbage = vm.runInNewContext("gc");

/** What is held, in bytes. */
function heapUsed() {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

let effects;
beforeEach(() => (effects = new Effects()));

test("when nothing happened there is nothing to say", async () => assert.deepEqual(await effects.take(), {}));

test("all that happened is told once", async () => {
  effects.consoleError("boom");
  effects.request();
  effects.request();
  effects.dialog({ type: "alert", message: "hi", accepted: true, url: "x" });
  effects.download({ url: "https://a.example/f.zip", suggestedFilename: "f.zip", guid: "g" });
  effects.newTab(Promise.resolve({ tabId: "abcde", url: "https://b.example/" }));
  assert.deepEqual(await effects.take(), {
    newTabs: [{ tabId: "abcde", url: "https://b.example/" }],
    dialogs: [{ type: "alert", message: "hi", accepted: true }],
    downloads: [{ guid: "g", fileName: "f.zip", url: "https://a.example/f.zip" }],
    consoleErrors: ["boom"],
    requests: 2,
  });
  assert.deepEqual(await effects.take(), {});
});

test("what is given back is told first with what came meanwhile, the last five of a kind", async () => {
  const tell = (names) => names.forEach((name) => effects.program(`x:${name}`, true));
  tell([1, 2, 3]);
  effects.request();
  effects.giveBack(await effects.take());
  assert.equal(effects.hasSign, false);
  tell([4, 5, 6]);
  effects.giveBack(await effects.take());
  effects.consoleError("boom");
  const { programs, ...rest } = await effects.take();
  assert.deepEqual(
    programs.map(({ url }) => url),
    ["x:2", "x:3", "x:4", "x:5", "x:6"],
  );
  assert.deepEqual(rest, { consoleErrors: ["boom"], requests: 1 });
  assert.deepEqual(await effects.take(), {});
});

test("a window that was blocked is not a new tab", async () => {
  effects.newTab(Promise.resolve(null));
  assert.deepEqual(await effects.take(), {});
});

test("only the last five of a kind are told, each cut to 200 characters", async () => {
  const long = "x".repeat(1000);
  for (let count = 1; count <= 9; count += 1) {
    effects.consoleError(`${count} ${long}`);
    effects.dialog({ type: "alert", message: long });
    effects.download({ url: long, suggestedFilename: long });
  }
  const { consoleErrors, dialogs, downloads } = await effects.take();
  assert.deepEqual(
    consoleErrors.map((text) => text[0]),
    ["5", "6", "7", "8", "9"],
  );
  assert.equal(
    Math.max(...consoleErrors.slice(1).map((text) => text.length), ...dialogs.map(({ message }) => message.length)),
    200,
  );
  assert.ok(downloads.every(({ url, fileName }) => url.length <= 200 && fileName.length <= 200));
});

test("what happens while the new tab is awaited belongs to the next answer", async () => {
  const { promise, resolve } = Promise.withResolvers();
  effects.newTab(promise);
  const taken = effects.take();
  effects.consoleError("later");
  resolve(null);
  assert.deepEqual(await taken, {});
  assert.deepEqual(await effects.take(), { consoleErrors: ["later"] });
});

test("a page that fails for hours without a command does not fill the memory", () => {
  const before = heapUsed();
  for (let count = 0; count < 300_000; count += 1) effects.consoleError(`error ${count} `.repeat(10));
  assert.ok(heapUsed() - before < 20_000_000);
});

test("the file chooser that was opened last is told, unless its page has gone or it was the person's", async () => {
  effects.fileChooser(Promise.resolve({ multiple: false }));
  effects.fileChooser(Promise.resolve({ multiple: true, accept: ".csv" }));
  assert.equal(effects.hasSign, true);
  assert.deepEqual(await effects.take(), { fileChooser: { multiple: true, accept: ".csv" } });
  effects.fileChooser(Promise.resolve({ multiple: true }));
  effects.fileChooser(Promise.resolve(null));
  assert.deepEqual(await effects.take(), { fileChooser: { multiple: true } });
  effects.fileChooser(Promise.resolve(null));
  assert.deepEqual(await effects.take(), {});
});

test("a download that a new tab turns out to be belongs to the answer that waited for the tab", async () => {
  effects.newTab(
    Promise.resolve().then(() => {
      effects.download({ url: "https://a.example/f.zip", suggestedFilename: "f.zip", guid: "g" });
      return null;
    }),
  );
  assert.deepEqual(await effects.take(), {
    downloads: [{ guid: "g", fileName: "f.zip", url: "https://a.example/f.zip" }],
  });
});
