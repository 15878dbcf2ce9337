import { describe, expect, it } from "vitest";
import { read } from "./repository.js";

/** A package in package-lock.json, by the folder that it is installed into. */
interface Locked {
  readonly link?: boolean;
  readonly resolved?: string;
  readonly engines?: { readonly node?: string };
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly peerDependenciesMeta?: Record<string, { readonly optional?: boolean }>;
}

type Lock = Readonly<Record<string, Locked>>;

const lock = (JSON.parse(read("package-lock.json")) as { packages: Lock }).packages;

/** The folder that Node finds a package in, from another package's folder; undefined if it is not installed. */
function found(packages: Lock, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")))) {
    const path = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    const entry = packages[path];
    if (entry !== undefined) return entry.link ? entry.resolved : path;
    if (folder === "") return undefined;
  }
}

/** Everything that comes along when a package is installed: its dependencies and theirs, for every platform, and the peers that they insist on. */
function installedWith(packages: Lock, root: string, all = new Set<string>()): Set<string> {
  if (all.has(root)) return all;
  all.add(root);
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = packages[root]!;
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
    const path = found(packages, root, name);
    if (path !== undefined) installedWith(packages, path, all);
  }
  return all;
}

/** The oldest Node that our own packages allow. */
const OURS = [20, 19, 0];

/** Whether a range of versions, as engines has them, allows the oldest Node that we do. */
function allowsOurs(range: string): boolean {
  return range.split("||").some((each) => [...each.matchAll(/(>=|<=|>|<|\^|~)?\s*v?(\d+|\*|x)(?:\.(\d+|\*|x))?(?:\.(\d+|\*|x))?/g)].every(allowed));
}

function allowed([, operator = "", ...parts]: RegExpMatchArray): boolean {
  const given = parts.filter((part) => part !== undefined).map(Number);
  const known = given.findIndex(Number.isNaN);
  const version = known < 0 ? given : given.slice(0, known);
  const order = compared(OURS, version);
  if (operator === ">=") return order >= 0;
  if (operator === ">") return order > 0;
  if (operator === "<") return order < 0;
  if (operator === "<=") return order <= 0;
  if (operator === "^") return order >= 0 && (version.length === 0 || version[0] === OURS[0]);
  if (operator === "~") return order >= 0 && version.slice(0, 2).every((part, i) => part === OURS[i]);
  return version.every((part, i) => part === OURS[i]);
}

function compared(ours: readonly number[], theirs: readonly number[]): number {
  const differs = ours.findIndex((part, i) => part !== (theirs[i] ?? 0));
  return differs < 0 ? 0 : ours[differs]! - (theirs[differs] ?? 0);
}

function complaints(packages: Lock, root: string): string[] {
  return [...installedWith(packages, root)].flatMap((path) => {
    const { engines, hasInstallScript } = packages[path]!;
    const node = engines?.node ?? "*";
    return [...(hasInstallScript ? [`${path} has an install script`] : []), ...(allowsOurs(node) ? [] : [`${path} wants Node ${node}`])];
  });
}

describe("whoever installs a package", () => {
  it.each(["core", "lab", "router", "service", "cli"])("%s needs no newer Node and runs no script", (folder) => {
    expect(complaints(lock, `packages/${folder}`)).toEqual([]);
  });

  it("the repository is warned of nothing by npm: no package needs a newer Node, and every install script is allowed or denied", () => {
    const { allowScripts } = JSON.parse(read("package.json")) as { allowScripts: Record<string, boolean> };
    const scripts = Object.entries(lock).filter(([, { hasInstallScript }]) => hasInstallScript);
    expect(scripts.map(([path]) => path.replace(/.*node_modules\//, ""))).toEqual(Object.keys(allowScripts));
    expect(Object.entries(lock).filter(([, { engines }]) => !allowsOurs(engines?.node ?? "*"))).toEqual([]);
  });

  it("the site needs no newer Node either, and its lock file is whole", () => {
    const site = (JSON.parse(read("site/package-lock.json")) as { packages: Lock }).packages;
    const wanted = Object.entries(site).map(([path, { engines }]) => [path, engines?.node ?? "*"] as const);
    expect(wanted.filter(([, node]) => !allowsOurs(node))).toEqual([]);
    // npm ci refuses a lock file that leaves out the binaries of other platforms, as npm install writes it where a registry lacks some.
    const optional = Object.entries(site).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).map((name) => [path, name] as const),
    );
    expect(optional.filter(([path, name]) => found(site, path, name) === undefined)).toEqual([]);
  });

  it("service gets the store's driver for every platform, and neither that of PostgreSQL nor the lab", () => {
    const paths = [...installedWith(lock, "packages/service")];
    expect(paths).toEqual(expect.arrayContaining(["packages/core", "node_modules/fastify", "node_modules/libsql"]));
    expect(paths.filter((path) => path.includes("@libsql/")).length).toBeGreaterThan(5);
    for (const path of ["node_modules/pg", "packages/lab"]) expect(paths).not.toContain(path);
  });

  it("would be told of a planted one", () => {
    const planted: Lock = {
      "packages/x": { dependencies: { a: "1", b: "1" }, peerDependencies: { p: "1", q: "1" }, peerDependenciesMeta: { q: { optional: true } } },
      "node_modules/a": { optionalDependencies: { c: "1", absent: "1" } },
      "node_modules/a/node_modules/c": { hasInstallScript: true },
      "node_modules/c": { engines: { node: ">=99" } },
      "node_modules/b": { link: true, resolved: "packages/b" },
      "packages/b": { engines: { node: "^18.0.0 || >=22.12" }, dependencies: { a: "1" } },
      "node_modules/p": { engines: { node: ">= 22" } },
      "node_modules/q": { hasInstallScript: true },
    };
    expect(complaints(planted, "packages/x")).toEqual([
      "node_modules/a/node_modules/c has an install script",
      "packages/b wants Node ^18.0.0 || >=22.12",
      "node_modules/p wants Node >= 22",
    ]);
  });

  it.each([
    ["*", true],
    [">=18", true],
    [">= 20.19.0", true],
    [">=20.20", false],
    [">=18 <20", false],
    [">=18.0.0 <21", true],
    ["^20.19.0 || >=22.12.0", true],
    ["18 || 20 || >=22", true],
    ["20.x", true],
    ["^18.17.0 || >=20.5.0", true],
    ["~20.18.1", false],
    [">=22.0.0", false],
  ])("a range is read as npm does: %s", (range, isAllowed) => {
    expect(allowsOurs(range)).toBe(isAllowed);
  });
});
