import { describe, expect, it, onTestFinished, test, vi } from "vitest";
import { withoutCredentials } from "../src/input/givenQueue.js";
import { fleetText } from "../src/text/fleetText.js";
import { RunProgress } from "../src/text/runProgress.js";
import { workerText } from "../src/text/workerText.js";
import { tsallis } from "./inProcess.js";

describe("usage", () => {
  test.each([
    [["worker"], "ERR_USAGE: no queue is given; name one with --queue or in the environment variable TSALLIS_QUEUE"],
    [["fleet", "drain"], "ERR_USAGE: no queue is given"],
    [["worker", "--queue", "http://ada:secret@host"], "ERR_QUEUE: the queue needs a URL such as redis://host:6379/0"],
    [["worker", "--queue", "redis://host", "--concurrency", "0"], "--concurrency: ERR_PARAMETER: concurrency must be an integer in [1, 1024], got 0"],
    [["worker", "--queue", "redis://host", "--patience", "x"], "--patience: ERR_PARAMETER: patience must be an integer"],
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
      "1 chunk with 40 runs done, 2 at work, 12 thousand rounds/s, 7 queued",
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

  it("of a command line hides a password in it", () => {
    const url = "redis://ada:secret@host:6379/0";
    expect(withoutCredentials(["run", "a.yaml", "--queue", url], url)).toEqual(["run", "a.yaml", "--queue", "redis://***@host:6379/0"]);
    expect(withoutCredentials(["run", `--queue=${url}`], url)).toEqual(["run", "--queue=redis://***@host:6379/0"]);
    expect(withoutCredentials(["run"], undefined)).toEqual(["run"]);
  });
});
