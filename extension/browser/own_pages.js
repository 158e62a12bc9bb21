import { status } from "./popup_messages.js";

/** Changes and lines are told this often at most. */
const PAUSE_MS = 100;
/** As many lines as the panel in DevTools may be told to keep. */
const MAX_LINES = 10_000;

/**
 * The popup and the panels in DevTools while they are open. Each follows one tab over a port:
 *
 *     page   → {follow: chromeTabId} · {run: id, command, params} · {cancel: id}
 *     worker → {state} whenever it changes · {lines, isWhole} · {isCleared} · {ran: id, …outcome}
 */
export class OwnPages {
  #pages = new Set();

  /** @param {Promise<Connections>} ready a page may come before the worker is */
  constructor(ready) {
    this.ready = ready;
  }

  /** Serve the port of a page, until it closes. */
  take(port) {
    const page = new OwnPage(port, this.ready);
    this.#pages.add(page);
    port.onMessage.addListener((message) => page.onMessage(message));
    port.onDisconnect.addListener(() => {
      this.#pages.delete(page);
      page.close();
    });
  }

  /** Something about a tab is another, or about all when none is named. */
  changed(chromeTabId) {
    for (const page of this.#pages) if (chromeTabId === undefined || page.tabId === chromeTabId) page.changed();
  }

  /** An event of a connected tab. */
  heard(chromeTabId, event) {
    for (const page of this.#pages) if (page.tabId === chromeTabId) page.heard(event);
  }
}

class OwnPage {
  #runs = new Map();
  #lines = [];
  #session = null;
  #isChanged = false;
  #timer = null;

  constructor(port, ready) {
    this.port = port;
    this.ready = ready;
    this.hasConsole = port.name === "devtools";
    this.tabId = null;
    this.isOpen = true;
  }

  onMessage({ follow, run, cancel, command, params }) {
    if (Number.isInteger(follow)) {
      this.tabId = follow;
      this.changed();
    } else if (run !== undefined && this.hasConsole) this.#run(run, command, params);
    else if (cancel !== undefined) this.#runs.get(cancel)?.cancel();
  }

  async #run(id, command, params) {
    const connections = await this.ready;
    const run = connections.run(this.tabId, command, params);
    this.#runs.set(id, run);
    const outcome = await run.ended;
    this.#runs.delete(id);
    this.#post({ ran: id, ...outcome });
  }

  changed() {
    this.#isChanged = true;
    this.#soon();
  }

  heard(event) {
    if (!this.hasConsole) return;
    if (event.kind === "cleared") {
      this.#lines = [];
      this.#post({ isCleared: true });
    } else if (event.kind === "console") {
      this.#lines.push(event);
      if (this.#lines.length > MAX_LINES) this.#lines.shift();
      this.#soon();
    }
  }

  close() {
    this.isOpen = false;
    clearTimeout(this.#timer);
    for (const run of this.#runs.values()) run.cancel();
  }

  /** At once after a quiet time, else when the pause is over. */
  #soon() {
    if (this.#timer !== null) return;
    this.#tell();
    this.#timer = setTimeout(() => {
      this.#timer = null;
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
    const { session = null } = connections.tabs.get(this.tabId) ?? {};
    const lines = this.#lines;
    this.#lines = [];
    if (session !== this.#session) {
      this.#session = session;
      const kept = session ? [...session.console.newestFirst()].slice(0, MAX_LINES).reverse() : [];
      this.#post({ lines: kept, isWhole: true });
    } else if (lines.length > 0) this.#post({ lines, isWhole: false });
  }

  #post(message) {
    if (this.isOpen) this.port.postMessage(message);
  }
}
