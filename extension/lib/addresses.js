/** The host of an address, or its scheme where it has none. */
export function hostOf(url) {
  try {
    const { host, protocol } = new URL(url);
    return host || protocol;
  } catch {
    return "";
  }
}

/** Scheme and host of an address. `URL.origin` is "null" for every file. */
export function originOf(url) {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
