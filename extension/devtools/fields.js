import { element, put } from "./element.js";
import { problemOf } from "./problems.js";

/** Up to here all values are in sight side by side, beyond in a list. */
const MAX_SEGMENTS = 3;
let serial = 0;

/**
 * What every field of a form is: it edits one parameter, or several that go together. One that nobody touched reads as
 * nothing, so that the command's default applies.
 */
class Field {
  constructor(names, title, { isRequired = false, description = "" } = {}) {
    Object.assign(this, { names, title, isRequired, description });
    this.id = `field-${(serial += 1)}`;
    this.problem = element("p.problem", { id: `${this.id}-problem`, hidden: true });
  }

  /** The parameters as they stand, those left alone missing. */
  read() {
    throw new Error("each kind of field reads its own way");
  }

  /** Show the field's part of `params`; what is missing is shown as left alone. */
  write() {
    throw new Error("each kind of field writes its own way");
  }

  /** What is wrong with what is entered; empty when nothing is. */
  check() {
    for (const [name, value] of Object.entries(this.read())) {
      const problem = problemOf(this.schemaOf(name), value);
      if (problem) return `Must be ${problem}`;
    }
    return "";
  }

  schemaOf() {
    return this.schema;
  }

  get isEmpty() {
    return Object.keys(this.read()).length === 0;
  }

  show(problem) {
    this.problem.textContent = problem;
    this.problem.hidden = !problem;
    for (const control of this.controls) put(control, "aria-invalid", problem ? "true" : undefined);
  }

  focus() {
    this.controls[0].focus();
  }

  /** Take in the controls, as `node` holds them. */
  hold(node, controls) {
    this.controls = controls;
    for (const control of controls) {
      control.setAttribute("aria-describedby", this.problem.id);
      if (this.isRequired) control.setAttribute("aria-required", "true");
      control.addEventListener("input", () => this.show(this.check()));
    }
    const isOne = controls.length === 1;
    if (isOne) controls[0].id = this.id;
    const words = [this.title, ...(this.isRequired ? [element("span.needed", { title: "required", "aria-hidden": "true" }, " *")] : [])];
    const label = isOne ? element("label", { for: this.id, title: this.description }, ...words) : element("span.label", { id: `${this.id}-label`, title: this.description }, ...words);
    if (!isOne) put(node, "aria-labelledby", label.id);
    this.node = element("div.field", { "data-names": this.names.join(" ") }, label, element("div.control", {}, node, this.problem));
  }
}

/** A line of text, or several; code is written in monospace. */
class TextField extends Field {
  constructor(name, schema, options) {
    super([name], schema.title, options);
    this.schema = schema;
    const isCode = schema.format === "javascript";
    const isLong = isCode || schema.typed;
    const props = { placeholder: schema.default ?? "", spellcheck: "false", autocomplete: "off" };
    this.control = isLong ? element("textarea", { ...props, rows: isCode ? 4 : 1 }) : element("input", { ...props, type: "text" });
    if (isCode || /selector|xpath/i.test(name)) this.control.className = "mono";
    this.hold(this.control, [this.control]);
  }

  read() {
    const text = this.control.value;
    // A required text that may be empty is empty on purpose.
    return text || (this.isRequired && !this.schema.minLength) ? { [this.names[0]]: text } : {};
  }

  write(params) {
    this.control.value = params[this.names[0]] ?? "";
  }
}

const numberIn = (control) => (control.value.trim() === "" ? undefined : Number.isNaN(Number(control.value)) ? control.value : Number(control.value));
const numberControl = (schema, props = {}) => element("input.number", { type: "text", inputmode: "decimal", autocomplete: "off", placeholder: schema.default ?? "", ...props });

/** A number with its unit. */
class NumberField extends Field {
  constructor(name, schema, options) {
    super([name], schema.title, options);
    this.schema = schema;
    this.control = numberControl(schema);
    const unit = schema.unit ? [element("span.unit.secondary", {}, schema.unit)] : [];
    this.hold(element("span.with-unit", {}, this.control, ...unit), [this.control]);
  }

  read() {
    const value = numberIn(this.control);
    return value === undefined ? {} : { [this.names[0]]: value };
  }

  write(params) {
    this.control.value = params[this.names[0]] ?? "";
  }
}

/** What can be chosen: [value, words] each; without a default the first leaves the choice to the command. */
function choicesOf(schema, isRequired) {
  const values = schema.enum ?? [true, false];
  const choices = values.map((value, index) => [value, schema.labels?.[index] ?? { true: "yes", false: "no" }[value] ?? String(value)]);
  return schema.default === undefined && !isRequired ? [[undefined, "any"], ...choices] : choices;
}

/** One of a few values side by side. */
class ChoiceField extends Field {
  constructor(name, schema, options) {
    super([name], schema.title, options);
    this.schema = schema;
    this.choices = choicesOf(schema, this.isRequired);
    const controls = this.choices.map(() => element("input", { type: "radio", name: this.id }));
    const segments = this.choices.map(([, words], index) => element("label", {}, controls[index], element("span", {}, words)));
    this.hold(element("div.segments", { role: "radiogroup" }, ...segments), controls);
    this.write({});
  }

  read() {
    const [value] = this.choices[this.controls.findIndex(({ checked }) => checked)] ?? [];
    return value === undefined || value === this.schema.default ? {} : { [this.names[0]]: value };
  }

  write(params) {
    const value = params[this.names[0]] ?? this.schema.default;
    this.controls.forEach((control, index) => (control.checked = this.choices[index][0] === value));
  }
}

/** One of many values. */
class ListField extends Field {
  constructor(name, schema, options) {
    super([name], schema.title, options);
    this.schema = schema;
    this.choices = choicesOf(schema, this.isRequired);
    this.control = element("select", {}, ...this.choices.map(([value, words]) => element("option", {}, value === schema.default && value !== undefined ? `${words} (default)` : words)));
    this.hold(this.control, [this.control]);
    this.write({});
  }

  read() {
    const [value] = this.choices[this.control.selectedIndex] ?? [];
    return value === undefined || value === this.schema.default ? {} : { [this.names[0]]: value };
  }

  write(params) {
    const value = params[this.names[0]] ?? this.schema.default;
    this.control.selectedIndex = Math.max(0, this.choices.findIndex(([known]) => known === value));
  }
}

/** Yes or no; shows the default until it is clicked. */
class CheckField extends Field {
  constructor(name, schema, options) {
    super([name], schema.title, options);
    this.schema = schema;
    this.control = element("input", { type: "checkbox" });
    this.hold(this.control, [this.control]);
    this.write({});
  }

  read() {
    const { checked } = this.control;
    return checked === Boolean(this.schema.default) ? {} : { [this.names[0]]: checked };
  }

  write(params) {
    this.control.checked = params[this.names[0]] ?? Boolean(this.schema.default);
  }
}

/** Any number of known values, each on or off. */
class TogglesField extends Field {
  constructor(name, schema, options) {
    super([name], schema.title, options);
    this.schema = schema;
    this.values = schema.items.enum;
    const controls = this.values.map(() => element("input", { type: "checkbox" }));
    const segments = this.values.map((value, index) => element("label", {}, controls[index], element("span", {}, value === "Control" ? "Ctrl" : value)));
    this.hold(element("div.segments", { role: "group" }, ...segments), controls);
  }

  read() {
    const chosen = this.values.filter((_value, index) => this.controls[index].checked);
    return chosen.length ? { [this.names[0]]: chosen } : {};
  }

  write(params) {
    const chosen = new Set([params[this.names[0]] ?? []].flat());
    this.controls.forEach((control, index) => (control.checked = chosen.has(this.values[index])));
  }
}

/** A list of texts, one per line. */
class LinesField extends Field {
  constructor(name, schema, options) {
    super([name], schema.title, options);
    this.schema = schema;
    this.control = element("textarea", { rows: 2, placeholder: "one per line", spellcheck: "false" });
    this.hold(this.control, [this.control]);
  }

  read() {
    const text = this.control.value.replace(/\n+$/, "");
    return text ? { [this.names[0]]: text.split("\n") } : {};
  }

  write(params) {
    const lines = params[this.names[0]];
    this.control.value = Array.isArray(lines) ? lines.join("\n") : "";
  }
}

/** A list of objects, as JSON. */
class JsonField extends Field {
  constructor(name, schema, options) {
    super([name], schema.title, options);
    this.schema = schema;
    const example = Object.fromEntries(Object.keys(schema.items?.properties ?? {}).map((key) => [key, "…"]));
    this.control = element("textarea.mono", { rows: 4, spellcheck: "false", placeholder: JSON.stringify([example]) });
    this.hold(this.control, [this.control]);
  }

  read() {
    const text = this.control.value.trim();
    if (!text) return {};
    try {
      return { [this.names[0]]: JSON.parse(text) };
    } catch {
      return { [this.names[0]]: text }; // `check` says that it is no list
    }
  }

  write(params) {
    const value = params[this.names[0]];
    this.control.value = value === undefined ? "" : JSON.stringify(value, null, 2);
  }
}

/** An object of numbers, such as a clip. */
class NumbersField extends Field {
  constructor(name, schema, options) {
    super([name], schema.title, options);
    this.schema = schema;
    this.keys = Object.keys(schema.properties);
    const controls = this.keys.map((key) => numberControl(schema.properties[key], { "aria-label": `${schema.title} ${key}` }));
    const pairs = this.keys.map((key, index) => element("span.with-unit", {}, element("span.secondary", { "aria-hidden": "true" }, key), controls[index]));
    this.hold(element("div.numbers", { role: "group" }, ...pairs), controls);
  }

  read() {
    const given = this.keys.map((key, index) => [key, numberIn(this.controls[index])]).filter(([, value]) => value !== undefined);
    return given.length ? { [this.names[0]]: Object.fromEntries(given) } : {};
  }

  write(params) {
    const value = params[this.names[0]] ?? {};
    this.keys.forEach((key, index) => (this.controls[index].value = value[key] ?? ""));
  }
}

const WAYS = ["selector", "xpath", "ref"];
const EXAMPLES = { selector: "like #place-order", xpath: "like //button[.='Pay']", ref: "like e5" };

/** The element a command is about. Exactly one way is read, the chosen one; each keeps its own text. */
class TargetField extends Field {
  constructor(properties, options) {
    super(Object.keys(properties), "Target", { ...options, description: "The element the command is about" });
    this.properties = properties;
    this.ways = [...WAYS, "x, y"].map((way) => {
      const radio = element("input", { type: "radio", name: this.id, on: { change: () => this.#show() } });
      return { way, radio, label: element("label", { title: properties[way]?.description ?? "CSS pixels from the upper left corner of the viewport" }, radio, element("span", {}, way)) };
    });
    this.texts = WAYS.map((way) => element("input.mono", { type: "text", placeholder: EXAMPLES[way], "aria-label": `Target ${way}`, spellcheck: "false", autocomplete: "off" }));
    this.numbers = ["x", "y"].map((name) => numberControl(properties[name], { "aria-label": `Target ${name}` }));
    this.position = element("span.numbers", {}, ...["x", "y"].map((name, index) => element("span.with-unit", {}, element("span.secondary", { "aria-hidden": "true" }, name), this.numbers[index])));
    const segments = element("div.segments", { role: "radiogroup", "aria-label": "Target by" }, ...this.ways.map(({ label }) => label));
    this.hold(element("div.target", { role: "group" }, segments, element("div.target-value", {}, ...this.texts, this.position)), [...this.texts, ...this.numbers]);
    this.write({});
  }

  get #at() {
    return this.ways.findIndex(({ radio }) => radio.checked);
  }

  schemaOf(name) {
    return this.properties[name];
  }

  check() {
    const { x, y } = this.read();
    if ((x === undefined) !== (y === undefined)) return "x and y are given together";
    return super.check();
  }

  read() {
    if (this.#at < WAYS.length) {
      const text = this.texts[this.#at].value;
      return text ? { [WAYS[this.#at]]: text } : {};
    }
    const given = ["x", "y"].map((name, index) => [name, numberIn(this.numbers[index])]);
    return Object.fromEntries(given.filter(([, value]) => value !== undefined));
  }

  write(params) {
    WAYS.forEach((way, index) => (this.texts[index].value = params[way] ?? ""));
    ["x", "y"].forEach((name, index) => (this.numbers[index].value = params[name] ?? ""));
    const way = WAYS.findIndex((name) => name in params);
    this.#choose("x" in params || "y" in params ? WAYS.length : Math.max(way, 0));
  }

  focus() {
    (this.texts[this.#at] ?? this.numbers[0]).focus();
  }

  #choose(index) {
    this.ways.forEach(({ radio }, at) => (radio.checked = at === index));
    this.#show();
  }

  #show() {
    this.texts.forEach((text, index) => (text.hidden = index !== this.#at));
    this.position.hidden = this.#at !== WAYS.length;
    this.show(this.check());
  }
}

/** Which field a parameter gets: the first row whose test its schema passes. */
const KINDS = [
  [({ type, enum: values, default: preset }, isRequired) => values?.length <= MAX_SEGMENTS || (type === "boolean" && isRequired && preset === undefined), ChoiceField],
  [({ enum: values }) => values !== undefined, ListField],
  [({ type }) => type === "boolean", CheckField],
  [({ type }) => type === "integer" || type === "number", NumberField],
  [({ type, items }) => type === "array" && items.enum, TogglesField],
  [({ type, items }) => type === "array" && items.type === "object", JsonField],
  [({ type }) => type === "array", LinesField],
  [({ type }) => type === "object", NumbersField],
  [() => true, TextField],
];

/** The fields of a command in the order of its parameters, the timeout last. */
export function fieldsOf({ target, targetProperties, properties, required }) {
  const fields = target === "none" ? [] : [new TargetField(targetProperties, { isRequired: target === "required" })];
  for (const [name, schema] of Object.entries(properties)) {
    const isRequired = required.has(name);
    const [, Kind] = KINDS.find(([test]) => test(schema, isRequired));
    fields.push(new Kind(name, schema, { isRequired, description: schema.description }));
  }
  return fields;
}
