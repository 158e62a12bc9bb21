import { clock } from "./console.js";
import { element, icon } from "./element.js";
/** @import { Command } from "./commands.js" */
/** @import { Params } from "./form/field.js" */
/** @import { Answer } from "./running_commands.js" */

const MAX_RECENT = 50;

/** What was run here, newest first. It is kept while DevTools is open and nowhere else: typed text may be in it. */
export class Recent {
  #isAllowed = true;

  /**
   * @param {(command: Command, params: Params) => void} onOpen puts one into the form
   * @param {(command: Command, params: Params) => void} onRun runs it again
   */
  constructor(onOpen, onRun) {
    this.onOpen = onOpen;
    this.onRun = onRun;
    this.list = element("ol.recent", { "aria-label": "Recent commands, newest first" });
    this.nothing = element("p.message", {}, "Commands you run here can be run again from this list.");
    this.node = element("section", { "aria-label": "Recent commands" }, this.nothing, this.list);
  }

  get count() {
    return this.list.childElementCount;
  }

  /**
   * @param {Command} command
   * @param {Params} params
   * @param {Answer} answer
   */
  add(command, params, { success, error, ms }) {
    const open = element(
      "button.entry",
      { type: "button", title: "Put it into the form", on: { click: () => this.onOpen(command, params) } },
      element("span.secondary.mono", {}, clock(Date.now())),
      element("span.mark", { "data-tone": success ? "ok" : "error" }, success ? "✓" : "✗"),
      element("span", {}, command.title),
      element(
        "span.secondary.one-line.mono",
        {},
        success ? shown(command, params) : `${error?.code} ${shown(command, params)}`,
      ),
      element("span.secondary.small", {}, ms === undefined ? "" : `${Math.round(ms)} ms`),
    );
    const again = element(
      "button.flat.again",
      {
        type: "button",
        "aria-label": `Run ${command.title} again`,
        title: "Run it again",
        on: { click: () => this.#isAllowed && this.onRun(command, params) },
      },
      icon("mdi6.replay"),
    );
    this.list.prepend(element("li", {}, open, again));
    while (this.count > MAX_RECENT) this.list.lastElementChild?.remove();
    this.nothing.hidden = true;
  }

  /**
   * While a command runs, or without the panel, nothing is run again.
   * @param {boolean} isAllowed
   */
  allow(isAllowed) {
    this.#isAllowed = isAllowed;
    for (const button of this.list.querySelectorAll("button"))
      if (button.classList.contains("again")) button.ariaDisabled = String(!isAllowed);
  }
}

/**
 * Parameters in a line, what was typed by its length alone.
 * @param {Command} command
 * @param {Params} params
 */
function shown({ properties }, params) {
  return Object.entries(params)
    .map(([name, value]) => {
      if (properties[name]?.typed) return `${name}: ${String(value).length} characters`;
      if (properties[name]?.items?.type === "object") return `${name}: ${value.length}`;
      return `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`;
    })
    .join(", ");
}
