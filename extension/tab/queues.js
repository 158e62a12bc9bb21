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
   */
  cancel(id) {
    this.commands.cancel(id);
    this.immediate.cancel(id);
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
