import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { CLI_ERROR_CODES } from "../packages/cli/src/text/failure.js";
import { ERROR_CODES } from "../packages/core/src/index.js";
import { LAB_ERROR_CODES } from "../packages/lab/src/labError.js";
import { ROUTER_ERROR_CODES } from "../packages/router/src/routerError.js";
import { SERVICE_ERROR_CODES } from "../packages/service/src/serviceError.js";
import { KINDS, kindOf } from "../scripts/kinds.mjs";
import { REPOSITORY } from "../site/addresses.mjs";
import { codesIn } from "./fences/codes.js";
import { type Folders, strayFolders } from "./fences/folders.js";
import { strayImports } from "./fences/imports.js";
import { impurities } from "./fences/impurities.js";
import { outside } from "./fences/outside.js";
import { strayText } from "./fences/strayText.js";
import { ROOT, read, repositoryFiles } from "./repository.js";

/**
 * The rooms, by folder in packages/: which of the repository's packages each may import, which of these also by the files inside, which builds by their
 * paths, and whether it may use Node. No room imports the bench.
 */
const ROOMS: Readonly<Record<string, { packages: string[]; inside?: string[]; builds?: string[]; node: boolean }>> = {
  core: { packages: [], node: false },
  lab: { packages: ["tsallis", "tsallis/evidence", "tsallis/statistics"], node: true },
  router: { packages: ["tsallis", "tsallis/statistics"], node: true },
  service: { packages: ["tsallis", "tsallis/evidence", "tsallis/statistics"], node: true },
  web: { packages: ["tsallis", "tsallis/statistics", "@tsallis/lab/play", "@tsallis/service/client"], node: false },
  cli: {
    packages: [
      "tsallis",
      "tsallis/evidence",
      "tsallis/statistics",
      "@tsallis/lab",
      "@tsallis/lab/advice",
      "@tsallis/lab/evaluation",
      "@tsallis/lab/fleet",
      "@tsallis/lab/report",
      "@tsallis/service",
      "@tsallis/service/client",
    ],
    node: true,
  },
  bench: {
    packages: [
      "tsallis",
      "tsallis/evidence",
      "tsallis/statistics",
      "@tsallis/lab",
      "@tsallis/lab/advice",
      "@tsallis/lab/fleet",
      "@tsallis/lab/play",
      "@tsallis/router",
      "@tsallis/service",
      "@tsallis/cli",
    ],
    inside: ["@tsallis/cli"],
    builds: ["service", "router"],
    node: true,
  },
};

/** The folders inside the rooms that have some. */
const FOLDERS: Readonly<Record<string, Folders>> = {
  core: {
    common: ["errors.ts", "largestLoss.ts", "parameters.ts", "registry.ts", "requireArm.ts"],
    folders: {
      elementary: [],
      random: [],
      special: ["elementary"],
      statistics: ["elementary", "special"],
      evidence: ["elementary", "statistics"],
      estimators: ["elementary", "special"],
      kernel: ["elementary", "random"],
      distributions: ["elementary", "random", "special"],
      environments: ["distributions", "elementary", "random"],
      "policies/base": ["elementary", "environments", "estimators", "kernel", "random"],
      "policies/matched": ["policies/base", "elementary", "kernel", "random"],
      policies: ["policies/base", "policies/matched", "distributions", "elementary", "estimators", "kernel", "random"],
      theory: ["elementary", "environments"],
    },
  },
  lab: {
    common: ["labError.ts"],
    folders: {
      statistics: [],
      format: [],
      conformance: [],
      chart: ["format"],
      anatomy: ["statistics"],
      document: ["anatomy", "conformance"],
      run: ["anatomy", "conformance", "document", "statistics"],
      theory: ["document", "statistics"],
      executors: ["document", "run"],
      "fleet/queue": ["document", "run"],
      "fleet/coordinator": ["fleet/queue", "document", "executors", "run"],
      "fleet/worker": ["fleet/queue", "document", "run"],
      fleet: ["fleet/coordinator", "fleet/queue", "fleet/worker"],
      journal: ["document", "run"],
      analysis: ["document", "format", "run", "statistics", "theory"],
      export: ["analysis", "document", "format", "run", "statistics"],
      evaluation: [],
      "report/figures": ["analysis", "chart", "evaluation", "format", "statistics"],
      "report/sections": ["report/figures", "analysis", "chart", "format"],
      "report/page/script": [],
      "report/page": ["report/figures", "report/page/script", "report/sections", "analysis", "chart", "evaluation"],
      report: ["report/figures", "report/page", "analysis", "document", "export", "journal", "run", "statistics"],
      advice: ["chart"],
    },
  },
  router: {
    common: ["router.ts", "routerError.ts"],
    folders: {
      model: [],
      log: [],
      tickets: ["log", "model"],
      http: ["model", "tickets"],
      state: ["model"],
      insight: ["http", "log", "model", "state", "tickets"],
    },
  },
  service: {
    common: ["schemas.ts", "serviceError.ts", "turn.ts", "version.ts"],
    folders: {
      log: [],
      store: ["log"],
      "store/postgres": ["store", "log"],
      "store/sqlite": ["store", "log"],
      keys: ["store"],
      evidence: ["log"],
      bandit: ["evidence", "log", "store"],
      evaluation: ["bandit", "evidence"],
      history: ["bandit", "log", "store"],
      insight: ["bandit", "history", "log", "store"],
      audit: ["bandit", "evidence", "log", "store"],
      prune: ["audit", "bandit", "log", "store"],
      repair: ["audit", "bandit", "log", "store"],
      http: ["bandit", "insight", "keys", "log", "store"],
      "http/routes": ["http", "bandit", "evaluation", "history", "insight", "keys", "log", "repair", "store"],
      client: [],
      demo: ["client"],
    },
  },
  web: {
    common: [],
    folders: {
      common: [],
      "dashboard/src/answers": [],
      "dashboard/src/route": [],
      "dashboard/src/sections": ["common", "dashboard/src/answers", "dashboard/src/route"],
      "dashboard/src/actions": ["common", "dashboard/src/answers", "dashboard/src/sections"],
      "dashboard/src/pages": ["common", "dashboard/src/actions", "dashboard/src/answers", "dashboard/src/route", "dashboard/src/sections"],
      "dashboard/src": ["common", "dashboard/src/answers", "dashboard/src/pages", "dashboard/src/route"],
      "playground/src/engine": [],
      "playground/src/state": ["playground/src/engine"],
      "playground/src/parts": ["common", "playground/src/engine", "playground/src/state"],
      "playground/src/scenes": ["common", "playground/src/engine", "playground/src/parts", "playground/src/state"],
      "playground/src": ["common", "playground/src/parts", "playground/src/scenes", "playground/src/state"],
    },
  },
  cli: { common: [], folders: { text: [], input: ["text"], serving: ["input", "text"], commands: ["input", "serving", "text"] } },
  bench: {
    common: ["inThreads.ts", "processorTime.ts", "progress.ts", "ratio.ts", "requireCount.ts"],
    folders: {
      policies: [],
      lab: ["policies"],
      fleet: ["lab"],
      fuzz: [],
      advice: [],
      statistics: [],
      evidence: [],
      "router/rules": [],
      "router/worlds": ["router/rules"],
      "router/load": ["router/rules", "router/worlds"],
      "router/repeats": ["router/load", "router/worlds"],
      "router/servers": ["router/load", "router/rules", "router/worlds"],
      "router/sockets": ["router/rules", "router/servers"],
      router: ["router/load", "router/worlds"],
      service: [],
      playground: [],
      commands: [
        "advice",
        "evidence",
        "fleet",
        "fuzz",
        "lab",
        "playground",
        "policies",
        "router",
        "router/repeats",
        "router/servers",
        "router/sockets",
        "service",
        "statistics",
      ],
    },
  },
};

interface Manifest {
  name: string;
  version: string;
  private?: boolean;
  keywords?: string[];
  repository?: { type: string; url: string; directory: string };
  homepage?: string;
  bugs?: string;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

const files = repositoryFiles();
const folders = readdirSync(join(ROOT, "packages"));
const manifests = new Map(folders.map((folder) => [folder, JSON.parse(read(`packages/${folder}/package.json`)) as Manifest]));
const own = new Set([...manifests.values()].map(({ name }) => name));

/** The sources of a room, by their paths in its `src`. The web has several pages, each with sources of its own, and paths from its folder. */
function sourcesOf(folder: string): [path: string, source: string][] {
  const prefix = folder === "web" ? "packages/web/" : `packages/${folder}/src/`;
  const sources = files.filter(
    (path) => path.startsWith(prefix) && (folder !== "web" || /^packages\/web\/(?:common|\w+\/src)\/.+\.tsx?$/.test(path)),
  );
  return sources.map((path) => [path.slice(prefix.length), read(path)]);
}

/** "file: what" for everything that a check finds in some files. */
function findings(sources: [path: string, source: string][], check: (source: string, path: string) => string[]): string[] {
  return sources.flatMap(([path, source]) => check(source, path).map((what) => `${path}: ${what}`));
}

/** The rows of the table of a page with that heading: the folders of the first cell, and the text of the row. */
function rowsOf(page: string, heading: string): { readonly folders: string[]; readonly text: string }[] {
  const [, table] = page.split(`| ${heading} | holds |\n| --- | --- |\n`);
  const lines = table!.split("\n\n")[0]!.split("\n");
  return lines.map((text) => ({ folders: [...text.split(" | ")[0]!.matchAll(/`(\w+)\/`/g)].map(([, name]) => name!), text }));
}

/** What is wrong with a line of a walk-through: a path that is not in the repository, or a function at its beginning that the path does not define. */
function strayPaths(line: string, known: readonly string[], source: (path: string) => string): string[] {
  const paths = [...line.matchAll(/packages\/[\w/.-]*\w/g)].map(([path]) => path);
  const within = (path: string) => known.filter((file) => file === path || file.startsWith(`${path}/`));
  const absent = paths.filter((path) => within(path).length === 0).map((path) => `${path} does not exist`);
  const name = /^ *(?:\w+\.)?(\w+)(?:\([^)]*\))? +packages\//.exec(line)?.[1];
  if (name === undefined || absent.length > 0) return absent;
  const isDefined = new RegExp(`\\b(?:function|class|const) ${name}\\b|^ +(?:async |static |protected |override )*${name}[(<]`, "m");
  return within(paths[0]!).some((file) => isDefined.test(source(file))) ? [] : [`${name} is not defined in ${paths[0]}`];
}

describe("rooms", () => {
  it("are all listed here", () => {
    expect(Object.keys(ROOMS).sort()).toEqual([...folders].sort());
  });

  it.each(folders)("%s imports only what it may", (folder) => {
    const { dependencies, peerDependencies } = manifests.get(folder)!;
    const declared = Object.keys({ ...dependencies, ...peerDependencies });
    const { packages, node, builds, inside = [] } = ROOMS[folder]!;
    const room = { packages, node, ...(builds && { builds }), dependencies: declared.filter((name) => !own.has(name) || inside.includes(name)) };
    const sources = sourcesOf(folder);
    expect(sources.length).toBeGreaterThan(0);
    expect(findings(sources, (source, path) => strayImports(path, source, room))).toEqual([]);
    expect(declared.filter((name) => own.has(name) && !room.packages.some((entry) => `${entry}/`.startsWith(`${name}/`)))).toEqual([]);
  });

  it("cannot be left unseen: planted violations", () => {
    const core = { packages: [], node: false, dependencies: [] };
    const planted = `
      import "./log.js"; import { a } from "../policies/policy.js"; // fine, as is this: import "left-pad";
      import fs from "node:fs"; import type { B } from "tsallis"; export * from "../../test/x.js";
      type C = import("vitest").C; const d = await import("commander");`;
    expect(strayImports("elementary/pow.ts", planted, core)).toEqual(["node:fs", "tsallis", "../../test/x.js", "vitest", "commander"]);
    expect(strayImports("pow.ts", '/// <reference types="node" />', core)).toEqual(["/// node"]);
    const reaching = ["service/dist", "service/src", "lab/dist"].map((place) => `../../../${place}/x.js`);
    const inside = reaching.map((file) => `import "${file}";`).join("\n");
    expect(strayImports("service/bare.ts", inside, { ...core, builds: ["service"] })).toEqual(reaching.slice(1));
    const cli = { packages: ["tsallis"], node: true, dependencies: ["commander"] };
    expect(strayImports("main.ts", 'import "tsallis"; import "node:fs"; import "commander/x"; import "commander-js"; import "fs";', cli)).toEqual([
      "commander-js",
      "fs",
    ]);
  });
});

describe("folders", () => {
  it("are fenced in every room that has some", () => {
    const divided = folders.filter((folder) => sourcesOf(folder).some(([path]) => path.includes("/")));
    expect(Object.keys(FOLDERS).sort()).toEqual(divided.sort());
  });

  it.each(Object.keys(FOLDERS))("%s: a folder imports only those that it may", (folder) => {
    expect(findings(sourcesOf(folder), (source, path) => strayFolders(path, source, FOLDERS[folder]!))).toEqual([]);
  });

  it.each(Object.keys(FOLDERS))("%s: only folders that exist are listed", (folder) => {
    const found = new Set(sourcesOf(folder).map(([path]) => posix.dirname(path)));
    expect(Object.keys(FOLDERS[folder]!.folders).filter((name) => !found.has(name))).toEqual([]);
  });

  it.each(Object.keys(FOLDERS))("%s: no two folders import each other: each is listed after those that it may import", (folder) => {
    const names = Object.keys(FOLDERS[folder]!.folders);
    const early = Object.entries(FOLDERS[folder]!.folders).flatMap(([name, others]) =>
      others.flatMap((other) => (names.indexOf(other) >= 0 && names.indexOf(other) < names.indexOf(name) ? [] : [`${name}: ${other}`])),
    );
    expect(early).toEqual([]);
  });

  it("cannot be left unseen: planted violations", () => {
    const house = { common: ["error.ts"], folders: { cellar: [], "attic/box": ["cellar"], attic: ["attic/box"] } };
    expect(strayFolders("cellar/wine.ts", 'import "./beer.js"; import "../error.js"; import "vitest";', house)).toEqual([]);
    expect(strayFolders("cellar/wine.ts", 'export * from "../attic/hat.js"; type A = import("../index.js").A;', house)).toEqual([
      "../attic/hat.js",
      "../index.js",
    ]);
    expect(strayFolders("attic/box/hat.ts", 'import "../chest.js"; await import("../../cellar/wine.js");', house)).toEqual(["../chest.js"]);
    expect(strayFolders("porch/mat.ts", "", house)).toEqual(["porch is not listed"]);
    expect(strayFolders("cellar/shelf/jam.ts", "", house)).toEqual(["cellar/shelf is not listed"]);
    expect(strayFolders("attic/hat.ts", 'import "../cellar/shelf/jam.js";', house)).toEqual(["../cellar/shelf/jam.js"]);
  });
});

describe("docs/architecture.md", () => {
  const page = read("docs/architecture.md");
  const blocks = page.split("```").filter((_, i) => i % 2 === 1);

  it.each([
    ["core", "folder"],
    ["lab", "folder of the lab"],
    ["cli", "folder of the command"],
    ["router", "folder of the router"],
    ["service", "folder of the service"],
  ])("has a row for each folder of the %s, which names the folders inside it", (room, heading) => {
    const rows = rowsOf(page, heading);
    const names = Object.keys(FOLDERS[room]!.folders);
    expect(rows.flatMap(({ folders }) => folders).sort()).toEqual(names.filter((name) => !name.includes("/")).sort());
    const missing = names.filter((name) => {
      const [top, ...inner] = name.split("/");
      const { text } = rows.find(({ folders }) => folders.includes(top!))!;
      return inner.length > 0 && ![`\`${inner.at(-1)}/\``, `\`${inner.join("/")}/\``, `\`${name}/\``].some((written) => text.includes(written));
    });
    expect(missing).toEqual([]);
  });

  it("lists the folders of the lab after those that they import, as it says", () => {
    const order = rowsOf(page, "folder of the lab").flatMap(({ folders }) => folders);
    const top = (name: string) => order.indexOf(name.split("/")[0]!);
    const early = Object.entries(FOLDERS.lab!.folders).flatMap(([name, others]) =>
      others.filter((other) => top(other) > top(name)).map((other) => `${name}: ${other}`),
    );
    expect(early).toEqual([]);
  });

  it("shows in its code blocks paths that exist, and functions where they are", () => {
    const lines = blocks.flatMap((block) => block.split("\n")).filter((line) => line.includes("packages/"));
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.flatMap((line) => strayPaths(line, files, read))).toEqual([]);
  });

  it("cannot be left unseen: a planted path and a planted function", () => {
    const planted = ["packages/a/src/b.ts", "packages/a/src/c/d.ts"];
    const source = (path: string) => (path.endsWith("b.ts") ? "x.play(); export function start() {}" : "class D {\n  play(round: number) {} }");
    const check = (line: string) => strayPaths(line, planted, source);
    expect(check("game.play(x)   packages/a/src/c/d.ts")).toEqual([]);
    expect(check("  play         packages/a/src/c: plays, packages/a/src")).toEqual([]);
    expect(check("game.play(x)   packages/a/src/b.ts")).toEqual(["play is not defined in packages/a/src/b.ts"]);
    expect(check("start          packages/a/src/x.ts, packages/a/src/b.ts")).toEqual(["packages/a/src/x.ts does not exist"]);
  });
});

describe("names", () => {
  /** Names that meant two things, or nothing to a newcomer, and the rooms that had them. */
  const GONE: Readonly<Record<string, RegExp>> = {
    core: /[fF]ingerprint|[lL]icence|\bNEWS\b|#news\b|[fF]oresight|foresees|oldestSnapshot|\bahead\b|\b[lL]aw(?:s?\b|[A-Z])|[a-z]Laws?\b/g,
    lab: /\bStanding|standingOf|fingerprint|toResult|toldTo|noPower|outOfReach|neverLearned|\bLaw\b|\.laws?\b/g,
    router: /foresight|foresees|\bwaiting: |\bdesk\b|\bledger\b/gi,
    service: /\b(?:Desk|Ledger|Bureau|Draft)|\b(?:desk|ledger|bureau)\b|\btold[A-Z]|fingerprint|LawRing|\blawAt\b/g,
    web: /fingerprint|\bLAW\b|[a-z]Law\b/g,
    cli: /fingerprint|toldTo|tombstone/gi,
    bench: /fingerprint|SampleLaw|\bLAWS\b/g,
  };

  it.each(Object.entries(GONE))("%s does not use those that were given up", (folder, gone) => {
    expect(findings(sourcesOf(folder), (source) => source.match(gone) ?? [])).toEqual([]);
  });

  it("cannot come back unseen: planted ones", () => {
    expect("class Desk {}".match(GONE.service!)).toEqual(["Desk"]);
    expect("const lawPolicy = (law: Law) => lawless".match(GONE.core!)).toEqual(["lawP", "law", "Law"]);
  });
});

describe("the core is the same on every engine", () => {
  it("uses no clock, no randomness, no environment, and only exact arithmetic", () => {
    expect(findings(sourcesOf("core"), impurities)).toEqual([]);
  });

  it.each([
    ["Math.random()", "Math.random"],
    ["const e = Math.exp(1)", "Math.exp"],
    ['Math["exp"](1)', "Math without a member"],
    ["const { log } = Math", "Math without a member"],
    ["[1].map(Math.cbrt)", "Math.cbrt"],
    ["x ** 2", "the ** operator"],
    ["x **= 2", "the ** operator"],
    ["Date.now()", "Date"],
    ["new Date()", "Date"],
    ["const t = { Date }", "Date"],
    ["performance.now()", "performance"],
    ["process.env.X", "process"],
    ["globalThis.Math.sin(1)", "globalThis"],
    ["(1).toLocaleString()", "toLocaleString"],
    ['await import("./" + name)', "a dynamic import"],
    [`\`\${Math.sin(1)}\``, "Math.sin"],
  ])("a planted %s is seen", (source, what) => {
    expect(impurities(source)).toEqual([`${what} (line 1)`]);
  });

  it("comments, strings and members of other objects are not mistaken for violations", () => {
    expect(impurities('/** Math.exp, x ** 2 */ const a = "Date"; // process\nqueue.process({ Date: 1 }); Math.sqrt(Math.PI);')).toEqual([]);
  });
});

describe("tests", () => {
  const tests = files.filter((path) => path.endsWith(".test.ts"));
  const within = tests.filter((path) => ["unit", "long"].includes(kindOf(path)));

  it("of kind unit stay in their process and need no build; others are named .command.test.ts or .system.test.ts", () => {
    expect(within.length).toBeGreaterThan(50);
    expect(within.flatMap((path) => outside(path, read))).toEqual([]);
  });

  it("have the kind that their names say", () => {
    const names = ["test/a.test.ts", "test/a.b.test.ts", "packages/x/test/a.long.test.ts", "test/a.command.test.ts", "test/a.b.system.test.ts"];
    expect(names.map(kindOf)).toEqual(["unit", "unit", "long", "command", "system"]);
    expect(kindOf("test/system.test.ts")).toBe("unit");
  });

  it("that reach outside are seen, through other files too", () => {
    const planted: Record<string, string> = {
      "test/a.test.ts": `import { b } from "./b.js"; import { c } from "../packages/core/src/c.js"; // import "node:net"`,
      "test/b.ts": `import type { D } from "node:http"; import "./a.test.js"; import pg from "pg"; const e = await import("undici/x");`,
      "test/f.test.ts": `import "../packages/cli/${"dist"}/x.js"; new URL("../${"bin"}/tsallis.js", import.meta.url); "results/dist/x"`,
    };
    const found = (path: string) => outside(path, (file) => planted[file]!);
    expect(found("test/a.test.ts")).toEqual(["test/b.ts: node:http", "test/b.ts: pg", "test/b.ts: undici/x"]);
    expect(found("test/f.test.ts")).toEqual(["test/f.test.ts: ../packages/cli/dist/x.js", "test/f.test.ts: ../bin/tsallis.js"]);
  });
});

describe("error codes", () => {
  const used = (folder: string) => [...new Set(sourcesOf(folder).flatMap(([, source]) => codesIn(source)))].sort();
  const core = Object.keys(ERROR_CODES).sort();
  const lab = Object.keys(LAB_ERROR_CODES).sort();
  const router = Object.keys(ROUTER_ERROR_CODES).sort();
  const service = Object.keys(SERVICE_ERROR_CODES).sort();
  const cli = Object.keys(CLI_ERROR_CODES).sort();

  it.each([
    ["docs/reference/errors.md", "Errors", ERROR_CODES],
    ["docs/reference/errors.md", "The lab", LAB_ERROR_CODES],
    ["docs/reference/router.md", "Errors", ROUTER_ERROR_CODES],
    ["docs/reference/cli.md", "The command", CLI_ERROR_CODES],
  ])("%s, %s: has the same codes and meanings", (page, heading, codes) => {
    const section = read(page)
      .split(/^#+ /m)
      .find((text) => text.startsWith(`${heading}\n`))!;
    const rows = [...section.matchAll(/^\| `(ERR_\w+)` \| (.+?) \|/gm)];
    expect(rows.map(([, code, meaning]) => [code, meaning])).toEqual(Object.entries(codes));
  });

  it("every code is used somewhere, and no other", () => {
    expect(used("core")).toEqual(core);
    expect(used("lab").filter((code) => !core.includes(code))).toEqual(lab);
    // Some codes of the core are the router's too, with a message of its own.
    expect(used("router").filter((code) => router.includes(code) || !core.includes(code))).toEqual(router);
    expect(used("service").filter((code) => service.includes(code) || !core.includes(code))).toEqual(service);
    expect(used("cli").filter((code) => cli.includes(code) || ![...core, ...lab, ...service].includes(code))).toEqual(cli);
    expect(used("bench").filter((code) => ![...core, ...lab, ...router, ...service, ...cli].includes(code))).toEqual([]);
  });

  it("a planted code is seen, in a string of any kind", () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
    const planted = 'throw new TsallisError("ERR_PLANTED", x); `${x} ERR_TEMPLATE: ${y}`; const table = { ERR_KEY: 1 }; // "ERR_COMMENT"';
    expect(codesIn(planted)).toEqual(["ERR_PLANTED", "ERR_TEMPLATE"]);
  });
});

describe("the repository", () => {
  const texts = files.filter((path) => /(?:^|\/)[^.]+$|\.(?:[cm]?[jt]s|jsonl?|md|py|ya?ml|cff|csv|txt|html|css|svg|npmrc|gitignore)$/.test(path));
  const machine = { root: ROOT, home: homedir(), registry: process.env.npm_config_registry };

  it("holds no path of a machine and no package-registry host", () => {
    expect(
      findings(
        texts.map((path) => [path, read(path)]),
        (text) => strayText(text, machine),
      ),
    ).toEqual([]);
  });

  it.each([
    ["a path below a user's folder", ["see ", "home", "ada", "x.ts"].join("/")],
    ["a path of this machine", '"C:\\Users\\ada\\tsallis"'],
    ["the host of a package registry", ["https://registry", "npmjs", "org/x"].join(".")],
    ["the host of this machine's package registry", "http://mirror.example:4873/x"],
  ])("would see %s", (what, text) => {
    const ada = { root: "C:\\Users\\ada\\tsallis", home: "C:\\Users\\ada", registry: "http://mirror.example:4873/" };
    expect(strayText(`fine: ./home/x, packages/${"work"}/y\n${text}`, ada)).toEqual([`${what} (line 2)`]);
  });

  it("leads to no address of the project while it has none", () => {
    if (REPOSITORY !== null) return;
    const guess = new RegExp(["tsallis", "github", "io|github", "com", "tsallis"].join("[./]"));
    expect(texts.filter((path) => guess.test(read(path)))).toEqual([]);
  });

  it.each(files.filter((path) => basename(path) === "package-lock.json"))("%s names no address", (path) => {
    const { packages } = JSON.parse(read(path)) as { packages: Record<string, { resolved?: string }> };
    expect(Object.values(packages).filter(({ resolved }) => resolved?.includes(":"))).toEqual([]);
    expect(read(path.replace("package-lock.json", ".npmrc"))).toBe(read(".npmrc"));
  });

  it("has one version", () => {
    const version = manifests.get("core")!.version;
    for (const { name, version: its, dependencies = {} } of manifests.values()) {
      expect([name, its]).toEqual([name, version]);
      for (const [dependency, range] of Object.entries(dependencies))
        if (own.has(dependency)) expect([name, dependency, range]).toEqual([name, dependency, version]);
    }
    expect(read("CITATION.cff")).toContain(`\nversion: ${version}\n`);
  });

  it("says in every package that is published where it comes from, once that is known: in all packages alike, and as the site does", () => {
    const published = [...manifests].filter(([, manifest]) => !manifest.private);
    for (const [folder, { repository, homepage, bugs, keywords = [] }] of published) {
      const directory = `packages/${folder}`;
      const address = REPOSITORY as string | null;
      expect(repository).toEqual(address === null ? undefined : { type: "git", url: `git+${address}.git`, directory });
      expect([homepage, bugs]).toEqual(address === null ? [undefined, undefined] : [`${address}/tree/main/${directory}#readme`, `${address}/issues`]);
      expect([folder, keywords.length > 0, new Set(keywords).size]).toEqual([folder, true, keywords.length]);
    }
    expect([...manifests].filter(([, manifest]) => manifest.private).map(([folder]) => folder)).toEqual(["bench", "web"]);
  });

  it("has one licence", () => {
    for (const folder of folders) expect(read(`packages/${folder}/LICENSE`)).toBe(read("LICENSE"));
  });

  it("leaves nothing to do in what is published", () => {
    const sources = files.filter((path) => /^packages\/\w+\/src\/.+\.tsx?$|^docs\/.+\.md$/.test(path));
    expect(sources.filter((path) => /\bTODO\b/.test(read(path)))).toEqual([]);
  });

  it("names code files in camelCase and documents in kebab-case, and has no drawers", () => {
    const camel = /^[a-z][A-Za-z0-9]*(?:\.[a-z][A-Za-z0-9]*)*$/;
    const kebab = /^(?:[A-Z]+|[a-z0-9]+(?:-[a-z0-9]+)*)\.md$/;
    const drawer = /^(?:utils?|helpers?|types|common|misc)$/i;
    const code = files.filter((path) => /\.[cm]?[jt]sx?$/.test(path));
    expect(code.filter((path) => !camel.test(basename(path)))).toEqual([]);
    expect(files.filter((path) => path.endsWith(".md") && !kebab.test(basename(path)))).toEqual([]);
    // What the pages share is a room, not a drawer: it has folders for neighbours and fences of its own.
    const inside = code.map((path) => path.replace("packages/web/common/", "packages/web/"));
    expect(inside.filter((path) => path.split("/").some((part) => drawer.test(part.split(".")[0]!)))).toEqual([]);
  });

  it("runs in CI exactly the command of the README", () => {
    const command = "npm ci && npm test";
    expect(read(".ci/run").trim().split("\n").at(-1)).toBe(command);
    expect(read(".github/workflows/release.yml")).toContain(`run: ${command}\n`);
    // The kinds of tests run side by side.
    expect(read(".github/workflows/test.yml")).toContain(`run: ${command} -- --project=\${{ matrix.kind }}\n`);
    expect(read(".github/workflows/test.yml")).toContain(`kind: [${KINDS.join(", ")}]\n`);
    expect(read("README.md")).toContain(command);
  });

  it("names every action of a workflow by its commit, with its version", () => {
    const uses = files.filter((path) => path.startsWith(".github/workflows/")).flatMap((path) => read(path).match(/\buses: .*/g) ?? []);
    expect(uses.length).toBeGreaterThan(5);
    expect(uses.filter((line) => !/^uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });
});
