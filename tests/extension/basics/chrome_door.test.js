import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { throughDoor } from "../../../extension/basics/chrome_door.js";
import { FakeChrome } from "../fake_chrome.js";
import { test } from "../testing.js";

const EXTENSION = new URL("../../../extension/", import.meta.url);
const GONE = [
  "No tab with id: 7.",
  "No tab with given id 7.",
  "No window with id: 3.",
  "No group with id: 5.",
  "The tab was closed.",
  "Debugger is not attached to the tab with id: 7.",
  "Detached while handling command.",
];
const TARGET_GONE = [
  "No target with given id found",
  "Target closed.",
  "Cannot access a closed target",
  "Session with given id not found.",
];

/** The functions of `chrome` that answer with a promise, by their path. */
function* doors(api, path = "chrome") {
  for (const [name, value] of Object.entries(api)) {
    if (typeof value === "function" && value.constructor.name === "AsyncFunction") yield [`${path}.${name}`, api, name];
    else if (typeof value === "object" && value !== null && !("listeners" in value))
      yield* doors(value, `${path}.${name}`);
  }
}

function parts() {
  const { debugger: debugging, tabs, windows, storage, alarms, action } = new FakeChrome({ tabs: [{ id: 7 }] });
  return { debugger: debugging, tabs, windows, storage, alarms, action };
}

const NAMES = [...doors(parts())].map(([path]) => path);
assert.ok(NAMES.length >= 20, NAMES.join());

for (const at of NAMES)
  test(`${at} tells a tab that is gone as gone, and anything else as it is`, async () => {
    const chrome = parts();
    const [, api, name] = [...doors(chrome)].find(([path]) => path === at);
    const call = () =>
      at
        .split(".")
        .slice(1)
        .reduce(
          (found, part) => found[part],
          throughDoor(chrome),
        )({ tabId: 7 });
    for (const message of [...GONE, ...TARGET_GONE])
      for (const text of [message, JSON.stringify({ code: -32000, message })]) {
        api[name] = async () => Promise.reject(new Error(text));
        await assert.rejects(call, { code: "TAB_DISCONNECTED", message: "the tab was closed or disconnected" }, text);
      }
    for (const other of [
      new Error("Tabs cannot be edited right now (user may be dragging a tab)."),
      new Error("Node is detached from document"),
      "a text",
    ]) {
      api[name] = async () => Promise.reject(other);
      await assert.rejects(call, (error) => error === other);
    }
  });

test("a worker or frame that goes leaves its tab there, unless that went", async () => {
  const chrome = parts();
  const child = () =>
    throughDoor(chrome).debugger.sendCommand({ tabId: 7, sessionId: "child" }, "Runtime.evaluate", {});
  for (const message of TARGET_GONE) {
    const error = new Error(message);
    chrome.debugger.sendCommand = async () => Promise.reject(error);
    await assert.rejects(child, (told) => told === error);
  }
  for (const message of GONE) {
    chrome.debugger.sendCommand = async () => Promise.reject(new Error(message));
    await assert.rejects(child, { code: "TAB_DISCONNECTED" });
  }
});

test("values, events and what answers at once come through as they are", async () => {
  const chrome = new FakeChrome({ tabs: [{ id: 7 }] });
  const door = throughDoor(chrome);
  const heard = [];
  door.tabs.onCreated.addListener((tab) => heard.push(tab));
  await chrome.tabs.onCreated.emit("a tab");
  assert.deepEqual(
    [heard, door.runtime.id, door.runtime.getURL(""), door.scripting],
    [["a tab"], "extension-id", "chrome-extension://extension-id/", undefined],
  );
  assert.equal((await door.tabs.get(7)).id, 7);
});

// Nothing goes past the door: what background.js hands on is the only `chrome` there is.

const indentOf = (line) => line.length - line.trimStart().length;
const BOUND_HERE = /\b(const|let) \{[^}=]*\bchrome\b[^}=]*\} =/;
const BOUND_BELOW = /\([^()]*\bchrome\b[^()]*\) (=> )?\{$/;

/** The lines that mean a `chrome` nobody gave them. */
function bare(source) {
  const lines = source
    .replace(/\/\*[^]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ""))
    .replace(/(^|\s)\/\/.*/g, "$1")
    .replace(/\(\{\n[\w\s,]*\}\) \{/g, (parameters) => parameters.replace(/\s+/g, " "))
    .split("\n");
  const isBound = (at) => {
    let around = indentOf(lines[at]);
    if (BOUND_BELOW.test(lines[at])) return true;
    for (let above = at; above >= 0; above -= 1) {
      const line = lines[above];
      if (!line.trim()) continue;
      const indent = indentOf(line);
      if (indent <= around && BOUND_HERE.test(line)) return true;
      if (indent < around && BOUND_BELOW.test(line)) return true;
      around = Math.min(around, indent);
    }
    return false;
  };
  const means =
    /(?<![\w.$"'`/:(|-])chrome(?=[.[,)\s}])|\((?:\{ )?chrome(?=[.[,)\s}])|globalThis\.chrome|globalThis\["chrome/;
  return lines.flatMap((line, at) =>
    (/globalThis/.test(line) && means.test(line)) || (means.test(line) && !isBound(at)) ? [line.trim()] : [],
  );
}

test("who takes Chrome past the door is found", () => {
  assert.deepEqual(
    bare("function a(chrome) {\n  chrome.tabs.get(1);\n}\nfunction b() {\n  chrome.tabs.get(2);\n  made(chrome);\n}"),
    ["chrome.tabs.get(2);", "made(chrome);"],
  );
  assert.deepEqual(
    bare(
      "class A {\n  a() {\n    const { chrome, id } = this.session;\n    if (id) {\n      chrome.tabs.get(id);\n    }\n  }\n  b() {\n    return globalThis.chrome.tabs;\n  }\n  c() { return chrome.windows; }\n}",
    ),
    ["return globalThis.chrome.tabs;", "c() { return chrome.windows; }"],
  );
  assert.deepEqual(bare("/** chrome.tabs */\nthis.chrome.tabs.get(1); // chrome.debugger"), []);
});

for (const folder of ["basics/", "wire/", "tab/", "browser/", "handlers/"])
  for (const file of readdirSync(new URL(folder, EXTENSION)))
    test(`${folder}${file} takes no Chrome but what it was given`, () => {
      assert.deepEqual(bare(readFileSync(new URL(folder + file, EXTENSION), "utf8")), []);
    });

test("the worker puts the door before everything it does", () => {
  const source = readFileSync(new URL("background.js", EXTENSION), "utf8");
  assert.deepEqual(source.match(/.*globalThis.*/g), ["const chrome = throughDoor(globalThis.chrome);"]);
});
