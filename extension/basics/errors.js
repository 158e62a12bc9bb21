import { hostOf, originOf } from "./addresses.js";

/**
 * What went wrong and the next step, as one line says them.
 * @param {{message: string, nextStep?: string}} error
 */
export const inOneLine = ({ message, nextStep }) => (nextStep ? `${message}; ${nextStep}` : message);

/** The same as sentences for a person. @param {{what?: string, message: string, nextStep?: string}} error */
export const inSentences = ({ message, what = message, nextStep }) =>
  [what, nextStep ?? ""].flatMap((said) => (said ? `${said[0].toUpperCase()}${said.slice(1)}.` : [])).join(" ");

/** @typedef {{code: string, message: string, nextStep?: string} & Record<string, any>} WireError `message` says what went wrong */

/** The error family of the wire: a stable code, what went wrong, the next step, further details. */
export class KaptureError extends Error {
  /** Whether the document that was asked is gone, so that nothing was answered. */
  contextGone = false;
  /** The same of a frame's document. */
  frameGone = false;

  /**
   * @param {string} code
   * @param {string} what it names the value
   * @param {string} nextStep what can be done about it, or what was not done; empty when there is nothing to say
   * @param {Record<string, any>} details
   */
  constructor(code, what, nextStep = "", details = {}) {
    super(inOneLine({ message: what, nextStep }));
    this.code = code;
    this.what = what;
    this.nextStep = nextStep;
    this.details = details;
  }

  /** The same error in other words, or with further details. @param {{what?: string, nextStep?: string, details?: object}} other */
  reworded({ what = this.what, nextStep = this.nextStep, details = {} }) {
    return new KaptureError(this.code, what, nextStep, { ...this.details, ...details });
  }

  /** @returns {WireError} */
  asWire() {
    return { code: this.code, message: this.what, ...(this.nextStep && { nextStep: this.nextStep }), ...this.details };
  }

  /**
   * Any thrown value as it crosses the wire.
   * @param {any} error
   * @returns {WireError}
   */
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
  /** @param {{url: string, title: string, origin?: string}} document */
  constructor({ url, title, origin = originOf(url) }) {
    super("NEEDS_APPROVAL", "a person is asked first", "", { site: hostOf(url), origin, url, title });
  }
}
