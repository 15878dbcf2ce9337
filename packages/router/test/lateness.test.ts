import { stream } from "tsallis";
import { describe, expect, it } from "vitest";
import { Hedge } from "../src/http/hedge.js";
import { Lateness } from "../src/http/lateness.js";

describe("the deadline", () => {
  it("is not known before 50 answers", () => {
    const lateness = new Lateness(0.95);
    for (let i = 0; i < 49; i++) lateness.observe("a", 0.1);
    expect(lateness.deadline).toBeNull();
    lateness.observe("a", 0.1);
    expect(lateness.deadline).toBe(0.1);
  });

  it.each([0.9, 0.95, 0.99])("is where the right share is late: %f, although nothing is known of late ones but that they are", (quantile) => {
    const lateness = new Lateness(quantile);
    const rng = stream(1, "lateness");
    let late = 0;
    const count = 40_000;
    for (let i = 0; i < count; i++) {
      // Pareto 1.5
      const seconds = 0.02 * rng.open() ** (-1 / 1.5);
      const { deadline } = lateness;
      const isLate = deadline !== null && seconds > deadline;
      if (isLate) late++;
      lateness.observe("a", isLate ? null : seconds);
    }
    expect(late / count / (1 - quantile)).toBeCloseTo(1, 1);
  });

  it("follows when everything becomes ten times as slow, within a hundred requests", () => {
    const lateness = new Lateness(0.95);
    for (let i = 0; i < 200; i++) lateness.observe("a", 0.01 + (i % 10) / 1000);
    for (let i = 0; i < 100; i++) lateness.observe("a", 0.1 > lateness.deadline! ? null : 0.1);
    expect(lateness.deadline).toBeGreaterThan(0.08);
  });
});

it("an upstream is slow while most of its answers are late", () => {
  const lateness = new Lateness(0.95);
  for (let i = 0; i < 50; i++) lateness.observe("a", 0.1);
  for (let i = 0; i < 20; i++) lateness.observeUpstream("b", true);
  expect([lateness.isSlow("a"), lateness.isSlow("b"), lateness.isSlow("new")]).toEqual([false, true, false]);
  for (let i = 0; i < 20; i++) lateness.observeUpstream("b", false);
  expect(lateness.isSlow("b")).toBe(false);
});

describe("hedges", () => {
  it("are off when all others are slow, and when the budget is spent", () => {
    const hedge = new Hedge({ quantile: 0.95, budget: 0.5 });
    hedge.budget.earn();
    hedge.budget.earn();
    expect([hedge.take(0), hedge.take(1), hedge.take(1)]).toEqual([false, true, false]);
    expect(hedge.status()).toEqual({ requests: 2, hedged: 1, won: 0, notHedged: { slow: 1, lost: 0, budget: 1 } });
  });

  it("are rare while second attempts lose, and come back when they win", () => {
    const hedge = new Hedge({ quantile: 0.95, budget: 1 });
    const play = (late: number, won: boolean) => {
      let taken = 0;
      for (let i = 0; i < late; i++) {
        hedge.budget.earn();
        if (!hedge.take(1)) continue;
        taken++;
        hedge.ended(won);
      }
      return taken;
    };
    play(30, false);
    expect(play(1000, false)).toBe(20);
    play(1000, true);
    expect(play(100, true)).toBe(100);
  });
});
