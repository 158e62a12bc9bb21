import { hostOf, originOf } from "./addresses.js";

/** The error family of the wire: a stable code, a message that names the next step, further details. */
export class KaptureError extends Error {
  constructor(code, message, details = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }

  asWire() {
    return { code: this.code, message: this.message, ...this.details };
  }

  /** Any thrown value as it crosses the wire. */
  static wire(error) {
    if (error instanceof KaptureError) return error.asWire();
    return { code: "INTERNAL", message: `unexpected: ${error?.message ?? error}` };
  }
}

/**
 * What a command would be done to, told instead of doing it: the panel asks its person and sends the command
 * again with the origin that was granted. It never reaches an agent.
 */
export class NeedsApproval extends KaptureError {
  constructor({ url, title, origin = originOf(url) }) {
    super("NEEDS_APPROVAL", "a person is asked first", { site: hostOf(url), origin, url, title });
  }
}
