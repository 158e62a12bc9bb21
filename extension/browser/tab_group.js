import { oneLine } from "../basics/one_line.js";
/** @import { Chrome } from "../basics/chrome_door.js" */

const NAME_CHARS = 40;
/** Of Chrome's nine colours the nearest to the theme's. */
const COLOR = "blue";
/** What Chrome calls being in no group. */
export const NO_GROUP = -1;

/** The groups of tabs that agents opened in a person's own browser: one for each agent and window, under its name. */
export class TabGroups {
  /** @param {{chrome: Chrome, groups: () => Promise<{name?: string, group: number}[]>}} parts the second tells what the other tabs are in */
  constructor({ chrome, groups }) {
    this.chrome = chrome;
    this.groups = groups;
  }

  /** @type {Promise<unknown>} */
  #joining = Promise.resolve();

  /**
   * Put a tab into its agent's group and return the group's number; null when the browser will not have it.
   * @param {number} chromeTabId
   * @param {string} name
   * @returns {Promise<number|null>}
   */
  join(chromeTabId, name) {
    const joined = this.#joining.then(() => this.#join(chromeTabId, oneLine(name, NAME_CHARS)));
    this.#joining = joined.catch(() => {}); // two tabs of one agent at once are in one group
    return joined.catch(() => null); // a window without groups, or a tab that has just closed, is no reason to fail
  }

  /**
   * @param {number} chromeTabId
   * @param {string} name
   */
  async #join(chromeTabId, name) {
    const { chrome } = this;
    const { windowId } = await chrome.tabs.get(chromeTabId);
    for (const known of await this.groups()) {
      if (known.name !== name || !(await this.#isIn(known.group, windowId))) continue;
      return chrome.tabs.group({ tabIds: [chromeTabId], groupId: known.group });
    }
    const group = await chrome.tabs.group({ tabIds: [chromeTabId], createProperties: { windowId } });
    await chrome.tabGroups.update(group, { title: name, color: COLOR });
    return group;
  }

  /**
   * @param {number} group
   * @param {number} windowId
   */
  async #isIn(group, windowId) {
    const found = await this.chrome.tabGroups.get(group).catch(() => null);
    return found?.windowId === windowId;
  }

  /**
   * Take a tab out that is not shared any more: it would stand under the agent's name.
   * @param {number} chromeTabId
   */
  leave(chromeTabId) {
    return this.chrome.tabs.ungroup([chromeTabId]).catch(() => {}); // it has closed, or is in none
  }
}
