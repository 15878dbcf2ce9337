import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { type Block, blocksOf } from "./docs/blocks.js";
import { ROOT, read, repositoryFiles } from "./repository.js";
import { until } from "./until.js";

// What a release gives to its users: npm installs all tarballs, with their dependencies, into an empty folder, and what the pages print works there.
// package.system.test.ts looks at what is in each tarball, and what each does with the dependencies that it declares.
const project = mkdtempSync(join(tmpdir(), "tsallis-rehearsal-"));
const env = { ...process.env, npm_config_update_notifier: "false", NO_COLOR: "1" };

function run(program: string, args: readonly string[], cwd = project): string {
  return execFileSync(program, args, { cwd, encoding: "utf8", env });
}

const { workspaces, devDependencies } = JSON.parse(read("package.json")) as { workspaces: string[]; devDependencies: Record<string, string> };
const published = workspaces
  .map((place) => JSON.parse(read(`${place}/package.json`)) as { name: string; private?: boolean; exports?: Record<string, unknown> })
  .filter((manifest) => !manifest.private);

beforeAll(() => {
  run("npm", ["pack", "--silent", "--pack-destination", project, ...published.flatMap(({ name }) => ["-w", name])], ROOT);
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const tarballs = readdirSync(project).filter((file) => file.endsWith(".tgz"));
  expect(tarballs).toHaveLength(published.length);
  const tools = ["typescript", "@types/node"].map((name) => `${name}@${devDependencies[name]}`);
  run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", ...tarballs.map((file) => `./${file}`), ...tools]);
});

afterAll(() => rmSync(project, { recursive: true }));

const programs = repositoryFiles()
  .filter((path) => /^(?:packages\/\w+\/)?README\.md$/.test(path))
  .flatMap((path) => blocksOf(path, read(path)))
  .filter(({ language, notRun }) => language === "js" && notRun === undefined);

it.each(programs.map((block) => [block.at, block] as const))("%s prints what it says", (_, { text, output }) => {
  writeFileSync(join(project, "first.mjs"), text);
  expect(run(process.execPath, ["first.mjs"]).trim()).toBe(output?.trim());
});

it("README has a program among them", () => {
  expect(programs.map(({ at }) => at.replace(/:.*/, ""))).toContain("README.md");
});

it("npx tsallis run plays showdown and writes its report", () => {
  const printed = run("npx", ["--no-install", "tsallis", "run", "--seeds", "2", "--horizon", "500", "--quiet"]);
  const report = /^Report: (results\/showdown-\w+\/report\.html)$/m.exec(printed)?.[1];
  expect(existsSync(join(project, report!))).toBe(true);
});

it("tsallis serve --demo starts, decides, and stops", async () => {
  const child = spawn(join(project, "node_modules/.bin/tsallis"), ["serve", "--demo", "--port", "0", "--json-log"], {
    cwd: project,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "exit");
  const [line] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  const { url } = JSON.parse(line.split("\n")[0]!) as { url: string };
  expect(await (await fetch(url)).text()).toContain("<title>");
  await until("a decision of the demo", async () => {
    const { bandits } = (await (await fetch(`${url}v1/bandits`)).json()) as { bandits: { name: string; counters: { decisions: number } }[] };
    return bandits.some(({ name, counters }) => name === "payments" && counters.decisions > 0);
  });
  child.kill("SIGTERM");
  expect(await exited).toEqual([0, null]);
});

it("tsallis init writes an experiment, and every command that it prints works", () => {
  const commands = run("npx", ["--no-install", "tsallis", "init", "mine"])
    .split("\n")
    .filter((line) => /^ {2}(?:npm|npx|node) /.test(line));
  expect(commands).toHaveLength(3);
  const [tested, played, reported] = commands.map((line) => run("sh", ["-c", line]));
  expect(tested).toMatch(/^# pass 2$|^ℹ pass 2$/m);
  expect(played).toMatch(/^Claim, supported: My policy/m);
  expect(reported).toBe(played);
});

it("a policy and an environment of one's own are played from their page alone", () => {
  const page = "docs/reference/experiments.md";
  const [, section] = read(page).split("## Policies and environments of your own\n") as [string, string];
  const folder = mkdtempSync(join(project, "own-"));
  const [module, document, command] = blocksOf(page, section) as [Block, Block, Block];
  expect([module.language, document.language, command.language]).toEqual(["js", "yaml", "sh"]);
  const [, experiment, file] = /^npx tsallis run (\S+) --import (\S+) /.exec(command.text) as unknown as [string, string, string];
  writeFileSync(join(folder, file), module.text);
  writeFileSync(join(folder, experiment), document.text);
  expect(run("sh", ["-c", command.text], folder)).toMatch(/^shifts: pseudo-regret after 2,000 rounds$[\s\S]*│ mine /m);
});

it("a strict program compiles against the types of every entry, and those of the dependencies, and runs", () => {
  const entries = published.flatMap(({ name, exports = {} }) => Object.keys(exports).map((entry) => name + entry.slice(1)));
  // The fleet's types need BullMQ, as the fleet does; docs/guides/fleet.md installs it.
  const imported = entries.filter((entry) => !/package\.json$|\/fleet$/.test(entry));
  expect(imported).toEqual(expect.arrayContaining(["tsallis", "@tsallis/lab/report", "@tsallis/router", "@tsallis/service/client"]));
  const program = `
    ${imported.map((entry, i) => `import * as entry${i} from "${entry}";`).join("\n")}
    import { type Choice, createPolicy, type Policy, stream } from "tsallis";
    const policy: Policy = createPolicy({ policy: "matched-tinf" }, 3);
    const choice: Choice = policy.choose(stream(1, "strict"));
    policy.update(choice, 0.5);
    const entries: object[] = [${imported.map((_, i) => `entry${i}`).join(", ")}];
    console.log(policy.round, entries.filter((entry) => Object.keys(entry).length > 0).length);`;
  writeFileSync(join(project, "strict.ts"), program);
  const options = ["--strict", "--skipLibCheck", "false", "--module", "NodeNext", "--target", "ES2022", "--types", "node"];
  expect(run("npx", ["--no-install", "tsc", ...options, "strict.ts"])).toBe("");
  expect(run(process.execPath, ["strict.js"]).trim()).toBe(`1 ${imported.length}`);
});
