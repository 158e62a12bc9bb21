import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { test } from "../testing.js";
import { OF_CODE, TypedSecrets } from "../../../extension/tab/typed_secrets.js";

const VALUE = 'p&ss "w<rd ü';
let secrets;
beforeEach(() => {
  secrets = new TypedSecrets();
  secrets.noted({ secret: true }, [{ selector: "#password" }, VALUE]);
});

const text = (value) => secrets.masked({ text: value }).text;

test("what was typed into a secret field is masked wherever a frame says it", () => {
  const frame = { type: "event", events: [{ kind: "tab", title: `Hello ${VALUE}!`, url: null, count: 3 }] };
  assert.deepEqual(secrets.masked(frame), {
    type: "event",
    events: [{ kind: "tab", title: "Hello ***!", url: null, count: 3 }],
  });
});

test("so it is as addresses, forms, JSON and HTML write it", () => {
  for (const written of [
    encodeURIComponent(VALUE),
    new URLSearchParams({ v: VALUE }).toString().slice(2),
    new URL(`https://a.example/#${encodeURI(VALUE)}`).hash.slice(1),
    JSON.stringify(VALUE),
    "p&amp;ss &quot;w&lt;rd ü",
    'p&amp;ss "w&lt;rd ü',
  ])
    assert.match(text(`before ${written} after`), /^before "?\*\*\*"? after$/, written);
});

test("a text for typing is remembered however the call names it", () => {
  secrets.noted({ secret: true, focus: true }, [{}, { text: "", typed: "the typed one" }]);
  secrets.noted({ secret: true, focus: true }, [{}, { text: "the other one" }]);
  assert.equal(text("the typed one, the other one"), "***, ***");
});

test("other fields, short texts and calls without a text leave nothing", () => {
  secrets = new TypedSecrets();
  secrets.noted({}, [{}, "in the open"]);
  secrets.noted({ secret: true }, [{}, "12345"]);
  secrets.noted({ secret: true }, [{}, null]);
  secrets.noted({ secret: true }, [{}]);
  const frame = { text: "in the open 12345 null undefined" };
  assert.equal(secrets.masked(frame), frame);
});

test("words of the protocol and pictures stay what they are", () => {
  for (const value of ["success", "response", "screenshot"]) secrets.noted({ secret: true }, [{}, value]);
  const frame = {
    type: "response",
    success: true,
    result: { format: "png", data: "xxsuccessxx", name: "success" },
  };
  assert.deepEqual(secrets.masked(frame), { ...frame, result: { format: "png", data: "xxsuccessxx", name: "***" } });
});

test("of very many the newest are remembered", () => {
  for (let index = 0; index < 100; index += 1) secrets.noted({ secret: true }, [{}, `secret${100 + index}`]);
  assert.equal(text(`${VALUE} secret100 secret199`), `${VALUE} *** ***`);
});

test("of very long ones as many as fit, and the newest in any case", () => {
  const long = (letter, chars) => letter.repeat(chars);
  for (const letter of ["a", "b"]) secrets.noted({ secret: true }, [{}, long(letter, 40_000)]);
  assert.equal(text(`${VALUE} ${long("a", 40_000)} ${long("b", 40_000)}`), `${VALUE} ${long("a", 40_000)} ***`);
  secrets.noted({ secret: true }, [{}, long("c", 90_000)]);
  assert.equal(text(long("c", 90_000)), "***");
});

test("cleared, they are forgotten", () => {
  secrets.clear();
  assert.equal(text(VALUE), VALUE);
});

test("the target is handed on as it is", () => {
  const target = { selector: "#a" };
  assert.equal(secrets.noted(target, [{}, "text"]), target);
});

test("what code answered stays as it is, all else of its frame does not", () => {
  const frame = { type: "response", result: { value: VALUE }, effects: { title: VALUE }, [OF_CODE]: true };
  const { result, effects } = secrets.masked(frame);
  assert.deepEqual([result, effects], [{ value: VALUE }, { title: "***" }]);
  assert.deepEqual(secrets.masked({ result: { value: VALUE } }), { result: { value: "***" } });
});
