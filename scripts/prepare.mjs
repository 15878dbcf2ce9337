// Runs after `npm ci` and `npm install`: builds every room, so that `npx tsallis` works at once.
import { rmSync } from "node:fs";

// The node22 and node24 packages (the engines of the reproducibility test) each bring a binary called
// `node`. In node_modules/.bin, it would take precedence over the user's own Node in every npm script.
for (const name of ["node", "node.cmd", "node.ps1"]) rmSync(new URL(`../node_modules/.bin/${name}`, import.meta.url), { force: true });

await import("./build.mjs");
