/**
 * @typedef {{name: string, title: string, description: string, help?: string, group: string, icon: string,
 *   class: "read"|"interact"|"navigate"|"execute"|"file", scope: "tab"|"browser"|"panel",
 *   target: "none"|"optional"|"required", action?: boolean, immediate?: boolean, result: string,
 *   choices?: {of: string[][], needed?: boolean},
 *   inputSchema: {properties: Record<string, any>, required?: string[]}}} Entry a command of commands.json
 * @typedef {{commands: Map<string, Entry>, hash: string}} Catalogue
 */

/**
 * Reads the one catalogue. The worker supports no JSON imports, so it is fetched from the package.
 * @param {string} url
 * @returns {Promise<Catalogue>}
 */
export async function load(url) {
  const text = await (await fetch(url)).text();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  const hash = Array.from(digest.slice(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const commands = new Map(JSON.parse(text).commands.map((/** @type {Entry} */ entry) => [entry.name, entry]));
  return { commands, hash };
}
