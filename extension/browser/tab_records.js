/** @import { Remembered } from "../tab/parts.js" */
/** @import { Response } from "../wire/protocol.js" */

const ID_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";

/**
 * @typedef {Remembered & {id: string, connected?: boolean, declined?: boolean, held?: boolean, group?: number|null,
 *   groupName?: string, ended?: Response[]}} TabRecord of a tab: whether it is shared, was refused, is let go of for a
 *   while; the group of the agent that opened it; what became of its last commands before it was let go of
 */

/**
 * What is remembered of tabs while the browser runs, by Chrome's tab id; the sources of kept scripts apart from that, for they may be long.
 */
export class TabRecords {
  #storage;
  #idOf;
  #writing = Promise.resolve();

  /**
   * @param {chrome.storage.StorageArea} storage chrome.storage.session
   * @param {(chromeTabId: number) => string | undefined} idOf the tabId of a tab that is connected, which its record keeps
   */
  constructor(storage, idOf) {
    this.#storage = storage;
    this.#idOf = idOf;
  }

  /**
   * All of them: Chrome's tab id → record.
   * @returns {Promise<Record<number, TabRecord>>}
   */
  async all() {
    /** @type {{tabs?: Record<number, TabRecord>}} */
    const { tabs = {} } = await this.#storage.get("tabs");
    return tabs;
  }

  /**
   * A tab's record; one that has none gets a new tabId.
   * @param {number} chromeTabId
   * @returns {Promise<TabRecord>}
   */
  async of(chromeTabId) {
    /** @type {Partial<TabRecord>|undefined} */
    const known = (await this.all())[chromeTabId];
    return { id: newId(), nextRef: 1, kept: {}, offline: false, size: null, ...known };
  }

  /**
   * Change parts of a tab's record, one change after the other.
   * @param {number} chromeTabId
   * @param {Partial<TabRecord>} changes
   */
  put(chromeTabId, changes) {
    return this.#write((tabs) => {
      const id = this.#idOf(chromeTabId);
      tabs[chromeTabId] = { ...tabs[chromeTabId], ...(id && { id }), ...changes };
    });
  }

  /**
   * Remember nothing more of a tab.
   * @param {number} chromeTabId
   */
  async forget(chromeTabId) {
    await this.#write((tabs) => void delete tabs[chromeTabId]);
    await this.forgetSources(chromeTabId);
  }

  /**
   * The sources of a tab's kept scripts, by their ids.
   * @param {number} chromeTabId
   * @returns {Promise<Record<string, string>>}
   */
  async sources(chromeTabId) {
    const key = sourcesKey(chromeTabId);
    /** @type {Record<string, Record<string, string>|undefined>} */
    const stored = await this.#storage.get(key);
    return stored[key] ?? {};
  }

  /**
   * Keep a script's source; null forgets it.
   * @param {number} chromeTabId
   * @param {string} id
   * @param {string|null} source
   */
  async putSource(chromeTabId, id, source) {
    const sources = await this.sources(chromeTabId);
    if (source === null) delete sources[id];
    else sources[id] = source;
    // The browser keeps 10 MB: beyond that the script runs on, and ends with a pause.
    await this.#storage.set({ [sourcesKey(chromeTabId)]: sources }).catch(() => {});
  }

  /**
   * Keep no source of a tab's kept scripts any more.
   * @param {number} chromeTabId
   */
  forgetSources(chromeTabId) {
    return this.#storage.remove(sourcesKey(chromeTabId));
  }

  /** @param {(tabs: Record<number, TabRecord>) => void} change */
  #write(change) {
    const written = this.#writing.then(async () => {
      const tabs = await this.all();
      change(tabs);
      await this.#storage.set({ tabs });
    });
    this.#writing = written.catch(() => {}); // one that failed does not keep the next from being written
    return written;
  }
}

/** @param {number} chromeTabId */
function sourcesKey(chromeTabId) {
  return `scripts.${chromeTabId}`;
}

function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(5)), (byte) => ID_ALPHABET[byte % ID_ALPHABET.length]).join(
    "",
  );
}
