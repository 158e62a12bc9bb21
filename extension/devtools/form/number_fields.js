import { element } from "../element.js";
import { ParameterField } from "./field.js";
/** @import { Options, Params, Schema } from "./field.js" */

/** What is in it; undefined when nothing is, the text when that is not a number. */
export const numberIn = (/** @type {HTMLInputElement} */ control) =>
  control.value.trim() === "" ? undefined : Number.isNaN(Number(control.value)) ? control.value : Number(control.value);
export const numberControl = (/** @type {Schema} */ schema, props = {}) =>
  element("input.number", {
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    placeholder: schema.default ?? "",
    ...props,
  });

/** A number with its unit. */
export class NumberField extends ParameterField {
  /**
   * @param {string} name
   * @param {Schema} schema
   * @param {Options} options
   */
  constructor(name, schema, options) {
    super(name, schema, options);
    this.control = numberControl(schema);
    const unit = schema.unit ? [element("span.unit.secondary", {}, schema.unit)] : [];
    this.hold(element("span.with-unit", {}, this.control, ...unit), [this.control]);
  }

  /** @override */
  read() {
    const value = numberIn(this.control);
    return value === undefined ? {} : { [this.name]: value };
  }

  /** @override @param {Params} params */
  write(params) {
    this.control.value = params[this.name] ?? "";
  }
}

/** An object of numbers, such as a clip. */
export class NumbersField extends ParameterField {
  /**
   * @param {string} name
   * @param {Schema} schema
   * @param {Options} options
   */
  constructor(name, schema, options) {
    super(name, schema, options);
    this.keys = Object.keys(schema.properties);
    this.numbers = this.keys.map((key) =>
      numberControl(schema.properties[key], { "aria-label": `${schema.title} ${key}` }),
    );
    const pairs = this.keys.map((key, index) =>
      element("span.with-unit", {}, element("span.secondary", { "aria-hidden": "true" }, key), this.numbers[index]),
    );
    this.hold(element("div.numbers", { role: "group" }, ...pairs), this.numbers);
  }

  /** @override */
  read() {
    const given = this.keys
      .map((key, index) => [key, numberIn(this.numbers[index])])
      .filter(([, value]) => value !== undefined);
    return given.length ? { [this.name]: Object.fromEntries(given) } : {};
  }

  /** @override @param {Params} params */
  write(params) {
    const value = params[this.name] ?? {};
    this.keys.forEach((key, index) => (this.numbers[index].value = value[key] ?? ""));
  }
}
