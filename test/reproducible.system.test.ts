import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { BITS, DISTRIBUTIONS, ENVIRONMENTS, POLICIES } from "../packages/core/src/index.js";
import { chromium } from "../scripts/parts.mjs";
import { bundle } from "./bundle.js";
import { runInChromium } from "./chromium.js";
import { ROOT, read } from "./repository.js";
import { Fnv1a } from "./reproducible/fnv1a.mjs";
import { optionsOf } from "./reproducible/run.mjs";
import { PARAMETERS, WORLDS } from "./reproducible/worlds.mjs";

type Hashes = Record<string, string>;
interface Bits {
  readonly hashes: Hashes;
  readonly worlds: Hashes;
}
type Engine = () => Promise<Bits & { version: string }>;

const MODULE = "./test/reproducible/run.mjs";
const SCRIPT = `import { run, runWorlds } from "${MODULE}"; console.log(JSON.stringify({ version: "Node " + process.version, hashes: run(), worlds: runWorlds() }));`;

/** Node of a major version: the one that runs the tests, or the optional dependency node<major>. */
function nodeOf(major: number): Engine | undefined {
  const own = Number.parseInt(process.versions.node, 10) === major;
  const path = own ? process.execPath : join(ROOT, `node_modules/node${major}/bin/node`);
  if (!existsSync(path)) return undefined;
  return async () => JSON.parse((await promisify(execFile)(path, ["--input-type=module", "-e", SCRIPT], { cwd: ROOT })).stdout);
}

async function inChromium() {
  const expression = "({ hashes: reproducible.run(), worlds: reproducible.runWorlds() })";
  const { version, result, errors } = await runInChromium(await bundle(join(ROOT, MODULE), ROOT, "reproducible"), expression);
  expect(errors).toEqual([]);
  return { version, ...(result as Bits) };
}

const ENGINES: Readonly<Record<string, Engine | undefined>> = {
  "Node 20": nodeOf(20),
  "Node 22": nodeOf(22),
  "Node 24": nodeOf(24),
  Chromium: chromium() === undefined ? undefined : inChromium,
};

describe("the same bits on every engine", () => {
  const missing = Object.keys(ENGINES).filter((name) => ENGINES[name] === undefined);
  const found = Object.entries(ENGINES).filter((entry): entry is [string, Engine] => entry[1] !== undefined);
  let first: Bits | undefined;

  // Node 20 is the lowest version that we support. On a machine with a newer one it is missing, and the output says so.
  if (missing.length > 0) console.log(`reproducible: not on this machine, so not compared: ${missing.join(", ")}`);
  const canInstallAll = process.platform === "linux" && process.arch === "x64";
  it.runIf(canInstallAll)("no engine is missing", () => {
    expect(missing.filter((name) => name !== "Node 20")).toEqual([]);
  });

  // Non-regression: the values may be wrong but must not drift. The engines are compared with the file, and so with each other.
  it.each(found)("%s", async (_, engine) => {
    const { version, hashes, worlds } = await engine();
    console.log(`reproducible: ${version}, ${Object.keys(hashes).length + Object.keys(worlds).length} hashes`);
    first ??= { hashes, worlds };
    expect({ hashes, worlds }, "this engine differs from the first").toEqual(first);
    await expect(`${JSON.stringify(hashes, null, 2)}\n`).toMatchFileSnapshot("reproducible/hashes.json", REMEDY);
    await expect(`${JSON.stringify(worlds, null, 2)}\n`).toMatchFileSnapshot("reproducible/worlds.json", WORLDS_REMEDY);
  });
});

const REMEDY =
  "a choice or a function has changed its bits; if that was intended, run npm test -- test/reproducible.system.test.ts -u, and once more to see the new value of BITS";

const WORLDS_REMEDY =
  "a distribution or an environment is new or has changed its bits; if that was intended, npm test -- test/reproducible.system.test.ts -u writes test/reproducible/worlds.json";

describe("nothing in the tables is missing", () => {
  const UPDATE = "run npm test -- test/reproducible.system.test.ts -u";

  it.each(Object.keys(POLICIES))("policy %s", (name) => {
    for (const options of optionsOf(name)) {
      const line = JSON.stringify({ policy: name, ...options });
      expect(
        Object.keys(JSON.parse(read("test/reproducible/hashes.json"))),
        `test/reproducible/hashes.json has no line for ${line}: ${UPDATE}`,
      ).toContain(line);
    }
  });

  it.each([
    ["distribution", Object.keys(DISTRIBUTIONS), PARAMETERS, "PARAMETERS"],
    ["environment", Object.keys(ENVIRONMENTS), WORLDS, "WORLDS"],
  ] as const)("%s", (kind, names, examples, list) => {
    const lines = Object.keys(JSON.parse(read("test/reproducible/worlds.json")));
    for (const name of names) {
      expect(Object.keys(examples), `test/reproducible/worlds.mjs: add the ${kind} ${name} to ${list}`).toContain(name);
      const line = JSON.stringify({ [kind]: name, ...examples[name] });
      expect(lines, `test/reproducible/worlds.json has no line for the ${kind} ${name}: ${UPDATE}`).toContain(line);
    }
  });
});

it("BITS is the hash of the file of hashes: it changes when they do", () => {
  const hash = new Fnv1a();
  for (const byte of new TextEncoder().encode(read("test/reproducible/hashes.json"))) hash.add(byte);
  expect(BITS, "put this hash into packages/core/src/bits.ts").toBe(hash.digest());
});

it("the hash is FNV-1a: reference by BigInt", () => {
  const values = [0, -0, 1, Math.PI, -1e300, 5e-324];
  const hash = new Fnv1a();
  let expected = 0xcbf29ce484222325n;
  for (const value of values) {
    hash.add(value);
    for (const byte of new Uint8Array(Float64Array.of(value).buffer)) expected = BigInt.asUintN(64, (expected ^ BigInt(byte)) * 0x100000001b3n);
  }
  expect(hash.digest()).toBe(expected.toString(16).padStart(16, "0"));
});
