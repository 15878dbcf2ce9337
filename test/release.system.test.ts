import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { unfit, unfitTarball } from "../scripts/releaseChecks.mjs";
import { ROOT, read } from "./repository.js";

const scratch = mkdtempSync(join(tmpdir(), "tsallis-release-test-"));
afterAll(() => rmSync(scratch, { recursive: true }));

/** npm with a registry that nobody answers for: these tests need none. */
const env = { ...process.env, npm_config_registry: "http://127.0.0.1:9/", npm_config_update_notifier: "false" };

function dryRun(more: Record<string, string> = {}) {
  return spawnSync(process.execPath, ["scripts/release.mjs", "--dry-run"], { cwd: ROOT, encoding: "utf8", env: { ...env, ...more } });
}

it("a release would go through: everything is done but to publish", () => {
  const { stdout, stderr, status } = dryRun();
  const { version } = JSON.parse(read("packages/core/package.json")) as { version: string };
  const names = ["tsallis", "@tsallis/lab", "@tsallis/router", "@tsallis/service", "@tsallis/cli"];
  expect(stdout.trim().split("\n"), stderr).toEqual(names.map((name) => `+ ${name}@${version}`));
  expect(status).toBe(0);
});

it("one for which there is a complaint would not", () => {
  const { stdout, stderr, status } = dryRun({ GITHUB_REF_TYPE: "tag", GITHUB_REF_NAME: "v0.0.0-planted" });
  expect([stdout, status]).toEqual(["", 1]);
  expect(stderr).toMatch(/^Nothing is published:\n- the tag is v0\.0\.0-planted, the packages are /);
});

describe("a tarball is refused", () => {
  const sound = { name: "planted", version: "1.0.0", type: "module", license: "MIT", engines: { node: ">=20" }, sideEffects: false, files: ["dist"] };
  const entry = (name: string) => ({ types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` });
  const typed = { "dist/index.js": "export const one = 1;\n", "dist/index.d.ts": "export declare const one: number;\n" };

  async function complaints(manifest: object, files: Record<string, string>): Promise<string[]> {
    const folder = mkdtempSync(join(scratch, "planted-"));
    for (const [path, text] of Object.entries({ ...files, "package.json": JSON.stringify({ ...sound, ...manifest }) })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const tarball = execFileSync("npm", ["pack", "--silent", "--offline"], { cwd: folder, encoding: "utf8", env }).trim();
    return unfitTarball(join(folder, tarball));
  }

  it("but for a sound one", async () => {
    expect(await complaints({ exports: { ".": entry("index") } }, typed)).toEqual([]);
  });

  it.each<[string, object, Record<string, string>, RegExp[]]>([
    ["without types", { exports: "./dist/index.js" }, { "dist/index.js": typed["dist/index.js"] }, [/^holds no type declarations/]],
    [
      "without types at one entry",
      { exports: { ".": entry("index"), "./more": "./dist/more.js" } },
      { ...typed, "dist/more.js": typed["dist/index.js"] },
      [/^types: .\/more \(node16-esm\): /, /^types: .\/more \(bundler\): /],
    ],
    [
      "whose types come too late",
      { exports: { ".": { default: "./dist/index.js", types: "./dist/index.d.ts" } } },
      typed,
      [/^publint: .*types should be the first/, /^publint: .*default should be the last/],
    ],
    [
      "whose types lack a file",
      { exports: { ".": entry("index") } },
      { ...typed, "dist/index.d.ts": 'export * from "./gone.js";\n' },
      [/^types: .*index\.d\.ts: /],
    ],
    [
      "that names a file which it does not hold",
      { exports: { ".": entry("index") }, files: ["dist/*.d.ts"] },
      typed,
      [/^publint: .*dist\/index\.js/],
    ],
    [
      "whose command nothing can start",
      { bin: "./dist/index.js" },
      { "dist/index.js": typed["dist/index.js"] },
      [/^publint: .*#!\/usr\/bin\/env node/],
    ],
    [
      "whose maps lead nowhere",
      { exports: { ".": entry("index") } },
      {
        ...typed,
        "dist/index.js": `${typed["dist/index.js"]}//# sourceMappingURL=index.js.map\n`,
        "dist/index.d.ts": `${typed["dist/index.d.ts"]}//# sourceMappingURL=index.d.ts.map\n`,
        "dist/index.d.ts.map": JSON.stringify({ version: 3, sources: ["../src/index.ts"], mappings: "" }),
      },
      [/^maps: .*dist\/index\.js names index\.js\.map, which is not packed/, /^maps: .*dist\/index\.d\.ts\.map names \.\.\/src\/index\.ts/],
    ],
    ["whose repository is not one", { exports: { ".": entry("index") }, repository: "tsallis" }, typed, [/^publint: .*repository/]],
  ])("%s", async (_, manifest, files, expected) => {
    const found = await complaints(manifest, files);
    for (const pattern of expected) expect(found).toContainEqual(expect.stringMatching(pattern));
  });
});

describe("packages are refused that", () => {
  const origin = "https://example.com/o/r";
  const repository = { url: `git+${origin}.git` };
  const core = { name: "tsallis", version: "1.2.0", repository };
  const lab = { name: "@tsallis/lab", version: "1.2.0", repository, dependencies: { tsallis: "1.2.0", yaml: "2.9.1" } };
  const changelog = "# Changelog\n\n## 1.2.0, 2027-01-31\n\n## 1.1.0, 2026-12-31\n";
  const next = changelog.replace("2027-01-31", "not yet released");

  it("no others", () => {
    expect(unfit([core, lab], changelog, { tag: "v1.2.0", origin, final: true })).toEqual([]);
    expect(unfit([core, lab], next, { origin, final: false })).toEqual([]);
  });

  it("have several versions", () => {
    expect(unfit([core, { ...lab, version: "1.3.0" }], changelog, { origin, final: true })).toEqual([
      "@tsallis/lab is 1.3.0, but tsallis is 1.2.0: give all packages one version",
    ]);
    expect(unfit([core, { ...lab, dependencies: { tsallis: "1.1.0" } }], changelog, { origin, final: true })).toEqual([
      "@tsallis/lab depends on tsallis 1.1.0: make it 1.2.0",
    ]);
  });

  it("come before what they need", () => {
    expect(unfit([lab, core], changelog, { origin, final: true })).toEqual([
      "@tsallis/lab needs tsallis: list that first in the workspaces of package.json",
    ]);
  });

  it("have another tag", () => {
    expect(unfit([core, lab], changelog, { tag: "v1.2", origin, final: true })).toEqual([
      "the tag is v1.2, the packages are 1.2.0: tag v1.2.0, or change the versions",
    ]);
  });

  it("name an address that is not theirs, or none when they are to be published", () => {
    const real = { ...core, homepage: `${origin}/tree/main/packages/core#readme`, bugs: `${origin}/issues` };
    expect(unfit([real], changelog, { origin, final: true })).toEqual([]);
    const { repository: _, ...nowhere } = core;
    expect(unfit([nowhere], changelog, { origin, final: false })).toEqual([]);
    expect(unfit([nowhere], changelog, { origin, final: true })).toEqual(["tsallis has no repository: name it in package.json"]);
    expect(unfit([{ ...real, bugs: `${origin}s/issues` }], changelog, { origin, final: false })).toEqual([
      `tsallis has bugs ${origin}s/issues, but this clone comes from ${origin}: correct it or leave it out`,
    ]);
    expect(unfit([real], changelog, { final: false })).toHaveLength(3);
  });

  it("the changelog does not know, or not yet", () => {
    expect(unfit([core, lab], changelog.replace("1.2.0", "1.2.0-rc"), { origin, final: false })).toEqual([
      'CHANGELOG.md has no section "## 1.2.0": write it',
    ]);
    expect(unfit([core, lab], next, { origin, final: true })).toEqual(['CHANGELOG.md says "1.2.0, not yet released": put the date there']);
  });
});
