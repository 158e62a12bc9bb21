/** @import { Cdp } from "./cdp.js" */

/** CDP's Overlay of a tab: what the browser paints over the page. It is on as long as somebody paints with it. */
export class Overlay {
  #painters = new Set();

  /** @param {Cdp} cdp */
  constructor(cdp) {
    this.cdp = cdp;
  }

  /** Whether somebody paints. */
  get isUsed() {
    return this.#painters.size > 0;
  }

  /** @param {object} painter */
  begin(painter) {
    if (!this.isUsed) {
      this.send("DOM.enable"); // Overlay wants it
      this.send("Overlay.enable");
    }
    this.#painters.add(painter);
  }

  /** @param {object} painter */
  end(painter) {
    if (!this.#painters.delete(painter) || this.isUsed) return;
    this.send("Overlay.disable");
    this.send("DOM.disable");
  }

  /**
   * Not awaited by what drives the tab: a drawing must not slow it down, nor fail it.
   * @param {string} method
   */
  async send(method, params = {}) {
    return this.cdp.send(method, params).catch(() => null); // the tab has gone, and what was drawn with it
  }
}
