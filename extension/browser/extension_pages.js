import { MAX_CONSOLE_LINES } from "../basics/agreed.js";
import { status } from "./popup_messages.js";
/** @import { Connections } from "./connections.js" */
/** @import { TabEvent } from "../tab/parts.js" */
/** @import { Session } from "../tab/session.js" */
/** @import { PersonCommand } from "./person_commands.js" */

/** Changes and lines are told this often at most. */
const PAUSE_MS = 100;

/**
 * The popup, the pair page and the panels in DevTools while they are open. Each follows one tab, or none but the panel,
 * over a port:
 *
 *     page   → {follow: chromeTabId} · {run: id, command, params} · {cancel: id}
 *     worker → {state} whenever it changes · {lines, isWhole} · {isCleared} · {ran: id, …outcome}
 */
export class ExtensionPages {
  /** @type {Set<ExtensionPage>} */
  #pages = new Set();

  /** @param {Promise<Connections>} ready a page may come before the worker is */
  constructor(ready) {
    this.ready = ready;
  }

  /**
   * Serve the port of a page, until it closes.
   * @param {chrome.runtime.Port} port
   */
  take(port) {
    const page = new ExtensionPage(port, this.ready);
    this.#pages.add(page);
    port.onMessage.addListener((message) => page.onMessage(message));
    port.onDisconnect.addListener(() => {
      this.#pages.delete(page);
      page.close();
    });
  }

  /**
   * Something about a tab is another, or about all when none is named.
   * @param {number} [chromeTabId]
   */
  changed(chromeTabId) {
    for (const page of this.#pages) if (chromeTabId === undefined || page.tabId === chromeTabId) page.changed();
  }

  /**
   * An event of a connected tab.
   * @param {number} chromeTabId
   * @param {TabEvent} event
   */
  heard(chromeTabId, event) {
    for (const page of this.#pages) if (page.tabId === chromeTabId) page.heard(event);
  }
}

class ExtensionPage {
  /** @type {Map<number, PersonCommand>} */
  #commands = new Map();
  /** @type {TabEvent[]} */
  #lines = [];
  /** @type {Session|null} */
  #session = null;
  #isChanged = false;
  /** @type {number|undefined} */
  #timer;

  /**
   * @param {chrome.runtime.Port} port
   * @param {Promise<Connections>} ready
   */
  constructor(port, ready) {
    this.port = port;
    this.ready = ready;
    this.hasConsole = port.name === "devtools";
    /** The tab it follows; -1 is none. */
    this.tabId = -1;
    this.isOpen = true;
  }

  /** @param {{follow?: number, run?: number, cancel?: number, command: string, params: Record<string, any>}} message */
  onMessage({ follow, run, cancel, command, params }) {
    if (follow !== undefined && Number.isInteger(follow)) {
      this.tabId = follow;
      this.changed();
    } else if (run !== undefined && this.hasConsole) this.#run(run, command, params);
    else if (cancel !== undefined) this.#commands.get(cancel)?.cancel();
  }

  /**
   * @param {number} id the page's
   * @param {string} command
   * @param {Record<string, any>} params
   */
  async #run(id, command, params) {
    const connections = await this.ready;
    const run = connections.run(this.tabId, command, params);
    this.#commands.set(id, run);
    const outcome = await run.ended;
    this.#commands.delete(id);
    this.#post({ ran: id, ...outcome });
  }

  changed() {
    this.#isChanged = true;
    this.#soon();
  }

  /** @param {TabEvent} event */
  heard(event) {
    if (!this.hasConsole) return;
    if (event.kind === "cleared") {
      this.#lines = [];
      this.#post({ isCleared: true });
    } else if (event.kind === "console") {
      this.#lines.push(event);
      if (this.#lines.length > MAX_CONSOLE_LINES) this.#lines.shift();
      this.#soon();
    }
  }

  close() {
    this.isOpen = false;
    clearTimeout(this.#timer);
    for (const command of this.#commands.values()) command.cancel();
  }

  /** At once after a quiet time, else when the pause is over. */
  #soon() {
    if (this.#timer !== undefined) return;
    this.#tell();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#isChanged || this.#lines.length > 0) this.#soon();
    }, PAUSE_MS);
  }

  async #tell() {
    const connections = await this.ready;
    if (this.#isChanged) {
      this.#isChanged = false;
      this.#post({ state: await status(this.tabId, connections) });
    }
    if (!this.hasConsole) return;
    const session = connections.sessionOf(this.tabId);
    const lines = this.#lines;
    this.#lines = [];
    if (session !== this.#session) {
      this.#session = session;
      const kept = session ? [...session.consoleLines()].slice(0, MAX_CONSOLE_LINES).reverse() : [];
      this.#post({ lines: kept, isWhole: true });
    } else if (lines.length > 0) this.#post({ lines, isWhole: false });
  }

  /** @param {object} message */
  #post(message) {
    if (this.isOpen) this.port.postMessage(message);
  }
}
