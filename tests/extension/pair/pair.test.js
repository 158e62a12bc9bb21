/** The pair page's own script over a document of its elements. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock } from "node:test";
import { FakeChrome } from "../fake_chrome.js";
import { ADDRESS, CONFIG, extensionFile, FakePanel, fakePort, settle } from "../fakes.js";
import { test } from "../testing.js";

const IDS = ["words", "code", "yes", "no", "again", "unpair", "where", "port"];
const KEY = "ab".repeat(32);
let chrome,
  panel,
  elements,
  asked,
  answers,
  document,
  aways,
  port,
  serial = 0;

function fakeElement() {
  return {
    textContent: "",
    hidden: true,
    disabled: false,
    value: "",
    listeners: {},
    addEventListener(kind, listener) {
      this.listeners[kind] = listener;
    },
    click() {
      return this.listeners.click();
    },
  };
}

const state = () => document.body.dataset.state;
const until = (wanted) => panel.until(() => state() === wanted);
const shown = () => IDS.filter((id) => !["words", "port"].includes(id) && !elements[id].hidden);

async function open() {
  await import(`../../../extension/pair/pair.js?opened=${(serial += 1)}`);
  await settle();
}

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout"] });
  chrome = new FakeChrome();
  panel = new FakePanel();
  panel.answers = { pair: (socket) => socket.tell({ type: "pairing", nonce: "22".repeat(32) }) };
  elements = Object.fromEntries(IDS.map((id) => [id, fakeElement()]));
  asked = [];
  answers = { unpair: {} };
  port = fakePort("pair");
  chrome.runtime.sendMessage = async (message) => (asked.push(message), answers[message.ask]);
  chrome.runtime.connect = () => port.page;
  globalThis.chrome = chrome;
  globalThis.WebSocket = panel.WebSocket;
  aways = 0;
  const set = (target, name, value) => {
    target[name] = value;
    aways += value === "away";
    panel.changed();
    return true;
  };
  const body = { dataset: new Proxy({}, { set }) };
  document = globalThis.document = { hidden: false, body, getElementById: (id) => elements[id], addEventListener() {} };
});
afterEach(async () => {
  await chrome.storage.session.onChanged.emit({ config: {} }); // the page of this test asks nobody any more
  mock.timers.reset();
});

test("the script finds every element it needs in the page", () => {
  const page = extensionFile("pair/pair.html");
  for (const id of IDS) assert.match(page, new RegExp(`id="${id}"`));
});

test("the page asks in words what its two buttons answer", async () => {
  await open();
  await until("code");
  assert.match(elements.words.textContent, /Do both codes match\?/);
  const page = extensionFile("pair/pair.html");
  for (const [id, word] of [
    ["yes", "Yes"],
    ["no", "No"],
  ])
    assert.match(page, new RegExp(`id="${id}"[^>]*aria-describedby="words"[^>]*>${word}<`));
});

test("the code is shown, and the key is kept after the person has said that it is the same", async () => {
  await open();
  await until("code");
  const [socket] = panel.sockets;
  assert.equal(socket.url, `ws://${ADDRESS}`);
  assert.match(elements.code.textContent, /^\d{3} \d{3}$/);
  assert.deepEqual(shown(), ["code", "yes", "no"]);
  elements.yes.click();
  assert.deepEqual([state(), socket.received.at(-1)], ["confirmed", { type: "confirm" }]);
  await socket.tell({ type: "paired", key: KEY });
  await until("paired");
  const { pairing, install } = chrome.kept;
  assert.deepEqual(pairing, { install, key: KEY, port: 61822, managed: false });
  assert.match(install, /^[0-9a-f]{16}$/);
  assert.deepEqual(shown(), ["unpair"]);
});

test("another code pairs nothing, whatever the program on the port says then", async () => {
  await open();
  await until("code");
  elements.no.click();
  const [socket] = panel.sockets;
  await socket.onmessage({ data: JSON.stringify({ type: "paired", key: KEY }) });
  await settle();
  assert.deepEqual([state(), chrome.kept.pairing], ["different", undefined]);
});

test("while the panel is away the page asks ever less often, and not at all when nobody looks", async () => {
  panel.running = false;
  await open();
  // "Away" is shown at the start of every try but the first, and at its end, when the next one is due.
  for (const [tries, pauseMs] of [
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
  ]) {
    await panel.until(() => aways === 2 * tries - 1);
    mock.timers.tick(pauseMs - 1);
    await settle();
    assert.equal(panel.sockets.length, tries);
    mock.timers.tick(1);
  }
  await panel.until(() => aways === 7);
  document.hidden = true;
  mock.timers.tick(8_000);
  await panel.until(() => aways === 9);
  mock.timers.tick(600_000);
  await settle();
  assert.deepEqual([panel.sockets.length, aways], [5, 9]);
});

for (const [code, wanted, words] of [
  ["APPROVAL_EXPIRED", "expired", /has expired.*Try again/],
  ["DENIED", "refused", /so it is.*Try again/],
  ["BUSY", "busy", /so it is.*Try again/],
])
  test(`${wanted}: it says so, with the next step, and asks again only when told to`, async () => {
    await open();
    await until("code");
    await panel.sockets[0].tell({ type: "refused", code, message: "so it is" });
    await until(wanted);
    assert.match(elements.words.textContent, words);
    assert.ok(shown().includes("again"));
    mock.timers.tick(600_000);
    await settle();
    assert.equal(panel.sockets.length, 1);
    elements.again.click();
    await until("code");
    assert.equal(panel.sockets.length, 2);
  });

/** The worker tells how it stands with the panel. */
const told = (panelState) => port.worker.postMessage({ state: { panel: panelState } });

test("a browser that is paired already asks nobody", async () => {
  chrome.kept.pairing = { ...CONFIG, managed: false };
  await open();
  assert.deepEqual(port.worker.got, [{ follow: -1 }]);
  told("connected");
  assert.deepEqual([state(), panel.sockets], ["paired", []]);
  elements.unpair.click();
  await settle();
  assert.deepEqual(
    asked.map(({ ask }) => ask),
    ["unpair"],
  );
  await chrome.storage.local.remove("pairing");
  assert.deepEqual([state(), shown()], ["unpaired", ["again", "where"]]);
});

test("unpairing is asked for once, and why it failed stays said while nothing else is to be told", async () => {
  chrome.kept.pairing = { ...CONFIG, managed: false };
  await open();
  told("connected");
  answers.unpair = { error: "The panel does not answer." };
  elements.unpair.click();
  elements.unpair.click();
  assert.deepEqual([asked.length, elements.unpair.disabled, elements.unpair.ariaDisabled], [1, false, "true"]);
  await settle();
  assert.equal(elements.unpair.ariaDisabled, "false");
  told("connecting");
  assert.equal(elements.words.textContent, "The panel does not answer.");
  told("refused");
  assert.match(elements.words.textContent, /does not know this browser/);
});

test("a page that stays open hears that its panel does not know the browser any more, and can pair it again", async () => {
  await open();
  await until("code");
  elements.yes.click();
  await panel.sockets[0].tell({ type: "paired", key: KEY });
  await until("paired");
  told("connecting");
  assert.equal(state(), "paired");
  told("refused");
  assert.deepEqual([state(), shown()], ["forgotten", ["again", "unpair", "where"]]);
  assert.match(elements.words.textContent, /port 61822 does not know this browser/);
  elements.again.click();
  await until("code");
  told("refused");
  assert.equal(state(), "code", "the worker tries as well, and disturbs nobody");
});

for (const [code, wanted, words] of [
  ["OLD_EXTENSION", "outdated", /^Reload Kapture Panel on the extensions page/],
  ["OLD_PANEL", "ahead", /^Update Kapture Panel/],
])
  test(`${wanted}: it says what to update, whether the browser is paired already or not`, async () => {
    panel.answers.pair = (socket) => socket.tell({ type: "refused", code, message: "two protocols" });
    await open();
    await until(wanted);
    assert.match(elements.words.textContent, words);
    assert.deepEqual(shown(), ["again"]);
    chrome.kept.pairing = { ...CONFIG, managed: false };
    document.body.dataset.state = ""; // as in a page that was just opened
    await open();
    told(wanted);
    assert.deepEqual([state(), shown()], [wanted, ["unpair"]], "the pairing there is stays as it is");
    told("connected");
    assert.equal(state(), "paired");
  });

test("a browser of the panel's own needs none, also when it is told while the page looks", async () => {
  chrome.stored.config = CONFIG;
  await open();
  assert.deepEqual([state(), panel.sockets, shown()], ["managed", [], []]);
  delete chrome.stored.config;
  await open();
  await until("code");
  await chrome.storage.session.onChanged.emit({ config: { newValue: CONFIG } });
  assert.equal(state(), "managed");
  assert.notEqual(panel.sockets[0].readyState, 1);
});

test("what is no port is dialled nowhere, and said", async () => {
  await open();
  await until("code");
  for (const wrong of ["618222", "61822.5", "-1", "0", ""]) {
    elements.port.value = wrong;
    elements.port.listeners.change();
    await settle();
    assert.match(elements.words.textContent, /^Ports are 1 to 65535/, wrong);
    assert.deepEqual([state(), shown(), panel.sockets.length], ["port", ["where"], 1]);
  }
});

test("another port is dialled when the person names it", async () => {
  await open();
  await until("code");
  elements.port.value = "7000";
  elements.port.listeners.change();
  await panel.until(() => panel.sockets[1]?.url === "ws://127.0.0.1:7000");
});
