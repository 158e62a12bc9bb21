import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import * as node from "node:buffer";
import { layOut, show } from "./jsdom.js";
import { dropMade, dropSeen, watchDrop } from "../../../extension/page/drop_files.js";
import { addPiece, dropPieces, endFile } from "../../../extension/page/files.js";
import { test } from "../testing.js";

// jsdom's own know no bytes of Node's.
for (const name of ["Blob", "File", "atob", "btoa"]) Object.defineProperty(globalThis, name, { value: node[name] });

class Transfer {
  files = [];
  items = { add: (file) => this.files.push(file) };
}

/** jsdom knows no drags. */
class FakeDragEvent extends MouseEvent {
  constructor(kind, { dataTransfer, ...more }) {
    super(kind, more);
    this.dataTransfer = dataTransfer;
  }
}

let zone;
let heard;
beforeEach(() => {
  globalThis.DataTransfer = Transfer;
  globalThis.DragEvent = FakeDragEvent;
  show(`<div id="zone"></div>`);
  layOut({ x: 10, y: 20, width: 100, height: 40 });
  zone = document.getElementById("zone");
  Document.prototype.elementFromPoint = () => zone;
  heard = [];
  for (const kind of ["dragenter", "dragover", "dragleave", "drop"])
    zone.addEventListener(kind, (event) => heard.push([kind, event.dataTransfer?.files.length]));
  dropPieces();
  addPiece(btoa("abc"));
  endFile({ name: "a.txt", type: "", modified: 1 });
});

test("a zone that takes what is over it gets the files", () => {
  zone.addEventListener("dragover", (event) => event.preventDefault());
  assert.deepEqual(dropMade({ x: 60, y: 40 }), { accepts: true, dropped: '<div id="zone">' });
  assert.deepEqual(heard, [
    ["dragenter", 1],
    ["dragover", 1],
    ["drop", 1],
  ]);
});

test("what takes nothing is left again, and gets nothing", () => {
  assert.deepEqual(dropMade({ x: 60, y: 40 }), { accepts: false, dropped: null });
  assert.deepEqual(
    heard.map(([kind]) => kind),
    ["dragenter", "dragover", "dragleave"],
  );
});

test("where nothing lies nothing is dropped", () => {
  zone = null;
  assert.deepEqual(dropMade({ x: 60, y: 40 }), { accepts: false, dropped: null });
});

test("of the browser's own drag it is told whether the page wants it, and what got it", () => {
  const fire = (kind) =>
    zone.dispatchEvent(new FakeDragEvent(kind, { bubbles: true, cancelable: true, composed: true }));
  watchDrop({ x: 60, y: 40 });
  fire("dragover");
  assert.deepEqual(dropSeen(false), { accepts: false, dropped: null });
  zone.addEventListener("dragover", (event) => event.preventDefault());
  fire("dragover");
  fire("drop");
  assert.deepEqual(dropSeen(true), { accepts: true, dropped: '<div id="zone">' });
  watchDrop({ x: 60, y: 40 });
  assert.deepEqual(dropSeen(true), { accepts: false, dropped: null });
});
