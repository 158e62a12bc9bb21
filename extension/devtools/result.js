import { inOneLine } from "../basics/errors.js";
import { element, put } from "./element.js";
import { jsonTree } from "./json_tree.js";
/** @import { Answer } from "./running_commands.js" */

/** @param {Record<string, any>} value */
const withoutNothing = (value) =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined && part !== null));

/**
 * The ways to look at an answer, in the order they are offered.
 * @type {[words: string, has: (answer: Answer) => boolean, show: (answer: Answer) => Element][]}
 */
const VIEWS = [
  [
    "Picture",
    ({ picture }) => Boolean(picture),
    ({ picture, name }) => element("img.picture", { src: picture, alt: `Screenshot ${name}` }),
  ],
  [
    "Text",
    (answer) => textOf(answer) !== "",
    (answer) => element("pre.text.mono", { tabindex: 0, "aria-label": "Text of the result" }, textOf(answer)),
  ],
  ["Tree", () => true, (answer) => jsonTree(jsonOf(answer))],
  [
    "JSON",
    () => true,
    (answer) =>
      element(
        "pre.text.mono",
        { tabindex: 0, "aria-label": "Result as JSON" },
        JSON.stringify(jsonOf(answer), null, 2),
      ),
  ],
];

/** @param {Answer} answer */
function textOf({ result, snapshot }) {
  return [typeof result === "string" ? result : "", snapshot ?? ""].filter(Boolean).join("\n\n");
}

const jsonOf = (/** @type {Answer} */ { result, outcome, effects, lateEffects, error }) =>
  withoutNothing({ result, error, ...outcome, effects, lateEffects });

/** What a command answered. */
export class Result {
  /** @type {Answer|null} */
  #answer = null;
  #way = "";

  constructor() {
    this.state = element("span.pill", { hidden: true });
    this.words = element("span.secondary.one-line", { role: "status" }, "Run a command to see what it answers.");
    this.views = element("div.segments", { role: "radiogroup", "aria-label": "Show the result as" });
    this.error = element("p.message.error", { role: "alert", hidden: true });
    this.body = element("div.result-body");
    this.node = element(
      "section.result",
      { "aria-label": "Result" },
      element("div.bar", {}, this.state, this.words, this.views),
      this.error,
      this.body,
    );
  }

  /**
   * A command runs.
   * @param {string} title
   */
  wait(title) {
    this.#answer = null;
    this.#put("", "", `${title} runs …`);
    this.error.hidden = true;
    this.views.replaceChildren();
    this.body.replaceChildren();
  }

  /**
   * @param {string} title
   * @param {Answer} answer with `picture` as an address and its `name`
   */
  show(title, answer) {
    this.#answer = answer;
    const { success, error, outcome, effects, ms } = answer;
    const took = ms === undefined ? "" : ` · ${ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`}`;
    this.#put(
      success ? "ok" : "error",
      success ? "✓ done" : `✗ ${error?.code}`,
      `${title}${took}${saidOf(effects)}${outcomeOf(outcome)}`,
    );
    this.error.hidden = success;
    this.error.textContent = error ? inOneLine(error) : "";
    const offered = VIEWS.filter(([, has]) => has(answer));
    const name = "result-view";
    this.views.replaceChildren(
      ...offered.map(([words]) =>
        element(
          "label",
          {},
          element("input", { type: "radio", name, value: words, on: { change: () => this.#look(words) } }),
          element("span", {}, words),
        ),
      ),
    );
    // Whoever looks at trees goes on to; a picture or a text comes first all the same.
    const [first] = offered.map(([words]) => words);
    this.#look(
      ["Picture", "Text"].includes(first) ? first : offered.some(([words]) => words === this.#way) ? this.#way : first,
      { isOffered: true },
    );
  }

  /**
   * @param {string} tone
   * @param {string} state
   * @param {string} words
   */
  #put(tone, state, words) {
    this.state.hidden = !state;
    this.state.textContent = state;
    put(this.state, "data-tone", tone || undefined);
    this.words.textContent = words;
  }

  /**
   * @param {string} words
   * @param {{isOffered?: boolean}} how
   */
  #look(words, { isOffered = false } = {}) {
    if (!isOffered) this.#way = words;
    for (const radio of this.views.querySelectorAll("input")) radio.checked = radio.value === words;
    for (const [known, , show] of VIEWS)
      if (known === words && this.#answer) this.body.replaceChildren(show(this.#answer));
  }
}

/**
 * The word the effects do not say already.
 * @param {Answer["outcome"]} outcome
 */
function outcomeOf(outcome) {
  if (outcome?.outcome === "unverifiable") return ` · unverifiable: ${outcome.reason}`;
  return outcome?.outcome === "confirmed" ? " · confirmed" : "";
}

/**
 * The gist of the effects.
 * @param {Record<string, any>|null|undefined} effects
 */
function saidOf(effects) {
  if (!effects) return "";
  const parts = [];
  if (effects.url) parts.push(`now at ${effects.url}`);
  for (const [name, one] of [
    ["newTabs", "new tab"],
    ["dialogs", "dialog"],
    ["downloads", "download"],
    ["invalid", "invalid field"],
    ["consoleErrors", "console error"],
  ])
    if (effects[name]?.length) parts.push(`${effects[name].length} ${one}${effects[name].length === 1 ? "" : "s"}`);
  if (effects.pending?.length) parts.push(`${effects.pending.length} under way`);
  if (!parts.length && effects.changed === false) parts.push("nothing observable changed");
  return parts.map((part) => ` · ${part}`).join("");
}
