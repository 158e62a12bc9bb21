// Whether a field holds a text, however its page writes it.

export const same = (taken, value) => inLines(taken) === inLines(value);
const inLines = (text) =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/\u00a0/g, " ")
    .replace(/\n+$/, "");
export const bare = (text) => text.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();

export const holdsText = (taken, text) =>
  inLines(taken).includes(inLines(text)) || (bare(text) !== "" && bare(taken).includes(bare(text)));
