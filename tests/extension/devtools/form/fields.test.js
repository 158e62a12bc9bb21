import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { Commands } from "../../../../extension/devtools/commands.js";
import { fieldsOf } from "../../../../extension/devtools/form/fields.js";
import { click, enter, showDocument } from "../../dom.js";
import { extensionFile } from "../../fakes.js";
import { test } from "../../testing.js";

const commands = new Commands(JSON.parse(extensionFile("commands.json")));
beforeEach(() => showDocument());

const fields = (name) => fieldsOf(commands.get(`kapturemcp_${name}`));
const field = (name, param) => fields(name).find(({ names }) => names.includes(param));

/** A value each parameter's schema allows. */
function example(schema) {
  if (schema.enum) return schema.enum.find((value) => value !== schema.default);
  if (schema.type === "boolean") return !schema.default;
  if (schema.type === "string") return schema.pattern ? "e7" : "some text";
  if (schema.type === "array")
    return schema.items.enum
      ? [schema.items.enum[0]]
      : schema.items.type === "object"
        ? [example(schema.items)]
        : ["one", "two"];
  if (schema.type === "object")
    return Object.fromEntries(Object.entries(schema.properties).map(([name, part]) => [name, example(part)]));
  return Math.min(Math.max(schema.minimum ?? 0, 7), schema.maximum ?? 7);
}

for (const command of commands.all)
  test(`${command.shortName}: each parameter has a field, says nothing untouched, and keeps what it is given`, () => {
    const made = fieldsOf(command);
    const names = made.flatMap((one) => one.names);
    assert.deepEqual(names, [...Object.keys(command.targetProperties), ...Object.keys(command.properties)]);
    for (const one of made) {
      for (const [name, value] of Object.entries(one.read()))
        assert.ok(one.isRequired && value === "", `${name} is given though nobody touched it`);
      for (const name of one.names) {
        const schema = command.properties[name] ?? command.targetProperties[name];
        const given = { [name]: example(schema) };
        one.write(given);
        assert.deepEqual(one.read(), given);
        if (!["x", "y"].includes(name)) assert.equal(one.check(), "");
        one.write({});
      }
      assert.equal(
        one.isRequired,
        one.names.some((name) => command.required.has(name)) ||
          (one.title === "Target" && command.target === "required"),
      );
      assert.equal(one.node.querySelectorAll(".needed").length, one.isRequired ? 1 : 0);
    }
  });

test("a default is a placeholder, or marked among the values", () => {
  assert.equal(field("click", "timeout").controls[0].getAttribute("placeholder"), "30000");
  const { controls, choices } = field("click", "button");
  assert.equal(choices[controls.findIndex(({ checked }) => checked)][0], "left");
  assert.equal(field("evaluate", "awaitPromise").controls[0].checked, true);
});

test("what is wrong is said below the field while it is typed, and taken away when it is right", async () => {
  const timeout = field("click", "timeout");
  const [control] = timeout.controls;
  await enter(control, "0");
  assert.deepEqual(
    [timeout.problem.textContent, timeout.problem.hidden, control.getAttribute("aria-invalid")],
    ["Must be at least 1", false, "true"],
  );
  await enter(control, "soon");
  assert.equal(timeout.problem.textContent, "Must be a whole number");
  await enter(control, "50");
  assert.deepEqual([timeout.problem.hidden, control.getAttribute("aria-invalid")], [true, null]);
  assert.equal(control.getAttribute("aria-describedby"), timeout.problem.id);
});

test("a target reads the chosen way alone, and each keeps its own text", async () => {
  const target = field("click", "selector");
  document.body.append(target.node);
  const [selector, xpath, ref, x, y] = target.controls;
  await enter(selector, "#pay");
  const radios = [...target.node.querySelectorAll("input")].filter(({ type }) => type === "radio");
  await click(radios[2]);
  assert.deepEqual([selector.hidden, xpath.hidden, ref.hidden], [true, true, false]);
  await enter(ref, "five");
  assert.match(target.problem.textContent, /like e5/);
  await click(radios[3]);
  await enter(x, "10");
  assert.match(target.problem.textContent, /together/);
  await enter(y, "20");
  assert.deepEqual(target.read(), { x: 10, y: 20 });
  await click(radios[0]);
  assert.deepEqual(target.read(), { selector: "#pay" });
});

test("JSON that is none is said", async () => {
  const list = field("fill_form", "fields");
  await enter(list.controls[0], "[{");
  assert.equal(list.problem.textContent, "Must be a list");
});

test("a yes or no that is needed starts with neither", async () => {
  const accept = field("handle_dialog", "accept");
  assert.equal(accept.isEmpty, true);
  await click(accept.controls[1]);
  assert.deepEqual(accept.read(), { accept: false });
});

test("every control has a name", () => {
  for (const command of commands.all)
    for (const one of fieldsOf(command)) {
      const named = one.node.querySelector("label") ?? one.node.querySelector("span.label");
      assert.ok(named.textContent, `${command.shortName}: ${one.names}`);
      if (one.controls.length === 1) assert.equal(named.getAttribute("for"), one.controls[0].id);
    }
});
