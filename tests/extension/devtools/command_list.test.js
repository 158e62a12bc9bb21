import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { CommandList } from "../../../extension/devtools/command_list.js";
import { Commands } from "../../../extension/devtools/commands.js";
import { emit, enter, showDocument } from "../dom.js";
import { extensionFile } from "../fakes.js";
import { test } from "../testing.js";

const commands = new Commands(JSON.parse(extensionFile("commands.json")));
let list, chosen;
const options = () => [...list.list.querySelectorAll("[role=option]")];
beforeEach(() => {
  showDocument();
  chosen = [];
  list = new CommandList(commands, ({ name }) => chosen.push(name));
  document.body.append(list.node);
});

test("all commands are there, one can be come to by Tab", () => {
  assert.equal(options().length, commands.all.length);
  assert.deepEqual(
    options().filter(({ tabIndex }) => tabIndex === 0),
    [options()[0]],
  );
});

test("a search narrows the list, Enter takes the first", async () => {
  await enter(list.search, "navigate");
  assert.ok(options().length < 8);
  await emit(list.search, "keydown", { key: "Enter" });
  assert.deepEqual(chosen, [options()[0].dataset.name]);
  assert.equal(options()[0].getAttribute("aria-selected"), "true");
  await enter(list.search, "qwertz");
  assert.match(list.list.textContent, /No command/);
});

test("arrows go down into the list, through it and back", async () => {
  await emit(list.search, "keydown", { key: "ArrowDown" });
  assert.equal(document.activeElement, options()[0]);
  await emit(options()[0], "keydown", { key: "End" });
  assert.equal(document.activeElement, options().at(-1));
  await emit(options()[1], "keydown", { key: "ArrowUp" });
  await emit(options()[0], "keydown", { key: "ArrowUp" });
  assert.equal(document.activeElement, list.search);
  await emit(options()[3], "keydown", { key: " " });
  assert.deepEqual(chosen, [options()[3].dataset.name]);
});
