/** The tabs that we make for agents: no page opened them, though a command may run in one at that moment. */
export class MadeTabs {
  /** @type {Set<Promise<chrome.tabs.Tab|undefined>>} */
  #making = new Set();
  /** Their numbers in Chrome, until Chrome has told of them. @type {Set<number>} */
  #numbers = new Set();

  /**
   * @param {Promise<chrome.tabs.Tab|undefined>} making
   * @returns what comes of it
   */
  async make(making) {
    this.#making.add(making);
    try {
      const tab = await making;
      if (tab?.id !== undefined) this.#numbers.add(tab.id);
      return tab;
    } finally {
      this.#making.delete(making);
    }
  }

  /**
   * Chrome tells of a new tab: whether it is one of these. Chrome may tell of it before it says which it made for us; the
   * answer comes at once as long as none is being made.
   * @param {number} chromeTabId
   * @returns {boolean|Promise<boolean>}
   */
  takes(chromeTabId) {
    if (this.#numbers.delete(chromeTabId)) return true;
    if (this.#making.size === 0) return false;
    return Promise.allSettled(this.#making).then(() => this.#numbers.delete(chromeTabId));
  }
}
