import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { Commands } from "../../../../extension/devtools/commands.js";
import { Form } from "../../../../extension/devtools/form/form.js";
import { enter, showDocument } from "../../dom.js";
import { extensionFile } from "../../fakes.js";
import { test } from "../../testing.js";

const commands = new Commands(JSON.parse(extensionFile("commands.json")));
let form;
const open = (name) => (form = new Form(commands.get(`kapturemcp_${name}`)));
const field = (name) => form.fields.find(({ names }) => names.includes(name));
beforeEach(() => showDocument());

test("what is needed and missing is said below its field, which gets the focus; nothing is given", () => {
  open("navigate");
  document.body.append(form.node);
  assert.equal(form.read(), null);
  assert.equal(field("url").problem.textContent, "Needed: fill it in");
  assert.equal(document.activeElement, field("url").controls[0]);
});

test("only what was touched is given", async () => {
  open("navigate");
  await enter(field("url").controls[0], "https://shop.example/");
  assert.deepEqual(form.read(), { url: "https://shop.example/" });
});

test("form and JSON go into each other", async () => {
  open("click");
  await enter(field("selector").controls[0], "#pay");
  assert.equal(form.showJson(true), true);
  assert.deepEqual(JSON.parse(form.json.value), { selector: "#pay" });
  form.json.value = '{"selector": "#pay", "modifiers": ["Shift"], "timeout": 50}';
  assert.deepEqual(form.read(), { selector: "#pay", modifiers: ["Shift"], timeout: 50 });
  assert.equal(form.showJson(false), true);
  assert.deepEqual(form.read(), { selector: "#pay", modifiers: ["Shift"], timeout: 50 });
});

for (const [json, words] of [
  ["{", /not JSON/],
  ["[1]", /JSON object/],
  ['{"speed": 1}', /no parameter “speed”; it has selector, /],
  ['{"selector": 5}', /cannot show selector = 5/],
  ['{"clickCount": [1]}', /cannot show clickCount/],
  ['{"modifiers": {"a": 1}}', /cannot show modifiers/],
])
  test(`${json} stays JSON and says why`, async () => {
    open("click");
    await enter(field("selector").controls[0], "#pay");
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

test("what most runs leave alone is folded away, and says how much of it is set", async () => {
  open("screenshot");
  assert.ok(form.rare.length > 2);
  assert.deepEqual([form.words.textContent, form.options.open], ["Options", false]);
  await enter(field("timeout").controls[0], "50");
  assert.equal(form.words.textContent, "Options (1 set)");
  await enter(field("timeout").controls[0], "0");
  await enter(field("name").controls[0], "shop");
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

test("a name is proposed, and never put over one that was entered", async () => {
  open("screenshot");
  form.propose({ page: "Corner Shop" });
  assert.deepEqual(form.read(), { name: "Corner Shop" });
  form.propose({ page: "Checkout" });
  assert.deepEqual(form.read(), { name: "Checkout" }, "the page is another one");
  for (const entered of ["mine", ""]) {
    await enter(field("name").controls[0], entered);
    form.propose({ page: "Another" });
    assert.deepEqual(field("name").read(), entered ? { name: entered } : {});
  }
});

test("a field of every parameter is in the form once", () => {
  for (const { shortName, targetProperties, properties } of commands.all) {
    open(shortName);
    const names = [...form.node.querySelectorAll("[data-names]")].flatMap(({ dataset }) => dataset.names.split(" "));
    assert.deepEqual(names.toSorted(), [...Object.keys(targetProperties), ...Object.keys(properties)].toSorted());
  }
});

test("what one must be chosen of is in sight, asked for in words, and enough when it is there", async () => {
  open("wait");
  document.body.append(form.node);
  assert.deepEqual(
    form.choices.map(({ title }) => title),
    ["Target", "Time", "Text", "URL contains", "Expression"],
  );
  assert.ok(!form.choices.some((field) => form.rare.includes(field)));
  assert.equal(form.read(), null);
  assert.equal(form.problem.textContent, "Fill in Target, Time, Text, URL contains or Expression");
  assert.equal(document.activeElement, form.choices[0].controls[0]);
  await enter(field("text").controls[0], "Thank you");
  assert.deepEqual(form.read(), { text: "Thank you" });
  assert.equal(form.problem.hidden, true);
});

for (const name of ["screenshot", "click"])
  test(`${name} has nothing one must be chosen of`, () => {
    open(name);
    assert.deepEqual(form.choices, []);
  });
