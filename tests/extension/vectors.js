import { readFileSync } from "node:fs";

/** What panel and extension do alike to addresses; the panel's tests read the same file. */
export const vectors = JSON.parse(readFileSync(new URL("../vectors/addresses.json", import.meta.url), "utf8"));
