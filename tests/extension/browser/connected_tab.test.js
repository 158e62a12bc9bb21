import assert from "node:assert/strict";
import { afterEach, beforeEach, mock } from "node:test";
import { Session } from "../../../extension/tab/session.js";
import { FakeBrowser, OWN } from "../browser.js";
import { CONFIG, EVERYTHING, settle } from "../fakes.js";
import { test } from "../testing.js";

let browser, chrome, panel, connections;
beforeEach(() => void ({ chrome, panel, connections } = browser = new FakeBrowser()));
afterEach(() => browser.end());

test("a command that runs when the panel goes away ends; its answer goes nowhere", async () => {
  connections.start(CONFIG);
  await browser.tabsLinked(2);
  chrome.hold("Page.reload");
  const link = await panel.tabLink(connections.sessionOf(1).id);
  link.tell({
    type: "command",
    id: "c1",
    command: "kapturemcp_reload",
    params: { ignoreCache: false },
    timeout: 60_000,
    grant: EVERYTHING,
  });
  await chrome.until(() => chrome.methods(1).includes("Page.reload"));
  panel.stop();
  await settle();
  assert.equal(connections.sessionOf(1).isExecuting, false);
});

test("the keys of an agent that has gone go up", async () => {
  connections.start(CONFIG);
  await browser.tabsLinked(2);
  const link = await panel.tabLink(connections.sessionOf(1).id);
  await link.command("c1", "kapturemcp_press_key", { key: "Alt", count: 1, action: "down" });
  link.tell({ type: "letGo" });
  await chrome.until(() => chrome.sent.at(-1).params.type === "keyUp");
  assert.equal(chrome.sent.at(-1).params.key, "Alt");
});

test("a tab whose link alone broke is dialled for again", async () => {
  connections.start(CONFIG);
  await browser.tabsLinked(2);
  const { id } = connections.sessionOf(1);
  (await panel.tabLink(id)).hangUp("a frame was too large");
  assert.equal(connections.stateOf(1), "connecting");
  mock.timers.tick(250);
  await panel.tabLink(id);
  await settle();
  assert.equal(connections.stateOf(1), "connected");
});

for (const [config, natural] of [
  [OWN, true],
  [CONFIG, false],
])
  test(`a tab of a ${config.managed ? "managed" : "person's own"} browser has ${natural ? "a" : "no"} natural mouse unless a person says otherwise`, async (t) => {
    const chosen = t.mock.method(Session.prototype, "setMouse").mock;
    const last = () => chosen.calls.at(-1).arguments[0];
    await connections.start(config);
    await connections.connect(1);
    const session = connections.sessionOf(1);
    assert.equal(last().natural, natural);
    const link = await panel.tabLink(session.id);
    await link.tell({ type: "settings", naturalMouse: natural ? "off" : "on", showCursor: "on" });
    assert.deepEqual(last(), { natural: !natural, cursor: true });
    assert.ok(chrome.methods(1).includes("Overlay.enable"));
  });

test("the icon tells who drives a tab, while a command runs and a moment longer", async () => {
  connections.start(CONFIG);
  await browser.tabsLinked(2);
  await settle();
  const link = await panel.tabLink(connections.sessionOf(1).id);
  assert.deepEqual(
    [chrome.badges.get(1), chrome.titles.get(1)],
    ["on", "Kapture Panel: this tab is connected, nobody has driven it yet"],
  );
  const { release } = chrome.hold("Page.reload");
  link.tell({ type: "settings", driver: "claude\u202e-code" });
  link.tell({
    type: "command",
    id: "c1",
    command: "kapturemcp_reload",
    params: { ignoreCache: false },
    timeout: 60_000,
    grant: EVERYTHING,
  });
  await chrome.until(() => chrome.methods(1).includes("Page.reload"));
  assert.deepEqual([chrome.badges.get(1), connections.driverOf(1)], ["▶", "claude -code"]);
  assert.match(chrome.titles.get(1), /claude -code is driving it$/);
  release({});
  link.tell({ type: "cancel", id: "c1" });
  await link.response("c1");
  await settle();
  assert.equal(connections.stateOf(1), "executing");
  mock.timers.tick(1000);
  assert.deepEqual([connections.stateOf(1), chrome.badges.get(1)], ["connected", "on"]);
  assert.match(chrome.titles.get(1), /claude -code drove it last$/);
  await connections.disconnect(1);
  assert.deepEqual([chrome.badges.get(1), chrome.titles.get(1), connections.driverOf(1)], ["", "Kapture Panel", ""]);
});
