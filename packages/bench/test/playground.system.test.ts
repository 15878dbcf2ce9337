import { expect, it } from "vitest";
import { playgroundTables, playgroundTargets } from "../dist/playground/benchPlayground.js";
// The build: the page is served and played.
import { framesOf } from "../dist/playground/frames.js";
import { measurePlayground } from "../dist/playground/measurePlayground.js";

it("measures the playground in small, and shows every figure beside what was asked", async () => {
  const measured = await measurePlayground({ rounds: 20_000, lane: 10_000, short: 5_000 }, () => {}, new AbortController().signal);
  expect(measured.frames).toBeGreaterThan(0);
  for (const { measured: value } of playgroundTargets(measured)) expect(value).toBeGreaterThan(0);
  const text = playgroundTables(measured);
  for (const { name, asked } of playgroundTargets(measured)) {
    expect(text).toContain(name);
    expect(text).toContain(asked);
  }
});

it("adds up the script of each frame once, and finds the longest task", () => {
  const main = { pid: 1, tid: 2, ph: "X" };
  const event = (name: string, ms: number, dur: number, tdur?: number) => ({
    ...main,
    name,
    ts: ms * 1000,
    dur: dur * 1000,
    ...(tdur && { tdur: tdur * 1000 }),
  });
  const frames = framesOf([
    { name: "thread_name", ph: "M", pid: 1, tid: 2, ts: 0, args: { name: "CrRendererMain" } },
    event("RunTask", 0, 90),
    event("FireAnimationFrame", 100, 4),
    event("FunctionCall", 101, 2),
    event("FunctionCall", 110, 3),
    event("FireAnimationFrame", 116, 1),
    event("FunctionCall", 120, 50, 5),
    event("RunTask", 118, 60, 6),
    event("FireAnimationFrame", 180, 1),
    { ...event("FunctionCall", 105, 500), tid: 3 },
  ]);
  expect(frames).toEqual({ script: [7, 6], longestTask: 6 });
});
