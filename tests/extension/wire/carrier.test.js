import assert from "node:assert/strict";
import { afterEach, beforeEach } from "node:test";
import { test } from "../testing.js";
import { CarriedSocket, kaptureCarrier } from "../../../extension/wire/carrier.js";

/** What the debugger was told, as [number, kind, data]. */
let told;

const listen = () => {
  globalThis.kaptureCarry = (text) => {
    const [, number, kind, data] = /^(\d+) (\w+) ([^]*)$/.exec(text);
    told.push([Number(number), kind, data]);
  };
};

beforeEach(() => {
  told = [];
  listen();
});
afterEach(() => delete globalThis.kaptureCarry);

/** A socket that is open, and what it heard. */
function opened() {
  const socket = new CarriedSocket();
  const heard = [];
  socket.onopen = () => heard.push("open");
  socket.onmessage = ({ data }) => heard.push(data);
  socket.onclose = ({ reason }) => heard.push(["closed", reason]);
  const [[number]] = told.splice(0);
  kaptureCarrier.take(number, "open", "");
  return { socket, heard, number };
}

test("it is asked for at once, and open when the panel says so", () => {
  const { socket, heard } = opened();
  assert.deepEqual(heard, ["open"]);
  assert.equal(socket.readyState, 1);
  socket.close();
});

test("without a debugger it waits for one, and is asked for once", () => {
  delete globalThis.kaptureCarry;
  const socket = new CarriedSocket();
  assert.equal(socket.readyState, 0);
  listen();
  kaptureCarrier.attached();
  kaptureCarrier.attached();
  assert.deepEqual(
    told.map(([, kind]) => kind),
    ["open"],
  );
  socket.close();
});

test("a long text goes in pieces, none of which ends within a character", () => {
  const { socket, number } = opened();
  const text = `x${"😀".repeat(300_000)}`;
  socket.send(text);
  assert.ok(told.length > 2);
  assert.deepEqual([...new Set(told.slice(0, -1).map(([, kind]) => kind))], ["part"]);
  assert.deepEqual([told.at(-1)[0], told.at(-1)[1]], [number, "text"]);
  assert.ok(told.every(([, , data]) => data.isWellFormed()));
  assert.equal(told.map(([, , data]) => data).join(""), text);
  socket.close();
});

test("pieces are one message", () => {
  const { socket, heard, number } = opened();
  for (const [kind, data] of [
    ["part", "a"],
    ["part", "b"],
    ["text", "c"],
    ["text", "d"],
  ])
    kaptureCarrier.take(number, kind, data);
  assert.deepEqual(heard, ["open", "abc", "d"]);
  socket.close();
});

test("the panel's end closes it with its reason, once", () => {
  const { socket, heard, number } = opened();
  kaptureCarrier.take(number, "close", "it is over");
  kaptureCarrier.take(number, "close", "again");
  kaptureCarrier.take(number, "text", "late");
  assert.deepEqual(heard, ["open", ["closed", "it is over"]]);
  assert.equal(socket.readyState, 3);
});

test("closed here, the panel's end is told and so is its owner", async () => {
  const { socket, heard, number } = opened();
  socket.close();
  socket.close();
  assert.deepEqual(told, [[number, "close", ""]]);
  await null;
  assert.deepEqual(heard, ["open", ["closed", ""]]);
});

test("a debugger that is there before the code has run hears when it has", async () => {
  await import("../../../extension/wire/carrier.js?later");
  Object.assign(globalThis, { kaptureCarrier });
  assert.deepEqual(told, [[0, "ready", ""]]);
});
