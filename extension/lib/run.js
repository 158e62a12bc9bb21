import { KaptureError } from "./errors.js";

const GONE = /detached|not attached|no tab with|target closed|no target with/i;
const CONTEXT_GONE = /context (was destroyed|with specified id)|navigated or closed|cannot find (default execution )?context|uniqueContextId not found|promise was collected/i;

/** A tab as one command sees it: once the command is over, nothing it left behind can act any more. */
export class Run {
  constructor(session, signal, timeoutMs) {
    this.session = session;
    this.signal = signal;
    this.timeoutMs = timeoutMs;
  }

  /** Send one CDP command; `childSession` names a worker or frame with a target of its own. */
  async send(method, params = {}, childSession = undefined) {
    this.signal.throwIfAborted();
    try {
      return await this.session.cdp.send(method, params, childSession);
    } catch (error) {
      const message = messageOf(error);
      if (GONE.test(message)) throw new KaptureError("TAB_DISCONNECTED", "the tab was closed or disconnected");
      const failure = new KaptureError("EXECUTION_ERROR", `${method}: ${message}`);
      failure.contextGone = CONTEXT_GONE.test(message);
      throw failure;
    }
  }

  /**
   * Call a function of `extension/page/` in the main frame's isolated world. When the page navigates under
   * it, it is called again in the new document: only functions that may be called twice go this way.
   */
  async page(name, ...args) {
    for (;;) {
      try {
        return await this.pageOnce(name, ...args);
      } catch (error) {
        if (!error.contextGone) throw error;
      }
    }
  }

  /** The same, but a navigation under it is thrown as an error with `contextGone`. */
  async pageOnce(name, ...args) {
    const { worlds, navigation } = this.session;
    // Known, it is used without a pause: calls leave in the order they were made.
    const uniqueContextId = worlds.known(navigation.frameId) ?? (await worlds.of(navigation.frameId, this.signal));
    let reply;
    try {
      reply = await this.send("Runtime.callFunctionOn", {
        functionDeclaration: "function (name, args) { return globalThis.kapture(name, args); }",
        uniqueContextId,
        arguments: [{ value: name }, { value: args }],
        awaitPromise: true,
        returnByValue: true,
      });
    } catch (error) {
      if (error.contextGone) worlds.forget(uniqueContextId);
      throw error;
    }
    if (reply.exceptionDetails)
      throw new KaptureError("INTERNAL", `page/${name}: ${reply.exceptionDetails.exception?.description}`);
    const { value, error } = reply.result.value;
    if (error) throw new KaptureError(error.code, error.message, error.details);
    return value;
  }

  /** Resolves after the page's next frame. */
  frame() {
    return this.page("frame");
  }
}

/** chrome.debugger puts the CDP error as JSON into the message. */
function messageOf(error) {
  const text = String(error?.message ?? error);
  try {
    return JSON.parse(text).message ?? text;
  } catch {
    return text; // a plain sentence of chrome.debugger itself
  }
}
