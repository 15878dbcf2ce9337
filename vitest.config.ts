import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { filesOf, KINDS } from "./scripts/kinds.mjs";

const PACKAGES = fileURLToPath(new URL("packages", import.meta.url));

/** Resolves every entry of every package to its source instead of the build: each file of `exports` in dist/ has its TypeScript in src/. */
function sources(): { find: RegExp; replacement: string }[] {
  return readdirSync(PACKAGES).flatMap((folder) => {
    const manifest = JSON.parse(readFileSync(`${PACKAGES}/${folder}/package.json`, "utf8"));
    const entries = Object.entries((manifest.exports ?? {}) as Record<string, { default?: string }>);
    return entries.flatMap(([entry, { default: built }]) => {
      if (!built?.startsWith("./dist/")) return [];
      const name = `${manifest.name}${entry.slice(1)}`;
      const source = built.replace("./dist/", "src/").replace(/\.js$/, ".ts");
      return [{ find: new RegExp(`^${name}$`), replacement: `${PACKAGES}/${folder}/${source}` }];
    });
  });
}

/** The benchmarks import some files of the command by their path in its build. */
const INSIDE_COMMAND = { find: /^@tsallis\/cli\/dist\/(.*)\.js$/, replacement: `${PACKAGES}/cli/src/$1.ts` };

const FROM_SOURCES = { resolve: { alias: [...sources(), INSIDE_COMMAND] } };
/** Node loads the build, as it does for users. */
const FROM_BUILD = { server: { deps: { external: [/\/packages\/\w+\/dist\//] } } };
/** Node loads modules of a user's own too, so that what they load can be watched. */
const OWN_MODULES = { server: { deps: { external: [/\.mjs$/] } } };

export default defineConfig({
  test: {
    // One more than there are cores: many tests wait for servers and processes. By default vitest leaves a core idle, half of a machine with two.
    maxWorkers: availableParallelism() + 1,
    projects: KINDS.map((kind) => {
      const built = kind === "command" || kind === "system";
      // A busy machine must not fail a test. A test that waits for an event has its own limit, and says what did not come.
      const timeout = (built ? 1_200_000 : 300_000) * (process.env.SOAK === undefined ? 1 : 6);
      return {
        ...(built ? {} : FROM_SOURCES),
        test: {
          name: kind,
          ...filesOf(kind),
          ...(built ? FROM_BUILD : OWN_MODULES),
          // Loading the library again for every file takes as long as the tests of it.
          isolate: kind !== "unit",
          setupFiles: kind === "unit" ? ["test/fixedSeed.ts", "test/ownEntries.ts"] : ["test/fixedSeed.ts"],
          testTimeout: timeout,
          hookTimeout: timeout,
        },
      };
    }),
  },
});
