import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "./testing.js";

const EXTENSION = fileURLToPath(new URL("../../extension/", import.meta.url));
/** Room → the rooms beside it that it may import. */
const ARROWS = {
  basics: [],
  // What panel and extension agree on, and nothing else: the rest of basics is for workers.
  page: ["basics"],
  wire: ["basics"],
  tab: ["basics", "wire"],
  handlers: ["basics", "wire", "tab"],
  browser: ["basics", "wire", "tab"],
  devtools: ["basics"],
  popup: ["basics"],
  pair: ["basics", "wire"],
};

/** The same for types alone: what the worker gives a handler of the browser, and our pages, is typed in its own room. */
const TYPE_ARROWS = {
  ...ARROWS,
  handlers: [...ARROWS.handlers, "browser"],
  devtools: ["basics", "wire", "browser"],
  popup: ["basics", "browser"],
};

/** The files that a file imports, from the extension's folder; those it takes only types from stand in comments. */
function imports(file, { withTypes }) {
  const text = readFileSync(path.join(EXTENSION, file), "utf8");
  const source = withTypes ? text : text.replace(/\/\*[^]*?\*\//g, "");
  return [...source.matchAll(/ from "(\.[^"]+)"/g)].map(([, found]) => path.join(path.dirname(file), found));
}

const modules = Object.keys(ARROWS).flatMap((room) =>
  readdirSync(path.join(EXTENSION, room), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js"))
    .map((name) => path.join(room, name)),
);

for (const module of modules)
  test(`${module} imports only from rooms below its own`, () => {
    const [room] = module.split(path.sep);
    for (const [arrows, withTypes] of [
      [ARROWS, false],
      [TYPE_ARROWS, true],
    ])
      for (const needed of imports(module, { withTypes }))
        assert.ok([room, ...arrows[room]].includes(needed.split(path.sep)[0]), `${module} imports ${needed}`);
  });

for (const module of modules.filter((name) => name.startsWith("page")))
  test(`${module} takes nothing of basics but what is agreed`, () => {
    const taken = imports(module, { withTypes: false }).filter((name) => name.startsWith("basics"));
    assert.ok(
      taken.every((name) => name === path.join("basics", "agreed.js")),
      taken.join(", "),
    );
  });

test("the map says what each room may import", () => {
  const map = readFileSync(path.join(EXTENSION, "../docs/architecture.md"), "utf8");
  const told = {};
  for (const [, rooms, needed] of map.matchAll(/^\| (`extension\/[^|]+) \|[^|]*\| ([^|]+) \|$/gm))
    for (const [, room] of rooms.matchAll(/extension\/(\w+)/g))
      told[room] = [...needed.replace("/agreed.js", "").matchAll(/\w+/g)].map(([name]) => name);
  assert.deepEqual(told, ARROWS);
});

test("no two modules need each other", () => {
  const done = new Set();
  const visit = (module, way) => {
    assert.ok(!way.includes(module), [...way, module].join(" → "));
    if (done.has(module)) return;
    for (const needed of imports(module, { withTypes: false })) visit(needed, [...way, module]);
    done.add(module);
  };
  modules.forEach((module) => visit(module, []));
});
