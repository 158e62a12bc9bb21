import { element } from "./element.js";

/** So many pictures are kept while DevTools is open; the panel keeps them all. */
const MAX_SHOTS = 30;

/** The screenshots taken here, newest first; each opens in a tab of its own. */
export class Shots {
  /** @param {(address: string, name: string) => void} open */
  constructor(open) {
    this.open = open;
    this.list = element("ul.shots", { "aria-label": "Screenshots taken here" });
    this.nothing = element(
      "p.message",
      {},
      "Screenshots you take here appear as thumbnails; the panel keeps all of them.",
    );
    this.node = element("section", { "aria-label": "Screenshots" }, this.nothing, this.list);
  }

  get count() {
    return this.list.childElementCount;
  }

  /** @param {{address: string, name: string, width: number, height: number}} shot */
  add({ address, name, width, height }) {
    const words = `${name}, ${width} × ${height}`;
    const picture = element("img", { src: address, alt: "" });
    const button = element(
      "button.shot",
      {
        type: "button",
        title: `Open ${words} in a tab`,
        "aria-label": `Open ${words} in a tab`,
        on: { click: () => this.open(address, name) },
      },
      picture,
      element("span.one-line", {}, name),
      element("span.secondary.small", {}, `${width} × ${height}`),
    );
    this.list.prepend(element("li", { "data-address": address }, button));
    while (this.count > MAX_SHOTS) {
      const last = /** @type {HTMLElement} */ (this.list.lastElementChild);
      URL.revokeObjectURL(last.dataset.address ?? "");
      last.remove();
    }
    this.nothing.hidden = true;
  }
}
