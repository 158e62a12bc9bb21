/** Reads the one catalogue. The worker supports no JSON imports, so it is fetched from the package. */
export async function load(url) {
  const text = await (await fetch(url)).text();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  const hash = Array.from(digest.slice(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const commands = new Map(JSON.parse(text).commands.map((entry) => [entry.name, entry]));
  return { commands, hash };
}
