/** What is used in several places stands there in full each time, up to this many characters in all. */
const MAX_REPEATED_CHARS = 8_000_000;

/**
 * A `deepSerializedValue` of CDP (the WebDriver BiDi form) as plain JSON. Chrome serialises it outside the
 * page's reach, so cycles, nodes and tampered prototypes do no harm.
 * @param {number} maxDepth how many levels of lists and objects are told
 * @param {Map<number, {selector: string|null, ref: string}>} nodes how to act on elements, by the browser's numbers
 * @param {string[]} cut what is left out of it already, in words
 * @returns {{value, note?: string}} the second says what the value is short of, and how much that is
 */
export function asJson(value, maxDepth, nodes = new Map(), cut = []) {
  const telling = new Telling(maxDepth, nodes);
  const made = telling.tell(value);
  const notes = [
    ...cut,
    ...(telling.deep
      ? [`what lies deeper than ${maxDepth} levels is only named, as "[object]" (${telling.deep} times)`]
      : []),
    ...(telling.left < 0
      ? [
          `what the value holds in several places stands there in full up to ${MAX_REPEATED_CHARS} characters, then as "[repeated]" (${telling.repeated} times)`,
        ]
      : []),
  ];
  return notes.length ? { value: made, note: `${notes.join("; ")}: ask for a part of it` } : { value: made };
}

class Telling {
  /** Chrome tells the contents of an object once and then only its number: number → the object with its contents. */
  #known = new Map();
  /** The numbers of the objects that are being told, each within the one before. */
  #within = new Set();
  #depth = 0;
  #repeating = 0;
  left = MAX_REPEATED_CHARS;
  /** How often something was only named: it lies too deep, or was told often enough. */
  deep = 0;
  repeated = 0;

  constructor(maxDepth, nodes) {
    this.maxDepth = maxDepth;
    this.nodes = nodes;
  }

  tell(given) {
    const number = given.weakLocalObjectReference;
    if (number === undefined) return this.#converted(given);
    if (this.#within.has(number)) return "[circular]";
    if (given.value !== undefined) this.#known.set(number, given);
    const meant = this.#known.get(number) ?? given;
    const isRepeated = meant !== given;
    if (isRepeated && this.left < 0) {
      this.repeated += 1;
      return "[repeated]";
    }
    this.#within.add(number);
    if (isRepeated) this.#repeating += 1;
    const made = this.#converted(meant);
    if (isRepeated) this.#repeating -= 1;
    this.#within.delete(number);
    return made;
  }

  #converted(given) {
    const convert = CONVERTERS[given.type];
    const made = convert ? convert(given, this) : `[${given.type}]`;
    this.spend(typeof made === "string" ? made.length + 2 : 2);
    return made;
  }

  /** Count what is told of a repeated object. */
  spend(chars) {
    if (this.#repeating) this.left -= chars;
  }

  /** What `tell` makes of the contents of a list or object; null when they lie too deep. */
  inside(items, convert) {
    if (!items || this.#depth === this.maxDepth) {
      this.deep += 1;
      return null;
    }
    this.#depth += 1;
    const made = items.map(convert);
    this.#depth -= 1;
    return made;
  }
}

const CONVERTERS = {
  __proto__: null,
  undefined: () => null,
  null: () => null,
  string: ({ value }) => value,
  number: ({ value }) => value, // "NaN", "Infinity" and "-0" come as strings and stay them
  boolean: ({ value }) => value,
  bigint: ({ value }) => `${value}n`,
  date: ({ value }) => value,
  regexp: ({ value }) => `/${value.pattern}/${value.flags ?? ""}`,
  symbol: () => "[symbol]",
  function: () => "[function]",
  array: list,
  set: list,
  nodelist: list,
  htmlcollection: list,
  object: pairs,
  map: pairs,
  node: ({ value }, telling) => node(value, telling),
};

function list({ type, value }, telling) {
  return telling.inside(value, (item) => telling.tell(item)) ?? `[${type}]`;
}

function pairs({ type, value }, telling) {
  const made = telling.inside(value, ([key, item]) => {
    const name = typeof key === "string" ? key : String(telling.tell(key));
    telling.spend(name.length + 3);
    return [name, telling.tell(item)];
  });
  return made ? Object.fromEntries(made) : `[${type}]`;
}

/**
 * @param {{nodeType?: number, localName?: string, attributes?: Record<string, string>, nodeValue?: string,
 *   backendNodeId?: number}} value
 * @param {Telling} telling
 */
function node({ nodeType, localName, attributes, nodeValue, backendNodeId = 0 } = {}, { nodes }) {
  if (nodeType === 9) return "[document]";
  if (nodeType === 3 || nodeType === 8) return nodeValue;
  const shown = Object.entries(attributes ?? {}).map(([name, text]) => ` ${name}="${text}"`);
  const element = `<${localName ?? "node"}${shown.join("")}>`;
  const { selector, ref } = nodes.get(backendNodeId) ?? {};
  return ref ? { element, ...(selector && { selector }), ref } : element;
}
