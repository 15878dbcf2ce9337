import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startPostgres } from "../../../test/postgres.js";
import { startRedis } from "../../../test/redis.js";
import { until } from "../../../test/until.js";
import { Fleet, type Started } from "./fleet.js";

const root = mkdtempSync(join(tmpdir(), "tsallis-start-"));
afterAll(() => rmSync(root, { recursive: true }));

/** A server that can be taken away and brought back. */
interface Server {
  readonly url: string;
  readonly pid: number;
  halt(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

async function redis(): Promise<Server> {
  const server = await startRedis();
  return {
    url: `${server.url}/0`,
    get pid() {
      return server.pid;
    },
    halt: () => server.kill(),
    resume: () => server.restart(),
    stop: () => server.stop(),
  };
}

const SERVERS = { Redis: redis, PostgreSQL: startPostgres } as Readonly<Record<string, () => Promise<Server>>>;
const FOR_PEOPLE = [["fleet"], ["fleet", "drain"], ["fleet", "resume"], ["fleet", "clear", "0123456789"]];
const REFUSED = { Redis: /\/1000001 cannot be used: ERR DB index/, PostgreSQL: /\/1000001 cannot be used: database "1000001" does not exist/ };

/** What a process with --metrics answers at a path. */
async function asked({ stderr }: Started, path: string): Promise<{ status: number; text: string }> {
  const [, port] = /metrics at http:\/\/127\.0\.0\.1:(\d+)\//.exec(stderr)!;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`);
  return { status: answer.status, text: await answer.text() };
}
const health = async (started: Started) => (await asked(started, "/healthz")).status;

describe.each(Object.entries(SERVERS))("on %s", (engine, start) => {
  let server: Server;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());

  function newFleet(url = server.url): Fleet {
    const fleet = new Fleet(root, url);
    onTestFinished(() => fleet.end());
    return fleet;
  }

  it("a coordinator and a worker that start before their server wait for it, and say so to people and to monitors", async () => {
    await server.halt();
    const fleet = newFleet();
    const coordinator = fleet.coordinator("out", "--metrics", "0");
    await coordinator.until("it says that it waits", () => coordinator.stderr.includes("waiting for the server"));
    expect(await health(coordinator)).toBe(503);
    // Without a worker it cannot be done before it is asked.
    await server.resume();
    await coordinator.until("it works", async () => (await health(coordinator)) === 200);

    await server.halt();
    const worker = fleet.worker("--metrics", "0");
    await worker.tells("disconnected");
    expect(await health(worker)).toBe(503);
    expect((await asked(worker, "/metrics")).text).toContain("tsallis_fleet_up 0\n");
    await server.resume();
    await worker.tells("ready");
    expect(await health(worker)).toBe(200);
    const seen = async () => (await asked(coordinator, "/metrics")).text.includes("tsallis_fleet_workers 1\n");
    await coordinator.until("it sees the worker, or is done", () => seen().catch(() => coordinator.hasEnded));
    const { code, stderr } = await coordinator.over();
    expect(code, stderr).toBe(0);
    expect((await asked(worker, "/metrics")).text).toContain('tsallis_fleet_worker_runs_total{status="completed"} 24\n');

    await server.halt();
    await worker.until("it says that it is not well", async () => (await health(worker)) === 503);
    await server.resume();
    await worker.until("it is well again", async () => (await health(worker)) === 200);
    worker.signal("SIGTERM");
    expect((await worker.over()).code).toBe(0);
  });

  it("a server that hangs: commands for people end with the reason, a worker waits, and ends when it is told to", async () => {
    const fleet = newFleet();
    process.kill(server.pid, "SIGSTOP");
    try {
      const commands = FOR_PEOPLE.map((args) => fleet.start(...args));
      const [waiting, stopped] = [fleet.worker(), fleet.worker()];
      for (const command of commands) {
        const { code, stderr } = await command.over();
        expect(stderr).toMatch(/^tsallis: ERR_QUEUE: the queue at .* cannot be used: /);
        expect(code).toBe(2);
      }
      await Promise.all([waiting.tells("disconnected"), stopped.tells("disconnected")]);
      stopped.signal("SIGTERM");
      expect((await stopped.over()).code).toBe(0);
      process.kill(server.pid, "SIGCONT");
      await waiting.tells("ready");
    } finally {
      process.kill(server.pid, "SIGCONT");
    }
  });

  it("a database that does not exist is not waited for, and is not taken for another", async () => {
    const fleet = newFleet(server.url.replace(/[^/]*$/, "1000001"));
    const commands = [...FOR_PEOPLE, ["worker"], ["run", "sweep.yaml", "--out", "out"]].map((args) => fleet.start(...args));
    for (const command of commands) {
      const { code, stderr } = await command.over();
      expect(stderr.trimEnd().split("\n").at(-1)).toMatch(REFUSED[engine as keyof typeof REFUSED]);
      expect(code).toBe(2);
    }
  });
});

it("a port for metrics that is taken is refused before anything is played", async () => {
  const server = await redis();
  onTestFinished(() => server.stop());
  const fleet = new Fleet(root, server.url);
  onTestFinished(() => fleet.end());
  const worker = fleet.worker("--metrics", "0");
  await worker.tells("ready");
  const [, port] = /127\.0\.0\.1:(\d+)\//.exec(worker.stderr)!;
  for (const second of [fleet.start("worker", "--metrics", port!), fleet.coordinator("taken", "--metrics", port!)]) {
    const { code, stderr } = await second.over();
    expect(stderr).toContain(`tsallis: --metrics: ERR_PARAMETER: port ${port} is not available: another program uses it`);
    expect(code).toBe(2);
  }
  await until("the worker lives on", async () => (await health(worker)) === 200);
});
