import { MAX_CONSOLE_LINES } from "../basics/agreed.js";
import { Ring } from "../basics/ring.js";
import { fromConsole, fromException, fromLog } from "./console_text.js";
/** @import { Effects } from "./effects.js" */
/** @import { FloodBrakes } from "./flood_brake.js" */
/** @import { TabEvent } from "./parts.js" */
/** @import { ConsoleLine } from "./console_text.js" */

/** The console lines of a tab and its workers, kept and told. */
export class ConsoleLog {
  /** @type {Ring<ConsoleLine>} */
  #lines;

  /** @param {{effects: Effects, tell: (event: TabEvent) => void, flood: FloodBrakes, capacity?: number}} parts */
  constructor({ effects, tell, flood, capacity = MAX_CONSOLE_LINES }) {
    this.effects = effects;
    this.flood = flood;
    flood.say = (text) => this.#keep({ at: Date.now(), level: "warn", text, source: "", context: "page" });
    this.tell = tell;
    this.#lines = new Ring(capacity);
  }

  /**
   * Take an event of the tab or of a child target, whose `context` says which it is; a child has a session.
   * @param {string} method
   * @param {any} params
   * @param {string} context
   * @param {string} [childSession]
   */
  onEvent(method, params, context, childSession) {
    if (!Object.hasOwn(LINES, method) || isOfWorker(method, params, context)) return;
    const line = LINES[method](params, context);
    // That the browser shows an error page of its own, the navigation has told.
    // The icon of a site is the browser's own wish, not the page's.
    const isBrowsers = method === "Log.entryAdded" && /^chrome-error:|\/favicon\.ico$/.test(params.entry.url ?? "");
    if (line.level === "error" && !isBrowsers) this.effects.consoleError(line.text);
    this.#keep(line);
    if (context === "serviceWorker") return; // requests of other tabs go through it: it is not stopped
    const kind = context === "worker" ? "worker" : childSession ? "frame" : "page";
    this.flood.onLine({ at: line.at, kind, sessionId: childSession });
  }

  /** @param {ConsoleLine} line */
  #keep(line) {
    this.#lines.push(line);
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
