/**
 * The test files of some folders in one process, each a suite: its hooks are its own, and what it made of the globals
 * ends with it. A process for each costs eight times as much, most of it for jsdom; a file can still be run alone.
 */
import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { after, before, describe, mock } from "node:test";
import "./testing.js"; // its timers belong to all of them

const HERE = new URL("./", import.meta.url);
const SEED = process.env.KAPTURE_TEST_SEED ?? "1";

/** `files` in the order that the lot of `seed` gives them: no file may come to need what another one left. */
export function byLot(files, seed) {
  const drawn = files.map((file) => [createHash("sha256").update(`${seed} ${file}`).digest("hex"), file]);
  return drawn.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, file]) => file);
}

/** @param {string} pattern @param {string[]} exclude */
export function together(pattern, exclude = []) {
  console.log(`order by lot: KAPTURE_TEST_SEED=${SEED}`);
  for (const file of byLot(globSync(pattern, { cwd: HERE, exclude }), SEED))
    describe(file, () => {
      let found;
      before(() => (found = Object.getOwnPropertyDescriptors(globalThis)));
      after(() => {
        mock.timers.reset();
        for (const name of Reflect.ownKeys(globalThis))
          if (!Object.hasOwn(found, name)) Reflect.deleteProperty(globalThis, name);
        Object.defineProperties(globalThis, found);
      });
      return import(new URL(file, HERE));
    });
}
