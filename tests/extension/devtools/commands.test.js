import assert from "node:assert/strict";
import { Commands } from "../../../extension/devtools/commands.js";
import { ICONS } from "../../../extension/devtools/icons.js";
import { extensionFile } from "../fakes.js";
import { test } from "../testing.js";

const declared = JSON.parse(extensionFile("commands.json"));
const commands = new Commands(declared);

test("every command about one tab is there, in the groups of the catalogue, and no other", () => {
  const wanted = declared.commands.filter(({ scope }) => scope === "tab").map(({ name }) => name);
  assert.deepEqual(
    commands.all.map(({ name }) => name),
    wanted,
  );
  assert.deepEqual(
    commands.groups.flatMap((group) => group.commands.map(({ name }) => name)).toSorted(),
    wanted.toSorted(),
  );
});

test("a command has what every one shares: a timeout last, a target where it takes one, a snapshot after an action", () => {
  const click = commands.get("kapturemcp_click");
  assert.deepEqual(Object.keys(click.targetProperties), ["selector", "xpath", "ref", "x", "y"]);
  assert.deepEqual(Object.keys(click.properties).slice(-2), ["snapshot", "timeout"]);
  const snapshot = commands.get("kapturemcp_snapshot");
  assert.deepEqual(Object.keys(snapshot.properties).at(-1), "timeout");
  assert.equal("snapshot" in snapshot.properties, false);
  assert.deepEqual(commands.get("kapturemcp_navigate").targetProperties, {});
});

for (const [text, wanted] of [
  ["click", "kapturemcp_click"],
  ["EVAL", "kapturemcp_evaluate"],
  ["visible text", "kapturemcp_get_visible_text"],
  ["  screenshot ", "kapturemcp_screenshot"],
])
  test(`“${text}” finds ${wanted}`, () => {
    assert.ok(commands.found(text).some((group) => group.commands.some(({ name }) => name === wanted)));
  });

test("words no command has find nothing, none find all", () => {
  assert.deepEqual(commands.found("qwertz"), []);
  assert.equal(commands.found("").length, commands.groups.length);
});

test("every icon the catalogue names is drawn", () => {
  for (const { icon, name } of commands.all)
    assert.ok(ICONS[icon], `${name}: ${icon} is not in devtools/icons.js; make generated`);
});
