// Starts `kapture mcp` for an MCP client: of the panel that is installed, else of the wheel beside this file.

import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const IS_WINDOWS = process.platform === "win32";

/** Folders where programs are put that a client, started by the desktop, does not have on its PATH. */
const FOLDERS = {
  linux: ["~/.local/bin", "/usr/local/bin", "/usr/bin"],
  darwin: [
    "/Applications/Kapture Panel.app/Contents/MacOS",
    "~/Applications/Kapture Panel.app/Contents/MacOS",
    "~/.local/bin",
    "/opt/homebrew/bin",
    "/usr/local/bin",
  ],
  win32: [join(process.env.LOCALAPPDATA ?? "", "Programs", "Kapture Panel"), "~/.local/bin"],
};

/** The path of an installed program, or "". */
function find(name) {
  const more = (FOLDERS[process.platform] ?? FOLDERS.linux).map((folder) => folder.replace(/^~/, homedir()));
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...more].filter(Boolean);
  const file = IS_WINDOWS ? `${name}.exe` : name;
  return folders.map((folder) => join(folder, file)).find((path) => existsSync(path)) ?? "";
}

/** Program and first arguments of the way that works here, or nothing. */
function way() {
  const wheel = join(HERE, readdirSync(HERE).find((name) => name.endsWith(".whl")) ?? "");
  const ways = [
    ["kapture"],
    ["uvx", "--from", wheel, "kapture"],
    ["pipx", "run", "--spec", wheel, "kapture"],
  ];
  for (const [name, ...first] of ways) {
    const program = find(name);
    if (program) return [program, ...first];
  }
  return undefined;
}

const found = way();
if (found === undefined) {
  console.error("Kapture Panel is not installed, and neither uv nor pipx is there to run the copy in this bundle.");
  console.error("Install the panel, or uv: https://docs.astral.sh/uv/getting-started/installation/");
  process.exit(1);
}
const [program, ...first] = found;
const child = spawn(program, [...first, "mcp", ...process.argv.slice(2)], { stdio: "inherit", windowsHide: true });
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`${program} does not start: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code) => process.exit(code ?? 1));
