import { isTargetGone, messageOf } from "../basics/chrome_door.js";
import { KaptureError } from "../basics/errors.js";
import { originOf } from "../basics/addresses.js";
import { handIn } from "./closed_roots.js";
import { EVERYTHING } from "../wire/grant.js";
import { reach } from "./inside.js";

const FOREIGN = /cannot access a chrome-extension:\/\/ url of different extension/i;
const CONTEXT_GONE = /context (was destroyed|with specified id)|navigated or closed|cannot find (default execution )?context|uniqueContextId not found|promise was collected/i;

/** How often a look at a page is made again for closed shadow roots within closed shadow roots. */
const MAX_LOOKS = 6;

/** A tab as one command sees it: once the command is over, nothing it left behind can act any more. */
export class Run {
  #watched = null;

  /**
   * @param {object[]} targets gets what the page tells of each element the command means, for the history
   * @param {Grant} grant what it may touch
   */
  constructor(session, signal, timeoutMs, targets = [], grant = EVERYTHING) {
    this.session = session;
    this.signal = signal;
    this.timeoutMs = timeoutMs;
    this.targets = targets;
    this.grant = grant;
    /** Whether something was done to the page already, so that "nothing was done" cannot be said any more. */
    this.acted = false;
  }

  /** Send one CDP command; `childSession` names a worker or frame with a target of its own. */
  async send(method, params = {}, childSession = undefined) {
    this.signal.throwIfAborted();
    if (/^Input\.(insertText|dispatch)/.test(method) && params.type !== "mouseMoved") this.acted = true;
    try {
      const sending = this.session.cdp.send(method, params, childSession);
      return await (childSession ? this.session.children.answered(childSession, sending) : sending);
    } catch (error) {
      if (error instanceof KaptureError) throw error; // the tab is gone
      const message = messageOf(error);
      if (FOREIGN.test(message)) throw foreignFrame();
      const failure = new KaptureError("EXECUTION_ERROR", `${method}: ${message}`);
      failure.contextGone = isTargetGone(message) || CONTEXT_GONE.test(message);
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
    // Known, it is used without a pause: calls leave in the order they were made.
    const world = this.#knownTop() ?? (await this.topWorld());
    return (await this.call({ id: world }, name, args)).value;
  }

  #knownTop() {
    return this.session.worlds.known(this.session.navigation.frameId);
  }

  /** The world of the main frame, once it is there. */
  topWorld() {
    return this.#knownTop() ?? this.session.worlds.of(this.session.navigation.frameId, this.signal);
  }

  /**
   * Call a page function in a world; `place` says where the document of a frame is (page/frames.js).
   * @param {{id: string, session: string|undefined}} world
   * @returns {{value}}, or {{ways}} into the frames its target lies in
   */
  async call(world, name, args, place = undefined) {
    for (let look = 1; ; look += 1) {
      const { error, target, opaque, ...told } = await this.#reply(world, name, args, place);
      if (opaque && (look < MAX_LOOKS || !("value" in told))) {
        await handIn(this, world);
        continue;
      }
      if (target) this.targets.push(target);
      if (error) throw new KaptureError(error.code, error.message, error.details);
      return told;
    }
  }

  async #reply({ id, session }, name, args, place) {
    let reply;
    try {
      reply = await this.send("Runtime.callFunctionOn", {
        functionDeclaration: "function (name, args, place, grant) { return globalThis.kapture(name, args, place, grant); }",
        uniqueContextId: id,
        arguments: [{ value: name }, { value: args }, ...this.#where(place)],
        awaitPromise: true,
        returnByValue: true,
      }, session);
    } catch (error) {
      if (error.contextGone) (session ? this.session.frames.worldsOf(session) : this.session.worlds)?.forget(id);
      throw error;
    }
    if (reply.exceptionDetails)
      throw new KaptureError("INTERNAL", `page/${name}: ${reply.exceptionDetails.exception?.description}`);
    return reply.result.value;
  }

  #where(place) {
    if (this.grant.isFull) return place ? [{ value: place }] : [];
    const { origins, secret } = this.grant;
    return [{ value: place ?? null }, { value: { origins, secret } }];
  }

  /**
   * Evaluate in the page's own world, as Runtime.evaluate has it. What may not run everywhere is bound to the one
   * document that was looked at: when another has come in between, nothing ran, and that one is looked at.
   */
  async evaluate(params) {
    if (this.grant.isFull) return this.send("Runtime.evaluate", params);
    for (;;) {
      const { navigation, worlds } = this.session;
      await this.topWorld(); // announced right after the page's own
      const page = worlds.pageOf(navigation.frameId);
      // Of a document without an origin of its own its address has to do.
      this.grant.demand(navigation.url, /^https?:/.test(page?.origin ?? "") ? page.origin : originOf(navigation.url || "about:blank"));
      try {
        return await this.send("Runtime.evaluate", { ...params, uniqueContextId: page?.id });
      } catch (error) {
        if (!/uniqueContextId not found/i.test(error.message)) throw error;
        worlds.forget(page.id);
        await this.frame();
      }
    }
  }

  /**
   * Call a page function in whichever document its target lies, also in a frame of another origin. Like `page`, it
   * is called again when the top document navigates under it; a frame that does so is an error.
   */
  async at(target, name, ...args) {
    return (await this.found(target, name, ...args)).value;
  }

  /** The same with the document it was found in: {value, inside}. */
  async found(target, name, ...args) {
    for (;;) {
      try {
        return await reach(this, target, name, ...args);
      } catch (error) {
        if (!error.contextGone) throw error;
      }
    }
  }

  async atOnce(target, name, ...args) {
    return (await reach(this, target, name, ...args)).value;
  }

  /** From now on an action's effects are looked for in every frame it enters. */
  startWatching() {
    this.#watched = new Map();
  }

  /** Watch the document of a frame that is entered, if this is an action. */
  watch(inside) {
    if (!this.#watched || this.#watched.has(inside.frameId)) return;
    this.#watched.set(inside.frameId, { inside, navigation: this.session.frames.follow(inside.frameId, this.signal) });
    // Sent before what acts there, and answered with it; a frame that goes away is told then.
    inside.call("observe").catch(() => {});
  }

  /** Whether the frames the action entered changed, once what it started there is done. */
  async watchedSettled(name) {
    const watched = [...(this.#watched?.values() ?? [])];
    this.#watched = null;
    const changes = await Promise.all(watched.map((one) => this.#settled(one, name)));
    return changes.includes(true);
  }

  async #settled({ inside, navigation }, name) {
    const changed = await inside.call(name).then(
      (seen) => seen.changed,
      (error) => {
        if (!error.frameGone) throw error;
        return true;
      },
    );
    return (await this.session.frames.settled(navigation, this.signal)) || changed;
  }

  /** Resolves after the page's next frame. */
  frame() {
    return this.page("frame");
  }
}

/** Chrome then refuses the debugger the whole tab, for as long as the frame is there. */
function foreignFrame() {
  return new KaptureError("PROTECTED_PAGE", "the page holds a frame of another extension, as password managers open them, and Chrome keeps debuggers out of such a page; close what that extension shows or switch it off for this site");
}
