import { PAIRING_EXPIRY_MS, PROTOCOL } from "../basics/agreed.js";
import { hex, nonce } from "../wire/handshake.js";
/** @import { FromExtension, FromPanel, Refused } from "../wire/protocol.js" */

const GREETING_DEADLINE_MS = 10_000;
/**
 * What the panel's refusals mean to the person.
 * @type {Map<string, End["why"]>}
 */
const WHY = new Map([
  ["APPROVAL_EXPIRED", "expired"],
  ["BUSY", "busy"],
  ["RATE_LIMITED", "busy"],
  ["OLD_EXTENSION", "outdated"],
  ["OLD_PANEL", "ahead"],
]);
const KEY = /^[0-9a-f]{64}$/;

const encoder = new TextEncoder();
const sha256 = async (/** @type {string} */ text) =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text)));

/**
 * The code both sides show: six digits of the hash over what was said and the address that was dialled. Through a
 * program that passes on from another port the two codes differ.
 * @param {string} install
 * @param {string} address
 * @param {string} extensionNonce
 * @param {string} panelNonce
 */
export async function codeOf(install, address, extensionNonce, panelNonce) {
  const digest = await sha256(["pairing", install, address, extensionNonce, panelNonce].join("\n"));
  return String(new DataView(digest.buffer).getBigUint64(0) % 1_000_000n).padStart(6, "0");
}

/** @typedef {{why: "away"|"expired"|"refused"|"busy"|"outdated"|"ahead"|"wrong", message: string}} End why nothing came of it */

/**
 * One try to be paired with the program on a port. It says nothing of this browser but a random name, and takes no
 * key before the person has confirmed the code here.
 *
 * `onCode(code)` comes when there is something to compare; then, once, either `onPaired(key)` or
 * `onOver({why, message})`.
 */
export class Pairing {
  #confirmed = false;
  #isOver = false;
  /** @type {number|undefined} */
  #timer;

  /** @param {{url: string, install: string, onCode: (code: string) => void, onPaired: (key: string) => void,
   *   onOver: (end: End) => void, WebSocket?: typeof WebSocket}} options */
  constructor(options) {
    this.options = { WebSocket: globalThis.WebSocket, ...options };
  }

  async open() {
    const { url, install, WebSocket } = this.options;
    const mine = nonce();
    const commitment = hex(await sha256(mine));
    if (this.#isOver) return;
    const socket = (this.socket = new WebSocket(url));
    const steps = this.#steps(mine);
    this.#until(GREETING_DEADLINE_MS, {
      why: "wrong",
      message: "the program on that port did not answer as Kapture Panel does",
    });
    socket.onopen = () => this.#send({ type: "pair", protocol: PROTOCOL, install, commitment });
    socket.onmessage = async ({ data }) => {
      try {
        await steps(JSON.parse(data));
      } catch (error) {
        this.#over({ why: "wrong", message: error.message });
      }
    };
    socket.onclose = () => this.#over({ why: "away", message: "Kapture Panel is not there" });
  }

  /** The person says that both codes are the same. */
  confirm() {
    this.#confirmed = true;
    this.#send({ type: "confirm" });
  }

  /** Give it up; nothing is told any more. */
  close() {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.socket?.close();
  }

  /**
   * @param {string} mine
   * @returns {(frame: FromPanel) => Promise<void>}
   */
  #steps(mine) {
    const { url, install, onCode, onPaired } = this.options;
    let due = "pairing";
    return async (frame) => {
      if (this.#isOver) return;
      if (frame.type === "refused") return this.#over(refusal(frame));
      if (frame.type !== due) throw new Error(`the program on that port sent ${frame.type} where ${due} was due`);
      if (frame.type === "pairing") {
        due = "paired";
        const code = await codeOf(install, new URL(url).host, mine, frame.nonce);
        if (this.#isOver) return;
        this.#send({ type: "reveal", nonce: mine });
        this.#until(PAIRING_EXPIRY_MS, { why: "expired", message: "nobody compared the codes in time" });
        onCode(code);
        return;
      }
      if (frame.type !== "paired" || !this.#confirmed || !KEY.test(frame.key))
        throw new Error("the program on that port sent a key nobody had agreed to");
      this.close();
      onPaired(frame.key);
    };
  }

  /**
   * @param {number} ms
   * @param {End} end
   */
  #until(ms, end) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#over(end), ms);
  }

  /** @param {End} end */
  #over(end) {
    if (this.#isOver) return;
    this.close();
    this.options.onOver(end);
  }

  /** @param {FromExtension} message */
  #send(message) {
    if (this.socket?.readyState === 1) this.socket.send(JSON.stringify(message));
  }
}

/**
 * @param {Refused} frame
 * @returns {End}
 */
function refusal({ code, message }) {
  return { why: WHY.get(code) ?? "refused", message: String(message) };
}
