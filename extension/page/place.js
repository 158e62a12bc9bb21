// Where this document stands when it is that of a frame of another origin: the extension says it with each call.

/**
 * How it lies in the top viewport (geometry.js), and its visible part there; null in the top document.
 * @type {null | {
 *   a: number, b: number, c: number, d: number, e: number, f: number,
 *   left: number, top: number, right: number, bottom: number,
 *   shown: boolean, focused: boolean, path: {selector: string|null, through: ("frame"|"shadow")[]},
 * }}
 */
export let place = null;
export const standAt = (given) => {
  if (given) place = given;
};
