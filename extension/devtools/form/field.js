import { element, put } from "../element.js";
import { problemOf } from "./problems.js";

let serial = 0;

/**
 * @typedef {Record<string, any>} Schema of a parameter, as commands.json has it
 * @typedef {Record<string, any>} Params
 * @typedef {{isRequired?: boolean, description?: string}} Options
 * @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Control
 */

/**
 * What every field of a form is: it edits one parameter, or several that go together. One that nobody touched reads as
 * nothing, so that the command's default applies.
 */
export class Field {
  /**
   * Of its one parameter; those of several stand in `schemaOf`.
   * @type {Schema}
   */
  schema = {};
  /** @type {Control[]} */
  controls = [];
  /** Holds the controls with their label. */
  node = element("div.field");

  /**
   * @param {string[]} names
   * @param {string} title
   * @param {Options} options
   */
  constructor(names, title, { isRequired = false, description = "" } = {}) {
    this.names = names;
    this.title = title;
    this.isRequired = isRequired;
    this.description = description;
    this.id = `field-${(serial += 1)}`;
    this.problem = element("p.problem", { id: `${this.id}-problem`, hidden: true });
  }

  /**
   * The parameters as they stand, those left alone missing.
   * @returns {Params}
   */
  read() {
    throw new Error("each kind of field reads its own way");
  }

  /**
   * Show the field's part of `params`; what is missing is shown as left alone.
   * @param {Params} _params
   */
  write(_params) {
    throw new Error("each kind of field writes its own way");
  }

  /**
   * What is wrong with what is entered; empty when nothing is.
   * @returns {string}
   */
  check() {
    for (const [name, value] of Object.entries(this.read())) {
      const problem = problemOf(this.schemaOf(name), value);
      if (problem) return `Must be ${problem}`;
    }
    return "";
  }

  /**
   * @param {string} _name
   * @returns {Schema}
   */
  schemaOf(_name) {
    return this.schema;
  }

  get isEmpty() {
    return Object.keys(this.read()).length === 0;
  }

  /** @param {string} problem */
  show(problem) {
    this.problem.textContent = problem;
    this.problem.hidden = !problem;
    for (const control of this.controls) put(control, "aria-invalid", problem ? "true" : undefined);
  }

  focus() {
    this.controls[0].focus();
  }

  /**
   * Take in the controls, as `node` holds them.
   * @param {Element} node
   * @param {Control[]} controls
   */
  hold(node, controls) {
    this.controls = controls;
    for (const control of controls) {
      control.setAttribute("aria-describedby", this.problem.id);
      if (this.isRequired) control.setAttribute("aria-required", "true");
      control.addEventListener("input", () => this.show(this.check()));
    }
    const isOne = controls.length === 1;
    if (isOne) controls[0].id = this.id;
    const words = [
      this.title,
      ...(this.isRequired ? [element("span.needed", { title: "required", "aria-hidden": "true" }, " *")] : []),
    ];
    const label = isOne
      ? element("label", { for: this.id, title: this.description }, ...words)
      : element("span.label", { id: `${this.id}-label`, title: this.description }, ...words);
    if (!isOne) put(node, "aria-labelledby", label.id);
    put(this.node, "data-names", this.names.join(" "));
    this.node.append(label, element("div.control", {}, node, this.problem));
  }
}

/** A field of one parameter. */
export class ParameterField extends Field {
  /**
   * @param {string} name
   * @param {Schema} schema
   * @param {Options} options
   */
  constructor(name, schema, options) {
    super([name], schema.title, options);
    this.name = name;
    this.schema = schema;
  }
}
