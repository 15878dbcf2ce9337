// `npm run soak`: runs the long version of the tests that have one (test/soak.ts); with arguments, only those whose paths have one of them.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { testFiles } from "./kinds.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const wanted = process.argv.slice(2);
const soaks = testFiles()
  .filter((path) => readFileSync(root + path, "utf8").includes('/soak.js"'))
  .filter((path) => wanted.length === 0 || wanted.some((part) => path.includes(part)));
const { status } = spawnSync(process.execPath, [`${root}scripts/test.mjs`, ...soaks], { env: { ...process.env, SOAK: "1" }, stdio: "inherit" });
process.exit(status ?? 1);
