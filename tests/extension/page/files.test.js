import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import * as node from "node:buffer";
import { show } from "./jsdom.js";
import {
  addPiece,
  dropPieces,
  endFile,
  probeField,
  probed,
  setMade,
  startUpload,
  takeField,
  takeMade,
  taken,
  takingField,
} from "../../../extension/page/files.js";
import { test } from "../testing.js";

// jsdom's own know no bytes of Node's.
for (const name of ["Blob", "File", "atob", "btoa"]) Object.defineProperty(globalThis, name, { value: node[name] });

const ONE = { files: 1, folders: 0 };
const byId = (id) => document.getElementById(id);

beforeEach(() => {
  dropPieces();
  show(`<label id="label">Papers <input type="file" id="single"></label>
    <input type="file" id="several" multiple><input type="file" id="folder" webkitdirectory>
    <input type="file" id="out" disabled>
    <div id="wrap"><input type="file" id="wrapped" hidden></div>
    <div id="both"><input type="file"><input type="file"></div>
    <button id="button"><i id="icon">+</i></button><a id="link" href="#x">x</a><a id="anchor">x</a>
    <input type="button" id="input-button"><div role="menuitem" id="item">x</div><div id="zone">x</div>
    <input id="text"><textarea id="area"></textarea><select id="select"></select><input type="checkbox" id="box">`);
});

for (const [id, way] of [
  ["single", "field"],
  ["label", "field"],
  ["wrap", "field"],
  ["both", "drop"],
  ["zone", "drop"],
  ["anchor", "drop"],
  ["button", "press"],
  ["icon", "press"],
  ["link", "press"],
  ["input-button", "press"],
  ["item", "press"],
])
  test(`files go to #${id} by a ${way}`, () => assert.equal(startUpload({ selector: `#${id}` }, ONE).way, way));

for (const id of ["text", "area", "select", "box"])
  test(`#${id} takes no files, and the error says what does`, () =>
    assert.throws(() => startUpload({ selector: `#${id}` }, ONE), {
      code: "INVALID_PARAMS",
      message: /is not a file field/,
      nextStep: /^name the <input type=file>/,
    }));

test("a field that is disabled is waited for", () =>
  assert.throws(() => startUpload({ selector: "#out" }, ONE), { message: /disabled/ }));

for (const [id, given, said] of [
  ["single", { files: 2, folders: 0 }, /takes one file, not 2/],
  ["single", { files: 0, folders: 1 }, /takes files, not a folder/],
  ["folder", ONE, /takes a folder, not single files/],
  ["folder", { files: 0, folders: 2 }, /takes one folder, not 2/],
])
  test(`#${id} does not take ${JSON.stringify(given)}`, () =>
    assert.throws(() => takeField(byId(id), given), { code: "INVALID_PARAMS", message: said }));

/** Have the browser put files into a field. */
function put(field, files) {
  Object.defineProperty(field, "files", { value: files, configurable: true, writable: true });
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

test("what the browser put into a field is told, also where the page takes it out at once", async () => {
  takeField(byId("several"), ONE);
  const field = takingField();
  assert.equal(field, byId("several"));
  field.addEventListener("change", () => Object.defineProperty(field, "files", { value: [] }));
  put(field, [new File(["abc"], "a.txt")]);
  assert.deepEqual(await taken(), [{ name: "a.txt", size: 3 }]);
});

test("files the browser can read are found out outside the page", async () => {
  const field = probeField(false);
  assert.equal(field.isConnected, false);
  put(field, [new Blob(["a"])]);
  assert.deepEqual(await probed(), { unreadable: null, files: 1 });
  const refused = { name: "b.txt", slice: () => ({ arrayBuffer: () => Promise.reject(new Error("NotReadable")) }) };
  put(probeField(true), [refused]);
  assert.deepEqual(await probed(), { unreadable: "b.txt", files: 1 });
});

test("pieces become files in their order, and those of an upload that was given up none", async () => {
  addPiece(btoa("lost"));
  dropPieces();
  addPiece(btoa("ab"));
  addPiece(btoa("\u00ff"));
  endFile({ name: "a.bin", type: "image/png", modified: 5 });
  addPiece(btoa("c"));
  endFile({ name: "c.txt", type: "", modified: 6 });
  const files = takeMade();
  assert.deepEqual(
    files.map(({ name, size, type, lastModified }) => [name, size, type, lastModified]),
    [
      ["a.bin", 3, "image/png", 5],
      ["c.txt", 1, "", 6],
    ],
  );
  assert.deepEqual(takeMade(), []);
});

test("files made of pieces are given to the field as a person's choice is", async (t) => {
  t.after(() => delete globalThis.DataTransfer);
  globalThis.DataTransfer = class {
    files = [];
    items = { add: (file) => this.files.push(file) };
  };
  takeField(byId("several"), ONE);
  addPiece(btoa("abc"));
  endFile({ name: "a.txt", type: "", modified: 1 });
  const heard = [];
  const field = byId("several");
  Object.defineProperty(field, "files", { value: [], writable: true });
  for (const kind of ["input", "change"])
    field.addEventListener(kind, () => heard.push(`${kind} ${field.files.length}`));
  assert.deepEqual(await setMade(), [{ name: "a.txt", size: 3 }]);
  assert.deepEqual(heard, ["input 1", "change 1"]);
  await assert.rejects(setMade(), { code: "ELEMENT_NOT_FOUND" });
});
