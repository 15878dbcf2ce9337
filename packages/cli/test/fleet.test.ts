import { describe, expect, it, onTestFinished, test, vi } from "vitest";
import { withoutCredentials } from "../src/input/givenQueue.js";
import { RunFigures, WorkerFigures } from "../src/serving/figures.js";
import { serveMetrics } from "../src/serving/metricsServer.js";
import { fleetText, workerText } from "../src/text/fleetText.js";
import { say } from "../src/text/output.js";
import { RunProgress } from "../src/text/runProgress.js";
import { jsonLine } from "../src/text/terminal.js";
import { tsallis } from "./inProcess.js";

describe("usage", () => {
  test.each([
    [["worker"], "ERR_USAGE: no queue is given; name one with --queue or in the environment variable TSALLIS_QUEUE"],
    [["fleet", "drain"], "ERR_USAGE: no queue is given"],
    [["worker", "--queue", "http://ada:secret@host"], "ERR_QUEUE: the queue needs a URL such as redis://host:6379/0"],
    [["worker", "--queue", "redis://host", "--concurrency", "0"], "--concurrency: ERR_PARAMETER: concurrency must be an integer in [1, 1024], got 0"],
    [["worker", "--queue", "redis://host", "--patience", "x"], "--patience: ERR_PARAMETER: patience must be an integer"],
    [["worker", "--queue", "redis://host/abc"], 'ERR_QUEUE: the database of a Redis is a number, as in redis://host:6379/0, not "abc"'],
    [["fleet", "--queue", "redis://ada:secret@host/1x"], "ERR_QUEUE: the database of a Redis is a number"],
    [["worker", "--queue", "redis://host", "--metrics", "x"], "--metrics: ERR_PARAMETER: metrics must be an integer in [0, 65535]"],
    [["run", "--metrics", "9100"], "ERR_USAGE: --metrics is for a run on the workers of a queue"],
    [["run", "--queue", "redis://host", "--workers", "2"], "ERR_USAGE: --workers counts threads of this machine"],
    [["fleet", "clear", "nothing", "--queue", "redis://host"], 'ERR_USAGE: "nothing" is neither a folder of results nor the hash of an experiment'],
  ])("%j", async (args, message) => {
    const { code, stdout, stderr } = await tsallis(args);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("secret");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  });
});

describe("the text", () => {
  it("about a fleet", () => {
    const workers = [{ name: "vm.7.2.ab12", host: "vm", pid: 7, concurrency: 2, chunks: ["0123456789abcdef-fedcba9876543210"] }];
    const progress = { runs: 30, done: 9, failed: 1, roundsPerSecond: 1_900_000, age: 1 };
    const experiments = [
      { name: "big", hash: "0123456789", queued: 3, active: 1, progress },
      { name: "old", hash: "abcdefabcdef", queued: 0, active: 0, progress: { ...progress, age: 75 } },
      { name: "new", hash: "fedcbafedcba", queued: 0, active: 0, progress: null },
    ];
    const text = fleetText({
      queue: "tsallis-1",
      url: "redis://h",
      drained: true,
      workers,
      queued: 3,
      active: 1,
      failed: 0,
      experiments,
      others: ["tsallis-2"],
    });
    const cells = text.split("\n").map((line) =>
      line
        .replace(/[│┌─┬┐├┼┤└┴┘]/g, " ")
        .trim()
        .replace(/ {2,}/g, " | "),
    );
    expect(cells.filter((line) => line !== "")).toEqual([
      "tsallis-1 at redis://h, drained: workers take no chunks until tsallis fleet resume",
      // A coordinator that has been silent for a minute does not count.
      "1 worker, 2 slots; chunks: 3 queued, 1 active, 0 failed; 1.9 million rounds/s",
      "other versions: tsallis-2",
      "worker | host | process | slots | playing",
      "vm.7.2.ab12 | vm | 7 | 2 | 01234567-fedcba98",
      "experiment | hash | runs | failed | rounds/s | queued | active | heard",
      "big | 01234567 | 9 of 30 | 1 | 1.9 million | 3 | 1 | now",
      "old | abcdefab | 9 of 30 | 1 | 1.9 million | 0 | 0 | 1 min 15 s ago",
      "new | fedcbafe | - | - | - | 0 | 0 | -",
    ]);
  });

  it("of a worker", () => {
    expect(workerText({ event: "health", chunks: 1, runs: 40, roundsPerSecond: 12_345, active: 2, queued: 7 })).toBe(
      "1 chunk with 40 runs done, 2 active, 12 thousand rounds/s, 7 queued",
    );
    expect(workerText({ event: "chunk", chunk: "x", runs: 1, failed: 0, rounds: 1, seconds: 1 })).toBeUndefined();
    expect(workerText({ event: "idle", reason: "tsallis-1 has no chunk to play", others: ["tsallis-2"] })).toMatch(
      /^idle: tsallis-1 has no chunk to play; the server also has tsallis-2, for workers of that version/,
    );
  });

  it("of progress shows the connected workers, with notices between the lines", () => {
    let lines = "";
    vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      lines += text;
      return true;
    });
    const clock = vi.spyOn(performance, "now").mockReturnValue(0);
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    const progress = new RunProgress("small", "out");
    progress.show({ runs: 4, done: 0, failed: 0, resumed: 0, rounds: 0, roundsInAll: 4000 });
    progress.interrupt("no worker listens");
    clock.mockReturnValue(6000);
    progress.showWorkers(1);
    clock.mockReturnValue(12_000);
    progress.showWorkers(3);
    progress.stop();
    expect(lines.split("\n").slice(1)).toEqual([
      "tsallis: no worker listens",
      "tsallis: 0 %, 0 of 4 runs, 1 worker",
      "tsallis: 0 %, 0 of 4 runs, 3 workers",
      "",
    ]);
  });

  it("of a command line hides a password in it, and can be pasted", () => {
    const url = "redis://ada:secret@host:6379/0";
    const word = `"\${TSALLIS_QUEUE:?the URL of the queue}"`;
    expect(withoutCredentials(["run", "my file.yaml", "--queue", url], url)).toBe(`run 'my file.yaml' --queue ${word}`);
    expect(withoutCredentials(["run", `--queue=${url}`], url)).toBe(`run --queue=${word}`);
    expect(withoutCredentials(["run", "--out", "of ada", "--queue", "redis://host/0"], "redis://host/0")).toBe(
      "run --out 'of ada' --queue redis://host/0",
    );
    expect(withoutCredentials(["run"], undefined)).toBe("run");
  });

  it("of a queue cannot move the cursor, colour the terminal or turn the line around", () => {
    const evil = "\x1b[2J\x9b31m\r\n\u202e\x07x";
    const progress = { runs: 1, done: 1, failed: 0, roundsPerSecond: 1, age: 0 };
    const workers = [{ name: "vm.7.2.ab12", host: "vm", pid: 7, concurrency: 2, chunks: [`${evil}-${evil}`] }];
    const experiments = [{ name: evil, hash: evil, queued: 0, active: 0, progress }];
    const state = {
      queue: "tsallis-1",
      url: "redis://h",
      drained: false,
      workers,
      queued: 0,
      active: 0,
      failed: 0,
      experiments,
      others: [`tsallis-${evil}`],
    };
    expect(fleetText(state)).not.toMatch(/(?!\n)\p{Cc}|[\u202e]/u);
    expect(jsonLine(state).slice(0, -1)).not.toMatch(/\p{Cc}|[\u202e]/u);
    expect(JSON.parse(jsonLine(state))).toEqual(state);
    let lines = "";
    vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      lines += text;
      return true;
    });
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    say(`chunk ${evil} goes back`);
    expect(lines).toBe("tsallis: chunk  [2J 31m x goes back\n");
  });
});

describe("metrics", () => {
  it("of a coordinator", () => {
    const figures = new RunFigures();
    figures.takeServer(false);
    expect(figures.problem).toBe("the queue has not answered yet");
    figures.takeServer(true);
    expect(figures.problem).toBeNull();
    figures.takeWorkers(2, 8);
    figures.takeProgress({ runs: 9, done: 5, failed: 1, resumed: 2, rounds: 700, roundsInAll: 900 });
    figures.takeInvalid();
    expect(samples(figures.text)).toEqual({
      tsallis_fleet_up: 1,
      tsallis_fleet_workers: 2,
      tsallis_fleet_slots: 8,
      tsallis_fleet_runs: 9,
      'tsallis_fleet_runs_done{status="completed"}': 4,
      'tsallis_fleet_runs_done{status="failed"}': 1,
      tsallis_fleet_rounds_total: 700,
      tsallis_fleet_invalid_results_total: 1,
    });
    figures.takeServer(false);
    expect(figures.problem).toBe("the queue does not answer");
  });

  it("of a worker", () => {
    const figures = new WorkerFigures(() => 1);
    expect(figures.problem).toBe("the queue has not answered yet");
    figures.take({ event: "ready", queue: "q", url: "u", name: "n", concurrency: 4 });
    expect(figures.problem).toBeNull();
    figures.take({ event: "chunk", chunk: "a", runs: 5, failed: 1, rounds: 700, seconds: 1 });
    figures.take({ event: "lost", chunk: "b", reason: "" });
    figures.take({ event: "returned", chunk: "c", reason: "" });
    expect(samples(figures.text)).toEqual({
      tsallis_fleet_up: 1,
      tsallis_fleet_worker_slots: 4,
      tsallis_fleet_worker_active: 1,
      'tsallis_fleet_worker_chunks_total{outcome="played"}': 1,
      'tsallis_fleet_worker_chunks_total{outcome="lost"}': 1,
      'tsallis_fleet_worker_chunks_total{outcome="returned"}': 1,
      'tsallis_fleet_worker_runs_total{status="completed"}': 4,
      'tsallis_fleet_worker_runs_total{status="failed"}': 1,
      tsallis_fleet_worker_rounds_total: 700,
    });
    figures.take({ event: "disconnected", reason: "gone" });
    expect([figures.problem, samples(figures.text).tsallis_fleet_up]).toEqual(["the queue does not answer", 0]);
    figures.take({ event: "reconnected" });
    expect(figures.problem).toBeNull();
    figures.take({ event: "stopping", active: 0 });
    expect(figures.problem).toBe("the worker is stopping");
  });

  it("are served, with the state of health, to those who may only read", async () => {
    vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const figures = { problem: null as string | null, text: "tsallis_fleet_up 1\n" };
    const close = await serveMetrics("0", figures);
    onTestFinished(() => {
      close();
      vi.restoreAllMocks();
    });
    const said = vi.mocked(process.stderr.write).mock.calls[0]![0] as string;
    const [, port] = /http:\/\/127\.0\.0\.1:(\d+)\/metrics/.exec(said)!;
    const ask = async (path: string, method = "GET") => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method });
      return [answer.status, answer.headers.get("content-type"), await answer.text()];
    };
    expect(await ask("/metrics")).toEqual([200, "text/plain; version=0.0.4; charset=utf-8", "tsallis_fleet_up 1\n"]);
    expect(await ask("/healthz")).toEqual([200, "text/plain; charset=utf-8", "ok\n"]);
    figures.problem = "the queue does not answer";
    expect(await ask("/healthz?x")).toEqual([503, "text/plain; charset=utf-8", "the queue does not answer\n"]);
    expect((await ask("/metrics"))[0]).toBe(200);
    expect([(await ask("/"))[0], (await ask("/metrics", "POST"))[0]]).toEqual([404, 405]);
    await expect(serveMetrics(port!, figures)).rejects.toMatchObject({
      code: "ERR_PARAMETER",
      message: expect.stringContaining("another program uses it"),
    });
  });
});

/** The samples of a text in Prometheus's format, each of a family with help and type. */
function samples(text: string): Record<string, number> {
  const lines = text.trimEnd().split("\n");
  const values = lines.filter((line) => !line.startsWith("#")).map((line) => line.split(" ") as [string, string]);
  for (const [name] of values) {
    const family = name.replace(/\{.*/, "");
    expect(lines.filter((line) => line.startsWith(`# HELP ${family} `) || line.startsWith(`# TYPE ${family} `))).toHaveLength(2);
  }
  return Object.fromEntries(values.map(([name, value]) => [name, Number(value)]));
}
