/** @import { Overlay } from "./overlay.js" */

/** The product's blue, as the cursor's. */
const BLUE = { r: 37, g: 99, b: 235, a: 0.8 };
const CLEAR = { r: 0, g: 0, b: 0, a: 0 };
/** The line is two pixels wide and lies on the rectangle's edge. */
const INSET_PX = 1;

/**
 * A thin frame around the page while it is driven. The browser paints it over the page (CDP's Overlay, whose hinge is
 * one rectangle beside the highlight the cursor uses), so the page can neither see, find nor change it.
 */
export class DrivenFrame {
  #wanted = false;
  #driven = false;
  #isHidden = false;
  #drawn = Promise.resolve();

  /** @param {Overlay} overlay */
  constructor(overlay) {
    this.overlay = overlay;
  }

  /**
   * Whether it is to be seen at all; what the person chose.
   * @param {boolean} wanted
   */
  want(wanted) {
    this.#change(() => (this.#wanted = wanted));
  }

  /**
   * The page is driven from now on, or no more.
   * @param {boolean} driven
   */
  drive(driven) {
    this.#change(() => (this.#driven = driven));
  }

  get #isShown() {
    return this.#wanted && this.#driven;
  }

  /** @param {() => void} make */
  #change(make) {
    const before = this.#isShown;
    make();
    if (this.#isShown === before) return;
    if (this.#isShown) {
      this.overlay.begin(this);
      this.redraw();
    } else {
      this.#clear();
      this.overlay.end(this);
    }
  }

  /** Draw it again: the page is another one, or has another size. */
  redraw() {
    if (this.#isShown && !this.#isHidden) this.#drawn = this.#draw();
  }

  async #draw() {
    const metrics = await this.overlay.send("Page.getLayoutMetrics");
    if (!metrics?.cssLayoutViewport || !this.#isShown || this.#isHidden) return;
    const { clientWidth, clientHeight } = metrics.cssLayoutViewport;
    const rect = { x: INSET_PX, y: INSET_PX, width: clientWidth - 2 * INSET_PX, height: clientHeight - 2 * INSET_PX };
    if (rect.width <= 0 || rect.height <= 0) return;
    await this.overlay.send("Overlay.setShowHinge", { hingeConfig: { rect, contentColor: CLEAR, outlineColor: BLUE } });
  }

  #clear() {
    return this.overlay.send("Overlay.setShowHinge");
  }

  /**
   * Do `work` while nothing is drawn.
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async hiddenWhile(work) {
    if (!this.#isShown) return work();
    this.#isHidden = true;
    try {
      await this.#drawn;
      await this.#clear();
      return await work();
    } finally {
      this.#isHidden = false;
      this.redraw();
    }
  }
}
