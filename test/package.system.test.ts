import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle } from "./bundle.js";
import { runInChromium } from "./chromium.js";
import { ROOT, read, repositoryFiles } from "./repository.js";

// A stranger's project: the packed packages are unpacked into its node_modules, without the network.
const project = mkdtempSync(join(tmpdir(), "tsallis-package-"));
const packed = new Map<string, string[]>();

function run(program: string, args: string[], cwd = project): string {
  return execFileSync(program, args, { cwd, encoding: "utf8", env: { ...process.env, npm_config_update_notifier: "false", NO_COLOR: "1" } });
}

/** Packs packages/<folder> and unpacks it as node_modules/<name>. */
function install(folder: string, name: string): void {
  const output = run("npm", ["pack", "--offline", "--json", "--pack-destination", project], join(ROOT, "packages", folder));
  const [{ filename, files }] = JSON.parse(output) as [{ filename: string; files: { path: string }[] }];
  const target = join(project, "node_modules", name);
  mkdirSync(target, { recursive: true });
  run("tar", ["-xzf", join(project, filename), "-C", target, "--strip-components=1"]);
  packed.set(folder, files.map(({ path }) => path).sort());
}

/** The sources of packages/<folder> and the files that the build makes of them with their maps: all of them, and none left over from deleted sources. */
function built(folder: string, ...endings: string[]): string[] {
  const files = repositoryFiles().filter((path) => path.startsWith(`packages/${folder}/src/`));
  const sources = files.map((path) => path.replace(`packages/${folder}/`, ""));
  const made = endings.flatMap((ending) => [ending, `${ending}.map`]);
  return [...sources, ...sources.flatMap((path) => made.map((ending) => path.replace("src/", "dist/").replace(/\.ts$/, ending)))];
}

beforeAll(() => {
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }));
  install("core", "tsallis");
  install("lab", "@tsallis/lab");
  install("router", "@tsallis/router");
  install("service", "@tsallis/service");
  install("cli", "@tsallis/cli");
});

afterAll(() => rmSync(project, { recursive: true }));

it("every package that is not private is packed here", () => {
  const folders = readdirSync(join(ROOT, "packages"));
  const isPrivate = (folder: string) => (JSON.parse(read(`packages/${folder}/package.json`)) as { private?: boolean }).private === true;
  expect(folders.filter((folder) => !isPrivate(folder)).sort()).toEqual([...packed.keys()].sort());
});

describe("tsallis, packed", () => {
  const play = `
    import { createPolicy, stream } from "tsallis";
    export function play() {
      const policy = createPolicy({ policy: "htinf", alpha: 1.5, sigma: 1 }, 5);
      const rng = stream(7, "play");
      const choices = [];
      for (let round = 1; round <= 1000; round++) {
        const choice = policy.choose(rng);
        policy.update(choice, choice.arm === 3 ? 0 : rng.uniform());
        if (round % 100 === 0) choices.push([choice.arm, choice.probability]);
      }
      return choices;
    }`;

  it("holds the sources, the built files, README and LICENSE, and nothing else", () => {
    expect(packed.get("core")).toEqual([...built("core", ".js", ".d.ts"), "LICENSE", "README.md", "package.json"].sort());
  });

  it("needs no other package", () => {
    const manifest = JSON.parse(readFileSync(join(project, "node_modules/tsallis/package.json"), "utf8"));
    for (const kind of ["dependencies", "peerDependencies", "optionalDependencies", "bundledDependencies", "scripts"])
      expect(manifest).not.toHaveProperty(kind);
  });

  it("its types resolve for a strict consumer without DOM or Node types", () => {
    const consumer = `
      import { type Choice, createPolicy, HTINF, type Policy, stream, TsallisError } from "tsallis";
      const policy: Policy = createPolicy({ policy: "opttinf" }, 3);
      const choice: Choice = policy.choose(stream(1, "consumer"));
      policy.update(choice, 0.5);
      export const arm: number = new HTINF({ arms: 2, alpha: 1.5, sigma: 1 }).force(0).arm;
      export const code = (error: unknown): string | undefined => (error instanceof TsallisError ? error.code : undefined);
      // @ts-expect-error: an arm's loss is a number
      policy.update(choice, "0.5");`;
    writeFileSync(join(project, "consumer.ts"), consumer);
    const compilerOptions = { module: "NodeNext", target: "ES2022", lib: ["ES2022"], types: [], strict: true, skipLibCheck: false, noEmit: true };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    const complaints = () => run(process.execPath, [tsc, "-p", "."]);
    expect(complaints()).toBe("");
  });

  it("plays the same in Node and, bundled by Vite, in Chromium", async () => {
    writeFileSync(join(project, "play.js"), play);
    const inNode = JSON.parse(run(process.execPath, ["-e", 'import("./play.js").then(({ play }) => console.log(JSON.stringify(play())))']));
    const inChromium = await runInChromium(await bundle(join(project, "play.js"), project, "consumer"), "consumer.play()");
    expect(inChromium.errors).toEqual([]);
    expect(inChromium.result).toEqual(inNode);
    expect(inNode).toHaveLength(10);
    expect(inNode.at(-1)[0]).toBe(3);
  });

  it("one policy is a small import: HTINF, bundled and minified, takes at most 46,000 bytes (41,710 when this was written)", async () => {
    writeFileSync(join(project, "small.js"), 'export { HTINF } from "tsallis";');
    const { length } = Buffer.from(await bundle(join(project, "small.js"), project, "small"));
    expect(length).toBeLessThanOrEqual(46_000);
  });
});

/** Links the dependencies of a package, required peers included, from the repository's node_modules. The repository's own packages are already packed and unpacked. */
function linkDependencies(folder: string): void {
  const manifest = JSON.parse(read(`packages/${folder}/package.json`)) as {
    dependencies: Record<string, string>;
    peerDependencies?: Record<string, string>;
    peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  };
  const peers = Object.keys(manifest.peerDependencies ?? {}).filter((name) => !manifest.peerDependenciesMeta?.[name]?.optional);
  for (const name of [...Object.keys(manifest.dependencies), ...peers]) {
    const link = join(project, "node_modules", name);
    if (existsSync(link)) continue;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), link);
  }
}

describe("@tsallis/lab, packed", () => {
  it("holds the sources, the built files, the built-in experiments, README and LICENSE, and nothing else", () => {
    const documents = repositoryFiles().filter((path) => path.startsWith("packages/lab/experiments/"));
    const files = documents.map((path) => path.replace("packages/lab/", ""));
    expect(packed.get("lab")).toEqual([...built("lab", ".js", ".d.ts"), ...files, "LICENSE", "README.md", "package.json"].sort());
  });

  it("plays with the dependencies that it declares and no others", () => {
    linkDependencies("lab");
    const program = `
      import { builtInNames, completeExperiment, freezeExperiment, runExperiment, threadsExecutor } from "@tsallis/lab";
      const experiment = completeExperiment({
        name: "packed", horizon: 100, seeds: 2,
        environments: { pair: { environment: "lower-bound", alpha: 1.5, arms: 2, gap: 0.4 } }, policies: { uniform: { policy: "uniform" } },
      });
      const { signal } = new AbortController();
      const { rows } = await runExperiment(freezeExperiment(experiment), { directory: "packed", executor: threadsExecutor(2), signal });
      console.log(rows.length, builtInNames().includes("showdown"));`;
    writeFileSync(join(project, "packed.mjs"), program);
    expect(run(process.execPath, ["packed.mjs"]).trim()).toBe("1 true");
  });
});

describe("@tsallis/router, packed", () => {
  it("holds the sources, the built files, README and LICENSE, and nothing else", () => {
    expect(packed.get("router")).toEqual([...built("router", ".js", ".d.ts"), "LICENSE", "README.md", "package.json"].sort());
  });

  it("routes with the dependencies that it declares and no others", () => {
    linkDependencies("router");
    const program = `
      import { createServer } from "node:http";
      import { once } from "node:events";
      import { createRouter } from "@tsallis/router";
      const servers = ["one", "two"].map((name) => createServer((request, response) => response.end(name)).listen(0, "127.0.0.1"));
      await Promise.all(servers.map((server) => once(server, "listening")));
      const router = createRouter({ upstreams: servers.map((server) => "http://127.0.0.1:" + server.address().port) });
      const names = new Set();
      for (let i = 0; i < 50; i++) names.add(await (await router.fetch("/")).text());
      const { upstreams } = router.explain();
      console.log([...names].sort().join(), upstreams.reduce((sum, { done }) => sum + done, 0));
      await router.close();
      for (const server of servers) server.close();`;
    writeFileSync(join(project, "routed.mjs"), program);
    expect(run(process.execPath, ["routed.mjs"]).trim()).toBe("one,two 50");
  });
});

describe("@tsallis/service, packed", () => {
  it("holds the sources, the built files, the dashboard, README and LICENSE, and nothing else", () => {
    const pages = readdirSync(join(ROOT, "packages/service/dashboard")).map((file) => `dashboard/${file}`);
    expect(pages).toEqual(expect.arrayContaining(["dashboard/index.html", "dashboard/dashboard.js", "dashboard/dashboard.css"]));
    expect(packed.get("service")).toEqual([...built("service", ".js", ".d.ts"), ...pages, "LICENSE", "README.md", "package.json"].sort());
  });

  it("serves with the dependencies that it declares and no others, without the driver of PostgreSQL", () => {
    linkDependencies("service");
    expect(existsSync(join(project, "node_modules/pg"))).toBe(false);
    const program = `
      import { createService, openStore } from "@tsallis/service";
      import { createClient } from "@tsallis/service/client";
      const service = createService({ store: "packed.db", port: 0 });
      const url = await service.listen();
      const headers = { "content-type": "application/json" };
      await fetch(url + "v1/bandits/first", { method: "PUT", headers, body: JSON.stringify({ arms: ["a", "b"] }) });
      const client = createClient({ url });
      const { id, arm } = await client.decide("first", { timeoutMs: 60_000 });
      const { status } = await client.feedback("first", { id, arm }, { loss: 1 }, { timeoutMs: 60_000 });
      const page = await (await fetch(url)).text();
      const script = await fetch(new URL(/src="([^"]+)"/.exec(page)[1], url));
      await service.close();
      const refused = await openStore("postgres://127.0.0.1:1/x").catch(({ code, message }) => code + ": " + message);
      console.log([status, script.status, refused].join("\\n"));`;
    writeFileSync(join(project, "served.mjs"), program);
    expect(run(process.execPath, ["served.mjs"]).trim().split("\n")).toEqual([
      "applied",
      "200",
      "ERR_PACKAGE: a store in PostgreSQL needs the package pg, which is not installed; run: npm install pg",
    ]);
  });

  it("its client's types resolve for a strict consumer without Node types, and its code is bundled for a browser without anything of the server", async () => {
    const consumer = `
      import { ClientError, createClient, type Decision } from "@tsallis/service/client";
      const client = createClient({ url: "http://127.0.0.1:7411/" });
      export const arm = async (): Promise<string> => (await client.decide("first")).arm;
      export const code = (error: unknown): string | undefined => (error instanceof ClientError ? error.code : undefined);
      export type { Decision };`;
    writeFileSync(join(project, "client.ts"), consumer);
    const compilerOptions = {
      module: "NodeNext",
      target: "ES2022",
      lib: ["ES2022", "DOM"],
      types: [],
      strict: true,
      skipLibCheck: false,
      noEmit: true,
    };
    writeFileSync(join(project, "tsconfig.client.json"), JSON.stringify({ compilerOptions, files: ["client.ts"] }));
    expect(run(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.client.json"])).toBe("");
    const script = await bundle(join(project, "client.ts"), project, "client");
    expect(script).not.toMatch(/fastify|libsql|node:/);
    expect(script.length).toBeLessThan(20_000);
  });
});

describe("@tsallis/cli, packed", () => {
  const manifest = JSON.parse(read("packages/cli/package.json")) as { version: string };

  it("holds the command, the sources, the built files, the playground, the template of init, README and LICENSE, and nothing else", () => {
    const pages = readdirSync(join(ROOT, "packages/cli/playground")).map((file) => `playground/${file}`);
    expect(pages).toEqual(expect.arrayContaining(["playground/index.html", "playground/playground.js", "playground/raceWorker.js"]));
    const template = readdirSync(join(ROOT, "packages/cli/template")).map((file) => `template/${file}`);
    expect(packed.get("cli")).toEqual(
      [...built("cli", ".js"), ...pages, ...template, "LICENSE", "README.md", "bin/tsallis.js", "package.json"].sort(),
    );
  });

  it("runs with the dependencies that it declares and no others", () => {
    for (const folder of ["lab", "service", "cli"]) linkDependencies(folder);
    expect(run(process.execPath, ["node_modules/@tsallis/cli/bin/tsallis.js", "--version"]).trim()).toBe(manifest.version);
    expect(run(process.execPath, ["node_modules/@tsallis/cli/bin/tsallis.js", "list", "experiments"])).toContain("showdown");
  });

  it("serves decisions and the dashboard, from the packed service", async () => {
    for (const folder of ["lab", "service", "cli"]) linkDependencies(folder);
    const child = spawn(process.execPath, ["node_modules/@tsallis/cli/bin/tsallis.js", "serve", "--port", "0", "--json-log"], { cwd: project });
    const exited = once(child, "exit");
    const [line] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
    const { event, url } = JSON.parse(line) as { event: string; url: string };
    expect(event).toBe("listening");
    const answers = await Promise.all(["readyz", "", "v1/bandits"].map((path) => fetch(url + path)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    child.kill("SIGTERM");
    expect(await exited).toEqual([0, null]);
    expect(existsSync(join(project, "tsallis.db"))).toBe(true);
  });
});
