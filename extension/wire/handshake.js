/** @import { Hello } from "./protocol.js" */

/**
 * The mutual proof: HMAC-SHA256 over who proves, the address, protocol, role, install, tab and both nonces.
 * The proving side is part of the text, so a proof sent back to its author is worthless; the address that was dialled
 * is, so one passed on by a program on another port is, too.
 */

/** @typedef {Omit<Hello, "type">} HelloSaid who is to be proved */

const encoder = new TextEncoder();

/** 32 random bytes as hex. */
export function nonce() {
  return hex(crypto.getRandomValues(new Uint8Array(32)));
}

/**
 * The proof of one side, as hex.
 * @param {string} key
 * @param {"panel"|"extension"} side
 * @param {HelloSaid} hello
 * @param {string} panelNonce
 * @param {string} address
 */
export async function proof(key, side, hello, panelNonce, address) {
  const signature = await crypto.subtle.sign(
    "HMAC",
    await imported(key, "sign"),
    text(side, hello, panelNonce, address),
  );
  return hex(new Uint8Array(signature));
}

/**
 * Whether `claimed` is the proof of `side`; compared in constant time by WebCrypto.
 * @param {string} key
 * @param {"panel"|"extension"} side
 * @param {HelloSaid} hello
 * @param {string} panelNonce
 * @param {string} address
 * @param {string} claimed
 */
export async function verify(key, side, hello, panelNonce, address, claimed) {
  // A claim of any other form becomes bytes that fit no signature.
  const bytes = Uint8Array.from(String(claimed).match(/[0-9a-f]{2}/g) ?? [], (pair) => parseInt(pair, 16));
  return crypto.subtle.verify("HMAC", await imported(key, "verify"), bytes, text(side, hello, panelNonce, address));
}

/**
 * @param {"panel"|"extension"} side
 * @param {HelloSaid} hello
 * @param {string} panelNonce
 * @param {string} address
 */
function text(side, hello, panelNonce, address) {
  return encoder.encode(
    [side, address, hello.protocol, hello.role, hello.install, hello.tabId ?? "", hello.nonce, panelNonce].join("\n"),
  );
}

/**
 * @param {string} key
 * @param {KeyUsage} usage
 */
function imported(key, usage) {
  // The key's hex digits are the key, as in the panel: neither side decodes them.
  return crypto.subtle.importKey("raw", encoder.encode(key), { name: "HMAC", hash: "SHA-256" }, false, [usage]);
}

/** @param {Uint8Array} bytes */
export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
