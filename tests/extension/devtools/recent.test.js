import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { Commands } from "../../../extension/devtools/commands.js";
import { Recent } from "../../../extension/devtools/recent.js";
import { click, showDocument } from "../dom.js";
import { extensionFile } from "../fakes.js";
import { test } from "../testing.js";

const commands = new Commands(JSON.parse(extensionFile("commands.json")));
let recent, opened, ran;
beforeEach(() => {
  showDocument();
  [opened, ran] = [[], []];
  recent = new Recent(
    (command, params) => opened.push([command.shortName, params]),
    (command, params) => ran.push([command.shortName, params]),
  );
});

test("a row puts its command into the form, its button runs it again", async () => {
  recent.add(commands.get("kapturemcp_click"), { selector: "#a" }, { success: true, ms: 12.3 });
  const [open, again] = recent.list.querySelectorAll("button");
  assert.match(open.textContent, /✓Clickselector: #a12 ms$/);
  await click(open);
  await click(again);
  assert.deepEqual([opened, ran], [[["click", { selector: "#a" }]], [["click", { selector: "#a" }]]]);
});

test("an error is marked with its code; typed text is told by its length", () => {
  recent.add(
    commands.get("kapturemcp_fill"),
    { selector: "#a", value: "hunter2" },
    { success: false, error: { code: "STALE_REF" } },
  );
  recent.add(
    commands.get("kapturemcp_fill_form"),
    { fields: [{ selector: "#a", value: "hunter2" }] },
    { success: true, ms: 1 },
  );
  assert.match(recent.list.textContent, /✗.*STALE_REF selector: #a, value: 7 characters/);
  assert.doesNotMatch(recent.list.textContent, /hunter2/);
});

test("fifty are kept, and none runs while it may not", async () => {
  for (let number = 0; number < 60; number += 1)
    recent.add(commands.get("kapturemcp_reload"), {}, { success: true, ms: 1 });
  assert.equal(recent.count, 50);
  recent.allow(false);
  await click(recent.list.querySelector(".again"));
  assert.deepEqual(ran, []);
});
