/** The addresses that a browser shows in a tab and a debugger may attach to; what is none is its own, or a program's. */
export const OF_PAGES = /^(https?|file|data|blob|about):/i;

/**
 * The host of an address, or its scheme where it has none.
 * @param {string|undefined} url
 */
export function hostOf(url) {
  try {
    const { host, protocol } = new URL(url ?? "");
    return host || protocol;
  } catch {
    return "";
  }
}

/**
 * Scheme and host of an address. `URL.origin` is "null" for every file.
 * @param {string} url
 */
export function originOf(url) {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
