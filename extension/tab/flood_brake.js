/** @import { Cdp } from "./cdp.js" */

/**
 * A page may write so many lines of console at once, such as while it loads, and so many a second for long. Every event
 * of every tab goes through one thread of the browser, which takes a tenth of a millisecond for each, or more: a page
 * above this holds up the commands of all tabs.
 */
const MAX_AT_ONCE = 6000;
/** A worker's: it has no page to load, and writes as fast as it runs. */
const MAX_OF_WORKER_AT_ONCE = 1500;
const MAX_PER_S = 1000;
/** So many at once when they come this late, which says that the browser is behind with its events. */
const MAX_LATE_AT_ONCE = 2000;
const LATE_MS = 1000;
/** So many at once of a page that was braked a short while ago. */
const MAX_AT_ONCE_AGAIN = 500;
/**
 * How much slower a braked page runs, and for how long at least. One that had a burst is to be of use again soon; one
 * that goes on leaves the others in peace only when it hardly runs, and then it may write nothing for some seconds.
 */
const FIRST = { rate: 60, holdMs: 5000 };
const THEN = { rate: 400, holdMs: 15_000 };
/** After so long, or a little more, a brake is let go of to see whether it is needed. */
const MAX_HOLD_MS = 60_000;
/** @type {Record<Kind, string>} */
const DOES = { page: "slows this page", frame: "slows a frame of this page", worker: "stops a worker of this page" };

/** @typedef {"page"|"frame"|"worker"} Kind of what writes: a page, a frame in a process of its own, a worker */

/** The brakes of a tab: one for its page, by "", and one for each frame in a process of its own and each worker, by its session. */
export class FloodBrakes {
  /** @type {Map<string, FloodBrake>} */
  #bySession = new Map();

  /**
   * Tells people and agents what is done to the page.
   * @type {(text: string) => void}
   */
  say = () => {};

  /** @param {Cdp} cdp */
  constructor(cdp) {
    this.cdp = cdp;
  }

  /** Whether the page or a frame of it is slowed, or a worker stopped. */
  get isOn() {
    return [...this.#bySession.values()].some((brake) => brake.isOn);
  }

  /** Whether it takes the page longer to answer. */
  get isSlow() {
    return [...this.#bySession.values()].some(({ isOn, kind }) => isOn && kind !== "worker");
  }

  /**
   * A line, written `at` and heard of `now`, both in ms since 1970.
   * @param {{at: number, kind: Kind, sessionId?: string, now?: number}} line
   */
  onLine({ at, kind, sessionId = "", now = Date.now() }) {
    let brake = this.#bySession.get(sessionId);
    if (!brake) {
      brake = new FloodBrake(this.cdp, { kind, sessionId });
      brake.say = (text) => this.say(text);
      this.#bySession.set(sessionId, brake);
    }
    brake.onLine(at, now);
  }

  /**
   * Another document is there: what the one before did says nothing of it.
   * @param {string} [sessionId]
   */
  forget(sessionId = "") {
    this.#bySession.get(sessionId)?.forget();
  }

  /**
   * A frame or a worker is no more.
   * @param {string} sessionId
   */
  gone(sessionId) {
    this.#bySession.get(sessionId)?.end();
    this.#bySession.delete(sessionId);
  }

  /** The tab is let go of, and runs at full speed by that. */
  end() {
    this.say = () => {};
    for (const brake of this.#bySession.values()) brake.end();
  }

  /** Let go of the page an earlier worker of ours may have braked; all else was let go of with its session. */
  async release() {
    await this.cdp.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  }
}

/**
 * Slows a page that floods the console, so that it alone pays for that. Chrome can be told not to tell of console
 * lines, but then nobody could count those that were lost; a slower page writes fewer, and each is seen. A worker cannot
 * be slowed: it is stopped for some seconds, as a debugger stops it.
 */
export class FloodBrake {
  /** Lines above what a page may write for long, as of the last line. */
  #surplus = 0;
  #lastAt = 0;
  /** When the page was braked, in ms since 1970; 0: it is not. */
  #brakedAt = 0;
  #isSuspect = false;
  #countHeld = 0;
  /** @type {number|undefined} */
  #timer;

  /**
   * Tells people and agents what is done to the page.
   * @type {(text: string) => void}
   */
  say = () => {};

  /**
   * @param {Cdp} cdp
   * @param {{kind: Kind, sessionId?: string}} what is braked; only a page has no session of its own
   */
  constructor(cdp, { kind, sessionId }) {
    this.cdp = cdp;
    this.kind = kind;
    this.sessionId = sessionId || undefined;
  }

  /** Whether the page is slowed. */
  get isOn() {
    return this.#brakedAt > 0;
  }

  /**
   * A line of the page, written `at` and heard of `now`, both in ms since 1970.
   * @param {number} at
   * @param {number} [now]
   */
  onLine(at, now = Date.now()) {
    if (this.isOn) {
      // Those before were on their way already.
      if (at > this.#brakedAt) this.#countHeld += 1;
      return;
    }
    const elapsedMs = Math.max(0, at - this.#lastAt);
    this.#surplus = Math.max(0, this.#surplus - (elapsedMs * MAX_PER_S) / 1000) + 1;
    this.#lastAt = at;
    if (this.#surplus > this.#maxAtOnce(now - at)) this.#brake(now);
  }

  /** @param {number} lateMs */
  #maxAtOnce(lateMs) {
    if (this.#isSuspect) return MAX_AT_ONCE_AGAIN;
    if (this.kind === "worker") return MAX_OF_WORKER_AT_ONCE;
    return lateMs > LATE_MS ? MAX_LATE_AT_ONCE : MAX_AT_ONCE;
  }

  /** Another document is in the tab, or is about to be: what the one before did says nothing of it. */
  forget() {
    clearTimeout(this.#timer);
    if (this.isOn) this.#release();
    this.#surplus = 0;
    this.#isSuspect = false;
  }

  /** There is nothing to slow any more. */
  end() {
    clearTimeout(this.#timer);
    if (this.isOn) this.#sayOver();
    this.#brakedAt = 0;
  }

  #sayOver() {
    this.say(`Kapture no longer ${DOES[this.kind]}`);
  }

  /** @param {number} now */
  #brake(now) {
    this.#brakedAt = now;
    this.#isSuspect = true;
    this.say(`Kapture ${DOES[this.kind]}: it floods its console, which holds up all tabs`);
    clearTimeout(this.#timer);
    this.#hold(FIRST, MAX_HOLD_MS);
  }

  /**
   * @param {{rate: number, holdMs: number}} brake held while the page would write too much without it
   * @param {number} leftMs
   */
  #hold({ rate, holdMs }, leftMs) {
    this.#countHeld = 0;
    this.#slow(rate);
    this.#timer = setTimeout(() => {
      const isNeeded = this.kind !== "worker" && this.#countHeld * rate > (holdMs * MAX_PER_S) / 1000;
      if (isNeeded && leftMs > holdMs) this.#hold(THEN, leftMs - holdMs);
      else this.#letGo();
    }, holdMs);
  }

  #letGo() {
    this.#release();
    this.#timer = setTimeout(() => (this.#isSuspect = false), MAX_HOLD_MS);
  }

  #release() {
    this.#brakedAt = 0;
    this.#surplus = 0;
    this.#slow(1);
    this.#sayOver();
  }

  /** @param {number} rate so many times slower; 1: no more */
  #slow(rate) {
    if (this.kind !== "worker") this.#send("Emulation.setCPUThrottlingRate", { rate });
    else if (rate === 1) this.#send("Debugger.disable");
    else {
      this.#send("Debugger.enable");
      this.#send("Debugger.pause");
    }
  }

  /**
   * @param {string} method
   * @param {Record<string, any>} [params]
   */
  #send(method, params = {}) {
    this.cdp.send(method, params, this.sessionId).catch(() => {}); // gone with its tab
  }
}
