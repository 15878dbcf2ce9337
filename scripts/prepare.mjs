// Runs after `npm ci` and `npm install`: builds every room, so that `npx tsallis` works at once.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { createRequire } from "node:module";

// The node22 and node24 packages (the engines of the reproducibility test) each bring a binary called
// `node`. In node_modules/.bin, it would take precedence over the user's own Node in every npm script.
for (const name of ["node", "node.cmd", "node.ps1"]) rmSync(new URL(`../node_modules/.bin/${name}`, import.meta.url), { force: true });

const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
const root = new URL("..", import.meta.url);
const { status } = spawnSync(process.execPath, [tsc, "-b"], { cwd: root, stdio: "inherit" });
process.exit(status ?? 1);
