import { MAX_CONSOLE_LINES } from "../basics/agreed.js";
import { element } from "./element.js";

/** @typedef {{at: number, level: string, text: string, source: string, context: string}} Line as `ConsoleSaid` tells it */

const DEFAULT_MAX = 500;
const KEY = "consoleMax";

/** @param {number} number */
const two = (number) => String(number).padStart(2, "0");
/** @param {number} ms since 1970 */
export function clock(ms) {
  const at = new Date(ms);
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, "0")}`;
}

/** The console of the tab: the newest lines, as many as the person wants. */
export class Console {
  #max = DEFAULT_MAX;

  /** @param {chrome.storage.StorageArea} storage chrome.storage.local, which remembers the maximum */
  constructor(storage) {
    this.storage = storage;
    this.count = element("span.secondary.small", { role: "status" });
    this.max = element("input.number", {
      id: "console-max",
      type: "text",
      inputmode: "numeric",
      autocomplete: "off",
      on: { change: () => this.#onMax() },
    });
    this.problem = element("span.problem", { id: "console-problem", role: "alert", hidden: true });
    this.max.setAttribute("aria-describedby", this.problem.id);
    this.clear = element(
      "button.flat",
      { type: "button", title: "Empties this list; agents still see the lines", on: { click: () => this.empty() } },
      "Clear",
    );
    this.lines = element("ol.lines.mono", { tabindex: 0, "aria-label": "Console lines" });
    this.nothing = element(
      "p.message",
      {},
      "What the page writes to its console appears here while the tab is connected.",
    );
    this.node = element(
      "section.console",
      { "aria-label": "Console" },
      element(
        "div.bar",
        {},
        this.count,
        element("span.grow"),
        this.problem,
        element("label.small.secondary", { for: "console-max" }, "Keep at most"),
        this.max,
        element("span.small.secondary", {}, "lines"),
        this.clear,
      ),
      this.nothing,
      this.lines,
    );
    this.#show();
  }

  /** Read what was remembered. */
  async begin() {
    const { [KEY]: kept } = await this.storage.get(KEY);
    if (typeof kept === "number" && Number.isInteger(kept) && kept >= 1 && kept <= MAX_CONSOLE_LINES) this.#max = kept;
    this.max.value = String(this.#max);
    this.#show();
  }

  /**
   * @param {Line[]} lines
   * @param {boolean} isWhole whether they are all there are
   */
  add(lines, isWhole) {
    const isAtEnd = this.lines.scrollHeight - this.lines.scrollTop - this.lines.clientHeight < 24;
    if (isWhole) this.lines.replaceChildren();
    this.lines.append(...lines.slice(-this.#max).map(lineOf));
    this.#show();
    if (isAtEnd || isWhole) this.lines.scrollTop = this.lines.scrollHeight;
  }

  empty() {
    this.lines.replaceChildren();
    this.#show();
  }

  #onMax() {
    const wanted = Number(this.max.value);
    const isRight = Number.isInteger(wanted) && wanted >= 1 && wanted <= MAX_CONSOLE_LINES;
    this.problem.hidden = isRight;
    this.problem.textContent = isRight ? "" : `From 1 to ${MAX_CONSOLE_LINES.toLocaleString("en")}`;
    this.max.setAttribute("aria-invalid", String(!isRight));
    if (!isRight) return;
    this.#max = wanted;
    this.storage.set({ [KEY]: wanted });
    this.#show();
  }

  #show() {
    while (this.lines.childElementCount > this.#max) this.lines.firstElementChild?.remove();
    const count = this.lines.childElementCount;
    this.count.textContent = count === 1 ? "1 line" : `${count.toLocaleString("en")} lines`;
    this.nothing.hidden = count > 0;
    this.lines.hidden = count === 0;
  }
}

/** @param {Line} line */
function lineOf({ at, level, text, source, context }) {
  const where = [source, context === "page" ? "" : context].filter(Boolean).join(" · ");
  return element(
    "li",
    { "data-level": level },
    element("time.secondary", {}, clock(at)),
    element("span.level", {}, level),
    element("span.words", {}, text),
    element("span.secondary.where", {}, where),
  );
}
