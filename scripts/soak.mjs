// `npm run soak`: runs the long version of the tests that have one (test/soak.ts).
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { testFiles } from "./kinds.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const soaks = testFiles().filter((path) => readFileSync(root + path, "utf8").includes('/soak.js"'));
const { status } = spawnSync(process.execPath, [`${root}scripts/test.mjs`, ...soaks], { env: { ...process.env, SOAK: "1" }, stdio: "inherit" });
process.exit(status ?? 1);
