import { element } from "../element.js";
import { fieldsOf } from "./fields.js";
/** @import { Command } from "../commands.js" */
/** @import { Params } from "./field.js" */

/** So many parameters of a command's own are in sight; the others, and what every command takes, are options. */
const IN_SIGHT = 5;
const SHARED = new Set(["snapshot", "wait", "timeout"]);

/** The form of one command, which can be edited as JSON as well. */
export class Form {
  #isJson = false;
  /**
   * What a field was given that nobody entered.
   * @type {Map<import("./field.js").Field, string>}
   */
  #proposed = new Map();

  /** @param {Command} command */
  constructor(command) {
    this.command = command;
    this.fields = fieldsOf(command);
    this.json = element("textarea.mono", {
      rows: 8,
      spellcheck: "false",
      "aria-label": `Parameters of ${command.title} as JSON`,
      "aria-describedby": "json-problem",
      on: { input: () => this.#say("") },
    });
    this.problem = element("p.problem", { id: "json-problem", role: "alert", hidden: true });
    const own = this.fields.filter(({ names }) => !SHARED.has(names[0]));
    const { of = [], needed = false } = command.choices ?? {};
    /** One of these must be filled in; none where the catalogue says nothing of the kind. */
    this.choices = own.filter(
      ({ names }) => needed && of.flat().some((name) => names.includes(name === "target" ? "selector" : name)),
    );
    const inSight = own.filter((field, index) => field.isRequired || index < IN_SIGHT || this.choices.includes(field));
    this.rare = this.fields.filter((field) => !inSight.includes(field));
    this.words = element("summary", {}, "Options");
    this.options = element(
      "details.options",
      {},
      this.words,
      element("div.fields", {}, ...this.rare.map(({ node }) => node)),
    );
    this.fieldsNode = element(
      "div.fields",
      { on: { input: () => this.#showParts() } },
      element("p.secondary.small", {}, command.help || command.description),
      ...inSight.map(({ node }) => node),
      this.options,
    );
    this.jsonNode = element("div.json", { hidden: true }, this.json);
    this.node = element(
      "div.form",
      { role: "group", "aria-label": `Form of ${command.title}` },
      this.fieldsNode,
      this.jsonNode,
      this.problem,
    );
    this.#showParts();
  }

  /**
   * Fill in what can be guessed, where there is nothing, or what was proposed before; `guesses` are by the catalogue's
   * word `propose`.
   * @param {Record<string, string>} guesses
   */
  propose(guesses) {
    if (this.#isJson) return;
    for (const field of this.fields) {
      const [name] = field.names;
      const guess = guesses[field.schema.propose]?.slice(0, field.schema.maxLength);
      if (!guess || field.read()[name] !== this.#proposed.get(field)) continue;
      this.#proposed.set(field, guess);
      field.write({ [name]: guess });
    }
  }

  get isJson() {
    return this.#isJson;
  }

  /**
   * Show the form or its JSON; nothing is lost on the way.
   * @param {boolean} isJson
   * @returns whether it is shown
   */
  showJson(isJson) {
    if (isJson === this.#isJson) return true;
    if (isJson) this.json.value = JSON.stringify(this.#fromFields(), null, 2);
    else {
      const { params, problem } = this.#fromJson();
      const why = problem || this.write(params);
      if (why) return (this.#say(why), false);
    }
    this.#isJson = isJson;
    this.fieldsNode.hidden = isJson;
    this.jsonNode.hidden = !isJson;
    this.#say("");
    return true;
  }

  /**
   * What the command is to be given.
   * @returns {Params|null} null after what is wrong has been said and has the focus
   */
  read() {
    if (this.#isJson) {
      const { params, problem } = this.#fromJson();
      this.#say(problem);
      if (problem) this.json.focus();
      return problem ? null : params;
    }
    const wrong = this.fields.filter((field) => {
      const problem = field.isRequired && field.isEmpty ? "Needed: fill it in" : field.check();
      field.show(problem);
      return problem !== "";
    });
    if (wrong.some((field) => this.rare.includes(field))) this.options.open = true;
    wrong[0]?.focus();
    const unchosen = !wrong.length && this.choices.length && this.choices.every((field) => field.isEmpty);
    this.#say(unchosen ? `Fill in ${either(this.choices.map(({ title }) => title))}` : "");
    if (unchosen) this.choices[0].focus();
    return wrong.length || unchosen ? null : this.#fromFields();
  }

  /**
   * Show `params`, whole or not at all.
   * @param {Params} params
   * @returns why the form cannot show them; empty when it does
   */
  write(params) {
    const before = this.#fromFields();
    this.#put(params);
    const shown = this.#fromFields();
    const lost = Object.keys(params).find((name) => !same(shown[name] ?? this.#default(name), params[name]));
    if (lost === undefined) return "";
    this.#put(before);
    const known = this.fields.flatMap(({ names }) => names);
    if (!known.includes(lost)) return `${this.command.title} has no parameter “${lost}”; it has ${known.join(", ")}`;
    return `The form cannot show ${lost} = ${JSON.stringify(params[lost])}; change it to go back to the form`;
  }

  /**
   * Say what the panel found wrong with a parameter, under its field where that is in sight.
   * @param {string} name
   * @param {string} message
   */
  showProblem(name, message) {
    const field = this.fields.find(({ names }) => names.includes(name));
    if (this.#isJson || !field) return this.#say(message);
    if (this.rare.includes(field)) this.options.open = true;
    field.show(message);
    field.focus();
  }

  /** Hide what means nothing beside the other values, and say how many options are set. */
  #showParts() {
    const values = this.#fromFields();
    for (const { schema, names, node } of this.fields) {
      const conditions = Object.entries(schema.when ?? {});
      const isMeant = conditions.every(([name, wanted]) => wanted.includes(values[name] ?? this.#default(name)));
      node.hidden = !isMeant && !names.some((name) => name in values);
    }
    const given = this.rare.filter((field) => !field.isEmpty).length;
    this.words.textContent = given ? `Options (${given} set)` : "Options";
  }

  /** @param {Params} params */
  #put(params) {
    for (const field of this.fields) {
      field.write(params);
      field.show(field.check());
    }
    this.#showParts();
  }

  /** @returns {Params} */
  #fromFields() {
    return Object.assign({}, ...this.fields.map((field) => field.read()));
  }

  /** @returns {{params: Params, problem: string}} */
  #fromJson() {
    try {
      const params = JSON.parse(this.json.value.trim() || "{}");
      if (typeof params === "object" && params !== null && !Array.isArray(params)) return { params, problem: "" };
      return { params: {}, problem: 'The parameters are a JSON object: {"name": value}' };
    } catch (error) {
      return { params: {}, problem: `This is not JSON: ${error.message}` };
    }
  }

  /** @param {string} name */
  #default(name) {
    return (this.command.properties[name] ?? {}).default;
  }

  /** @param {string} words */
  #say(words) {
    this.problem.textContent = words;
    this.problem.hidden = !words;
  }
}

/** @param {string[]} titles */
const either = (titles) => `${titles.slice(0, -1).join(", ")} or ${titles.at(-1)}`;
/** @param {any} one @param {any} other */
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
