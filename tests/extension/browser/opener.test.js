import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { KaptureError } from "../../../extension/basics/errors.js";
import { MadeTabs } from "../../../extension/browser/made_tabs.js";
import { Opener } from "../../../extension/browser/opener.js";
import { FakeChrome } from "../fake_chrome.js";
import { EVERYTHING, settle } from "../fakes.js";
import { test } from "../testing.js";

let chrome, asked, cancelled, opened, sessions, answer, connect, isManaged, caller;
beforeEach(() => {
  chrome = new FakeChrome({ tabs: [{ id: 1 }] });
  asked = [];
  cancelled = [];
  caller = new AbortController();
  opened = [];
  isManaged = false;
  answer = {
    success: true,
    result: { url: "https://a.example/" },
    effects: { url: "https://a.example/", title: "A", reloaded: true, changed: true },
  };
  sessions = new Map();
  connect = async (id) => {
    sessions.set(id, {
      execute: async (frame) => (asked.push(frame), answer),
      cancel: (id) => cancelled.push(id),
    });
    return "abcde";
  };
});

function opener({ demandNone = () => {} } = {}) {
  return new Opener({
    chrome,
    panel: { isManaged },
    registry: { sessionOf: (id) => sessions.get(id) ?? null },
    pause: { demandNone },
    agentTabs: { opened: (id) => opened.push(id) },
    madeTabs: new MadeTabs(),
    connect: (id) => connect(id),
  });
}
const open = (url = "https://a.example/", how = {}) =>
  opener().open(url, {
    active: false,
    snapshot: "none",
    timeout: 5000,
    grant: EVERYTHING,
    signal: caller.signal,
    ...how,
  });

test("what is answered is what loading the address did, with the snapshot and the dialogs of that", async () => {
  Object.assign(answer, { snapshot: "# A", dialogs: [{ type: "alert" }] });
  const { effects, snapshot, dialogs, result } = await open("https://a.example/", {
    snapshot: "full",
    dialogs: "accept",
  });
  assert.deepEqual(
    [effects, snapshot, dialogs],
    [{ url: "https://a.example/", title: "A", changed: true }, "# A", [{ type: "alert" }]],
  );
  assert.deepEqual(result, { tabId: "abcde", url: "https://a.example/" });
  assert.deepEqual(
    asked.map(({ params, dialogs: rule, grant, timeout }) => [params, rule, grant, timeout]),
    [[{ url: "https://a.example/", waitUntil: "load", snapshot: "full" }, "accept", EVERYTHING, 5000]],
  );
});

test("an address that fails is told with the tab that is open", async () => {
  answer = { success: false, error: { code: "NAVIGATION_FAILED", message: "no such host" } };
  assert.deepEqual((await open()).error, {
    code: "NAVIGATION_FAILED",
    message: "no such host (the tab abcde is open)",
    tabId: "abcde",
  });
});

test("a tab that was opened and cannot be connected is closed again", async () => {
  connect = () => Promise.reject(new KaptureError("TAB_DISCONNECTED", "the tab does not answer"));
  await assert.rejects(open(), { message: "the tab does not answer" });
  assert.deepEqual([...chrome.byId.keys()], [1]);
});

test("so is one that Chrome does not show", async () => {
  isManaged = true;
  chrome.tabs.update = () => Promise.reject(new Error("Tabs cannot be edited right now"));
  await assert.rejects(open("https://a.example/", { active: true }), { message: "Tabs cannot be edited right now" });
  assert.deepEqual([...chrome.byId.keys()], [1]);
});

test("a tab that was closed while it was opened is TAB_DISCONNECTED", async () => {
  connect = async () => "abcde";
  await assert.rejects(open(), { code: "TAB_DISCONNECTED" });
});

test("in a person's own browser the tab is its agent's, in a managed one nobody groups it", async () => {
  await open();
  isManaged = true;
  await open();
  assert.deepEqual(opened, [2]);
});

test("the tab that a person sees in their own browser stays, for they may be typing in it", async () => {
  await open("https://a.example/", { active: true });
  isManaged = true;
  await open("https://a.example/", { active: true });
  assert.deepEqual(
    [2, 3].map((id) => chrome.byId.get(id).active),
    [false, true],
  );
});

test("nothing is opened while this browser is let go of", async () => {
  const demandNone = () => {
    throw new KaptureError("PAUSED", "paused");
  };
  await assert.rejects(opener({ demandNone }).open("about:blank", {}), { code: "PAUSED" });
  assert.equal(chrome.byId.size, 1);
});

for (const url of ["https://a.example/", "about:blank"])
  test(`a tab for ${url} that nobody wants any more once it is connected is closed again, and loads nothing`, async () => {
    const { promise, resolve } = Promise.withResolvers();
    const connectNow = connect;
    connect = async (id) => (await promise, connectNow(id));
    const opening = open(url);
    await settle();
    assert.equal(chrome.byId.size, 2);
    caller.abort(new KaptureError("NOT_SENT", "its caller gave it up"));
    resolve();
    await assert.rejects(opening, { code: "NOT_SENT" });
    assert.deepEqual([[...chrome.byId.keys()], asked], [[1], []]);
  });

test("a tab that is loading its address when nobody wants it any more is given up there, and stays", async () => {
  const { promise, resolve } = Promise.withResolvers();
  answer = promise;
  const opening = open();
  await settle();
  caller.abort();
  assert.deepEqual(cancelled, [asked[0].id]);
  resolve({ success: false, error: { code: "OUTCOME_UNKNOWN", message: "cancelled by its caller" } });
  assert.equal((await opening).success, false);
  assert.equal(chrome.byId.size, 2);
});
