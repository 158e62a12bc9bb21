import { element } from "../element.js";
import { Field } from "./field.js";
import { numberControl, numberIn } from "./number_fields.js";
/** @import { Options, Params, Schema } from "./field.js" */

const WAYS = ["selector", "xpath", "ref"];
/** @type {Record<string, string>} */
const EXAMPLES = { selector: "like #place-order", xpath: "like //button[.='Pay']", ref: "like e5" };

/** The element a command is about. Exactly one way is read, the chosen one; each keeps its own text. */
export class TargetField extends Field {
  /**
   * @param {Record<string, Schema>} properties
   * @param {Options} options
   */
  constructor(properties, options) {
    super(Object.keys(properties), "Target", { ...options, description: "The element the command is about" });
    this.properties = properties;
    this.ways = [...WAYS, "x, y"].map((way) => {
      const radio = element("input", { type: "radio", name: this.id, on: { change: () => this.#show() } });
      return {
        way,
        radio,
        label: element(
          "label",
          { title: properties[way]?.description ?? "CSS pixels from the upper left corner of the viewport" },
          radio,
          element("span", {}, way),
        ),
      };
    });
    this.texts = WAYS.map((way) =>
      element("input.mono", {
        type: "text",
        placeholder: EXAMPLES[way],
        "aria-label": `Target ${way}`,
        spellcheck: "false",
        autocomplete: "off",
      }),
    );
    this.numbers = ["x", "y"].map((name) => numberControl(properties[name], { "aria-label": `Target ${name}` }));
    this.position = element(
      "span.numbers",
      {},
      ...["x", "y"].map((name, index) =>
        element("span.with-unit", {}, element("span.secondary", { "aria-hidden": "true" }, name), this.numbers[index]),
      ),
    );
    const segments = element(
      "div.segments",
      { role: "radiogroup", "aria-label": "Target by" },
      ...this.ways.map(({ label }) => label),
    );
    this.hold(
      element("div.target", { role: "group" }, segments, element("div.target-value", {}, ...this.texts, this.position)),
      [...this.texts, ...this.numbers],
    );
    this.write({});
  }

  get #at() {
    return this.ways.findIndex(({ radio }) => radio.checked);
  }

  /** @override @param {string} name */
  schemaOf(name) {
    return this.properties[name];
  }

  /** @override */
  check() {
    const { x, y } = this.read();
    if ((x === undefined) !== (y === undefined)) return "x and y are given together";
    return super.check();
  }

  /** @override */
  read() {
    if (this.#at < WAYS.length) {
      const text = this.texts[this.#at].value;
      return text ? { [WAYS[this.#at]]: text } : {};
    }
    const given = ["x", "y"].map((name, index) => [name, numberIn(this.numbers[index])]);
    return Object.fromEntries(given.filter(([, value]) => value !== undefined));
  }

  /** @override @param {Params} params */
  write(params) {
    WAYS.forEach((way, index) => (this.texts[index].value = params[way] ?? ""));
    ["x", "y"].forEach((name, index) => (this.numbers[index].value = params[name] ?? ""));
    const way = WAYS.findIndex((name) => name in params);
    this.#choose("x" in params || "y" in params ? WAYS.length : Math.max(way, 0));
  }

  /** @override */
  focus() {
    (this.texts[this.#at] ?? this.numbers[0]).focus();
  }

  /** @param {number} index */
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
