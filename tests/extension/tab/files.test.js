import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { test } from "../testing.js";
import { Files } from "../../../extension/tab/files.js";
import { KaptureError } from "../../../extension/basics/errors.js";

const MIB = 1024 * 1024;
const WORLD = { id: "W" };
let run, calls, reads, refused, readable;

/** A browser that lets the extension name paths, or not, and reads what they lead to, or not. */
beforeEach(() => {
  [calls, reads, refused, readable] = [[], [], false, true];
  run = {
    async send(method) {
      if (method === "DOM.setFileInputFiles" && refused)
        throw new KaptureError("EXECUTION_ERROR", "DOM.setFileInputFiles: Not allowed");
      return { result: { objectId: "O" } };
    },
    undo: async () => {},
    async call(_world, name, args) {
      calls.push([name, ...args.map((arg) => (typeof arg === "string" ? arg.length : arg))]);
      return { value: name === "probed" ? { unreadable: readable ? null : "a", files: 1 } : null };
    },
    callBeside: async (name) => void calls.push([`beside ${name}`]),
    async readFile(token, start, size) {
      reads.push([token, start, size]);
      return Buffer.alloc(size).toString("base64");
    },
  };
});

const A = { name: "a", type: "", modified: 5, size: 3, token: "t", path: "/a" };

test("what the browser can read goes by its path", async () => {
  assert.equal(await new Files(run, WORLD, [A]).ready(), "path");
  assert.deepEqual(reads, []);
});

for (const [why, change] of [
  ["the extension may name no path", () => (refused = true)],
  ["the browser cannot read it", () => (readable = false)],
])
  test(`a file goes in pieces where ${why}`, async () => {
    change();
    const size = 2 * MIB + 1;
    assert.equal(await new Files(run, WORLD, [{ ...A, size }]).ready(), "pieces");
    assert.deepEqual(reads, [
      ["t", 0, MIB],
      ["t", MIB, MIB],
      ["t", 2 * MIB, 1],
    ]);
    assert.deepEqual(calls.slice(-4), [
      ["addPiece", Math.ceil(MIB / 3) * 4],
      ["addPiece", Math.ceil(MIB / 3) * 4],
      ["addPiece", 4],
      ["endFile", { name: "a", type: "", modified: 5 }],
    ]);
  });

test("a link, whose path would tell another name, goes in pieces", async () => {
  assert.equal(await new Files(run, WORLD, [{ ...A, path: undefined }]).ready(), "pieces");
});

test("nothing at all is given without a path", async () => {
  assert.equal(await new Files(run, WORLD, []).ready(), "pieces");
  assert.deepEqual(calls, []);
});

test("an empty file has no pieces", async () => {
  refused = true;
  await new Files(run, WORLD, [{ ...A, size: 0 }]).ready();
  assert.deepEqual(reads, []);
  assert.equal(calls.at(-1)[0], "endFile");
});

test("a file that becomes shorter meanwhile is given up, and its pieces are let go", async () => {
  refused = true;
  run.readFile = async () => Buffer.alloc(2).toString("base64");
  await assert.rejects(new Files(run, WORLD, [A]).ready(), { code: "FILE_NOT_FOUND" });
  assert.deepEqual(calls.at(-1), ["beside dropPieces"]);
});

for (const [what, offered] of [
  ["a folder", { ...A, folder: true, files: 1 }],
  ["more than 1 GB", { ...A, size: 1025 * MIB }],
])
  test(`${what} cannot go in pieces, and the error says what helps`, async () => {
    refused = true;
    await assert.rejects(new Files(run, WORLD, [offered]).ready(), /Allow access to file URLs/);
    assert.deepEqual(reads, []);
  });
