import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "./testing.js";

const EXTENSION = fileURLToPath(new URL("../../extension/", import.meta.url));
/** Room → the rooms beside it that it may import. */
const ARROWS = {
  basics: [],
  wire: ["basics"],
  tab: ["basics", "wire"],
  handlers: ["basics", "wire", "tab"],
  browser: ["basics", "wire", "tab"],
  devtools: ["basics"],
  popup: ["basics"],
  pair: ["wire"],
};

/** The files that a file imports, from the extension's folder. */
function imports(file) {
  const source = readFileSync(path.join(EXTENSION, file), "utf8");
  return [...source.matchAll(/ from "(\.[^"]+)"/g)].map(([, found]) => path.join(path.dirname(file), found));
}

const modules = Object.keys(ARROWS).flatMap((room) =>
  readdirSync(path.join(EXTENSION, room)).filter((name) => name.endsWith(".js")).map((name) => path.join(room, name)));

for (const module of modules)
  test(`${module} imports only from rooms below its own`, () => {
    const [room] = module.split(path.sep);
    for (const needed of imports(module)) assert.ok([room, ...ARROWS[room]].includes(needed.split(path.sep)[0]), `${module} imports ${needed}`);
  });

test("no two modules need each other", () => {
  const done = new Set();
  const visit = (module, way) => {
    assert.ok(!way.includes(module), [...way, module].join(" → "));
    if (done.has(module)) return;
    for (const needed of imports(module)) visit(needed, [...way, module]);
    done.add(module);
  };
  modules.forEach((module) => visit(module, []));
});
