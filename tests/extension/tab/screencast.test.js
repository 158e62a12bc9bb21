import assert from "node:assert/strict";
import { afterEach, beforeEach } from "node:test";
import { Screencast } from "../../../extension/tab/screencast.js";
import { Clock } from "../clock.js";
import { settle } from "../fakes.js";
import { test } from "../testing.js";

let clock, sent, pictures, drawn, page, cast;
const emulation = { drawn: (...size) => drawn.push(size), leave: () => drawn.push("left") };
const layout = () => ({ cssLayoutViewport: page, cssVisualViewport: { zoom: 1 } });
beforeEach(() => {
  clock = new Clock();
  sent = [];
  pictures = [];
  drawn = [];
  page = { clientWidth: 1280, clientHeight: 720 };
  const cdp = {
    send: async (method, params) => {
      if (method === "Page.getLayoutMetrics") return layout();
      sent.push([method.replace("Page.", ""), params]);
    },
  };
  cast = new Screencast({ cdp, emulation, send: (picture) => pictures.push(picture) });
});
afterEach(() => clock.stop());

const WATCH = { width: 640, height: 360, everyMs: 0 };
const names = () => sent.map(([method]) => method);
const frame = (sessionId, data = "/9j/", [deviceWidth, deviceHeight] = [1280, 720], timestamp = undefined) =>
  cast.onFrame({ data, sessionId, metadata: { deviceWidth, deviceHeight, timestamp } });
const acknowledged = () =>
  sent.filter(([method]) => method === "screencastFrameAck").map(([, { sessionId }]) => sessionId);

test("it runs while the person looks, in the size that is wanted", async () => {
  await cast.watch(WATCH);
  await cast.watch({ ...WATCH, width: 320 });
  await cast.unwatch();
  assert.deepEqual(names(), ["startScreencast", "stopScreencast", "startScreencast", "stopScreencast"]);
  assert.deepEqual([sent[0][1].maxWidth, sent[0][1].maxHeight, sent[2][1].maxWidth], [640, 360, 320]);
});

test("whoever is new gets a picture of what is there now: a still page gives none by itself", async () => {
  await cast.watch(WATCH);
  await cast.watch(WATCH);
  assert.deepEqual(names(), ["startScreencast", "stopScreencast", "startScreencast"]);
});

test("a picture goes to the panel, and is acknowledged once it was painted, with those before it", async () => {
  await cast.watch(WATCH);
  frame(11);
  frame(12);
  assert.deepEqual(pictures, [
    { number: 1, data: "/9j/", width: 1280, height: 720 },
    { number: 2, data: "/9j/", width: 1280, height: 720 },
  ]);
  assert.deepEqual(acknowledged(), []);
  cast.painted(2);
  cast.painted(2);
  assert.deepEqual(acknowledged(), [11, 12]);
});

test("a page of another size is shown anew to whoever looks, and to nobody else", async () => {
  cast.looksOtherwise();
  await clock.tick(200);
  assert.deepEqual(names(), []);
  await cast.watch(WATCH);
  cast.looksOtherwise();
  cast.looksOtherwise();
  await clock.tick(200);
  assert.deepEqual(names(), ["startScreencast", "stopScreencast", "startScreencast"]);
  frame(11);
  cast.looksOtherwise();
  await clock.tick(400);
  assert.equal(names().length, 3, "the window has not painted that one yet");
  cast.painted(1);
  await clock.tick(200);
  assert.deepEqual(names().slice(3), ["screencastFrameAck", "stopScreencast", "startScreencast"]);
});

test("a picture that comes after a newer one is not shown, unless the clock was put back", async () => {
  const drawnAt = (sessionId, timestamp) => frame(sessionId, `/9j/${sessionId}`, [1280, 720], timestamp);
  await cast.watch(WATCH);
  drawnAt(11, 7200.02);
  drawnAt(12, 7200);
  assert.deepEqual([pictures.length, acknowledged()], [1, [12]]);
  await clock.tick(200);
  assert.deepEqual(names().slice(2), ["stopScreencast", "startScreencast"], "a still page may have given one more");
  drawnAt(13, 7200.02);
  drawnAt(14, 3600);
  drawnAt(15, 3600.02);
  assert.deepEqual(
    pictures.map(({ data }) => data),
    ["/9j/11", "/9j/13", "/9j/14", "/9j/15"],
  );
});

const SECONDLY = { ...WATCH, everyMs: 1000 };

test("who wants one a second has it run for that one alone", async () => {
  await cast.watch(SECONDLY);
  frame(11);
  frame(12); // Chrome sends a few at once
  await settle();
  assert.deepEqual(names(), ["startScreencast", "stopScreencast"]);
  assert.equal(pictures.length, 1);
  cast.painted(1);
  await clock.tick(990);
  assert.equal(names().length, 2);
  await clock.tick(20);
  assert.deepEqual(names(), ["startScreencast", "stopScreencast", "startScreencast"]);
});

test("it waits for a window that does not paint", async () => {
  await cast.watch(SECONDLY);
  frame(11);
  await clock.tick(5000);
  assert.equal(names().length, 2);
  cast.painted(1);
  await settle();
  assert.equal(names().at(-1), "startScreencast");
});

test("what looks as before does not cross", async () => {
  await cast.watch(SECONDLY);
  for (const data of ["/9j/a", "/9j/a", "/9j/b"]) {
    frame(11, data);
    cast.painted(2);
    await clock.tick(1010);
  }
  assert.deepEqual(
    pictures.map(({ data }) => data),
    ["/9j/a", "/9j/b"],
  );
});

test("who looks closer meanwhile waits for nothing", async () => {
  await cast.watch(SECONDLY);
  frame(11);
  await cast.watch(WATCH);
  assert.deepEqual(names(), ["startScreencast", "stopScreencast", "startScreencast"]);
  await clock.tick(2000);
  assert.equal(names().length, 3);
});

test("what is drawn for a command between two of them is shown to nobody", async () => {
  await cast.watch(SECONDLY);
  frame(11);
  cast.commandBegins();
  await cast.drawn();
  frame(12);
  assert.equal(pictures.length, 1);
});

test("what Chrome left out while too many waited is fetched once the page is still", async () => {
  await cast.watch(WATCH);
  for (const sessionId of [11, 12, 13]) frame(sessionId);
  cast.painted(3);
  await clock.tick(100);
  assert.deepEqual(acknowledged(), [11, 12, 13]);
  assert.equal(names().at(-1), "screencastFrameAck");
  await clock.tick(100);
  assert.deepEqual(names().slice(-2), ["stopScreencast", "startScreencast"]);
});

test("what Chrome left out while it encoded others is fetched, too, and once", async () => {
  await cast.watch(WATCH);
  for (const sessionId of [11, 12, 13]) {
    frame(sessionId);
    cast.painted(sessionId - 10);
  }
  await clock.tick(200);
  assert.deepEqual(names().slice(-2), ["stopScreencast", "startScreencast"]);
  frame(14);
  cast.painted(4);
  await clock.tick(1000);
  assert.equal(names().filter((name) => name === "startScreencast").length, 2);
});

test("a page that goes on moving is left alone", async () => {
  await cast.watch(WATCH);
  for (const sessionId of [11, 12, 13]) frame(sessionId);
  cast.painted(3);
  frame(14);
  await clock.tick(1000);
  assert.equal(names().filter((name) => name === "startScreencast").length, 1);
});

test("it runs while a command does, and a while longer", async () => {
  const ends = [cast.commandBegins(), cast.commandBegins()];
  await settle();
  ends[0]();
  await clock.tick(2_100);
  assert.deepEqual(names(), ["startScreencast"]);
  ends[1]();
  await clock.tick(1_900);
  assert.deepEqual(names(), ["startScreencast"]);
  await clock.tick(200);
  assert.deepEqual(names(), ["startScreencast", "stopScreencast"]);
});

test("what it draws for a command is shown to nobody", async () => {
  cast.commandBegins();
  await cast.drawn();
  frame(11);
  assert.deepEqual([pictures, acknowledged()], [[], []]);
});

test("a command in a watched tab neither ends nor begins it", async () => {
  await cast.watch(WATCH);
  cast.commandBegins()();
  await clock.tick(2_100);
  assert.deepEqual(names(), ["startScreencast"]);
});

test("who begins to look during a command goes on seeing after it", async () => {
  const end = cast.commandBegins();
  await cast.drawn();
  await cast.watch(WATCH);
  end();
  await clock.tick(2_100);
  assert.deepEqual(names(), ["startScreencast", "stopScreencast", "startScreencast"]);
  assert.equal(cast.isWatched, true);
});

/** The head of a JPEG of this size, after a segment of another kind. */
const jpeg = (width, height) => {
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  return btoa(String.fromCharCode(0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc0, 0, 11, 8, ...size, 1, 1));
};

/** A picture of a part of the page is taken in the watched tab, and it is over. */
const took = async () => {
  await cast.watch(WATCH);
  await cast.unseen(async () => frame(11, jpeg(640, 320), [400, 200]));
  await settle();
};

test("a still page whose size was given again is looked at once more", async () => {
  await cast.watch(WATCH);
  emulation.onGivenAgain();
  await clock.tick(200);
  assert.deepEqual(names(), ["startScreencast", "stopScreencast", "startScreencast"]);
});

test("a part of which a picture is taken is not shown, nor one of its size that comes late", async () => {
  await took();
  assert.deepEqual(names(), ["startScreencast", "stopScreencast", "startScreencast"]);
  frame(12, jpeg(640, 320), [400, 200]);
  frame(13, jpeg(640, 320));
  frame(14, jpeg(640, 360), [400, 200]);
  assert.deepEqual([pictures, acknowledged()], [[], [12, 13, 14]]);
  assert.deepEqual(drawn, ["left"], "the tab is not given its size again for those");
  frame(15, jpeg(640, 360));
  frame(16, jpeg(641, 360));
  assert.equal(pictures.length, 2);
  assert.deepEqual(drawn.at(-1), [1280, 720]);
  frame(17, jpeg(640, 320));
  assert.equal(pictures.length, 2, "the one before may have been drawn before the part was");
  await clock.tick(6000);
  frame(18, jpeg(640, 320));
  assert.equal(pictures.length, 3, "Chrome shows no part for so long");
});

test("a still page whose late picture was left out is looked at again", async () => {
  await took();
  frame(12, jpeg(640, 320), [400, 200]);
  await clock.tick(200);
  assert.deepEqual(names().slice(-2), ["stopScreencast", "startScreencast"]);
  frame(13, jpeg(640, 360));
  assert.equal(pictures.length, 1);
});

test("a page that got another size meanwhile is shown in that one", async () => {
  await took();
  page = { clientWidth: 985, clientHeight: 657 };
  frame(12, jpeg(640, 420), [1000, 657]);
  assert.equal(pictures.length, 0);
  await clock.tick(200);
  frame(13, jpeg(640, 420), [1000, 657]);
  assert.equal(pictures.length, 1, "as large as the page and its scrollbar");
});

test("a page that is drawn in another size than its own is not hidden for long", async () => {
  await took();
  page = { clientWidth: 600, clientHeight: 400 };
  for (let at = 0; at < 60; at += 1) {
    frame(at, jpeg(640, 360));
    await clock.tick(100);
  }
  assert.ok(pictures.length > 0);
});

test("a part is not shown however long pictures have been taken one after the other", async () => {
  await cast.watch(WATCH);
  for (let round = 0; round < 3; round += 1) {
    const taken = Promise.withResolvers();
    const taking = cast.unseen(() => taken.promise);
    await clock.tick(2_400);
    taken.resolve(null);
    await taking;
    await settle();
  }
  await clock.tick(3_000);
  frame(12, jpeg(640, 320));
  assert.deepEqual(pictures, []);
});

test("a picture that fails is over, too", async () => {
  await cast.watch(WATCH);
  await assert.rejects(cast.unseen(() => Promise.reject(new Error("no tab"))));
  await cast.drawn();
  await settle();
  frame(12, jpeg(640, 360));
  assert.equal(pictures.length, 1);
});

test("a tab that goes meanwhile fails nobody", async () => {
  cast = new Screencast({ cdp: { send: () => Promise.reject(new Error("no tab")) }, emulation, send() {} });
  await cast.watch(WATCH);
  cast.commandBegins();
  await cast.drawn();
  await cast.unseen(async () => null);
  await cast.unwatch();
});

test("a picture that does not come is waited for with the browser made to draw", async () => {
  cast.commandBegins();
  const taken = Promise.withResolvers();
  const taking = cast.unseen(() => taken.promise);
  await clock.tick(2900);
  assert.deepEqual(names(), ["startScreencast"], "most come by then");
  await clock.tick(3200);
  assert.deepEqual(names().slice(1), ["stopScreencast", "startScreencast", "stopScreencast", "startScreencast"]);
  taken.resolve("a picture");
  assert.equal(await taking, "a picture");
  sent = [];
  await clock.tick(9000);
  assert.deepEqual(names(), [], "and no longer than that");
});
