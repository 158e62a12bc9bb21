import { attend, Inside } from "./inside.js";
/** @import { Place, Way } from "./inside.js" */

/**
 * Wait for a text in all documents of a tab: visible or attached in any, hidden in all.
 * Rejects with `contextGone` when the top document is left meanwhile.
 */
export async function waitForText(run, { text, state }) {
  const document = await Inside.top(run);
  run.signal.throwIfAborted(); // whoever listens from here on would hear nothing of it
  const over = new AbortController();
  const signal = AbortSignal.any([run.signal, over.signal]);
  const { promise, resolve, reject } = Promise.withResolvers();
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  const look = () => {
    const told = [...top.all()].map(({ there }) => there);
    if (state === "hidden" ? told.every((there) => there === false) : told.includes(true)) resolve({ text });
  };
  const top = new Part({ asked: { text, state }, signal, look, reject });
  try {
    top.watch(document).catch(reject);
    return await promise;
  } finally {
    over.abort();
  }
}

/** What one document tells, and the documents in it. */
class Part {
  /** Whether the text is there; null: not told yet. */
  /** @type {boolean|null} */
  there = null;
  /** @type {Map<number, Part>} */
  #parts = new Map();
  /** @type {Inside|null} */
  #inside = null;
  /** @type {Place|undefined} */
  place;
  #ended = false;

  /**
   * @param {{asked: {text: string, state: string}, signal: AbortSignal, look: () => void,
   *   reject: (error: any) => void}} wait
   */
  constructor(wait) {
    this.wait = wait;
  }

  *all() {
    yield this;
    for (const part of this.#parts.values()) yield* part.all();
  }

  /** Take in what a document tells, until it is gone or the wait is over. */
  async watch(inside) {
    const { asked, signal } = this.wait;
    this.#inside = inside;
    const left = new AbortController();
    attend(inside, AbortSignal.any([signal, left.signal]));
    try {
      for (let known = null; !this.#over;) {
        const told = await inside.call("watchText", asked, known);
        if (told === null || this.#over) continue;
        known = told.known;
        this.#tell(told.there, told.ways);
      }
    } finally {
      left.abort();
    }
  }

  get #over() {
    return this.#ended || this.wait.signal.aborted;
  }

  /**
   * @param {boolean|null} there
   * @param {Way[]} ways
   */
  #tell(there, ways = []) {
    const parts = new Map(ways.map((way) => [way.door, this.#parts.get(way.door) ?? this.#open(way)]));
    for (const [door, part] of this.#parts) if (parts.get(door) !== part) part.#end();
    this.#parts = parts;
    for (const { door, place } of ways) /** @type {Part} */ (parts.get(door)).#moved(place);
    this.there = there;
    this.wait.look();
  }

  #open(way) {
    const part = new Part(this.wait);
    part.#follow(this.#inside, way).catch(this.wait.reject);
    return part;
  }

  /** The documents of a frame one after another; one that takes long to show any shows no text. */
  async #follow(around, way) {
    const { signal } = this.wait;
    const { frames } = around.run;
    while (!this.#over) {
      try {
        const inside = await around.enter({ ...way, place: this.place ?? way.place });
        if (!this.#over) await this.watch(inside);
      } catch (error) {
        if (error.code !== "ELEMENT_NOT_FOUND") throw error;
        this.#inside = null;
        if (this.#over) return;
        this.#tell(error.frameGone ? null : false);
        if (!error.frameGone) await frames.changed(signal);
      }
    }
  }

  /** @param {Place} place */
  #moved(place) {
    this.place = place;
    if (!this.#inside || this.#inside.place?.shown === place.shown) return;
    this.#inside.place = place;
    this.#inside.call("lookAgain").catch(() => {}); // gone: its own call tells
  }

  #end() {
    this.#ended = true;
    for (const part of this.#parts.values()) part.#end();
  }
}
