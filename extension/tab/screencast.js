import { jpegSize } from "./jpeg.js";
/** @import { Cdp } from "./cdp.js" */
/** @import { Emulation } from "./emulation.js" */
/** @import { TabEvent } from "./parts.js" */
/** @import { LivePicture, Watch } from "../wire/protocol.js" */

/** Only so that the browser draws a page in the background at all. */
const FOR_DRAWING = { format: "jpeg", quality: 1, maxWidth: 64, maxHeight: 64 };
/** So long after a command its page is drawn: what the command began may go on, and the next one often follows. */
const AFTER_COMMAND_MS = 2_000;
/** Text stays sharp, and a picture of 1280 × 720 has about 100 kB. */
const QUALITY = 70;
/**
 * With so many pictures on their way Chrome leaves out what comes then, be it the end of a change. It counts those that
 * it still encodes, so of a run that gave so many the last may be missing, however few wait here.
 */
const MOST_UNPAINTED = 3;
/** A page that moves sends its next picture sooner. */
const STILL_MS = 150;
/** So long after the last picture taken Chrome has long shown the page again: one whose size is not as Chrome says is hidden no longer. */
const BACK_MS = 5_000;
/** A picture that has not come by then may wait for a frame that Chrome will not draw by itself: it has done so for good. */
const NO_PICTURE_MS = 3_000;
/** The page's size leaves out its scrollbars, a picture's does not; both are rounded. */
const SCROLLBAR_PX = 20;

/** An older picture does not come so much later than a newer one: the clock was put back. */
const LATE_S = 5;

/** @typedef {{data: string, sessionId: number, metadata: {deviceWidth: number, deviceHeight: number, timestamp?: number}}} Frame */

/**
 * The one owner of a tab's screencast (CDP's Page.startScreencast): the browser knows only one at a time. The person who
 * watches gets its pictures. Commands only have it run: a tab in the background gets one frame a second otherwise, and a
 * hover, a moved mouse, an animation and whatever waits for a frame takes that second.
 */
export class Screencast {
  /** @type {Omit<Watch, "type">|null} */
  #watched = null;
  /** Who wants a picture now and then has one. @type {{number: number, painted: () => void}|null} */
  #rest = null;
  /** The last picture of those. */
  #sent = "";
  #drawings = 0;
  /** With what it runs, and how often that is wanted, as JSON; empty while it does not. */
  #runs = "";
  /** Whether it is to begin again even if it runs as it is wanted. */
  #isAnew = false;
  /** Whether what it gives now is for whoever watches. */
  #isShowing = false;
  /** Starts and stops, one after the other. @type {Promise<void>} */
  #changing = Promise.resolve();
  /**
   * Chrome's numbers of pictures that were not painted yet, by ours. Chrome sends a few, and the next one once the
   * first is acknowledged.
   * @type {Map<number, number>}
   */
  #unpainted = new Map();
  /** How many pictures came since it began to run. */
  #came = 0;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #stillness;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #otherwise;
  /** How many take a picture for which the browser shows the page otherwise. */
  #taking = 0;
  /** The size of the page, until a picture has it that came after the last one taken. @type {{width: number, height: number}|null} */
  #comesBackTo = null;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #back;
  /** Whether the page got another size while pictures waited to be painted. */
  #isOld = false;
  #number = 0;
  /** When the newest picture was drawn that has come, by Chrome's clock, in seconds. */
  #newest = 0;

  /**
   * @param {{cdp: Cdp, emulation: Pick<Emulation, "drawn"|"leave"|"onGivenAgain">, send: (picture: Omit<LivePicture, "type">) => void,
   *   tell?: (event: TabEvent) => void}} parts `emulation` hears in which size the page is drawn, `send` gives the panel a
   *   picture, `tell` an event
   */
  constructor({ cdp, emulation, send, tell = () => {} }) {
    this.cdp = cdp;
    this.emulation = emulation;
    emulation.onGivenAgain = () => this.looksOtherwise();
    this.send = send;
    this.tell = tell;
  }

  /** Whether the person looks at the tab. */
  get isWatched() {
    return this.#watched !== null;
  }

  /**
   * Send the person pictures from now on, in this size and no more often than that, and one of what is there now.
   * @param {Omit<Watch, "type">} wanted
   */
  watch({ width, height, everyMs }) {
    this.#watched = { width, height, everyMs };
    this.#rest = null;
    this.#sent = "";
    return this.#adjust({ isAnew: true });
  }

  /** The person looks elsewhere. */
  unwatch() {
    this.#watched = null;
    this.#rest = null;
    return this.#adjust();
  }

  /**
   * Tell what is done in the page, for whoever looks to see where.
   * @param {TabEvent} event
   */
  show(event) {
    if (this.isWatched) this.tell(event);
  }

  /**
   * The person sees picture `number`: the browser may send another.
   * @param {number} number
   */
  painted(number) {
    if (this.#rest && number >= this.#rest.number) this.#rest.painted();
    for (const [older, sessionId] of this.#unpainted) {
      // Those before it were passed over by the window: Chrome waits for their acknowledgement all the same.
      if (older > number) continue;
      this.#unpainted.delete(older);
      this.#quietly("Page.screencastFrameAck", { sessionId });
    }
    if (!(this.#came >= MOST_UNPAINTED || this.#isOld) || this.#unpainted.size >= MOST_UNPAINTED) return;
    this.#isOld = false;
    clearTimeout(this.#stillness);
    this.#stillness = setTimeout(() => void this.#adjust({ isAnew: true }), STILL_MS);
  }

  /**
   * Something begins for which the browser draws the page, also in the background, until a while after the last end.
   * @returns {() => void} to be called when it is over
   */
  commandBegins() {
    this.#drawings += 1;
    void this.#adjust();
    return () => {
      setTimeout(() => {
        this.#drawings -= 1;
        void this.#adjust();
      }, AFTER_COMMAND_MS);
    };
  }

  /**
   * The page has another size, or the tab shows another page: Chrome's last picture may show what was there before. A
   * screencast that began some 10 ms before a page in another process came gave none of it, in 5 of 8 runs beside load.
   * A still page gives no other.
   */
  looksOtherwise() {
    clearTimeout(this.#otherwise);
    this.#otherwise = setTimeout(() => {
      this.#isOld = this.#unpainted.size > 0; // then once they are painted, for a slow window is not to be flooded
      if (this.isWatched && !this.#rest && !this.#isOld) void this.#adjust({ isAnew: true });
    }, STILL_MS);
  }

  /** Resolves once the browser draws the page for the command under way. */
  drawn() {
    return this.#changing;
  }

  /**
   * Take a picture of a part of the page, or in another size: for that, the browser shows the page otherwise. Whoever
   * watches is not shown that, but what is there afterwards; Chrome's first pictures then may still be of that size. Nor
   * is the page given its size again meanwhile: the picture would be white. Chrome is made to draw while none comes.
   * @template T
   * @param {() => Promise<T>} take
   */
  async unseen(take) {
    this.#taking += 1;
    this.emulation.leave();
    const drawing = setInterval(() => void this.#adjust({ isAnew: true }), NO_PICTURE_MS);
    try {
      return await take();
    } finally {
      clearInterval(drawing);
      void this.#comeBack();
    }
  }

  async #comeBack() {
    this.#comesBackTo = await this.#pageSize();
    clearTimeout(this.#back);
    this.#back = setTimeout(() => this.#showAll(), BACK_MS);
    await this.#adjust({ isAnew: this.isWatched });
    this.#taking -= 1;
  }

  /** The page's own size, which is the same whatever of the page is shown, or null once the tab has gone. */
  async #pageSize() {
    const told = await this.#quietly("Page.getLayoutMetrics");
    if (!told) return null;
    const { cssLayoutViewport: page, cssVisualViewport: shown } = told;
    const zoom = shown.zoom ?? 1;
    return { width: page.clientWidth * zoom, height: page.clientHeight * zoom };
  }

  /** Show whatever Chrome gives from now on, and what is there now: no part comes any more. */
  #showAll() {
    this.#back = undefined;
    this.#comesBackTo = null;
    if (this.isWatched) void this.#adjust({ isAnew: true });
  }

  /**
   * Whether the browser shows the page as it is, and not a picture that is taken.
   * @param {Frame} frame
   */
  #isOfPage({ data, metadata: { deviceWidth, deviceHeight } }) {
    if (this.#taking) return false;
    if (!this.#back) return true;
    const page = this.#comesBackTo;
    if (page && !(isSide(deviceWidth, page.width) && isSide(deviceHeight, page.height))) return false;
    if (this.#isShowing && !fits(data, deviceWidth / deviceHeight)) return false;
    this.#comesBackTo = null;
    return true;
  }

  /**
   * Whether it was drawn before one that has come already: Chrome encodes several at once, and on a busy machine the one
   * that is done first may be the newer.
   * @param {Frame} frame
   */
  #isLate({ metadata: { timestamp = this.#newest } }) {
    const lateS = this.#newest - timestamp;
    if (lateS > 0 && lateS < LATE_S) return true;
    this.#newest = timestamp;
    return false;
  }

  /** @param {Frame} frame */
  onFrame(frame) {
    const isOfPage = !this.#isLate(frame) && this.#isOfPage(frame);
    const { deviceWidth: width, deviceHeight: height } = frame.metadata;
    if (isOfPage) this.emulation.drawn(width, height);
    if (!this.#watched || !this.#isShowing || this.#rest || this.#taking) return;
    const { data, sessionId } = frame;
    if (!isOfPage) {
      void this.#quietly("Page.screencastFrameAck", { sessionId });
      return this.#lookAgain();
    }
    clearTimeout(this.#stillness);
    this.#number += 1;
    this.#came += 1;
    if (this.#watched.everyMs) {
      const isOther = data !== this.#sent;
      void this.#restFor(this.#watched.everyMs, isOther ? this.#number : 0);
      if (!isOther) return;
      this.#sent = data;
    } else {
      this.#unpainted.set(this.#number, sessionId);
    }
    this.send({ number: this.#number, data, width, height });
  }

  /** A still page gives no picture by itself, not even one that Chrome left out; and it may have got another size. */
  #lookAgain() {
    clearTimeout(this.#stillness);
    this.#stillness = setTimeout(async () => {
      const size = await this.#pageSize();
      if (this.#comesBackTo) this.#comesBackTo = size;
      await this.#adjust({ isAnew: true });
    }, STILL_MS);
  }

  /**
   * Have Chrome give nothing for so long, and until picture `number` was painted: one that Chrome held back meanwhile
   * would be old.
   * @param {number} everyMs
   * @param {number} number 0 for none
   */
  async #restFor(everyMs, number) {
    const isPainted = Promise.withResolvers();
    const rest = (this.#rest = { number, painted: () => isPainted.resolve(undefined) });
    void this.#adjust();
    await Promise.all([new Promise((done) => setTimeout(done, everyMs)), number ? isPainted.promise : null]);
    if (this.#rest !== rest) return;
    this.#rest = null;
    void this.#adjust();
  }

  get #wanted() {
    const { width: maxWidth, height: maxHeight } = this.#watched ?? {};
    if (this.#watched && !this.#rest) return { format: "jpeg", quality: QUALITY, maxWidth, maxHeight };
    return this.#drawings ? FOR_DRAWING : null;
  }

  /**
   * Have it run as it is wanted once those before are through; it never rejects, for the tab may go meanwhile.
   * @param {{isAnew?: boolean}} [how] `isAnew`: begin again even so, which gives a picture of what is there now
   */
  #adjust({ isAnew = false } = {}) {
    this.#isAnew ||= isAnew;
    // In turn, and by what is wanted when its turn comes: a start before the last stop is through would be refused.
    this.#changing = this.#changing.then(async () => {
      const wanted = this.#wanted;
      const runs = wanted ? JSON.stringify([wanted, this.#watched?.everyMs]) : "";
      if (runs === this.#runs && !(this.#isAnew && runs)) return;
      this.#isAnew = false;
      if (this.#runs) await this.#quietly("Page.stopScreencast");
      this.#runs = runs;
      this.#isShowing = wanted !== FOR_DRAWING;
      this.#unpainted.clear();
      this.#came = 0;
      clearTimeout(this.#stillness);
      if (wanted) await this.#quietly("Page.startScreencast", wanted);
    });
    return this.#changing;
  }

  /**
   * @param {string} method
   * @param {object} [params]
   */
  #quietly(method, params = {}) {
    return this.cdp.send(method, params).catch(() => null); // the tab has gone, and its screencast with it
  }
}

/**
 * Whether a side of a picture is one of the page.
 * @param {number} drawn
 * @param {number} page without its scrollbar
 */
function isSide(drawn, page) {
  return drawn > page - 2 && drawn < page + SCROLLBAR_PX;
}

/**
 * Whether a picture has the shape of the page.
 * @param {string} data
 * @param {number} ratio of the page's width to its height
 */
function fits(data, ratio) {
  const size = jpegSize(data);
  // Its sides are whole pixels.
  return !size || Math.abs(size.width - ratio * size.height) <= 1 + ratio;
}
