import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { addressOf } from "../../../extension/devtools/pictures.js";
import { Shots } from "../../../extension/devtools/shots.js";
import { click, showDocument } from "../dom.js";
import { test } from "../testing.js";

let shots, opened;
beforeEach(() => {
  showDocument();
  opened = [];
  shots = new Shots((address, name) => opened.push([address, name]));
});

test("the newest is first, and a press opens it", async () => {
  shots.add({ address: "blob:a", name: "first", width: 10, height: 20 });
  shots.add({ address: "blob:b", name: "second", width: 30, height: 40 });
  const [button] = shots.list.querySelectorAll("button");
  assert.match(button.getAttribute("aria-label"), /second, 30 × 40/);
  await click(button);
  assert.deepEqual(opened, [["blob:b", "second"]]);
  assert.equal(shots.nothing.hidden, true);
});

test("the oldest go", () => {
  for (let number = 0; number < 35; number += 1)
    shots.add({ address: `blob:${number}`, name: `shot ${number}`, width: 1, height: 1 });
  assert.equal(shots.count, 30);
  assert.match(shots.list.lastElementChild.textContent, /shot 5/);
});

test("a picture gets an address of its own", async () => {
  const address = addressOf(Buffer.from("picture").toString("base64"), "png");
  const blob = await (await fetch(address)).blob();
  assert.deepEqual([await blob.text(), blob.type], ["picture", "image/png"]);
});
