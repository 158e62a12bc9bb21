/** The part of the parameters that names an element. */
export function targetOf({ selector, xpath, ref, x, y }) {
  return JSON.parse(JSON.stringify({ selector, xpath, ref, x, y }));
}
