/** @type {Record<string, string>} */
const MIME = { png: "image/png", jpeg: "image/jpeg", webp: "image/webp" };

/**
 * An address of this page's own for a picture in base64.
 * @param {string} base64
 * @param {string} format
 */
export function addressOf(base64, format) {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  return URL.createObjectURL(new Blob([bytes], { type: MIME[format] }));
}
