/** @import { Entry } from "../wire/catalogue.js" */
/** @import { Schema } from "./form/field.js" */

/**
 * @typedef {Entry & {shortName: string, also?: string, required: Set<string>, targetProperties: Record<string, Schema>,
 *   properties: Record<string, Schema>}} Command as its form needs it
 * @typedef {{title: string, commands: Command[]}} Group
 */

/** The commands of the catalogue that are about one tab, as forms need them. */
export class Commands {
  /**
   * @param {{commands: (Entry & {also?: string})[], groups: {name: string, title: string}[], shared: Record<string, Schema>,
   *   target: Record<string, Schema>}} catalogue what commands.json holds
   */
  constructor({ commands, groups, shared, target }) {
    /** @type {Command[]} */
    this.all = commands
      .filter(({ scope }) => scope === "tab")
      .map((entry) => ({
        ...entry,
        shortName: entry.name.replace("kapturemcp_", ""),
        required: new Set(entry.inputSchema.required),
        targetProperties: entry.target === "none" ? {} : target,
        properties: {
          ...entry.inputSchema.properties,
          ...(entry.action && { snapshot: shared.snapshot }),
          timeout: shared.timeout,
        },
      }));
    /** @type {Group[]} */
    this.groups = groups
      .map(({ name, title }) => ({ title, commands: this.all.filter(({ group }) => group === name) }))
      .filter(({ commands: some }) => some.length);
  }

  /** @param {string} name */
  get(name) {
    return this.all.find((entry) => entry.name === name);
  }

  /**
   * The groups with the commands that have every word of `text` in their title, name, description or the words beside.
   * @param {string} text
   */
  found(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const has = (/** @type {Command} */ { title, shortName, also = "", description }) => {
      const said = `${title} ${shortName} ${also} ${description}`.toLowerCase();
      return words.every((word) => said.includes(word));
    };
    return this.groups
      .map(({ title, commands }) => ({ title, commands: commands.filter(has) }))
      .filter(({ commands }) => commands.length);
  }
}
