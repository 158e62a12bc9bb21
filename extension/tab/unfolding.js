/** What runs in the page's own world, beside the code an agent gave: its source is sent there, so it uses nothing else. */

/** Of a list, of the numbers of a typed array, and of a whole value no more is told. */
const LIMITS = { maxDepth: 50, maxItems: 100_000, maxNumbers: 1000, maxObjects: 100_000 };

/**
 * Makes plain objects and lists of what Chrome's serialisation only names: what has a `toJSON` or getters of its class,
 * maps with keys of any kind, errors, rectangles, storages, headers, typed arrays. Nodes, dates, windows and the like are
 * left to Chrome. What is held in several places stays one object, so that a circle stays one.
 */
class Unfolding {
  /** Kinds of objects that Chrome tells itself, or that hold nothing. */
  static LEAVES = /^(Date|RegExp|Promise|Weak\w+|\w*Generator|Window|NodeList|HTMLCollection|Proxy)$/;
  static ENTRIES = /^(Headers|URLSearchParams|FormData)$/;
  static PLAIN = /^(Object|Array)$/;

  /** @param {{maxDepth: number, maxItems: number, maxNumbers: number, maxObjects: number, linesBefore: number}} limits */
  constructor({ maxDepth, maxItems, maxNumbers, maxObjects, linesBefore }) {
    this.maxDepth = maxDepth;
    this.maxItems = maxItems;
    this.maxNumbers = maxNumbers;
    this.maxObjects = maxObjects;
    this.linesBefore = linesBefore;
    this.known = new Map();
    this.count = 0;
    /** How much is left out: items of lists, objects. */
    this.left = { items: 0, objects: 0 };
  }

  whole(value) {
    return [this.told(value, 0), this.left.items, this.left.objects];
  }

  told(value, depth) {
    if (typeof value !== "object" || value === null || depth > this.maxDepth) return value;
    if (this.known.has(value)) return this.known.get(value);
    const kind = this.kindOf(value);
    if (this.isLeaf(value, kind)) return value;
    this.count += 1;
    if (this.count > this.maxObjects) {
      this.left.objects += 1;
      return `[${kind}]`;
    }
    return this.unfolded(value, kind, depth);
  }

  kindOf(value) {
    return this.read(() => Object.prototype.toString.call(value).slice(8, -1)).value ?? "Object";
  }

  /** Nodes, of frames, too, are Chrome's to tell; so is a window, which may be another origin's. */
  isLeaf(value, kind) {
    const type = Object.getOwnPropertyDescriptor(Node.prototype, "nodeType");
    return Unfolding.LEAVES.test(kind) || !this.read(() => type?.get?.call(value)).error || this.isWindow(value);
  }

  isWindow(value) {
    return Object.getPrototypeOf(value) === null && this.read(() => value.window === value).value === true;
  }

  unfolded(value, kind, depth) {
    if (Array.isArray(value)) return this.list(value, value, depth);
    if (kind === "Map") return this.entries(value, value, depth);
    if (kind === "Set") return this.list(value, [...value], depth);
    if (ArrayBuffer.isView(value) || /ArrayBuffer$/.test(kind)) return this.bytes(value, kind);
    if (/^(Error|DOMException)$/.test(kind) || value instanceof Error) return this.error(value, depth);
    if (/^(String|Number|Boolean|BigInt)$/.test(kind)) return value.valueOf();
    if (Unfolding.ENTRIES.test(kind)) return this.entries(value, this.gathered(value), depth);
    if (kind === "NamedNodeMap")
      return this.entries(value, new Map([...value].map((one) => [one.name, one.value])), depth);
    if (kind === "CSSStyleDeclaration")
      return this.entries(value, new Map([...value].map((name) => [name, value.getPropertyValue(name)])), depth);
    // To tell what one gives would use it up.
    if (kind.endsWith(" Iterator")) return `[${kind}]`;
    const plain = this.read(() => typeof value.toJSON === "function" && value.toJSON());
    if (plain.error) return plain.error;
    if (plain.value && plain.value !== value) return this.asJson(value, plain.value, depth);
    if (!Unfolding.PLAIN.test(kind) && typeof value.length === "number" && kind !== "Storage")
      if (typeof value[Symbol.iterator] === "function") return this.list(value, [...value], depth);
    return this.fields(value, kind, depth);
  }

  asJson(value, plain, depth) {
    const made = this.told(plain, depth + 1);
    this.known.set(value, made);
    return made;
  }

  list(value, items, depth) {
    const made = [];
    this.known.set(value, made);
    for (let index = 0; index < items.length && index < this.maxItems; index += 1)
      made[index] = this.told(
        this.orError(() => items[index]),
        depth + 1,
      );
    this.left.items += Math.max(0, items.length - this.maxItems);
    return made;
  }

  bytes(value, kind) {
    if (value.length === undefined) return `[${kind} of ${value.byteLength} bytes]`;
    this.left.items += Math.max(0, value.length - this.maxNumbers);
    const made = [];
    for (let index = 0; index < value.length && index < this.maxNumbers; index += 1) made[index] = value[index];
    return made;
  }

  /** A name that comes several times has a list. */
  gathered(value) {
    const made = new Map();
    for (const [name, item] of value) made.set(name, made.has(name) ? [made.get(name), item].flat() : item);
    return made;
  }

  entries(value, map, depth) {
    const pairs = [...map];
    // 1 and "1" are two keys, and as names of an object one.
    const names = new Set(pairs.map(([key]) => (typeof key === "object" && key !== null ? null : String(key))));
    if (names.has(null) || names.size < pairs.length) return this.list(value, pairs, depth);
    const made = {};
    this.known.set(value, made);
    for (const [key, item] of pairs.slice(0, this.maxItems)) this.put(made, String(key), this.told(item, depth + 1));
    this.left.items += Math.max(0, pairs.length - this.maxItems);
    return made;
  }

  error(value, depth) {
    const made = {};
    this.known.set(value, made);
    for (const name of ["name", "message", "stack"]) {
      const said = this.orError(() => value[name]);
      if (said !== undefined) this.put(made, name, name === "stack" ? this.placed(String(said)) : said);
    }
    for (const name of ["cause", "errors"])
      if (this.read(() => value[name]).value !== undefined) this.put(made, name, this.told(value[name], depth + 1));
    this.own(value, made, depth);
    return made;
  }

  /** Lines of the code as it was given, not of what was made of it. */
  placed(stack) {
    return stack.replace(
      /<anonymous>:(\d+)(?=:\d)/g,
      (_, line) => `<anonymous>:${Math.max(1, line - this.linesBefore)}`,
    );
  }

  fields(value, kind, depth) {
    const made = {};
    this.known.set(value, made);
    this.own(value, made, depth);
    // What a storage holds is its own; its length is not part of that.
    if (kind === "Storage") return made;
    for (let of = Object.getPrototypeOf(value); of && Object.getPrototypeOf(of); of = Object.getPrototypeOf(of))
      this.getters(value, of, made, depth);
    return made;
  }

  own(value, made, depth) {
    for (const name of Object.keys(value))
      if (!Object.hasOwn(made, name))
        this.put(
          made,
          name,
          this.told(
            this.orError(() => value[name]),
            depth + 1,
          ),
        );
  }

  /** What the getters of a class answer; those of the browser's own objects only as far as it is not a further object. */
  getters(value, of, made, depth) {
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(of))) {
      if (!get || name === "__proto__" || Object.hasOwn(made, name)) continue;
      const isNative = /\[native code\]\s*\}$/.test(Function.prototype.toString.call(get));
      const { value: said, error } = this.read(() => get.call(value));
      if (!isNative) this.put(made, name, error ?? this.told(said, depth + 1));
      else if (!error && !(said === null && name.startsWith("on"))) this.put(made, name, this.shallow(said));
    }
  }

  shallow(value) {
    if (typeof value !== "object" || value === null) return value;
    const kind = this.kindOf(value);
    return this.isLeaf(value, kind) ? value : `[${kind}]`;
  }

  put(made, name, value) {
    Object.defineProperty(made, name, { value, enumerable: true, writable: true, configurable: true });
  }

  orError(get) {
    const { value, error } = this.read(get);
    return error ?? value;
  }

  read(get) {
    try {
      return { value: get() };
    } catch (thrown) {
      return { error: `[threw ${thrown instanceof Error ? thrown.message : typeof thrown}]` };
    }
  }
}

/**
 * @param {number} linesBefore above the code in what was made of it
 * @returns {string} a function for `Runtime.callFunctionOn`: of the object it is called on it makes a list [the value,
 *   unfolded; how many items of lists are left out; how many objects are]
 */
export const unfoldingOf = (linesBefore) =>
  `function () { return new (${Unfolding})(${JSON.stringify({ ...LIMITS, linesBefore })}).whole(this); }`;

/**
 * What is left out, in words.
 * @param {number} items
 * @param {number} objects
 * @returns {string[]}
 */
export function leftOut(items, objects) {
  const { maxItems, maxNumbers, maxObjects } = LIMITS;
  return [
    ...(items
      ? [`${items} items beyond the first ${maxNumbers} of a typed array or ${maxItems} of a list are left out`]
      : []),
    ...(objects ? [`${objects} objects beyond the first ${maxObjects} are only named`] : []),
  ];
}
