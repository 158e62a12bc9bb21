import assert from "node:assert/strict";
import { afterEach, beforeEach, mock } from "node:test";
import { Session } from "../../../extension/tab/session.js";
import { FakeBrowser, OWN } from "../browser.js";
import { CONFIG, EVERYTHING, settle } from "../fakes.js";
import { test } from "../testing.js";

let browser, chrome, panel, connections;
beforeEach(() => void ({ chrome, panel, connections } = browser = new FakeBrowser()));
afterEach(() => browser.end());

const command = (id, name, params) => ({
  type: "command",
  id,
  command: `kapturemcp_${name}`,
  params,
  timeout: 60_000,
  grant: EVERYTHING,
});

/** The link of the first tab, in which a reload runs that ends when it is released. */
async function reloading() {
  connections.start(CONFIG);
  await browser.tabsLinked(2);
  const { release } = chrome.hold("Page.reload");
  const session = connections.sessionOf(1);
  const id = `${session.memory}.reload`;
  const link = await panel.tabLink(session.id);
  link.tell(command(id, "reload", { ignoreCache: false }));
  await chrome.until(() => chrome.methods(1).includes("Page.reload"));
  return { session, link, id, release };
}

/** The tab's next link, which comes after so many milliseconds and not before. */
async function relinked(session, ms) {
  const before = panel.sockets.length;
  mock.timers.tick(ms - 1);
  await settle();
  assert.equal(panel.sockets.length, before);
  mock.timers.tick(1);
  const link = await panel.tabLink(session.id);
  await settle();
  return link;
}

test("a command that runs when the panel goes away comes to an end soon; its answer goes nowhere", async () => {
  const { session } = await reloading();
  panel.stop();
  await settle();
  assert.equal(session.isExecuting, true);
  mock.timers.tick(2500);
  await settle();
  assert.equal(session.isExecuting, false);
});

test("of commands whose answers were lost the panel is told what became of them, of one that runs when it is over", async () => {
  const { session, link, id, release } = await reloading();
  const waited = `${session.memory}.waited`;
  link.tell(command(waited, "reload", { ignoreCache: false }));
  await settle();
  panel.open = [id, waited, `${session.memory}.never`, "elsewhere.1"];
  link.hangUp();
  const again = await relinked(session, 100);
  const told = () => again.frames("response").map((one) => [one.id, one.success, one.error?.code]);
  assert.deepEqual(told(), [
    [`${session.memory}.never`, false, "NOT_SENT"],
    ["elsewhere.1", false, "OUTCOME_UNKNOWN"],
  ]);
  release({});
  mock.timers.tick(2500); // the page that would come of it does not
  await again.response(waited);
  assert.deepEqual(told().slice(2), [
    [id, false, "OUTCOME_UNKNOWN"],
    [waited, false, "NOT_SENT"],
  ]);
  assert.equal(chrome.methods(1).filter((method) => method === "Page.reload").length, 1);
});

test("an answer that was lost is told again over the next link, without what it was about", async () => {
  connections.start(CONFIG);
  await browser.tabsLinked(2);
  const session = connections.sessionOf(1);
  const link = await panel.tabLink(session.id);
  const id = `${session.memory}.1`;
  const { result, ...answer } = await link.command(id, "kapturemcp_click", {
    selector: "#a",
    button: "left",
    clickCount: 1,
    modifiers: [],
  });
  assert.ok(result.clicked);
  panel.open = [id];
  link.hangUp();
  const again = await relinked(session, 100);
  assert.deepEqual(again.frames("response"), [answer]);
});

test("the pause before a tab dials again grows while it fails, and begins again once it is linked", async () => {
  connections.start(CONFIG);
  await browser.tabsLinked(2);
  const session = connections.sessionOf(1);
  for (let time = 0; time < 8; time += 1) {
    (await panel.tabLink(session.id)).hangUp();
    await relinked(session, 100);
  }
  const greet = panel.answers.hello;
  panel.answers.hello = (socket, hello) => (hello.role === "tab" ? socket.hangUp("busy") : greet(socket, hello));
  (await panel.tabLink(session.id)).hangUp();
  for (const ms of [100, 200, 400, 800, 1600, 2000, 2000]) {
    const before = panel.sockets.length;
    mock.timers.tick(ms - 1);
    await settle();
    assert.equal(panel.sockets.length, before);
    mock.timers.tick(1);
    await settle();
    assert.equal(panel.sockets.length, before + 1, `${ms} ms`);
  }
  panel.answers.hello = greet;
  await relinked(session, 2000);
  (await panel.tabLink(session.id)).hangUp();
  await relinked(session, 100);
});

test("while the panel is away no tab dials; its browser's link brings them back", async () => {
  connections.start(CONFIG);
  await browser.tabsLinked(2);
  panel.stop();
  await settle();
  const before = panel.sockets.length;
  mock.timers.tick(249);
  await settle();
  assert.equal(panel.sockets.length, before);
  panel.running = true;
  mock.timers.tick(1);
  await browser.tabsLinked(2);
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

test("a tab is shared no more when the person says so in the panel, and not again by itself", async () => {
  connections.start(CONFIG);
  await browser.tabsLinked(2);
  const { id } = connections.sessionOf(1);
  (await panel.tabLink(id)).tell({ type: "disconnect" });
  await chrome.until(() => connections.stateOf(1) === "idle");
  assert.equal((await connections.listTabs()).find(({ browserTabId }) => browserTabId === 1).connected, false);
  assert.equal(connections.stateOf(2), "connected");
});

test("a tab is brought in front, with its window, when the person wants to see it", async () => {
  connections.start(CONFIG);
  await browser.tabsLinked(2);
  const { id } = connections.sessionOf(1);
  const focused = new Promise((resolve) => (chrome.windows.update = async (...given) => resolve(given)));
  (await panel.tabLink(id)).tell({ type: "show" });
  assert.deepEqual(await focused, [(await chrome.tabs.get(1)).windowId, { focused: true }]);
});

test("a tab whose link alone broke is dialled for again", async () => {
  connections.start(CONFIG);
  await browser.tabsLinked(2);
  const { id } = connections.sessionOf(1);
  (await panel.tabLink(id)).hangUp("a frame was too large");
  assert.equal(connections.stateOf(1), "connecting");
  mock.timers.tick(100);
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
