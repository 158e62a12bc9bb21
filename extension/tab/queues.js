import { Queue } from "./queue.js";

/** The queues of a tab: its commands one after the other, and beside them those that never wait behind another. */
export class Queues {
  commands = new Queue();
  immediate = new Queue();

  /** How many commands run or wait. */
  get size() {
    return this.commands.size + this.immediate.size;
  }

  /**
   * Give up on a command, wherever it runs or waits.
   * @param {string} id
   * @param {Error} [error]
   */
  cancel(id, error) {
    this.commands.cancel(id, error);
    this.immediate.cancel(id, error);
  }

  /**
   * Whether a command runs or waits.
   * @param {string} id
   */
  has(id) {
    return this.commands.has(id) || this.immediate.has(id);
  }

  /** Every command that runs or waits. */
  ids() {
    return [...this.commands.ids(), ...this.immediate.ids()];
  }

  /**
   * Give up on every command.
   * @param {Error} error
   */
  failAll(error) {
    this.commands.failAll(error);
    this.immediate.failAll(error);
  }
}
