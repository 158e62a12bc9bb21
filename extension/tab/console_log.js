import { MAX_CONSOLE_LINES } from "../basics/agreed.js";
import { Ring } from "../basics/ring.js";
import { fromConsole, fromException, fromLog } from "./console_text.js";
/** @import { Effects } from "./effects.js" */
/** @import { TabEvent } from "./parts.js" */
/** @import { ConsoleLine } from "./console_text.js" */

/** The console lines of a tab and its workers, kept and told. */
export class ConsoleLog {
  /** @type {Ring<ConsoleLine>} */
  #lines;

  /** @param {{effects: Effects, tell: (event: TabEvent) => void, capacity?: number}} parts */
  constructor({ effects, tell, capacity = MAX_CONSOLE_LINES }) {
    this.effects = effects;
    this.tell = tell;
    this.#lines = new Ring(capacity);
  }

  /**
   * Take an event of the tab or of a child target, whose `context` says which it is.
   * @param {string} method
   * @param {any} params
   * @param {string} context
   */
  onEvent(method, params, context) {
    if (!Object.hasOwn(LINES, method) || isOfWorker(method, params, context)) return;
    const line = LINES[method](params, context);
    this.#lines.push(line);
    if (line.level === "error") this.effects.consoleError(line.text);
    this.tell({ kind: "console", ...line });
  }

  /** Newest first, lazily. */
  newestFirst() {
    return this.#lines.newestFirst();
  }

  get length() {
    return this.#lines.length;
  }

  /** How many had to make room for others. */
  get dropped() {
    return this.#lines.dropped;
  }

  /** Forget every line; returns how many that were. */
  clear() {
    const cleared = this.#lines.clear();
    this.tell({ kind: "cleared" });
    return cleared;
  }
}

/**
 * Whether a page's log repeats what one of its workers says in its own.
 * @param {string} method
 * @param {any} params
 * @param {string} context
 */
function isOfWorker(method, params, context) {
  return method === "Log.entryAdded" && context === "page" && params.entry.source === "worker";
}

/** @type {Record<string, (params: any, context: string) => ConsoleLine>} */
const LINES = {
  "Runtime.consoleAPICalled": fromConsole,
  "Runtime.exceptionThrown": fromException,
  "Log.entryAdded": fromLog,
};
