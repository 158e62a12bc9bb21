import assert from "node:assert/strict";
import { MadeTabs } from "../../../extension/browser/made_tabs.js";
import { test } from "../testing.js";

test("a tab that is made is known whether Chrome tells of it before or after it says which it made", async () => {
  const tabs = new MadeTabs();
  const { promise, resolve } = Promise.withResolvers();
  const making = tabs.make(promise);
  const early = tabs.takes(7);
  const another = tabs.takes(8);
  resolve({ id: 7 });
  assert.deepEqual([await early, await another, (await making).id], [true, false, 7]);
  await tabs.make(Promise.resolve({ id: 9 }));
  assert.deepEqual([tabs.takes(9), tabs.takes(9)], [true, false], "each is told of once");
});

test("one that came to nothing keeps nobody waiting", async () => {
  const tabs = new MadeTabs();
  const { promise, reject } = Promise.withResolvers();
  const making = tabs.make(promise);
  const asked = tabs.takes(7);
  reject(new Error("no tab"));
  await assert.rejects(making, /no tab/);
  assert.equal(await asked, false);
  assert.equal(tabs.takes(7), false);
});
