/** @import { Overlay } from "./overlay.js" */

/** The product's blue, and darker while a button is pressed. */
const BLUE = { r: 37, g: 99, b: 235, a: 1 };
const PRESSED_BLUE = { r: 30, g: 64, b: 175, a: 1 };
const WHITE = { r: 255, g: 255, b: 255, a: 1 };
/** An arrow head in four corners, in CSS pixels from its tip, which is the point of the mouse. */
const ARROW = [
  [0, 0],
  [15, 13],
  [6, 14],
  [0, 21],
];
const PRESSED_SCALE = 1.4;
const PRESSED_MS = 180;

/**
 * Shows where the agent's mouse is. The browser draws it over the page (CDP's Overlay), so the page can neither see,
 * find nor change it, and it lies over every frame.
 */
export class Cursor {
  /** @type {{x: number, y: number}|null} */
  #point = null;
  #shown = false;
  #paused = false;
  /** @type {number|undefined} */
  #pressedTimer;

  /** @param {Overlay} overlay */
  constructor(overlay) {
    this.overlay = overlay;
  }

  /** Whether it is to be seen. */
  get isShown() {
    return this.#shown;
  }

  /**
   * Show it from now on, or no more.
   * @param {boolean} shown
   */
  show(shown) {
    if (shown === this.#shown) return;
    this.#shown = shown;
    if (shown) {
      this.overlay.begin(this);
      this.redraw();
    } else {
      this.#calm();
      this.overlay.send("Overlay.hideHighlight");
      this.overlay.end(this);
    }
  }

  /**
   * The mouse is here now.
   * @param {{x: number, y: number}} point
   */
  at(point) {
    this.#point = point;
    this.redraw();
  }

  /** A button is pressed: shown for a moment. */
  pressed() {
    if (!this.#shown) return;
    this.#calm();
    this.#pressedTimer = setTimeout(() => {
      this.#pressedTimer = undefined;
      this.redraw();
    }, PRESSED_MS);
    this.redraw();
  }

  /** Draw it again, since a new document has nothing drawn over it. */
  redraw() {
    if (!this.#shown || this.#paused || !this.#point) return;
    const isPressed = this.#pressedTimer !== undefined;
    const scale = isPressed ? PRESSED_SCALE : 1;
    const { x, y } = this.#point;
    const quad = ARROW.flatMap(([right, down]) => [x + right * scale, y + down * scale]);
    this.overlay.send("Overlay.highlightQuad", { quad, color: isPressed ? PRESSED_BLUE : BLUE, outlineColor: WHITE });
  }

  /**
   * Do `work` while nothing is drawn.
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async hiddenWhile(work) {
    if (!this.#shown || !this.#point) return work();
    this.#paused = true;
    this.#calm();
    try {
      await this.overlay.send("Overlay.hideHighlight");
      return await work();
    } finally {
      this.#paused = false;
      this.redraw();
    }
  }

  #calm() {
    clearTimeout(this.#pressedTimer);
    this.#pressedTimer = undefined;
  }
}
