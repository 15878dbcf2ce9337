// The kinds of test files, recognised by the end of their names. vitest.config.ts makes a project of each; scripts/test.mjs prepares what each needs.
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * unit: runs in this process, from the sources, in a few seconds. long: the same, but takes longer. command: needs the build. system: also needs real
 * servers, browsers, other engines, packed packages, or processes to kill.
 * @typedef {"unit" | "long" | "command" | "system"} Kind
 */

/** @type {readonly Kind[]} */
export const KINDS = ["unit", "long", "command", "system"];

/** @param {string} path @returns {Kind} */
export function kindOf(path) {
  const told = /\.(long|command|system)\.test\.ts$/.exec(path)?.[1];
  return /** @type {Kind} */ (told ?? "unit");
}

/** The files of a kind, as vitest wants them. @param {Kind} kind @returns {{ include: string[], exclude: string[] }} */
export function filesOf(kind) {
  const ending = kind === "unit" ? "test.ts" : `${kind}.test.ts`;
  const include = ["packages/*/test", "test"].map((folder) => `${folder}/**/*.${ending}`);
  const others = KINDS.filter((other) => other !== kind && other !== "unit");
  return { include, exclude: kind === "unit" ? others.map((other) => `**/*.${other}.test.ts`) : [] };
}

/** Every test file, as a path from the root. @returns {string[]} */
export function testFiles() {
  const folders = ["test", ...readdirSync(`${ROOT}packages`).map((folder) => `packages/${folder}/test`)].filter((folder) =>
    existsSync(ROOT + folder),
  );
  const files = folders.flatMap((folder) => readdirSync(ROOT + folder, { recursive: true }).map((path) => `${folder}/${path}`));
  return files.filter((path) => path.endsWith(".test.ts"));
}
