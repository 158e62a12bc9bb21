import { element } from "./element.js";

/** Parts that share a place: one is in sight, the arrows go to the next. */
export class TabBar {
  /** @param {[id: string, title: string, node: Element][]} parts */
  constructor(parts) {
    this.tabs = parts.map(([id, title, node]) => {
      node.id = `part-${id}`;
      node.setAttribute("role", "tabpanel");
      node.setAttribute("aria-labelledby", `tab-${id}`);
      const count = element("span.pill", { hidden: true });
      const tab = element("button.tab", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": node.id, on: { click: () => this.choose(id), keydown: (event) => this.#onKey(event) } }, title, count);
      return { id, tab, node, count };
    });
    const list = element("div.tabs", { role: "tablist", "aria-label": "More of this tab" }, ...this.tabs.map(({ tab }) => tab));
    this.node = element("section.drawer", {}, list, ...this.tabs.map(({ node }) => node));
    this.choose(parts[0][0]);
  }

  choose(id) {
    for (const { id: known, tab, node } of this.tabs) {
      const isChosen = known === id;
      node.hidden = !isChosen;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
    }
  }

  /** How much is in a part. */
  count(id, number) {
    const { count } = this.tabs.find(({ id: known }) => known === id);
    count.textContent = number ? String(number) : "";
    count.hidden = !number;
  }

  #onKey(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = this.tabs.findIndex(({ tab }) => tab === event.currentTarget);
    const next = this.tabs[(at + step + this.tabs.length) % this.tabs.length];
    this.choose(next.id);
    next.tab.focus();
  }
}
