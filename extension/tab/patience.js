/** @import { KaptureError } from "../basics/errors.js" */
import { Conditions } from "./conditions.js";
/** @import { Run } from "./run.js" */
/** @import { World } from "./worlds.js" */

/** So long a command waits for its target when nobody said how long it may take. */
const FIND_MS = 5000;
/** A page on which nothing has happened for so long will not become what is waited for. */
const QUIET_MS = 1000;
/** Of a time-out that was given this is kept for the answer. */
const ANSWER_MS = 200;
/** More frames than these are not listened to. */
const MAX_WORLDS = 40;

/** @typedef {{ms: number, isGiven: boolean}} Patience how long a command waits for its target, and whether that was said */

/**
 * What `attempt` resolves to, tried again whenever the page has changed while it says that its target is not ready.
 * @template T
 * @param {Run} run `run.patience` says how long
 * @param {() => Promise<T>} attempt does nothing to the page before its target is ready
 * @returns {Promise<T>}
 */
export async function whenReady(run, attempt) {
  let missing;
  try {
    return await attempt();
  } catch (error) {
    if (!error.waits || !run.patience.ms) throw await whole(error);
    missing = error;
  }
  const started = performance.now();
  const spent = () => Math.round(performance.now() - started);
  const changes = new Changes(run);
  try {
    for (let isLast = false; !isLast;) {
      const quiet = await changes.next(run.patience.ms - spent());
      // Not every change is told, such as those of a stylesheet's rules: it is looked at a last time.
      isLast = spent() >= run.patience.ms || (quiet && !run.patience.isGiven && !run.networkLog.underWay);
      try {
        return await attempt();
      } catch (error) {
        if (!error.waits) throw error;
        missing = error;
      }
    }
  } finally {
    changes.stop();
    run.waitedMs += spent();
  }
  run.signal.throwIfAborted();
  throw told(await whole(missing), spent());
}

/**
 * How long a command waits for its target: as long as was said, or the usual time while the page is alive.
 * @param {number|undefined} waitMs
 * @param {number} timeoutMs of the whole command
 * @returns {Patience}
 */
export function patienceOf(waitMs, timeoutMs) {
  const isGiven = waitMs !== undefined;
  const mostMs = timeoutMs - Math.min(ANSWER_MS, timeoutMs / 10);
  return { ms: Math.max(0, Math.round(Math.min(isGiven ? waitMs : FIND_MS, mostMs))), isGiven };
}

/**
 * The error that is told, with what is asked for only now that nothing more is waited for.
 * @param {KaptureError & {whole?: () => Promise<KaptureError>}} error
 * @returns {Promise<KaptureError>}
 */
const whole = async (error) => (error.whole ? error.whole() : error);

/**
 * @param {KaptureError} error
 * @param {number} waitedMs
 */
function told(error, waitedMs) {
  return error.reworded({ what: `${error.what} (waited ${(waitedMs / 1000).toFixed(1)} s)`, details: { waitedMs } });
}

/** What changes in the documents of a tab while a command waits; a document that answers nothing is not waited for. */
class Changes {
  /**
   * World → whether nothing has happened there for a while.
   * @type {Map<string, boolean>}
   */
  #quiet = new Map();
  /** @type {Map<string, World>} */
  #followed = new Map();
  #hasNews = false;
  /** @type {Error|null} */
  #failure = null;
  #conditions = new Conditions();
  #over = new AbortController();

  /** @param {Run} run */
  constructor(run) {
    this.run = run;
    this.signal = AbortSignal.any([run.signal, this.#over.signal]);
    run.frames.listeners.add(this.#onFrames);
  }

  /** A frame has come, gone, or shows another document. */
  #onFrames = () => this.#tell(false);

  /**
   * Until something has changed since the last call, all is quiet, or `ms` are over.
   * @param {number} ms
   * @returns whether all is quiet
   */
  async next(ms) {
    this.#followAll();
    await this.#conditions.within(
      Math.max(0, Math.round(ms)),
      () => this.#failure !== null || this.#hasNews || this.#isQuiet,
      this.signal,
    );
    if (this.#failure) throw this.#failure;
    const quiet = !this.#hasNews && this.#isQuiet;
    this.#hasNews = false;
    for (const id of this.#quiet.keys()) this.#quiet.set(id, false);
    return quiet;
  }

  get #isQuiet() {
    return this.#quiet.size > 0 && [...this.#quiet.values()].every((quiet) => quiet);
  }

  stop() {
    this.#over.abort();
    this.run.frames.listeners.delete(this.#onFrames);
    for (const world of this.#followed.values()) this.run.callBeside("stopWatchingChanges", world);
  }

  #followAll() {
    for (const world of this.run.frames.everyWorld.slice(0, MAX_WORLDS)) {
      if (this.#followed.has(world.id)) continue;
      this.#followed.set(world.id, world);
      this.#follow(world).catch((error) => {
        this.#failure = error;
        this.#conditions.look();
      });
    }
  }

  /** @param {World} world */
  async #follow(world) {
    // From when on it listens is news, too: before that it may have missed some.
    for (let reply = await this.#call(world, "watchChanges"); reply && !this.signal.aborted;) {
      this.#quiet.set(world.id, reply.value.quiet);
      this.#tell(reply.value.quiet);
      reply = await this.#call(world, "nextChange", reply.value.seen, QUIET_MS);
    }
    this.#quiet.delete(world.id);
    this.#tell(false);
  }

  /** @param {boolean} quiet */
  #tell(quiet) {
    this.#hasNews ||= !quiet;
    this.#conditions.look();
  }

  /**
   * The reply of a page function, or null when its document is gone or the wait is over.
   * @param {World} world
   * @param {string} name
   * @param {any[]} args
   */
  async #call(world, name, ...args) {
    try {
      return await this.run.call(world, name, args);
    } catch (error) {
      if (error.contextGone || this.signal.aborted) return null;
      throw error;
    }
  }
}
