/** A role and its ref are ours, not words of the page. */
const OURS = /^ *- [\w-]+:? ?|\[ref=e\d+\]/g;
const squeezed = (/** @type {string} */ text) => text.replace(/\s+/g, " ").trim().toLowerCase();
const depthOf = (/** @type {string} */ line) => line.length - line.trimStart().length;

/**
 * The lines of a snapshot that say a text, whatever its case, each below the lines of what it is in.
 * @param {string[]} lines
 * @param {string} text
 */
export function linesSaying(lines, text) {
  const wanted = squeezed(text);
  /** The lines that the one before is in, the outermost first. @type {{line: string, isTold: boolean}[]} */
  const around = [];
  /** @type {string[]} */
  const told = [];
  for (const line of lines) {
    while (around.length && depthOf(/** @type {any} */ (around.at(-1)).line) >= depthOf(line)) around.pop();
    around.push({ line, isTold: false });
    if (!squeezed(line.replace(OURS, "")).includes(wanted)) continue;
    for (const one of around) {
      if (!one.isTold) told.push(one.line);
      one.isTold = true;
    }
  }
  return told;
}
