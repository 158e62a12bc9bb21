import assert from "node:assert/strict";
import { EVERYTHING, Grant } from "../../../extension/wire/grant.js";
import { test } from "../testing.js";

test("a frame without a grant allows nothing", () => {
  const grant = new Grant(undefined);
  assert.deepEqual([grant.isFull, grant.covers("https://a.example")], [false, false]);
});

test("only all origins together with secret fields leave nothing to look at", () => {
  const full = (origins, secret) => new Grant({ origins, secret }).isFull;
  const some = ["https://a.example"];
  assert.deepEqual([full("*", "*"), full("*", some), full(some, "*"), full("*", [])], [true, false, false, false]);
  assert.equal(new Grant({ origins: "*" }).isFull, false);
  assert.deepEqual([EVERYTHING.isFull, EVERYTHING.covers("https://a.example")], [true, true]);
});

test("an origin is scheme, host and port; its like is another one", () => {
  const grant = new Grant({ origins: ["https://a.example"] });
  for (const url of ["https://a.example/", "https://a.example/x?y#z", "https://me:pw@a.example:443/"])
    grant.demand(url);
  for (const url of [
    "http://a.example/",
    "https://a.example:444/",
    "https://b.a.example/",
    "https://a.exampl/",
    "https://a.example.evil/",
    "data:text/html,x",
    "",
  ])
    assert.throws(() => grant.demand(url), { code: "NEEDS_APPROVAL" }, url);
});

test("what is asked about is told with its origin, also one that the address does not show", () => {
  const told = { site: "a.example", origin: "https://a.example", url: "https://a.example/x", title: "" };
  assert.throws(
    () => new Grant().demand("https://a.example/x"),
    (error) => assert.deepEqual(error.details, told) ?? true,
  );
  assert.throws(
    () => new Grant().demand(""),
    (error) =>
      assert.deepEqual(error.details, { site: "about:", origin: "about://", url: "about:blank", title: "" }) ?? true,
  );
  assert.throws(
    () => new Grant().demand("blob:https://a.example/1", "https://a.example"),
    (error) => error.details.origin === "https://a.example",
  );
});
