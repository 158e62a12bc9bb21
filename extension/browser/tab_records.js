const ID_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";

/**
 * What is remembered of tabs while the browser runs, by Chrome's tab id: {id, connected, declined, held, nextRef, kept,
 * offline, size, group, groupName}; the sources of kept scripts apart from that, for they may be long.
 */
export class TabRecords {
  #storage;
  #idOf;
  #writing = Promise.resolve();

  /**
   * @param storage chrome.storage.session
   * @param {(chromeTabId: number) => string | undefined} idOf the tabId of a tab that is connected, which its record keeps
   */
  constructor(storage, idOf) {
    this.#storage = storage;
    this.#idOf = idOf;
  }

  /** All of them: Chrome's tab id → record. */
  async all() {
    const { tabs = {} } = await this.#storage.get("tabs");
    return tabs;
  }

  /** A tab's record; one that has none gets a new tabId. */
  async of(chromeTabId) {
    return { id: newId(), nextRef: 1, kept: {}, offline: false, size: null, ...(await this.all())[chromeTabId] };
  }

  /** Change parts of a tab's record, one change after the other. */
  put(chromeTabId, changes) {
    return this.#write((tabs) => {
      const id = this.#idOf(chromeTabId);
      tabs[chromeTabId] = { ...tabs[chromeTabId], ...(id && { id }), ...changes };
    });
  }

  /** Remember nothing more of a tab. */
  async forget(chromeTabId) {
    await this.#write((tabs) => delete tabs[chromeTabId]);
    await this.#storage.remove(sourcesKey(chromeTabId));
  }

  /** The sources of a tab's kept scripts, by their ids. */
  async sources(chromeTabId) {
    const key = sourcesKey(chromeTabId);
    return (await this.#storage.get(key))[key] ?? {};
  }

  /** Keep a script's source; null forgets it. */
  async putSource(chromeTabId, id, source) {
    const sources = await this.sources(chromeTabId);
    if (source === null) delete sources[id];
    else sources[id] = source;
    // The browser keeps 10 MB: beyond that the script runs on, and ends with a pause.
    await this.#storage.set({ [sourcesKey(chromeTabId)]: sources }).catch(() => {});
  }

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

function sourcesKey(chromeTabId) {
  return `scripts.${chromeTabId}`;
}

function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(5)), (byte) => ID_ALPHABET[byte % ID_ALPHABET.length]).join("");
}
