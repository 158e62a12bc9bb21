import { element, icon } from "./element.js";
/** @import { Command, Commands } from "./commands.js" */

/** The commands to choose from: a search above a list by groups; arrows go through it. */
export class CommandList {
  /** @type {Command|null} */
  #chosen = null;

  /**
   * @param {Commands} commands
   * @param {(command: Command) => void} onChosen
   */
  constructor(commands, onChosen) {
    this.commands = commands;
    this.onChosen = onChosen;
    this.search = element("input", {
      type: "search",
      id: "search",
      placeholder: "Find a command",
      "aria-label": "Find a command",
      "aria-controls": "commands",
      on: { input: () => this.#show(), keydown: (event) => this.#onKey(event) },
    });
    this.list = element("div.list", {
      id: "commands",
      role: "listbox",
      "aria-label": "Commands",
      on: { keydown: (event) => this.#onKey(event) },
    });
    this.node = element("nav.commands", { "aria-label": "Commands" }, this.search, this.list);
    this.#show();
  }

  /**
   * @param {Command|undefined} command
   * @param {{silently?: boolean}} how
   */
  choose(command, { silently = false } = {}) {
    if (!command) return;
    this.#chosen = command;
    for (const option of this.#options()) this.#mark(option);
    if (!silently) this.onChosen(command);
  }

  /** @returns {HTMLElement[]} */
  #options() {
    return /** @type {HTMLElement[]} */ ([...this.list.querySelectorAll("[role=option]")]);
  }

  /** @param {HTMLElement} option */
  #mark(option) {
    const isChosen = option.dataset.name === this.#chosen?.name;
    option.setAttribute("aria-selected", String(isChosen));
    option.tabIndex = isChosen || (!this.#chosen && option === this.list.querySelector("[role=option]")) ? 0 : -1;
  }

  #show() {
    const groups = this.commands.found(this.search.value);
    this.list.replaceChildren(
      ...groups.map(({ title, commands }) =>
        element(
          "div",
          { role: "group", "aria-label": title },
          element("p.caps", { "aria-hidden": "true" }, title),
          ...commands.map((command) => this.#option(command)),
        ),
      ),
    );
    if (groups.length === 0) this.list.append(element("p.message.small", {}, "No command has these words."));
    const options = this.#options();
    for (const option of options) this.#mark(option);
    // A chosen command that is not among them leaves nothing to come to by Tab.
    if (options.length && !options.some(({ tabIndex }) => tabIndex === 0)) options[0].tabIndex = 0;
  }

  /** @param {Command} command */
  #option(command) {
    const choose = () => this.choose(command);
    return element(
      "div.option",
      { role: "option", title: command.description, "data-name": command.name, on: { click: choose } },
      icon(command.icon),
      element("span.one-line", {}, command.title),
    );
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const options = this.#options();
    const at = options.findIndex((option) => option === event.target);
    const next = new Map([
      ["ArrowDown", at + 1],
      ["ArrowUp", at - 1],
      ["Home", 0],
      ["End", options.length - 1],
    ]).get(event.key);
    if (event.key === "Enter" || (event.key === " " && at >= 0)) {
      const option = options[Math.max(at, 0)];
      if (!option) return;
      event.preventDefault();
      return this.choose(this.commands.get(option.dataset.name ?? ""));
    }
    if (next === undefined || (at < 0 && event.key !== "ArrowDown")) return;
    event.preventDefault();
    if (next < 0) return this.search.focus();
    options[Math.min(next, options.length - 1)]?.focus();
  }
}
