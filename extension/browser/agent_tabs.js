import { TabGroups } from "./tab_group.js";
/** @import { Chrome } from "../basics/chrome_door.js" */
/** @import { TabRecords } from "./tab_records.js" */

/** The tabs that agents opened in a person's own browser: each is in its agent's group until the person takes it out. */
export class AgentTabs {
  /**
   * Those whose group waits for the agent's name.
   * @type {Set<number>}
   */
  #waiting = new Set();

  /** @param {{chrome: Chrome, records: TabRecords}} parts */
  constructor({ chrome, records }) {
    this.records = records;
    this.groups = new TabGroups({ chrome, groups: () => this.#groups() });
  }

  /**
   * An agent has opened this tab.
   * @param {number} chromeTabId
   */
  opened(chromeTabId) {
    this.#waiting.add(chromeTabId);
  }

  /** @param {number} chromeTabId */
  forget(chromeTabId) {
    this.#waiting.delete(chromeTabId);
  }

  /**
   * Put a tab an agent opened under that agent's name, once the panel has said who it was.
   * @param {number} chromeTabId
   * @param {string} name
   */
  async onDriver(chromeTabId, name) {
    if (!this.#waiting.has(chromeTabId) || !name) return;
    this.#waiting.delete(chromeTabId);
    const group = await this.groups.join(chromeTabId, name);
    if (group) await this.records.put(chromeTabId, { group, groupName: name });
  }

  async #groups() {
    return Object.values(await this.records.all()).flatMap(({ group, groupName }) =>
      group ? [{ group, name: groupName }] : [],
    );
  }

  /**
   * Whether a tab that is in `groupId` now was taken out of its agent's group.
   * @param {number} chromeTabId
   * @param {number} groupId
   */
  async isTakenOut(chromeTabId, groupId) {
    const { group } = await this.records.of(chromeTabId);
    return Boolean(group) && group !== groupId;
  }

  /**
   * Take a tab that is not shared any more out of its group.
   * @param {number} chromeTabId
   */
  leave(chromeTabId) {
    return this.groups.leave(chromeTabId);
  }
}
