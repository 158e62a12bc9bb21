import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { DrivenFrame } from "../../../extension/tab/driven_frame.js";
import { Overlay } from "../../../extension/tab/overlay.js";
import { settle } from "../fakes.js";
import { test } from "../testing.js";

let sent, frame, size;
beforeEach(() => {
  sent = [];
  size = { clientWidth: 800, clientHeight: 600 };
  frame = new DrivenFrame(
    new Overlay({
      async send(method, params) {
        if (method === "Page.getLayoutMetrics") return { cssLayoutViewport: size };
        sent.push({ method: method.replace("Overlay.", ""), ...params });
        return {};
      },
    }),
  );
});

const names = () =>
  sent.map(({ method, hingeConfig }) => (method === "setShowHinge" ? (hingeConfig ? "drawn" : "cleared") : method));

test("it is there while the page is driven, if the person wants it, and costs nothing else", async () => {
  frame.drive(true);
  frame.drive(false);
  frame.want(true);
  frame.redraw();
  assert.equal(await frame.hiddenWhile(async () => 7), 7);
  await settle();
  assert.deepEqual(names(), []);
  frame.drive(true);
  await settle();
  assert.deepEqual(names(), ["DOM.enable", "enable", "drawn"]);
  assert.deepEqual(sent.at(-1).hingeConfig.rect, { x: 1, y: 1, width: 798, height: 598 });
  frame.drive(false);
  assert.deepEqual(names().slice(3), ["cleared", "disable", "DOM.disable"]);
});

test("it follows the page's size", async () => {
  frame.want(true);
  frame.drive(true);
  size = { clientWidth: 300, clientHeight: 200 };
  frame.redraw();
  await settle();
  assert.deepEqual(sent.at(-1).hingeConfig.rect, { x: 1, y: 1, width: 298, height: 198 });
});

test("a picture is taken without it, also when the work fails or a document comes meanwhile", async () => {
  frame.want(true);
  frame.drive(true);
  await settle();
  sent.length = 0;
  const work = async () => {
    frame.redraw();
    await settle();
    sent.push({ method: "work" });
    throw new Error("no picture");
  };
  await assert.rejects(frame.hiddenWhile(work), /no picture/);
  await settle();
  assert.deepEqual(names(), ["cleared", "work", "drawn"]);
});
