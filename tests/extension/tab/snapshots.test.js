import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { test } from "../testing.js";
import { Frames } from "../../../extension/tab/frames.js";
import { Snapshots } from "../../../extension/tab/snapshots.js";

let snapshots, told, page, frame, run, asked, worlds;
beforeEach(() => {
  told = [];
  asked = [];
  snapshots = new Snapshots((nextRef) => told.push(nextRef));
  page = { lines: ['- button "Buy" [ref=e1]'], doors: [], nextRef: 2, title: "Shop", url: "https://shop.example/" };
  frame = { lines: [], doors: [], nextRef: 2 };
  const children = { ofFrame: () => undefined };
  worlds = { known: (frameId) => ({ F1: "W1", F2: "W2" })[frameId] };
  run = {
    snapshots,
    navigation: { frameId: "F1" },
    frames: new Frames({ worlds, children }),
    signal: new AbortController().signal,
    topWorld: () => "W1",
    watch() {},
    page: async () => ({ title: "Shop", url: "https://shop.example/" }),
    call: async ({ id }, name, args, place) => {
      asked.push([id, name, args, place]);
      return { value: id === "W1" ? page : frame };
    },
    send: async (method) =>
      method === "DOM.describeNode" ? { node: { frameId: "F2" } } : { result: { objectId: "O1" } },
  };
});

const bytesOf = (text) => Buffer.byteLength(text);
const long = (count) =>
  Array.from({ length: count }, (_, index) => `- link "${String(index).padStart(6, "0")} ${"x".repeat(90)}"`);

test("a snapshot names the page and lists its lines", async () => {
  assert.equal(await snapshots.take(run), '# Shop — https://shop.example/\n- button "Buy" [ref=e1]');
});

test("a page without a title is called untitled", async () => {
  page.title = "";
  assert.match(await snapshots.take(run), /^# untitled — /);
});

test("refs go on where the last snapshot ended, and are told when new ones were given", async () => {
  snapshots.nextRef = 40;
  page.nextRef = 45;
  await snapshots.take(run, { interactiveOnly: true });
  assert.deepEqual(asked[0], [
    "W1",
    "snapshot",
    [{}, { interactiveOnly: true }, { from: 40, accepted: 40 }],
    undefined,
  ]);
  await snapshots.take(run);
  assert.deepEqual(asked[1][2][2], { from: 45, accepted: 45 });
  assert.deepEqual(told, [45]);
});

test("a number of a page that starts again is never taken back", async () => {
  snapshots.nextRef = 40;
  page.nextRef = 3;
  await snapshots.take(run);
  assert.equal(snapshots.nextRef, 40);
  assert.deepEqual(told, []);
});

const link = (number, rest = "") => `- link "${number}" [ref=e${number}]${rest}`;
const hidden = (from, to) => Array.from({ length: to - from }, (_, index) => link(from + index, " offscreen"));

test("a run of nodes out of sight says so once, whatever without a ref is among them", async () => {
  page.lines = [link(1), ...hidden(2, 6), "- listitem", "- text: gone offscreen", ...hidden(6, 12), link(12)];
  const [, ...shown] = (await snapshots.take(run)).split("\n");
  assert.equal(shown[0], link(1));
  assert.equal(shown[1], "(the next 12 lines are offscreen)");
  assert.equal(shown[7], "- text: gone offscreen");
  assert.deepEqual(
    shown.slice(2, 6),
    [2, 3, 4, 5].map((number) => link(number)),
  );
  assert.equal(shown.at(-1), link(12));
  assert.equal(shown.length, 15);
});

test("a short run keeps the word on each line", async () => {
  page.lines = [link(1), ...hidden(2, 5), link(5)];
  assert.deepEqual((await snapshots.take(run)).split("\n").slice(1), page.lines);
});

test("a page that starts within a run says what is left of it", async () => {
  page.lines = [link(1), ...hidden(2, 4000)];
  let text = await snapshots.take(run);
  const sizes = [];
  for (let pages = 0; pages < 10; pages += 1) {
    const [, said] = /^\(the next (\d+) lines are offscreen\)$/m.exec(text);
    const lines = text.split("\n").filter((line) => line.startsWith("- ") && line !== link(1));
    assert.equal(lines.length, Number(said));
    sizes.push(lines.length);
    const cursor = /cursor "([^"]+)"/.exec(text)?.[1];
    if (!cursor) break;
    text = snapshots.next(cursor, run);
  }
  assert.ok(sizes.length > 1);
  assert.equal(
    sizes.reduce((sum, size) => sum + size),
    3998,
  );
});

test("a long page comes in pages by cursor, every line once and in order", async () => {
  page.lines = long(1000);
  const seen = [];
  let text = await snapshots.take(run);
  for (let pages = 0; pages < 10; pages += 1) {
    assert.ok(bytesOf(text) <= 31_000);
    seen.push(...text.split("\n").filter((line) => line.startsWith("- ")));
    const cursor = /cursor "([^"]+)"/.exec(text)?.[1];
    if (!cursor) break;
    text = snapshots.next(cursor, run);
  }
  assert.deepEqual(seen, page.lines);
});

test("a page is counted in bytes, with its head and its tail", async () => {
  page.title = "Ц".repeat(5000);
  page.url = `data:text/html,${"x".repeat(50_000)}`;
  const text = "Абзац с русским текстом";
  page.lines = Array.from(
    { length: 3000 },
    (_, index) => `- button "${text} ${index}" [ref=e${index}]${index > 100 ? " offscreen" : ""}`,
  );
  for (const diff of [false, true]) {
    snapshots = new Snapshots(() => {});
    run.snapshots = snapshots;
    const seen = [];
    let answer = await snapshots.take(run, { diff });
    for (let pages = 0; pages < 10; pages += 1) {
      assert.ok(bytesOf(answer) <= 31_000, `${bytesOf(answer)} bytes`);
      seen.push(...answer.split("\n").filter((line) => line.startsWith("- ")));
      const cursor = /cursor "([^"]+)"/.exec(answer)?.[1];
      if (!cursor) break;
      assert.ok(bytesOf(answer) > 30_000, `${bytesOf(answer)} bytes`);
      answer = snapshots.next(cursor, run);
    }
    assert.deepEqual(
      seen,
      page.lines.map((line) => line.replace(/ offscreen$/, "")),
    );
  }
});

test("a run that does not fit at all is not announced", async () => {
  page.lines = ["x".repeat(31_680), ...hidden(2, 20)];
  assert.ok(!(await snapshots.take(run)).includes("the next"));
});

test("a line longer than a page is still shown, so that a cursor always gets on", async () => {
  page.lines = ["a".repeat(40_000), "b"];
  const text = await snapshots.take(run);
  assert.match(snapshots.next(/cursor "([^"]+)"/.exec(text)[1], run), /^b$/);
});

for (const cursor of ["s9:0", "s1:", "s1", "s1:-1", "s1:1e1", "", ":", "s1:0x1"])
  test(`the cursor ${JSON.stringify(cursor)} is refused`, async () => {
    page.lines = long(1000);
    await snapshots.take(run);
    assert.throws(() => snapshots.next(cursor, run), { code: "INVALID_PARAMS", message: /take a new one/ });
  });

test("a cursor of an older snapshot is stale", async () => {
  page.lines = long(1000);
  const text = await snapshots.take(run);
  await snapshots.take(run);
  assert.throws(() => snapshots.next(/cursor "([^"]+)"/.exec(text)[1], run), { code: "INVALID_PARAMS" });
});

for (const [what, change, stale] of [
  ["another document", { loaderId: "L2" }, true],
  ["another view of an application", { url: "https://shop.example/cart" }, true],
  ["another route of an application", { url: "https://shop.example/#/cart" }, true],
  ["another place in it", { url: "https://shop.example/?page=2#top" }, false],
])
  test(`when the tab shows ${what} a cursor ${stale ? "says that the page was left" : "goes on"}`, async () => {
    Object.assign(run.navigation, { loaderId: "L1", url: "https://shop.example/" });
    page.lines = long(1000);
    const cursor = /cursor "([^"]+)"/.exec(await snapshots.take(run))[1];
    Object.assign(run.navigation, change);
    if (stale)
      assert.throws(() => snapshots.next(cursor, run), {
        code: "INVALID_PARAMS",
        message: /a page the tab has left; take a new one$/,
      });
    else assert.match(snapshots.next(cursor, run), /^- link/);
  });

test("a diff says what is gone and what is new", async () => {
  page.lines = ["- main", '  - button "Buy"', "  - text: 3 left"];
  await snapshots.take(run);
  page.lines = ["- main", "  - text: 2 left", '  - button "Buy"', '  - status "added"'];
  assert.equal(
    await snapshots.take(run, { diff: true }),
    '# Shop — https://shop.example/\n− - text: 3 left\n+ - text: 2 left\n+ - status "added"',
  );
});

test("a diff without changes says so", async () => {
  await snapshots.take(run);
  assert.match(await snapshots.take(run, { diff: true }), /nothing changed since the last snapshot/);
});

test("a diff of a part says which part it speaks of", async () => {
  for (const [options, part, whole] of [
    [{ target: { selector: "nav" } }, "in nav ", "nav"],
    [{ interactiveOnly: true }, "in its interactive elements ", "its interactive elements"],
    [
      { target: { ref: "e1" }, interactiveOnly: true },
      "in the interactive elements in e1 ",
      "the interactive elements in e1",
    ],
  ]) {
    const begun = await snapshots.take(run, { ...options, diff: true });
    assert.ok(begun.includes(`: this is all of ${whole})`), begun);
    const same = await snapshots.take(run, { ...options, diff: true });
    assert.ok(same.includes(`(nothing changed ${part}since the last snapshot)`), same);
  }
});

test("a diff with nothing to compare, or of another part, is the whole page and says so", async () => {
  assert.match(await snapshots.take(run, { diff: true }), /no earlier snapshot[^]*button "Buy"/);
  assert.match(await snapshots.take(run, { diff: true, interactiveOnly: true }), /no earlier snapshot/);
});

test("a diff is made against the last snapshot of the same part, whatever was looked at since", async () => {
  await snapshots.take(run);
  await snapshots.take(run, { interactiveOnly: true });
  page.lines = ['- button "Buy" [ref=e1]', '- button "Sell" [ref=e2]'];
  for (const options of [{}, { interactiveOnly: true }])
    assert.equal(
      await snapshots.take(run, { ...options, diff: true }),
      '# Shop — https://shop.example/\n+ - button "Sell" [ref=e2]',
    );
});

test("a diff begins again when the page is another one", async () => {
  run.navigation.loaderId = "L1";
  await snapshots.take(run);
  run.navigation.loaderId = "L2";
  page.lines = ['- button "Sell" [ref=e2]'];
  const text = await snapshots.take(run, { diff: true });
  assert.match(text, /\n\(another page than that of the last snapshot: this is all of it\)\n- button "Sell"/);
  assert.doesNotMatch(text, /Buy/);
});

test("after a snapshot of a part an action's changes are those of that part, while it is there", async () => {
  await snapshots.take(run, { interactiveOnly: true, target: { selector: "main" } });
  page.lines = [];
  assert.match(await snapshots.takeChanges(run), /\n− - button "Buy"/);
  assert.deepEqual(asked.at(-1)[2].slice(0, 2), [{ selector: "main" }, { interactiveOnly: true }]);
  const { call } = run;
  run.call = (world, name, args) => {
    if (args[0].selector) throw Object.assign(new Error("gone"), { code: "ELEMENT_NOT_FOUND" });
    return call(world, name, args);
  };
  await snapshots.takeChanges(run);
  assert.deepEqual(asked.at(-1)[2].slice(0, 2), [{}, { interactiveOnly: true }]);
  run.call = call;
  run.navigation.loaderId = "L2";
  await snapshots.take(run, { target: { selector: "main" } });
  run.navigation.loaderId = "L3";
  await snapshots.takeChanges(run);
  assert.deepEqual(asked.at(-1)[2][0], {});
});

test("a diff larger than a page is cut", async () => {
  await snapshots.take(run);
  page.lines = long(2000);
  const text = await snapshots.take(run, { diff: true });
  assert.ok(bytesOf(text) <= 31_000);
  const [, left] = /\n\((\d+) more changed; take a new snapshot\)$/.exec(text);
  assert.equal(text.split("\n").length - 2 + Number(left), 2001);
});

const PLACE = { x: 10, y: 20, left: 10, top: 20, right: 110, bottom: 70, shown: true, focused: false };

test("what is in a frame of another origin stands at its place, a level deeper, with refs that go on", async () => {
  page.lines = ['- iframe "Pay" [ref=e1]', "- text: after"];
  page.nodes = [{ role: "iframe" }, { role: "text" }];
  page.doors = [{ door: 1, place: PLACE, rest: {}, at: 1, depth: 1 }];
  frame.lines = [' - button "Buy" [ref=e2]'];
  frame.nodes = [{ role: "button" }];
  frame.nextRef = 3;
  const { text, nodes } = await snapshots.take(run, { nodes: true });
  assert.equal(
    text,
    '# Shop — https://shop.example/\n- iframe "Pay" [ref=e1]\n - button "Buy" [ref=e2]\n- text: after',
  );
  assert.deepEqual(
    nodes.map(({ role }) => role),
    ["iframe", "button", "text"],
  );
  const [walked] = asked.filter(([world, name]) => world === "W2" && name === "snapshot");
  assert.deepEqual(walked, ["W2", "snapshot", [{}, { nodes: true, depth: 1 }, { from: 2, accepted: 2 }], PLACE]);
  assert.equal(snapshots.nextRef, 3);
  assert.deepEqual([run.frames.ownerOf("e1"), run.frames.ownerOf("e2")], [undefined, "W2"]);
});

test("a frame that hears is waited for as long as it works, one that does not is given up", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const passed = () => new Promise((resolve) => setImmediate(resolve));
  page.doors = [{ door: 1, place: PLACE, rest: {}, at: 1, depth: 1 }];
  const { call } = run;
  for (const [held, shown] of [
    ["snapshot", /\n - button "Late" \[ref=e2\]$/],
    ["state", /\n - text: \(this frame is loading or does not answer\)$/],
  ]) {
    const { promise, resolve } = Promise.withResolvers();
    run.call = (world, name, ...rest) => (world.id === "W2" && name === held ? promise : call(world, name, ...rest));
    const taking = snapshots.take(run);
    await passed();
    t.mock.timers.tick(2000);
    await passed();
    resolve({ value: { ...frame, lines: [' - button "Late" [ref=e2]'] } });
    assert.match(await taking, shown);
  }
});

test("a frame that shows no document yet holds nothing up and says so", async () => {
  worlds.known = (frameId) => (frameId === "F1" ? "W1" : undefined);
  page.doors = [{ door: 1, place: PLACE, rest: {}, at: 1, depth: 1 }];
  assert.match(await snapshots.take(run), /\n - text: \(this frame is loading or does not answer\)$/);
});

test("a search tells the lines that say it, in pages, and leaves later differences alone", async () => {
  page.lines = ['- button "Buy" [ref=e1]', '- button "Save" [ref=e2]', ...long(400)];
  await snapshots.take(run);
  assert.equal(await snapshots.take(run, { find: "save" }), '# Shop — https://shop.example/\n- button "Save" [ref=e2]');
  assert.match(await snapshots.take(run, { find: "nowhere" }), /\n\(no line says "nowhere"; kapturemcp_find_by_text /);
  const found = await snapshots.take(run, { find: "xxx" });
  const [, cursor] = /cursor "([^"]+)"/.exec(found);
  assert.ok(!found.includes("Buy"));
  assert.ok(snapshots.next(cursor, run).includes("000399"));
  assert.match(await snapshots.take(run, { diff: true }), /nothing changed/);
});
