/** @import { Cursor } from "./cursor.js" */

/** The agent's mouse in a tab: where it is, how it moves, what it drags. */
export class Pointer {
  point = { x: 0, y: 0 };
  /** Whether it moves like a person's. */
  isNatural = false;
  random = Math.random;
  /** What Chrome handed over of an HTML5 drag, or null. */
  drag = null;

  /**
   * @param {Cursor} cursor shows it to the person
   * @param {(at: {x: number, y: number, pressed: boolean}) => void} [onMoved]
   */
  constructor(cursor, onMoved = () => {}) {
    this.cursor = cursor;
    this.onMoved = onMoved;
  }

  /**
   * What the person chose for the agent's mouse in this browser.
   * @param {{natural: boolean, cursor: boolean}} choice
   */
  choose({ natural, cursor }) {
    this.isNatural = natural;
    this.cursor.show(cursor);
  }

  /**
   * It is here now.
   * @param {{x: number, y: number}} point
   */
  at(point) {
    this.point = point;
    this.cursor.at(point);
    this.onMoved({ ...point, pressed: false });
  }

  /** A button is pressed. */
  pressed() {
    this.cursor.pressed();
    this.onMoved({ ...this.point, pressed: true });
  }
}
