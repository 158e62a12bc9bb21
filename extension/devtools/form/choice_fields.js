import { element } from "../element.js";
import { ParameterField } from "./field.js";
/** @import { Options, Params, Schema } from "./field.js" */

const YES_NO = new Map([
  [true, "yes"],
  [false, "no"],
]);

/**
 * What can be chosen; without a default the first leaves the choice to the command.
 * @param {Schema} schema
 * @param {boolean} isRequired
 * @returns {[value: any, words: string][]}
 */
function choicesOf(schema, isRequired) {
  const values = schema.enum ?? [true, false];
  /** @type {[value: any, words: string][]} */
  const choices = values.map((/** @type {any} */ value, /** @type {number} */ index) => [
    value,
    schema.labels?.[index] ?? YES_NO.get(value) ?? String(value),
  ]);
  return schema.default === undefined && !isRequired ? [[undefined, "any"], ...choices] : choices;
}

/** One of a few values side by side. */
export class ChoiceField extends ParameterField {
  /**
   * @param {string} name
   * @param {Schema} schema
   * @param {Options} options
   */
  constructor(name, schema, options) {
    super(name, schema, options);
    this.choices = choicesOf(schema, this.isRequired);
    this.radios = this.choices.map(() => element("input", { type: "radio", name: this.id }));
    const segments = this.choices.map(([, words], index) =>
      element("label", {}, this.radios[index], element("span", {}, words)),
    );
    this.hold(element("div.segments", { role: "radiogroup" }, ...segments), this.radios);
    this.write({});
  }

  /** @override */
  read() {
    const [value] = this.choices[this.radios.findIndex(({ checked }) => checked)] ?? [];
    return value === undefined || value === this.schema.default ? {} : { [this.name]: value };
  }

  /** @override @param {Params} params */
  write(params) {
    const value = params[this.name] ?? this.schema.default;
    this.radios.forEach((radio, index) => (radio.checked = this.choices[index][0] === value));
  }
}

/** One of many values. */
export class ListField extends ParameterField {
  /**
   * @param {string} name
   * @param {Schema} schema
   * @param {Options} options
   */
  constructor(name, schema, options) {
    super(name, schema, options);
    this.choices = choicesOf(schema, this.isRequired);
    this.control = element(
      "select",
      {},
      ...this.choices.map(([value, words]) =>
        element("option", {}, value === schema.default && value !== undefined ? `${words} (default)` : words),
      ),
    );
    this.hold(this.control, [this.control]);
    this.write({});
  }

  /** @override */
  read() {
    const [value] = this.choices[this.control.selectedIndex] ?? [];
    return value === undefined || value === this.schema.default ? {} : { [this.name]: value };
  }

  /** @override @param {Params} params */
  write(params) {
    const value = params[this.name] ?? this.schema.default;
    this.control.selectedIndex = Math.max(
      0,
      this.choices.findIndex(([known]) => known === value),
    );
  }
}

/** Yes or no; shows the default until it is clicked. */
export class CheckField extends ParameterField {
  /**
   * @param {string} name
   * @param {Schema} schema
   * @param {Options} options
   */
  constructor(name, schema, options) {
    super(name, schema, options);
    this.control = element("input", { type: "checkbox" });
    this.hold(this.control, [this.control]);
    this.write({});
  }

  /** @override */
  read() {
    const { checked } = this.control;
    return checked === Boolean(this.schema.default) ? {} : { [this.name]: checked };
  }

  /** @override @param {Params} params */
  write(params) {
    this.control.checked = params[this.name] ?? Boolean(this.schema.default);
  }
}

/** Any number of known values, each on or off. */
export class TogglesField extends ParameterField {
  /**
   * @param {string} name
   * @param {Schema} schema
   * @param {Options} options
   */
  constructor(name, schema, options) {
    super(name, schema, options);
    /** @type {string[]} */
    this.values = schema.items.enum;
    this.boxes = this.values.map(() => element("input", { type: "checkbox" }));
    const segments = this.values.map((value, index) =>
      element("label", {}, this.boxes[index], element("span", {}, value === "Control" ? "Ctrl" : value)),
    );
    this.hold(element("div.segments", { role: "group" }, ...segments), this.boxes);
  }

  /** @override */
  read() {
    const chosen = this.values.filter((_value, index) => this.boxes[index].checked);
    return chosen.length ? { [this.name]: chosen } : {};
  }

  /** @override @param {Params} params */
  write(params) {
    const chosen = new Set([params[this.name] ?? []].flat());
    this.boxes.forEach((box, index) => (box.checked = chosen.has(this.values[index])));
  }
}
