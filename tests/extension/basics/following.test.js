import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { Following } from "../../../extension/basics/following.js";
import { fakePort } from "../fakes.js";
import { test } from "../testing.js";

let ports, chrome, heard, lost, following;
beforeEach(() => {
  [ports, heard, lost] = [[], [], 0];
  chrome = { runtime: { id: "extension-id", connect: ({ name }) => (ports.push(fakePort(name)), ports.at(-1).page) } };
  following = new Following({
    chrome,
    name: "devtools",
    tabId: 7,
    onMessage: (message) => heard.push(message),
    onLost: () => (lost += 1),
  });
});

test("it says which tab it follows, and hears of it", () => {
  assert.deepEqual([ports[0].page.name, ports[0].worker.got], ["devtools", [{ follow: 7 }]]);
  ports[0].worker.postMessage({ state: 1 });
  assert.deepEqual(heard, [{ state: 1 }]);
});

test("a worker that ends is followed by the next one", () => {
  ports[0].worker.disconnect();
  assert.deepEqual([lost, ports[1].worker.got], [1, [{ follow: 7 }]]);
  following.send({ run: 1 });
  assert.deepEqual(ports[1].worker.got.at(-1), { run: 1 });
});

test("an extension that is gone is not asked again", () => {
  chrome.runtime.id = undefined;
  ports[0].worker.disconnect();
  assert.equal(ports.length, 1);
  following.send({ run: 1 });
});
