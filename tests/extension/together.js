/**
 * The test files of some folders in one process, each a suite: its hooks are its own, and what it made of the globals
 * ends with it. A process for each costs eight times as much, most of it for jsdom; a file can still be run alone.
 */
import { globSync } from "node:fs";
import { after, before, describe, mock } from "node:test";
import "./testing.js"; // its timers belong to all of them

const HERE = new URL("./", import.meta.url);

/** @param {string} pattern @param {string[]} exclude */
export function together(pattern, exclude = []) {
  for (const file of globSync(pattern, { cwd: HERE, exclude }).sort())
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
