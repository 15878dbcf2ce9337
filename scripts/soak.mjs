// `npm run soak`: the tests that have a long version (test/soak.ts), in that.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folders = ["test", ...readdirSync(`${root}packages`).map((folder) => `packages/${folder}/test`)];
const tests = folders.flatMap((folder) => readdirSync(root + folder).map((name) => `${folder}/${name}`)).filter((path) => path.endsWith(".test.ts"));
const soaks = tests.filter((path) => readFileSync(root + path, "utf8").includes('/soak.js"'));
const { status } = spawnSync(process.execPath, [`${root}scripts/test.mjs`, ...soaks], { env: { ...process.env, SOAK: "1" }, stdio: "inherit" });
process.exit(status ?? 1);
