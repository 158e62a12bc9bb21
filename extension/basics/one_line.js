const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/**
 * One line of words that a page or an agent chose: nothing in it breaks the line or turns its direction.
 * @param {unknown} text
 */
export function oneLine(text, length = 200) {
  const plain = String(text ?? "")
    .replace(HIDDEN, " ")
    .trim();
  return plain.length > length ? `${plain.slice(0, length - 1)}…` : plain;
}
