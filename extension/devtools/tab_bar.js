import { element } from "./element.js";

const STEPS = new Map([
  ["ArrowRight", 1],
  ["ArrowLeft", -1],
]);

/** Parts that share a place: one is in sight, the arrows go to the next. */
export class TabBar {
  /** @param {[id: string, title: string, node: HTMLElement][]} parts */
  constructor(parts) {
    this.tabs = parts.map(([id, title, node]) => {
      node.id = `part-${id}`;
      node.setAttribute("role", "tabpanel");
      node.setAttribute("aria-labelledby", `tab-${id}`);
      const count = element("span.pill", { hidden: true });
      const tab = element(
        "button.tab",
        {
          type: "button",
          role: "tab",
          id: `tab-${id}`,
          "aria-controls": node.id,
          on: { click: () => this.choose(id), keydown: (event) => this.#onKey(event) },
        },
        title,
        count,
      );
      return { id, tab, node, count };
    });
    const list = element(
      "div.tabs",
      { role: "tablist", "aria-label": "More of this tab" },
      ...this.tabs.map(({ tab }) => tab),
    );
    this.node = element("section.drawer", {}, list, ...this.tabs.map(({ node }) => node));
    this.choose(parts[0][0]);
  }

  /** @param {string} id */
  choose(id) {
    for (const { id: known, tab, node } of this.tabs) {
      const isChosen = known === id;
      node.hidden = !isChosen;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
    }
  }

  /**
   * How much is in a part.
   * @param {string} id
   * @param {number} number
   */
  count(id, number) {
    for (const { id: known, count } of this.tabs) {
      if (known !== id) continue;
      count.textContent = number ? String(number) : "";
      count.hidden = !number;
    }
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const step = STEPS.get(event.key);
    if (!step) return;
    const at = this.tabs.findIndex(({ tab }) => tab === event.currentTarget);
    const next = this.tabs[(at + step + this.tabs.length) % this.tabs.length];
    this.choose(next.id);
    next.tab.focus();
  }
}
