import { element } from "../element.js";
import { ParameterField } from "./field.js";
/** @import { Options, Params, Schema } from "./field.js" */

/** A line of text, or several; code is written in monospace. */
export class TextField extends ParameterField {
  /**
   * @param {string} name
   * @param {Schema} schema
   * @param {Options} options
   */
  constructor(name, schema, options) {
    super(name, schema, options);
    const isCode = schema.format === "javascript";
    const isLong = isCode || schema.typed;
    const props = { placeholder: schema.default ?? "", spellcheck: "false", autocomplete: "off" };
    this.control = isLong
      ? element("textarea", { ...props, rows: isCode ? 4 : 1 })
      : element("input", { ...props, type: "text" });
    if (isCode || /selector|xpath/i.test(name)) this.control.className = "mono";
    this.hold(this.control, [this.control]);
  }

  /** @override */
  read() {
    const text = this.control.value;
    // A required text that may be empty is empty on purpose.
    return text || (this.isRequired && !this.schema.minLength) ? { [this.name]: text } : {};
  }

  /** @override @param {Params} params */
  write(params) {
    this.control.value = params[this.name] ?? "";
  }
}

/** A list of texts, one per line. */
export class LinesField extends ParameterField {
  /**
   * @param {string} name
   * @param {Schema} schema
   * @param {Options} options
   */
  constructor(name, schema, options) {
    super(name, schema, options);
    this.control = element("textarea", { rows: 2, placeholder: "one per line", spellcheck: "false" });
    this.hold(this.control, [this.control]);
  }

  /** @override */
  read() {
    const text = this.control.value.replace(/\n+$/, "");
    return text ? { [this.name]: text.split("\n") } : {};
  }

  /** @override @param {Params} params */
  write(params) {
    const lines = params[this.name];
    this.control.value = Array.isArray(lines) ? lines.join("\n") : "";
  }
}

/** A list of objects, as JSON. */
export class JsonField extends ParameterField {
  /**
   * @param {string} name
   * @param {Schema} schema
   * @param {Options} options
   */
  constructor(name, schema, options) {
    super(name, schema, options);
    const example = Object.fromEntries(Object.keys(schema.items?.properties ?? {}).map((key) => [key, "…"]));
    this.control = element("textarea.mono", { rows: 4, spellcheck: "false", placeholder: JSON.stringify([example]) });
    this.hold(this.control, [this.control]);
  }

  /** @override */
  read() {
    const text = this.control.value.trim();
    if (!text) return {};
    try {
      return { [this.name]: JSON.parse(text) };
    } catch {
      return { [this.name]: text }; // `check` says that it is not a list
    }
  }

  /** @override @param {Params} params */
  write(params) {
    const value = params[this.name];
    this.control.value = value === undefined ? "" : JSON.stringify(value, null, 2);
  }
}
