// Makes extension/page.bundle.js, the script for the page's isolated world, of the modules in extension/page/.

import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { rollup } from "@rollup/wasm-node";

const EXTENSION = new URL("../extension/", import.meta.url);
export const BUNDLE = new URL("page.bundle.js", EXTENSION);

/** The text of the script; a circle of imports, or a name nobody exports, is an error. */
export async function bundle() {
  const built = await rollup({
    input: fileURLToPath(new URL("page/kapture.js", EXTENSION)),
    treeshake: false,
    onLog(level, { message }) {
      throw new Error(`${level}: ${message}`);
    },
  });
  const { output } = await built.generate({
    format: "iife",
    indent: false,
    banner: "// Generated from extension/page/ by `make bundle`; changes belong there.",
    // Installed once per document: a second installation changes nothing.
    intro: "if (globalThis.kapture) return;",
  });
  return output[0].code;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(BUNDLE, await bundle());
