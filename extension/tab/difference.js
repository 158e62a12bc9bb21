/**
 * What became of the lines of a page: those gone as "− …", those that stand elsewhere among the others as "~ moved …",
 * those new as "+ …", each in the order of its page; mere scrolling is not a change.
 * @param {string[]} pageBefore
 * @param {string[]} pageAfter
 */
export function difference(pageBefore, pageAfter) {
  const [before, after] = [pageBefore, pageAfter].map((lines) => lines.map((line) => line.replace(/ offscreen$/, "")));
  const places = placesOf(before);
  /** Where each line that is left stood before, in the order of the page now. @type {number[]} */
  const kept = [];
  /** @type {string[]} */
  const fresh = [];
  for (const line of after) {
    const place = places.get(line)?.shift();
    if (place === undefined) fresh.push(`+ ${line.trimStart()}`);
    else kept.push(place);
  }
  const left = new Set(kept);
  const gone = before.filter((_, place) => !left.has(place)).map((line) => `− ${line.trimStart()}`);
  const inOrder = longestRise(kept);
  const moved = kept.filter((place) => !inOrder.has(place)).map((place) => `~ moved ${before[place].trimStart()}`);
  return [...gone, ...moved, ...fresh];
}

/**
 * Line → where it stands, the first place first.
 * @param {string[]} lines
 */
function placesOf(lines) {
  /** @type {Map<string, number[]>} */
  const places = new Map();
  lines.forEach((line, place) => {
    const known = places.get(line);
    if (known) known.push(place);
    else places.set(line, [place]);
  });
  return places;
}

/**
 * The most numbers of a list that rise one after the other: whatever else is in it has moved between them.
 * @param {number[]} numbers each once
 * @returns {Set<number>}
 */
function longestRise(numbers) {
  /** The smallest last number of a rise of each length. @type {number[]} */
  const ends = [];
  /** @type {Map<number, number|undefined>} */
  const before = new Map();
  for (const number of numbers) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle] < number) low = middle + 1;
      else high = middle;
    }
    before.set(number, ends[low - 1]);
    ends[low] = number;
  }
  /** @type {Set<number>} */
  const rise = new Set();
  for (let number = ends.at(-1); number !== undefined; number = before.get(number)) rise.add(number);
  return rise;
}
