/** The commands of the catalogue that are about one tab, as forms need them. */
export class Commands {
  /** @param catalogue what commands.json holds */
  constructor({ commands, groups, shared, target }) {
    this.all = commands.filter(({ scope }) => scope === "tab").map((entry) => ({
      ...entry,
      shortName: entry.name.replace("kapturemcp_", ""),
      required: new Set(entry.inputSchema.required),
      targetProperties: entry.target === "none" ? {} : target,
      properties: { ...entry.inputSchema.properties, ...(entry.action && { snapshot: shared.snapshot }), timeout: shared.timeout },
    }));
    this.groups = groups.map(({ name, title }) => ({ title, commands: this.all.filter(({ group }) => group === name) })).filter(({ commands: some }) => some.length);
  }

  get(name) {
    return this.all.find((entry) => entry.name === name);
  }

  /** The groups with the commands that have every word of `text` in their title, name, description or the words beside. */
  found(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const has = ({ title, shortName, also = "", description }) => {
      const said = `${title} ${shortName} ${also} ${description}`.toLowerCase();
      return words.every((word) => said.includes(word));
    };
    return this.groups.map(({ title, commands }) => ({ title, commands: commands.filter(has) })).filter(({ commands }) => commands.length);
  }
}
