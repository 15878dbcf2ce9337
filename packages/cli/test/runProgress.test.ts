import { afterEach, describe, expect, it, vi } from "vitest";
import { duration } from "../src/text/quantities.js";
import { RunProgress } from "../src/text/runProgress.js";
import { shellWord } from "../src/text/terminal.js";

afterEach(() => vi.restoreAllMocks());

describe("progress without a terminal", () => {
  it("goes on where nothing moves", () => {
    const lines: string[] = [];
    vi.spyOn(process.stderr, "write").mockImplementation((text) => lines.push(String(text)) > 0);
    vi.useFakeTimers();
    const progress = new RunProgress("small", "out");
    progress.show({ runs: 6, done: 0, failed: 0, resumed: 0, rounds: 0, roundsInAll: 3000 });
    vi.advanceTimersByTime(8000);
    progress.stop();
    vi.advanceTimersByTime(10_000);
    vi.useRealTimers();
    expect(lines).toEqual(["tsallis: small: 6 runs into out\n", "tsallis: 0 %, 0 of 6 runs\n", "tsallis: 0 %, 0 of 6 runs\n"]);
  });

  it("says at once that all runs have ended, if it has said how far they are", () => {
    const lines: string[] = [];
    vi.spyOn(process.stderr, "write").mockImplementation((text) => lines.push(String(text)) > 0);
    const clock = vi.spyOn(performance, "now");
    const state = { runs: 2, failed: 0, resumed: 0, rounds: 0, roundsInAll: 20 };
    const shown = (times: readonly (readonly [milliseconds: number, done: number])[]) => {
      lines.length = 0;
      const progress = new RunProgress("small", "out");
      for (const [milliseconds, done] of times) {
        clock.mockReturnValue(milliseconds);
        progress.show({ ...state, done, rounds: 10 * done });
      }
      progress.stop();
      return lines.slice(1);
    };
    expect(
      shown([
        [0, 0],
        [4000, 1],
        [4001, 2],
        [4002, 2],
      ]),
    ).toEqual(["tsallis: 50 %, 1 of 2 runs\n", "tsallis: 100 %, writing the results\n"]);
    expect(
      shown([
        [0, 0],
        [3000, 2],
      ]),
    ).toEqual([]);
  });

  it("is one line every few seconds, with rate, runs, failures and time left", () => {
    let lines = "";
    vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      lines += text;
      return true;
    });
    const clock = vi.spyOn(performance, "now");
    const progress = new RunProgress("small", "out");
    const state = { runs: 20, done: 4, failed: 0, resumed: 4, rounds: 0, roundsInAll: 16_000_000 };
    for (const [milliseconds, change] of [
      [1000, {}],
      [3000, { rounds: 1_000_000 }],
      [6000, { done: 8, rounds: 4_000_000 }],
      [7000, { done: 9, rounds: 5_000_000 }],
      [12_000, { done: 12, failed: 2, rounds: 1_009_000 }],
      [17_000, { done: 20, failed: 2, rounds: 16_000_000 }],
    ] as const) {
      clock.mockReturnValue(milliseconds);
      progress.show({ ...state, ...change });
    }
    progress.stop();
    expect(lines.split("\n")).toEqual([
      "tsallis: small: 20 runs into out, 4 of them already there",
      "tsallis: 25 %, 8 of 20 runs, 1.0 million rounds/s, 12 s left",
      "tsallis: 6 %, 12 of 20 runs, 1 thousand rounds/s, 2 failed, 4 h 9 min left",
      "tsallis: 100 %, writing the results",
      "",
    ]);
  });
});

it("durations read as people say them", () => {
  expect([0.4, 59.4, 59.6, 125, 3600, 4350].map(duration)).toEqual(["0 s", "59 s", "1 min 0 s", "2 min 5 s", "1 h 0 min", "1 h 12 min"]);
});

it("words are quoted if a shell would change them", () => {
  expect(["run", "--only", "still/*", "it's", "a b", ""].map(shellWord)).toEqual(["run", "--only", "'still/*'", "'it'\\''s'", "'a b'", "''"]);
});
