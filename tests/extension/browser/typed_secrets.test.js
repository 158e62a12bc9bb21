import assert from "node:assert/strict";
import { afterEach, beforeEach } from "node:test";
import { FakeBrowser, OWN } from "../browser.js";
import { test } from "../testing.js";

const VALUE = "kite 77 moon";
let browser, chrome, panel, connections;
beforeEach(() => void ({ chrome, panel, connections } = browser = new FakeBrowser()));
afterEach(() => browser.end());

/** An agent types it into a secret field of tab 1; the page of tab 2 shows it in its title. */
async function typed() {
  const { "Runtime.callFunctionOn": call } = chrome.replies;
  chrome.replies["Runtime.callFunctionOn"] = (params) =>
    JSON.stringify(params.arguments).includes(VALUE)
      ? { result: { value: { value: { kept: true }, target: { secret: true } } } }
      : call(params);
  await connections.start(OWN);
  const link = await panel.tabLink(await connections.connect(1));
  await link.command("c1", "kapturemcp_fill", { ref: "e1", value: VALUE });
  for (const id of [1, 2]) chrome.byId.get(id).title = `Hello ${VALUE}`;
}

/** What the panel is told of a tab when it is connected. */
async function titleOf(id) {
  const link = await panel.tabLink(await connections.connect(id));
  return link.frames("register")[0].title;
}

test("what was typed in one tab is masked in what another one tells, and after a pause", async () => {
  await typed();
  assert.equal(await titleOf(2), "Hello ***");
  await browser.pausing(true);
  await browser.pausing(false);
  assert.equal(await titleOf(1), "Hello ***");
});

test("the answers about the browser itself are masked, what the person runs is not", async () => {
  await typed();
  const link = await panel.browserLink();
  const { error } = await link.command("c2", `no command, ${VALUE}`);
  assert.match(error.message, /no command, \*\*\*/);
  connections.run(1, "kapturemcp_fill", { ref: "e1", value: VALUE });
  assert.equal((await link.next("run")).params.value, VALUE);
});

test("another panel hears nothing of what was typed for the one before: it is forgotten", async () => {
  await typed();
  await connections.unpair();
  await connections.start(OWN);
  assert.equal(await titleOf(2), `Hello ${VALUE}`);
});
