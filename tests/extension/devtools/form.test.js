import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { Commands } from "../../../extension/devtools/commands.js";
import { Form } from "../../../extension/devtools/form.js";
import { fakeDocument } from "../dom.js";
import { extensionFile } from "../fakes.js";
import { test } from "../testing.js";

const commands = new Commands(JSON.parse(extensionFile("commands.json")));
let form;
const open = (name) => (form = new Form(commands.get(`kapturemcp_${name}`)));
const field = (name) => form.fields.find(({ names }) => names.includes(name));
beforeEach(() => (globalThis.document = fakeDocument()));

test("what is needed and missing is said below its field, which gets the focus; nothing is given", () => {
  open("navigate");
  assert.equal(form.read(), null);
  assert.equal(field("url").problem.textContent, "Needed: fill it in");
  assert.equal(document.activeElement, field("url").controls[0]);
});

test("only what was touched is given", () => {
  open("navigate");
  field("url").controls[0].enter("https://shop.example/");
  assert.deepEqual(form.read(), { url: "https://shop.example/" });
});

test("form and JSON go into each other", () => {
  open("click");
  field("selector").controls[0].enter("#pay");
  assert.equal(form.showJson(true), true);
  assert.deepEqual(JSON.parse(form.json.value), { selector: "#pay" });
  form.json.value = '{"selector": "#pay", "modifiers": ["Shift"], "timeout": 50}';
  assert.deepEqual(form.read(), { selector: "#pay", modifiers: ["Shift"], timeout: 50 });
  assert.equal(form.showJson(false), true);
  assert.deepEqual(form.read(), { selector: "#pay", modifiers: ["Shift"], timeout: 50 });
});

for (const [json, words] of [
  ["{", /not JSON/], ["[1]", /JSON object/], ['{"speed": 1}', /no parameter “speed”; it has selector, /], ['{"selector": 5}', /cannot show selector = 5/], ['{"clickCount": [1]}', /cannot show clickCount/],
  ['{"modifiers": {"a": 1}}', /cannot show modifiers/],
])
  test(`${json} stays JSON and says why`, () => {
    open("click");
    field("selector").controls[0].enter("#pay");
    form.showJson(true);
    form.json.value = json;
    assert.equal(form.showJson(false), false);
    assert.match(form.problem.textContent, words);
    assert.deepEqual([form.isJson, form.jsonNode.hidden], [true, false]);
  });

test("a default that is written out is no reason to stay", () => {
  open("click");
  assert.equal(form.write({ selector: "#a", button: "left", clickCount: 1 }), "");
});

test("the panel's complaint about a parameter is said below its field", () => {
  open("click");
  form.showProblem("selector", "nothing matches");
  assert.equal(field("selector").problem.textContent, "nothing matches");
  form.showProblem("elsewhere", "something else");
  assert.deepEqual([form.problem.textContent, form.problem.hidden], ["something else", false]);
});

test("what most runs leave alone is folded away, and says how much of it is set", () => {
  open("screenshot");
  assert.ok(form.rare.length > 2);
  assert.deepEqual([form.words.textContent, form.options.open], ["Options", false]);
  field("timeout").controls[0].enter("50");
  assert.equal(form.words.textContent, "Options (1 set)");
  field("timeout").controls[0].enter("0");
  field("name").controls[0].enter("shop");
  assert.equal(form.read(), null);
  assert.equal(form.options.open, true, "what is wrong is in sight");
});

test("what means nothing beside the other values is hidden", () => {
  open("screenshot");
  assert.equal(field("quality").node.hidden, true);
  form.write({ name: "shop", format: "jpeg" });
  assert.equal(field("quality").node.hidden, false);
  form.write({ name: "shop", quality: 5 });
  assert.equal(field("quality").node.hidden, false, "what is set stays in sight");
});

test("a name is proposed, and never put over one that was entered", () => {
  open("screenshot");
  form.propose({ page: "Corner Shop" });
  assert.deepEqual(form.read(), { name: "Corner Shop" });
  field("name").controls[0].enter("mine");
  form.propose({ page: "Another" });
  assert.deepEqual(form.read(), { name: "mine" });
});

test("a field of every parameter is in the form once", () => {
  for (const { shortName, targetProperties, properties } of commands.all) {
    open(shortName);
    const names = form.node.querySelectorAll("[data-names]").flatMap(({ dataset }) => dataset.names.split(" "));
    assert.deepEqual(names.toSorted(), [...Object.keys(targetProperties), ...Object.keys(properties)].toSorted());
  }
});
