import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { TabRecords } from "../../../extension/browser/tab_records.js";
import { FakeChrome } from "../fake_chrome.js";
import { test } from "../testing.js";

let chrome, records, connected;
beforeEach(() => {
  chrome = new FakeChrome();
  connected = new Map();
  records = new TabRecords(chrome.storage.session, (chromeTabId) => connected.get(chromeTabId));
});

test("a tab without a record gets a tabId that none has yet", async () => {
  const { id, ...rest } = await records.of(1);
  assert.match(id, /^[a-z2-9]{5}$/);
  assert.deepEqual(rest, { nextRef: 1, kept: {}, offline: false, size: null });
  assert.notEqual((await records.of(2)).id, id);
});

test("changes made at the same time are all kept, with the tabId of a tab that is connected", async () => {
  connected.set(1, "abcde");
  await Promise.all([
    records.put(1, { connected: true }),
    records.put(2, { declined: true }),
    records.put(1, { nextRef: 9 }),
  ]);
  assert.deepEqual(await records.all(), { 1: { id: "abcde", connected: true, nextRef: 9 }, 2: { declined: true } });
  assert.equal((await records.of(1)).id, "abcde");
});

test("a change that cannot be written is told, and the next one is written", async () => {
  const { set } = chrome.storage.session;
  chrome.storage.session.set = async () => {
    throw new Error("full");
  };
  await assert.rejects(records.put(1, { connected: true }), /full/);
  chrome.storage.session.set = set;
  await records.put(1, { nextRef: 2 });
  assert.deepEqual(await records.all(), { 1: { nextRef: 2 } });
});

test("sources are kept apart, and go with the tab", async () => {
  await records.put(1, { kept: { a: "7" } });
  await records.putSource(1, "a", "globalThis.kept = 1");
  await records.putSource(1, "b", "2");
  await records.putSource(1, "b", null);
  assert.deepEqual(await records.sources(1), { a: "globalThis.kept = 1" });
  assert.deepEqual(await records.sources(2), {});
  await records.forget(1);
  assert.deepEqual(chrome.stored, { tabs: {} });
});

test("a source that does not fit is not kept", async () => {
  await records.putSource(1, "a", "1");
  chrome.storage.session.set = async () => {
    throw new Error("QUOTA_BYTES quota exceeded");
  };
  await records.putSource(1, "b", "2");
  assert.deepEqual(await records.sources(1), { a: "1" });
});
