// Parameters that would be ignored are refused, and nothing is done.
import assert from "node:assert/strict";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

const IGNORED = [
  ["snapshot", { cursor: "s1:4", selector: "#a" }, /takes no target, find, roles or diff$/],
  ["snapshot", { cursor: "s1:4", find: "a" }, /takes no target/],
  ["snapshot", { cursor: "s1:4", roles: ["button"] }, /takes no target/],
  ["snapshot", { cursor: "s1:4", diff: true }, /takes no target/],
  ["press_key", { key: "a", action: "up", count: 2 }, /^press_key: a key comes up once/],
  ["press_key", { key: "a", action: "up", count: 1, selector: "#a" }, /^press_key: a key comes up once/],
  ["handle_dialog", { accept: false, promptText: "Bo" }, /takes no promptText$/],
  ["wait", { time: 1, state: "hidden" }, /^wait: only an element or text is hidden$/],
  ["wait", { urlContains: "/", state: "attached" }, /is attached$/],
  ["wait", { expression: "true", state: "hidden" }, /is hidden$/],
];

for (const [command, params, said] of IGNORED)
  test(`${command} refuses ${JSON.stringify(params)}`, async () => {
    const tab = await connectedTab();
    const { success, error } = await tab.run(command, params);
    assert.deepEqual([success, error.code], [false, "INVALID_PARAMS"]);
    assert.match(error.message, said);
  });

const DEFAULTS = [
  ["snapshot", { cursor: "s1:4", roles: [], diff: false, formatter: "none", interactiveOnly: true }, /older snapshot/],
  ["press_key", { key: "a", action: "up", count: 1 }, /not held|no key|held down/],
  ["handle_dialog", { accept: false, promptText: "" }, /dialog/],
];

for (const [command, params, said] of DEFAULTS)
  test(`${command} takes ${JSON.stringify(params)}, which says nothing more`, async () => {
    const tab = await connectedTab();
    const { error } = await tab.run(command, params);
    assert.doesNotMatch(error.message, /takes no|comes up once/);
    assert.match(error.message, said);
  });

test("a wait for an address takes the usual state", async () => {
  const tab = await connectedTab();
  assert.equal((await tab.run("wait", { urlContains: "shop", state: "visible" })).success, true);
});
