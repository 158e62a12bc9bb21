import assert from "node:assert/strict";
import { afterEach, beforeEach } from "node:test";
import { applies, MAX_MOVES, MAX_PATH_MS, path } from "../../../extension/tab/mouse.js";
import { Clock } from "../clock.js";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

const VIEW = { width: 1280, height: 720 };

/** A random source that gives the same numbers for the same seed (mulberry32). */
function seeded(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Many paths from anywhere to anywhere, at the edges too. */
function* samples(count = 500) {
  const random = seeded(1);
  const place = (size) => [0, size - 1, random() * (size - 1)][Math.floor(random() * 3)];
  for (let seed = 0; seed < count; seed += 1) {
    const [from, to] = [0, 1].map(() => ({ x: place(VIEW.width), y: place(VIEW.height) }));
    yield { from, to, seed, points: path(from, to, VIEW, seeded(seed)) };
  }
}

const distance = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);

test("a path ends exactly at its target and begins where the mouse was", () => {
  for (const { from, to, points } of samples()) {
    assert.deepEqual({ x: points.at(-1).x, y: points.at(-1).y }, to);
    assert.ok(
      distance(points[0], from) <= Math.max(6, distance(from, to) * 0.02),
      JSON.stringify({ from, to, first: points[0] }),
    );
  }
});

test("a path stays inside the viewport", () => {
  for (const { points } of samples())
    for (const { x, y } of points)
      assert.ok(x >= 0 && y >= 0 && x <= VIEW.width - 1 && y <= VIEW.height - 1, `${x}, ${y}`);
});

test("a path has few moves, takes little time, and time only goes forward", () => {
  for (const { from, to, points } of samples()) {
    assert.ok(points.length <= MAX_MOVES && MAX_MOVES === 40);
    assert.ok(points.at(-1).atMs <= MAX_PATH_MS && MAX_PATH_MS === 400);
    if (distance(from, to) > 30) assert.ok(points.length > 10, `${points.length} moves over ${distance(from, to)} px`);
    for (const [index, { atMs }] of points.slice(1).entries()) assert.ok(atMs > points[index].atMs);
  }
});

test("the same seed makes the same path, another one another", () => {
  const make = (seed) => path({ x: 10, y: 10 }, { x: 900, y: 500 }, VIEW, seeded(seed));
  assert.deepEqual(make(3), make(3));
  assert.notDeepEqual(make(3), make(4));
});

test("a path is not a straight line, and no wild one", () => {
  for (const { from, to, points } of samples(200)) {
    const far = distance(from, to);
    if (far < 100) continue;
    const aside = points.map(
      ({ x, y }) => Math.abs((to.x - from.x) * (from.y - y) - (from.x - x) * (to.y - from.y)) / far,
    );
    assert.ok(Math.max(...aside) < 0.35 * far + 20, `${Math.max(...aside)} px aside on a way of ${far}`);
    const along = from.x === to.x || from.y === to.y; // at an edge the track may lie on the edge
    if (!along) assert.ok(Math.max(...aside) > 0.2);
  }
});

test("a hand starts and ends slowly", () => {
  const points = path({ x: 0, y: 300 }, { x: 1000, y: 300 }, VIEW, seeded(9));
  const steps = points.slice(1).map((point, index) => distance(point, points[index]));
  const middle = Math.max(...steps.slice(10, -10));
  assert.ok(steps[0] < middle / 3 && steps.at(-1) < middle / 3, steps.join(" "));
});

test("a mouse that is there already does not wander", () => {
  assert.deepEqual(path({ x: 5, y: 5 }, { x: 5.2, y: 5 }, VIEW), [{ x: 5.2, y: 5, atMs: 0 }]);
});

for (const [choice, managed, wanted] of [
  ["auto", false, true],
  ["auto", true, false],
  [undefined, false, true],
  [undefined, true, false],
  ["on", true, true],
  ["on", false, true],
  ["off", false, false],
  ["off", true, false],
])
  test(`${choice} in a ${managed ? "managed" : "person's own"} browser is ${wanted ? "on" : "off"}`, () =>
    assert.equal(applies(choice, managed), wanted));

let clock, tab;
beforeEach(async () => {
  clock = new Clock();
  tab = await connectedTab();
  tab.parts.pointer.random = seeded(7);
  tab.session.setMouse({ natural: true, cursor: false });
  tab.chrome.page.viewport = () => VIEW;
  tab.chrome.page.locate = () => ({ x: 600, y: 400, element: "<button>" });
});

afterEach(() => clock.stop());

const events = () => tab.sent("Input.dispatchMouseEvent");
const clicking = (id, timeout = 30_000) =>
  tab.run("click", { ref: "e1", button: "left", clickCount: 1, modifiers: [] }, timeout, id);
const click = () => clock.during(clicking());

test("a click goes there along a path, then presses where the target is", async () => {
  const { result } = await click();
  assert.deepEqual(result, { clicked: "<button>", x: 600, y: 400 });
  const all = events();
  assert.ok(all.length > 8 && all.length <= MAX_MOVES + 2);
  assert.deepEqual(
    all.slice(-3).map(({ type, x, y }) => [type, x, y]),
    [
      ["mouseMoved", 600, 400],
      ["mousePressed", 600, 400],
      ["mouseReleased", 600, 400],
    ],
  );
  assert.deepEqual(tab.parts.pointer.point, { x: 600, y: 400 });
});

test("the next path begins where the last one ended, whatever the tab shows by then", async () => {
  await click();
  tab.starts("L2", "https://shop.example/2");
  tab.shows("L2", "https://shop.example/2");
  tab.chrome.sent.length = 0;
  tab.chrome.page.locate = () => ({ x: 900, y: 100, element: "<a>" });
  await clock.during(tab.run("hover", { selector: "a" }));
  assert.ok(distance(events()[0], { x: 600, y: 400 }) < 10);
  assert.ok(distance(events().at(-1), { x: 900, y: 100 }) === 0);
});

test("a target that moves meanwhile is followed", async () => {
  const spots = [
    { x: 600, y: 400 },
    { x: 650, y: 300 },
  ];
  tab.chrome.page.locate = () => ({ ...(spots.length > 1 ? spots.shift() : spots[0]), element: "<button>" });
  await click();
  const pressed = events().find(({ type }) => type === "mousePressed");
  assert.deepEqual([pressed.x, pressed.y], [650, 300]);
});

test("a target that runs away all the time is clicked where it was last", async () => {
  let x = 100;
  tab.chrome.page.locate = () => ({ x: (x += 100), y: 50, element: "<button>" });
  await click();
  assert.equal(events().find(({ type }) => type === "mousePressed").x, x);
});

test("a target that is gone by then is an error, and nothing is pressed", async () => {
  let looked = 0;
  tab.chrome.replies["Runtime.callFunctionOn"] = async ({ arguments: [{ value: name }, { value: args }] }) => {
    if (name !== "locate") return { result: { value: { value: (await tab.chrome.page[name](...args)) ?? null } } };
    looked += 1;
    return {
      result: {
        value: looked === 1 ? { value: { x: 600, y: 400 } } : { error: { code: "ELEMENT_NOT_FOUND", message: "gone" } },
      },
    };
  };
  const { error } = await click();
  assert.equal(error.code, "ELEMENT_NOT_FOUND");
  assert.deepEqual([...new Set(events().map(({ type }) => type))], ["mouseMoved"]);
});

for (const [what, end] of [
  ["cancelled", () => tab.session.cancel("c9")],
  ["timed out", () => {}],
])
  test(`a command that is ${what} stops moving at once`, async () => {
    const answer = clicking("c9", what === "cancelled" ? 30_000 : 60);
    await clock.tick(50);
    assert.ok(events().length >= 3);
    end();
    assert.equal((await clock.during(answer)).success, false);
    const moved = events().length;
    await clock.tick(60); // longer than several moves
    assert.equal(events().length, moved);
    assert.ok(!events().some(({ type }) => type === "mousePressed"));
  });

test("a page that takes long over a move gets fewer of them", async () => {
  tab.chrome.replies["Input.dispatchMouseEvent"] = () => new Promise((resolve) => setTimeout(resolve, 80));
  await click();
  assert.ok(events().length < 15, `${events().length} events`);
});

test("a field that got its value on the way there is not clicked", async () => {
  const starts = [
    { way: "click", x: 300, y: 300 },
    { way: "done", value: "true" },
  ];
  tab.chrome.page.startFill = () => (starts.length > 1 ? starts.shift() : starts[0]);
  tab.chrome.page.endFill = () => ({ value: "true" });
  assert.deepEqual((await clock.during(tab.run("fill", { selector: "input", value: "true" }))).result, {
    value: "true",
  });
  assert.ok(!events().some(({ type }) => type === "mousePressed"));
});
