import assert from "node:assert/strict";
import { Turns } from "../../../extension/basics/turns.js";
import { settle } from "../fakes.js";
import { test } from "../testing.js";

test("so many work at a time, the others after them in the order they came, also after one that failed", async () => {
  const turns = new Turns(2);
  const begun = [];
  const works = ["a", "b", "c", "d"].map((name) => ({ name, ...Promise.withResolvers() }));
  const all = works.map(({ name, promise }) =>
    turns.take(() => {
      begun.push(name);
      return promise;
    }),
  );
  await settle();
  assert.deepEqual(begun, ["a", "b"]);
  works[1].reject(new Error("it failed"));
  await assert.rejects(all[1], /it failed/);
  await settle();
  assert.deepEqual(begun, ["a", "b", "c"]);
  for (const { name, resolve } of works) resolve(name);
  assert.deepEqual(await Promise.all([all[0], all[2], all[3]]), ["a", "c", "d"]);
  assert.equal(await turns.take(async () => "free again"), "free again");
});
