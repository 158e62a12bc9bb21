import { originOf } from "../basics/addresses.js";
import { NeedsApproval } from "../basics/errors.js";

/** What a command may touch, as the panel decided: documents of these origins ("*": of any), and in which of them secret
 * fields. */
export class Grant {
  /** @param {{origins?: string[]|"*", secret?: string[]|"*"}} granted as a command frame has it */
  constructor({ origins = [], secret = [] } = {}) {
    this.origins = origins;
    this.secret = secret;
  }

  /** Whether there is nothing to look at before acting. */
  get isFull() {
    return this.origins === "*" && this.secret === "*";
  }

  /** @param {string} origin */
  covers(origin) {
    return this.origins === "*" || this.origins.includes(origin);
  }

  /**
   * Rejects what is not covered: the document a command is done to, or where it leads.
   * @param {string} url
   */
  demand(url, origin = originOf(url || "about:blank")) {
    if (!this.covers(origin)) throw new NeedsApproval({ url: url || "about:blank", title: "", origin });
  }
}

/** For reads and for what the extension does by itself. */
export const EVERYTHING = new Grant({ origins: "*", secret: "*" });
