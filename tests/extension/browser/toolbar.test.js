import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach } from "node:test";
import { drivenBy, lookOf, Toolbar } from "../../../extension/browser/toolbar.js";
import { test } from "../testing.js";

let told, toolbar;
beforeEach(() => {
  told = [];
  const note = (name) => async (details) => void told.push([name, details]);
  toolbar = new Toolbar({
    action: { setBadgeText: note("text"), setBadgeBackgroundColor: note("color"), setTitle: note("title") },
  });
});

for (const [state, driver, text, words] of [
  ["idle", "", "", /^Kapture Panel$/],
  ["connecting", "", "", /^Kapture Panel$/],
  ["connected", "", "on", /nobody has driven it yet/],
  ["connected", "claude-code", "on", /claude-code drove it last/],
  ["connected", "you", "on", /you drove it last/],
  ["executing", "claude-code", "▶", /claude-code is driving it/],
  ["executing", "you", "▶", /you are driving it/],
  ["executing", "", "▶", /is being driven/],
])
  test(`${state} by “${driver}”: the icon says so in a sign and in words`, () => {
    const look = lookOf(state, driver);
    assert.equal(look.text, text);
    assert.match(look.title, words);
  });

test("in a pause a tab that stays connected says that agents are paused, unless the person drives it", () => {
  assert.deepEqual(lookOf("connected", "codex", true), {
    ...lookOf("paused", ""),
    title: "Kapture Panel: agents are paused until you resume",
  });
  assert.equal(lookOf("executing", "you", true).text, "▶");
  assert.equal(lookOf("idle", "", true).text, "");
});

test("its colours are the theme's", () => {
  const { light } = JSON.parse(readFileSync(new URL("../../../resources/theme/tokens.json", import.meta.url), "utf8"));
  assert.deepEqual([lookOf("connected", "").color, lookOf("executing", "").color], [light.accent, light.driving]);
  toolbar.showPanel("outdated");
  assert.ok(told.some(([, { color }]) => color === light.error));
});

test("Chrome is told only what changed", () => {
  toolbar.show(1, "idle", "");
  assert.deepEqual(told, []);
  toolbar.show(1, "connected", "");
  assert.deepEqual(
    told.map(([name]) => name),
    ["text", "color", "title"],
  );
  toolbar.show(1, "connected", "");
  assert.equal(told.length, 3);
  toolbar.show(1, "connected", "codex");
  assert.deepEqual(told.slice(3), [
    ["title", { tabId: 1, title: `Kapture Panel: this tab is connected, ${drivenBy("connected", "codex")}` }],
  ]);
  toolbar.show(1, "idle", "");
  assert.deepEqual(
    told.slice(4).map(([, details]) => details.text ?? details.title),
    ["", "Kapture Panel"],
  );
});

test("a panel of another version is said over every tab that has nothing else to say, until it is over", () => {
  toolbar.showPanel("connecting");
  toolbar.show(1, "connected", "");
  toolbar.show(2, "connected", "");
  toolbar.show(2, "connecting", "");
  told.length = 0;
  const texts = () => told.splice(0).flatMap(([name, { tabId, text }]) => (name === "text" ? [[tabId, text]] : []));
  toolbar.showPanel("outdated");
  assert.match(told.at(-1)[1].title, /reload it on the extensions page/);
  assert.deepEqual(texts(), [
    [undefined, "!"],
    [2, "!"],
  ]);
  toolbar.show(1, "connecting", "");
  assert.deepEqual(texts(), [[1, "!"]]);
  toolbar.show(3, "idle", "", { isNew: true });
  assert.deepEqual(texts(), [], "it has what all have");
  toolbar.showPanel("ahead");
  assert.match(told.at(-1)[1].title, /the panel is older/);
  toolbar.showPanel("connected");
  assert.deepEqual(texts(), [
    [undefined, ""],
    [1, ""],
    [2, ""],
  ]);
});

test("what Chrome kept of a worker before this one is taken back", () => {
  toolbar.showPanel("connecting");
  toolbar.showPanel("connected");
  assert.deepEqual(told, [
    ["text", { tabId: undefined, text: "" }],
    ["title", { tabId: undefined, title: "Kapture Panel" }],
  ]);
});

test("a page that loads makes Chrome forget: all is told again", () => {
  toolbar.show(1, "connected", "");
  toolbar.show(1, "connected", "", { isNew: true });
  assert.equal(told.length, 6);
});

test("a tab that has gone meanwhile is not an error", () => {
  const gone = () => Promise.reject(new Error("No tab with id: 1."));
  new Toolbar({ action: { setBadgeText: gone, setBadgeBackgroundColor: gone, setTitle: gone } }).show(
    1,
    "connected",
    "",
  );
});
