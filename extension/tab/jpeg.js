/** So much of a picture, in Base64, has its head; a whole number of bytes. */
const HEAD_CHARS = 8192;
/** Before the size stand markers (ITU T.81, B.2); it is in the first of these. */
const FRAMES = [0xc0, 0xc1, 0xc2];

/**
 * The size of a picture in pixels.
 * @param {string} data a JPEG as Base64
 * @returns {{width: number, height: number}|null} null if its head does not say
 */
export function jpegSize(data) {
  const head = Uint8Array.from(atob(data.slice(0, HEAD_CHARS)), (sign) => sign.charCodeAt(0));
  const number = (/** @type {number} */ at) => (head[at] << 8) | head[at + 1];
  for (let at = 2; at + 9 <= head.length && head[at] === 0xff; at += 2 + number(at + 2))
    if (FRAMES.includes(head[at + 1])) return { height: number(at + 5), width: number(at + 7) };
  return null;
}
