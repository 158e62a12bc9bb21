// What a page function answers instead of a value: a code of the protocol, what went wrong, the next step, and details.

export class Failure extends Error {
  constructor(code, what, nextStep = "", details = {}) {
    super(what);
    this.code = code;
    this.nextStep = nextStep;
    this.details = details;
  }
}

/** What is not so now and may become so: a command waits for it. */
export class NotReady extends Failure {}
