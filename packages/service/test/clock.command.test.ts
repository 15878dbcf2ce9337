import { describe, expect, it } from "vitest";
import { until } from "../../../test/until.js";
import { SteadyClock } from "../dist/bandit/steadyClock.js";
import { Answers } from "./answers.js";
import { live } from "./live.js";

const DAY_MS = 86_400_000;
const START = 1_789_000_000_000;

describe("the time", () => {
  it("follows a clock that is slewed, and goes on through a jump until that has lasted longer than the window", () => {
    const at = { wall: START, count: 0 };
    const jumps: number[] = [];
    const clock = new SteadyClock(
      () => at.wall,
      () => at.count,
      (ms) => jumps.push(ms),
    );
    for (let i = 0; i < 100; i++) {
      at.count += 1_000;
      at.wall += 1_100;
      expect(clock.now(60_000)).toBe(at.wall);
    }
    const before = at.wall;
    at.wall += 2 * DAY_MS;
    for (let i = 0; i <= 60; i++) {
      expect(clock.now(60_000)).toBe(before + i * 1_000);
      // Another bandit has another window.
      expect(clock.now(DAY_MS)).toBe(before + i * 1_000);
      at.wall += 1_000;
      at.count += 1_000;
    }
    expect(clock.now(60_000)).toBe(at.wall);
    expect(clock.now(DAY_MS)).toBe(before + 61_000);
    expect(jumps).toEqual([2 * DAY_MS]);
    expect(clock.confirm()).toBe(2 * DAY_MS);
    expect(clock.now(DAY_MS)).toBe(at.wall);
    expect(clock.confirm()).toBe(0);
  });

  it("a jump that is taken back was none", () => {
    const at = { wall: START, count: 0 };
    const clock = new SteadyClock(
      () => at.wall,
      () => at.count,
    );
    for (const jump of [DAY_MS, -DAY_MS]) {
      at.wall += jump;
      expect(clock.now(60_000)).toBe(START + at.count);
      at.count += 4_000;
      at.wall += 4_000 - jump;
      expect(clock.now(60_000)).toBe(at.wall);
    }
  });
});

it("a clock that jumps by two days for four seconds expires nothing, and feedback counts meanwhile; confirmed, it expires", async () => {
  const at = { wall: START, count: 0 };
  const pass = (ms: number) => {
    at.wall += ms;
    at.count += ms;
  };
  const service = await live({ now: () => at.wall, monotonic: () => at.count });
  try {
    const answers = await Answers.of(service.url);
    await answers.put("shop", { arms: ["a", "b"], seed: 1 });
    await answers.put("quick", { arms: ["a", "b"], seed: 1, windowSeconds: 1 });
    for (const id of ["one", "two", "three"]) await answers.decide("shop", { id });
    await answers.decide("quick", { id: "short" });
    at.wall += 2 * DAY_MS;
    pass(4_000);
    // The sweep has come by when the bandit with the short window has lost its decision.
    await until("the short one has expired", async () => (await answers.view("quick")).counters.expired === 1);
    expect(await answers.feedback("shop", "one", { loss: 1 })).toEqual({ status: "applied" });
    expect((await answers.view("shop")).counters).toMatchObject({ expired: 0, open: 2 });
    at.wall -= 2 * DAY_MS;
    pass(1_000);
    expect(await answers.feedback("shop", "two", { loss: 1 })).toEqual({ status: "applied" });
    expect(service.events.some(({ message }) => /the clock of this machine jumped by 172800 s/.test(String(message)))).toBe(true);
    at.wall += 2 * DAY_MS;
    expect((await answers.view("shop")).counters.open).toBe(1);
    expect(await answers.expect(200, "POST", "/v1/clock", { body: {} })).toEqual({ seconds: 172_800 });
    await until("it has expired", async () => (await answers.view("shop")).counters.expired === 1);
  } finally {
    await service.close();
  }
});
