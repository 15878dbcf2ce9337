import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { Fleet as Operator } from "@tsallis/lab/fleet";
import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { Fleet } from "../packages/cli/test/fleet.js";
import { redisServer } from "../scripts/parts.mjs";
import { blocksOf } from "./docs/blocks.js";
import { startPostgres } from "./postgres.js";
import { startRedis } from "./redis.js";
import { ROOT, read } from "./repository.js";
import { freePort, ServerProcess } from "./serverProcess.js";

const GUIDE = "docs/guides/fleet.md";
const BIN = join(ROOT, "packages/cli/bin/tsallis.js");
const PATH = [join(ROOT, "node_modules/.bin"), process.env.PATH].join(delimiter);
const run = promisify(execFile);

const folder = mkdtempSync(join(tmpdir(), "tsallis-guide-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("the guide", () => {
  const scripts = blocksOf(GUIDE, read(GUIDE)).filter(({ language, text }) => language === "sh" && text.includes("redis-server --port 6390"));

  it("begins with a fleet that gives the same bytes as one machine", async () => {
    const port = await freePort();
    const script = scripts[0]!.text.replaceAll("6390", `${port}`).replaceAll("results/", `${folder}/`);
    // The script leads a group of processes, so that nothing of it stays behind, whatever happens.
    const child = spawn("sh", ["-e"], { cwd: ROOT, env: { ...process.env, PATH, NO_COLOR: "1" }, detached: true });
    onTestFinished(async () => {
      await run("redis-cli", ["-p", `${port}`, "shutdown", "nosave"]).catch(() => {});
      try {
        process.kill(-child.pid!, "SIGKILL");
      } catch {
        // All of them are gone already.
      }
    });
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (printed += text));
    child.stdin.end(script);
    // Not "close": processes that it leaves in the background may hold its output open.
    const [code] = await once(child, "exit");
    expect(code, printed).toBe(0);
    expect(printed).toMatch(/^the same bytes$/m);
  }, 300_000);
});

describe("the rights in the guide", () => {
  const blocks = blocksOf(GUIDE, read(GUIDE));
  const block = (language: string, text: string) => blocks.find((each) => each.language === language && each.text.includes(text))!.text;

  /** Everything that a fleet does, as one user: a worker and a coordinator to the end, and the commands of an operator. */
  async function expectFleet(url: string): Promise<void> {
    const fleet = new Fleet(folder, url);
    onTestFinished(() => fleet.end());
    await fleet.workers(1);
    const { code, stderr } = await fleet.coordinator().over();
    expect(code, stderr).toBe(0);
    const commands = [["fleet"], ["fleet", "drain"], ["fleet", "resume"], ["fleet", "clear", "out"]].map((args) => fleet.start(...args));
    for (const command of commands) expect((await command.over()).stderr).not.toContain("ERR_");
    expect((await fleet.state()).workers).toHaveLength(1);
  }

  it("are enough on Redis, and too few for another queue", async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const admin = new Redis(redis.url);
    onTestFinished(() => admin.disconnect());
    const [command, ...words] = block("text", "ACL SETUSER").trim().split(" ");
    expect(await admin.call(command!, ...words)).toBe("OK");
    const url = redis.url.replace("//", "//tsallis:another-secret@");
    await expectFleet(`${url}/0`);
    expect(await admin.call("ACL", "LOG")).toEqual([]);
    const user = new Redis(url);
    onTestFinished(() => user.disconnect());
    await expect(user.set("bull:mail:x", 1)).rejects.toThrow("NOPERM");
    await expect(user.flushall()).rejects.toThrow("NOPERM");
  });

  it("are enough on PostgreSQL once the owner has made the tables; with fewer, the command says what is missing and ends", async () => {
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    const url = (user: string, database: string) => server.url.replace("//postgres@", `//${user}@`).replace(/[^/]*$/, database);
    const query = async (at: string, ...statements: string[]) => {
      const client = new pg.Client(at);
      await client.connect();
      try {
        for (const statement of statements) await client.query(statement);
      } finally {
        await client.end();
      }
    };
    const statements = (text: string) => text.trim().split(/(?<=;)\n/);
    const asTsallis = url("tsallis:another-secret", "fleet");
    const refused = async () => {
      const fleet = new Fleet(folder, asTsallis);
      onTestFinished(() => fleet.end());
      for (const command of [fleet.start("fleet"), fleet.start("worker"), fleet.coordinator()]) {
        const { code, stderr } = await command.over();
        expect(stderr).toMatch(/ERR_QUEUE: .* permission denied for (database fleet|schema bullmq)/);
        expect(code).toBe(2);
      }
    };
    await query(server.url, ...statements(block("sql", "CREATE ROLE fleet_owner")));
    await refused();
    const owner = await Operator.open(url("fleet_owner:one-secret", "fleet"));
    await owner.close();
    await refused();
    await query(url("fleet_owner:one-secret", "fleet"), ...statements(block("sql", "GRANT USAGE, CREATE")));
    await expectFleet(asTsallis);
    await expect(query(asTsallis, "DELETE FROM bullmq.migration")).rejects.toThrow("permission denied");
  });
});

interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The containers of an example. */
function containersOf(path: string): Container[] {
  if (path.endsWith("compose.yaml")) {
    const { services } = parse(read(path), { merge: true }) as {
      services: Record<string, { image: string; command: string[]; environment?: Record<string, string> }>;
    };
    return Object.values(services).map(({ image, command, environment = {} }) => ({ image, args: command, env: environment }));
  }
  interface Pod {
    containers: { image: string; args: string[]; env: { name: string; value?: string }[] }[];
  }
  const pods = parseAllDocuments(read(path)).flatMap((document) => {
    expect(document.errors).toEqual([]);
    const { kind, apiVersion, metadata, spec } = document.toJS() as { [key: string]: unknown; spec: { template?: { spec: Pod } } };
    expect([typeof kind, typeof apiVersion, typeof (metadata as { name: unknown }).name]).toEqual(["string", "string", "string"]);
    return spec.template === undefined ? [] : [spec.template.spec];
  });
  return pods
    .flatMap(({ containers }) => containers)
    .map(({ image, args, env }) => ({ image, args, env: Object.fromEntries(env.map(({ name, value }) => [name, value ?? "secret"])) }));
}

describe.each(["examples/fleet/compose.yaml", "examples/fleet/kubernetes.yaml"])("%s", (path) => {
  const containers = containersOf(path);
  const ours = containers.filter(({ image }) => image.startsWith("tsallis"));
  let redis: Awaited<ReturnType<typeof startRedis>>;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  it("has workers and a coordinator", () => {
    expect(ours.map(({ args }) => args[0])).toEqual(["worker", "run"]);
  });

  it.each(ours.map(({ args, env }) => [args[0]!, args, env] as const))("%s knows these options and this environment", async (command, args, env) => {
    const { stdout } = await run(process.execPath, [BIN, command, "--help"]);
    const options = args.filter((word) => word.startsWith("--"));
    expect(options.filter((option) => !new RegExp(`^ +${option} `, "m").test(stdout))).toEqual([]);
    const variables = Object.keys(env).filter((name) => name !== "PASSWORD");
    expect(variables).toEqual(["TSALLIS_QUEUE"]);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("(env: TSALLIS_QUEUE)");
  });

  it("has a worker that starts, by its arguments and its environment", async () => {
    // Somebody else may have that port here.
    const args = ours[0]!.args.map((word) => (word === "9464" ? "0" : word));
    const child = spawn(process.execPath, [BIN, ...args], { env: { ...process.env, TSALLIS_QUEUE: redis.url } });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    expect(JSON.parse(line).event).toBe("ready");
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("has a Redis that starts with its arguments", async () => {
    const { args, env } = containers.find(({ image }) => image.startsWith("redis"))!;
    expect(args[0]).toBe("redis-server");
    const own = ["--port", `${await freePort()}`, "--bind", "127.0.0.1", "--dir", mkdtempSync(join(folder, "redis-"))];
    const given = args.slice(1).map((word) => word.replace("$(PASSWORD)", env.PASSWORD ?? ""));
    const server = await ServerProcess.start(
      { program: redisServer()!, args: [...given, ...own], folder, ready: /Ready to accept connections/ },
      "SIGKILL",
    );
    await server.end("SIGKILL");
  });

  it("names the image that the Dockerfile builds", () => {
    expect(read("examples/fleet/Dockerfile")).toContain('ENTRYPOINT ["node", "/tsallis/packages/cli/bin/tsallis.js"]');
    const { version } = JSON.parse(read("packages/cli/package.json")) as { version: string };
    for (const { image } of ours) expect(["tsallis", `tsallis:${version}`]).toContain(image);
  });
});
