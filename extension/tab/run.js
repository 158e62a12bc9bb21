import { isTargetGone, messageOf } from "../basics/chrome_door.js";
import { KaptureError } from "../basics/errors.js";
import { handIn } from "./closed_roots.js";
import { EVERYTHING } from "../wire/grant.js";
import { inTime } from "./frame_answers.js";
import { reach } from "./inside.js";
import { PageCode } from "./page_code.js";
/** @import { Grant } from "../wire/grant.js" */
/** @import { TabParts } from "./parts.js" */
/** @import { World } from "./worlds.js" */
/** @import { Found, Inside, Place, Way } from "./inside.js" */
/** @import { Navigation } from "./navigation.js" */
/** @import { Patience } from "./patience.js" */
/** @import { Target } from "./target.js" */

const FOREIGN = /cannot access a chrome-extension:\/\/ url of different extension/i;
const CONTEXT_GONE =
  /context (was destroyed|with specified id)|navigated or closed|cannot find (default execution )?context|uniqueContextId not found|promise was collected/i;
/** Of these what is asked may have run in part; of the others it never began. */
const WAS_LEFT = /context was destroyed|navigated or closed/i;

/** In so many frames that an action does not enter a sign of it is looked for. */
const MAX_BESIDE = 10;
/** How often a look at a page is made again for closed shadow roots within closed shadow roots. */
const MAX_LOOKS = 6;
const IMPATIENT = { ms: 0, isGiven: false };

/**
 * A tab as one command sees it: once the command is over, nothing it left behind can act any more. Beside its own
 * methods it has the parts of the tab that handlers may use.
 */
export class Run {
  #tab;
  /** @type {Map<string|null, {inside: Inside, navigation: Navigation}>|null} */
  #watched = null;
  /** @type {World[]} */
  #beside = [];

  /** Whether something was done to the page already, so that "nothing was done" cannot be said any more. */
  acted = false;
  /**
   * What its handler knows of what came of it (outcome.js); `hasChanged`: the page is another one to look at.
   * @type {{readBack?: boolean, arrived?: boolean, byKeys?: boolean, hasValue?: boolean, hasChanged?: boolean}}
   */
  facts = {};
  /**
   * Selectors of targets → how many elements they match, where the first of several was taken.
   * @type {Record<string, number>}
   */
  matches = {};
  /**
   * What the command has done, as its answer tells it, once all its input is on its way; null before. A dialog that
   * this opens holds everything else back.
   * @type {() => object|null}
   */
  done = () => null;
  /** Resolves once the input before a dialog is answered, or after a moment. @type {null | (() => Promise<void>)} */
  acknowledged = null;
  /**
   * What its handler was told of the document it has led to.
   * @type {{loaderId: string|null, url: string, title: string}|null}
   */
  shown = null;
  /**
   * How far it has come, in words, if a part of it is done.
   * @type {() => string}
   */
  partly = () => "";

  /**
   * @param {TabParts} tab
   * @param {{signal: AbortSignal, id?: string, timeoutMs?: number, targets?: Record<string, any>[], grant?: Grant, patience?: Patience}} command
   *   `targets` gets what the page tells of each element the command means, for the history; `grant` is what it may touch
   */
  constructor(tab, { signal, id = "", timeoutMs, targets = [], grant = EVERYTHING, patience = IMPATIENT }) {
    this.#tab = tab;
    this.signal = signal;
    this.id = id;
    this.timeoutMs = timeoutMs;
    this.targets = targets;
    this.grant = grant;
    /** How long it waits for its target (patience.js), and how long it did. */
    this.patience = patience;
    this.waitedMs = 0;
    /** The tabId the panel knows the tab by. */
    this.tabId = tab.id;
    this.chromeTab = tab.chromeTab;
    this.lifetime = tab.lifetime;
    this.navigation = tab.navigation;
    this.frames = tab.frames;
    this.listeners = tab.listeners;
    this.snapshots = tab.snapshots;
    this.console = tab.console;
    this.networkLog = tab.networkLog;
    this.effects = tab.effects;
    this.dialogs = tab.dialogs;
    this.pointer = tab.pointer;
    this.heldKeys = tab.heldKeys;
    this.presses = tab.presses;
    this.screencast = tab.screencast;
    this.fileChooser = tab.fileChooser;
    this.readFile = tab.readFile;
    this.emulation = tab.emulation;
    this.keptScripts = tab.keptScripts;
    this.code = new PageCode(this, tab);
  }

  /**
   * Send one CDP command; `childSession` names a worker or frame with a target of its own.
   * @param {string} method
   * @param {Record<string, any>} params
   * @param {string|undefined} childSession
   * @returns {Promise<any>}
   */
  async send(method, params = {}, childSession = undefined) {
    this.signal.throwIfAborted();
    if (/^Input\.(insertText|dispatch)/.test(method) && params.type !== "mouseMoved") this.acted = true;
    try {
      const sending = this.#tab.cdp.send(method, this.#withHeld(method, params), childSession);
      return await (childSession ? this.#tab.children.answered(childSession, sending) : sending);
    } catch (error) {
      if (error instanceof KaptureError) throw error; // the tab is gone
      const message = messageOf(error);
      if (FOREIGN.test(message)) throw foreignFrame();
      const isGone = isTargetGone(message) || CONTEXT_GONE.test(message);
      const failure = WAS_LEFT.test(message) ? wasLeft() : refused(method, message);
      failure.contextGone = isGone;
      throw failure;
    }
  }

  /**
   * What a person does with the mouse while keys are held down is done with those.
   * @param {string} method
   * @param {Record<string, any>} params
   */
  #withHeld(method, params) {
    const { modifiers } = this.heldKeys;
    if (!modifiers || !/^Input\.dispatch(Mouse|Key|Drag)Event$/.test(method)) return params;
    return { ...params, modifiers: (params.modifiers ?? 0) | modifiers };
  }

  /**
   * Undo what the command changed in the browser, also when it is over.
   * @param {string} method
   * @param {Record<string, any>} params
   * @param {string|undefined} childSession
   */
  undo(method, params = {}, childSession = undefined) {
    return this.#tab.cdp.send(method, params, childSession);
  }

  /**
   * Do `work` while the browser paints nothing of ours over the page.
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  unmarked(work) {
    const { drivenFrame, pointer } = this.#tab;
    return drivenFrame.hiddenWhile(() => pointer.cursor.hiddenWhile(work));
  }

  /**
   * Call a function of `extension/page/` in the main frame's isolated world. When the page navigates under
   * it, it is called again in the new document: only functions that may be called twice go this way.
   * @param {string} name
   * @param {any[]} args
   * @returns {Promise<any>}
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

  /**
   * The same, but a navigation under it is thrown as an error with `contextGone`.
   * @param {string} name
   * @param {any[]} args
   * @returns {Promise<any>}
   */
  async pageOnce(name, ...args) {
    // Known, it is used without a pause: calls leave in the order they were made.
    const world = this.#knownTop() ?? (await this.topWorld());
    return (await this.call({ id: world }, name, args)).value;
  }

  /**
   * Call a page function outside any command, in the top document or a frame's world; one that is gone needs no call.
   * @param {string} name
   * @param {World|null} world
   * @param {any[]} args
   * @returns {Promise<void>}
   */
  async callBeside(name, world = null, args = []) {
    const run = new Run(this.#tab, { signal: new AbortController().signal });
    const calling = world ? run.call(world, name, args) : run.pageOnce(name, ...args);
    await calling.catch(() => {});
  }

  #knownTop() {
    return this.#tab.worlds.known(this.navigation.frameId);
  }

  /** The world of the main frame, once it is there. */
  topWorld() {
    return this.#knownTop() ?? this.#tab.worlds.of(this.navigation.frameId, this.signal);
  }

  /**
   * Call a page function in a world; `place` says where the document of a frame is (page/place.js).
   * @param {World} world
   * @param {string} name
   * @param {any[]} args
   * @param {Place|undefined} place
   * @returns {Promise<{value?: any, ways?: Way[]}>} the second: into the frames its target lies in
   */
  async call(world, name, args, place = undefined) {
    if (name === "snapshot") await this.listeners.handIn(this, world);
    for (let look = 1; ; look += 1) {
      const { error, target, box, several, opaque, ...told } = await this.#reply(world, name, args, place);
      if (opaque && (look < MAX_LOOKS || !("value" in told))) {
        await handIn(this, world);
        continue;
      }
      if (target) this.targets.push(this.#tab.typedSecrets.noted(target, args));
      if (target && box)
        this.#tab.screencast.show({ kind: "target", id: this.id, role: target.role, name: target.name, ...box });
      if (several) this.matches[several.by] = several.count;
      if (error) {
        const { code, message, nextStep, details, waits } = error;
        throw Object.assign(new KaptureError(code, message, nextStep, details), { waits });
      }
      return told;
    }
  }

  /**
   * @param {World} world
   * @param {string} name
   * @param {any[]} args
   * @param {Place|undefined} place
   */
  async #reply({ id, session }, name, args, place) {
    let reply;
    try {
      reply = await this.send(
        "Runtime.callFunctionOn",
        {
          functionDeclaration:
            "function (name, args, place, grant) { return globalThis.kapture(name, args, place, grant); }",
          uniqueContextId: id,
          arguments: [{ value: name }, { value: args }, ...this.#where(place)],
          awaitPromise: true,
          returnByValue: true,
        },
        session,
      );
    } catch (error) {
      if (error.contextGone) (session ? this.frames.worldsOf(session) : this.#tab.worlds)?.forget(id);
      throw error;
    }
    if (reply.exceptionDetails)
      throw new KaptureError("INTERNAL", `page/${name}: ${reply.exceptionDetails.exception?.description}`);
    return reply.result.value;
  }

  /** @param {Place|undefined} place */
  #where(place) {
    if (this.grant.isFull) return place ? [{ value: place }] : [];
    const { origins, secret } = this.grant;
    return [{ value: place ?? null }, { value: { origins, secret } }];
  }

  /**
   * Call a page function in whichever document its target lies, also in a frame of another origin. Like `page`, it
   * is called again when the top document navigates under it; a frame that does so is an error.
   * @param {Target} target
   * @param {string} name
   * @param {any[]} args
   */
  async at(target, name, ...args) {
    return (await this.found(target, name, ...args)).value;
  }

  /**
   * The same with the document it was found in.
   * @param {Target} target
   * @param {string} name
   * @param {any[]} args
   * @returns {Promise<Found>}
   */
  async found(target, name, ...args) {
    for (;;) {
      try {
        return await reach(this, target, name, ...args);
      } catch (error) {
        if (!error.contextGone) throw error;
      }
    }
  }

  /**
   * The same, but called once only.
   * @param {Target} target
   * @param {string} name
   * @param {any[]} args
   */
  async atOnce(target, name, ...args) {
    return (await reach(this, target, name, ...args)).value;
  }

  /** From now on an action's effects are looked for in every frame it enters, and a sign of them in the others. */
  startWatching() {
    this.#watched = new Map();
    const top = this.#knownTop();
    this.#beside = this.frames.any ? this.frames.everyWorld.filter(({ id }) => id !== top).slice(0, MAX_BESIDE) : [];
    for (const world of this.#beside) this.callBeside("observe", world);
  }

  /** Whether a frame changed that the action did not enter: by what it led to, or by itself. */
  async hasChangedBeside() {
    const entered = new Set([...(this.#watched?.values() ?? [])].map(({ inside }) => inside.world.id));
    const asking = this.#beside
      .filter(({ id }) => !entered.has(id))
      .map((world) => inTime(this, this.call(world, "changedSince", []).catch(unlessGone)));
    return (await Promise.all(asking)).some((reply) => reply?.value);
  }

  /**
   * Watch the document of a frame that is entered, if this is an action.
   * @param {Inside} inside
   */
  watch(inside) {
    if (!this.#watched || this.#watched.has(inside.frameId)) return;
    this.#watched.set(inside.frameId, { inside, navigation: this.frames.follow(inside.frameId, this.signal) });
    // Sent before what acts there, and answered with it; a frame that goes away is told then.
    inside.call("observe").catch(() => {});
  }

  /**
   * What the frames say that the action entered, those it came through first, once what it started there is done.
   * @param {string} name
   * @returns {Promise<import("./observer.js").PageState[]>}
   */
  watchedSettled(name) {
    return Promise.all([...(this.#watched?.values() ?? [])].map((one) => this.#settled(one, name)));
  }

  /**
   * @param {{inside: Inside, navigation: Navigation}} watched
   * @param {string} name
   */
  async #settled({ inside, navigation }, name) {
    const seen = await inside.call(name).catch((error) => {
      if (!error.frameGone) throw error;
      return { changed: true };
    });
    return (await this.frames.settled(navigation, this.signal)) ? { ...seen, changed: true } : seen;
  }

  /** Resolves after the page's next frame. */
  frame() {
    return this.page("frame");
  }
}

/** @param {any} error */
function unlessGone(error) {
  if (!error.contextGone) throw error;
  return null;
}

/** @param {string} method @param {string} message Chrome's own words */
const refused = (method, message) => new KaptureError("EXECUTION_ERROR", `${method}: ${message}`);

const wasLeft = () =>
  new KaptureError(
    "EXECUTION_ERROR",
    "the page or frame was left or loaded again before it answered",
    "look at a snapshot before you try again",
  );

/** Chrome then refuses the debugger the whole tab, for as long as the frame is there. */
function foreignFrame() {
  return new KaptureError(
    "PROTECTED_PAGE",
    "the page holds a frame of another extension, as password managers open them, and Chrome keeps debuggers out of such a page",
    "close what that extension shows or switch it off for this site",
  );
}
