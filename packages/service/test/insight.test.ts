import fc from "fast-check";
import { pareto, stream } from "tsallis";
import { Compile } from "typebox/schema";
import { describe, expect, it } from "vitest";
import { BanditState } from "../src/bandit/banditState.js";
import type { OpenDecision } from "../src/bandit/openDecisions.js";
import { Insight } from "../src/insight/insight.js";
import type { ChangeEvent, DecisionEvent, LogEvent } from "../src/log/event.js";
import { Alarm, type Document, History } from "../src/schemas.js";

const T = Date.UTC(2026, 10, 16);
const DOCUMENT: Document = {
  arms: ["a", "b", "c"],
  policy: { policy: "matched-tinf" },
  seed: 1,
  windowSeconds: 60,
  expired: "ignore",
  holdout: 0,
  segments: [],
  cap: null,
  unit: "",
  direction: "loss",
};

type Unnumbered<Event> = Event extends LogEvent ? Omit<Event, "seq" | "origin"> : never;

/** A log that a state and an insight follow; its events are kept for the naive definitions. */
class Feed {
  readonly state: BanditState;
  readonly insight: Insight;
  readonly decisions: DecisionEvent[] = [];
  readonly outcomes: { at: number; open: OpenDecision; loss: number | null }[] = [];

  constructor(readonly document = DOCUMENT) {
    this.state = new BanditState(document, { version: "1", bits: "b" }, "genesis");
    this.insight = new Insight(document);
  }

  tell(unnumbered: Unnumbered<LogEvent>): void {
    const event = { ...unnumbered, seq: this.state.seq + 1, origin: "salt" } as LogEvent;
    const open = this.state.apply(event, "");
    this.insight.take(event, open);
    if (event.kind === "decision") this.decisions.push(event);
    if (event.kind === "feedback") this.outcomes.push({ at: event.at, open: open!, loss: event.loss });
    if (event.kind === "expiry") this.outcomes.push({ at: event.at, open: open!, loss: null });
  }

  decide(decision: string, at: number, number: number, more: Partial<DecisionEvent> = {}): void {
    const { name: arm } = this.state.arms.get(number)!;
    const expires = at + 1_000 * this.state.windowSeconds;
    this.tell({
      kind: "decision",
      at,
      decision,
      segment: "",
      arm,
      number,
      round: 1,
      probability: 0.5,
      threshold: null,
      holdout: false,
      expires,
      ...more,
    });
  }

  answer(decision: string, at: number, loss: number): void {
    const { segment, holdout, number } = this.state.open.get(decision)!;
    const status = holdout ? "recorded" : this.state.arms.has(number) ? "applied" : "retired";
    this.tell({ kind: "feedback", at, decision, segment, loss, status });
  }

  expire(decision: string, at: number): void {
    this.tell({ kind: "expiry", at, decision, segment: this.state.open.get(decision)!.segment, loss: null });
  }

  change(at: number, change: Partial<ChangeEvent>): void {
    this.tell({ kind: "change", at, ...change });
  }
}

/** Type 7, written in another way. */
function quantile(values: readonly number[], p: number): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const h = (sorted.length - 1) * p;
  return sorted[Math.floor(h)]! * (1 - (h % 1)) + sorted[Math.ceil(h)]! * (h % 1);
}

const near = (value: number | null) => (value === null ? null : expect.closeTo(value, 9));
const iso = (at: number): string => new Date(at).toISOString();

/** Traffic of three arms, two segments and a holdout, with laws; `every` milliseconds between decisions. */
function traffic(count: number, every: number): Feed {
  const feed = new Feed({ ...DOCUMENT, holdout: 0.1 });
  const rng = stream(1, "traffic", count);
  const law = pareto({ shape: 1.5, scale: 1 });
  for (let i = 0; i < count; i++) {
    const at = T + i * every;
    const number = Math.floor(3 * rng.uniform());
    const holdout = rng.uniform() < 0.1;
    const share = rng.uniform();
    const segment = rng.uniform() < 0.3 ? "vip" : "";
    feed.decide(`d${i}`, at, number, {
      segment,
      holdout,
      threshold: holdout ? null : 5,
      round: holdout ? null : i,
      ...(i % 10 === 0 ? { probabilities: [share, 1 - share, 0] } : {}),
    });
    const fate = rng.uniform();
    if (fate < 0.1) feed.expire(`d${i}`, at + 7);
    else if (fate < 0.9) feed.answer(`d${i}`, at + 5, law.quantile(rng.open()));
  }
  return feed;
}

describe("history", () => {
  it("of nothing is empty, and valid", async () => {
    const { insight, state } = new Feed();
    expect(await insight.history(state, 300, undefined, T)).toEqual({
      events: 0,
      from: null,
      to: null,
      seconds: 1,
      arms: ["a", "b", "c"],
      alive: { decisionsPerSecond: 0, feedbackPerSecond: 0, answered: null, expired: null, open: 0, lastEvent: null },
      points: [],
      costs: ["a", "b", "c"].map((arm) => ({
        arm,
        decisions: 0,
        answered: 0,
        median: null,
        p90: null,
        p99: null,
        mean: null,
        skipped: null,
        missing: null,
        tail: null,
        survival: [],
      })),
      medians: { policy: null, holdout: null, difference: null },
    });
  });

  describe.each([
    ["few events", 400, 1_000],
    ["more events than are kept", 25_000, 50],
  ])("%s", (_, count, every) => {
    const feed = traffic(count, every);
    const now = T + count * every;

    it.each([undefined, "", "vip", "unheard of"])("has the figures of the naive definition, segment %j", async (segment) => {
      const { insight, state } = feed;
      const found = await insight.history(state, 30, segment, now);
      const isAsked = (each: { segment: string }): boolean => segment === undefined || each.segment === segment;
      const [kept, ended] = [feed.decisions.slice(-20_000), feed.outcomes.slice(-10_000)];
      const decisions = kept.filter(isAsked);
      const outcomes = ended.filter(({ open }) => isAsked(open));
      const losses = (list: typeof outcomes): number[] => list.flatMap(({ loss }) => loss ?? []);

      // The points.
      const known = count > 10_000 ? Math.max(kept[0]!.at, ended[0]!.at) : -Infinity;
      const times = [...decisions, ...outcomes].map(({ at }) => at).filter((at) => at >= known);
      const [from, to] = [Math.min(...times), Math.max(...times)];
      expect([found.from, found.to]).toEqual(times.length === 0 ? [null, null] : [iso(from), iso(to)]);
      expect(found.points.length).toBeLessThanOrEqual(30);
      expect(found.events).toBe(times.length);
      const width = 1_000 * found.seconds;
      const laws = feed.decisions.filter(({ probabilities, segment: its }) => probabilities !== undefined && its === (segment ?? "")).slice(-2_000);
      found.points.forEach((point, i) => {
        const within = ({ at }: { at: number }): boolean => at >= from + i * width && at < from + (i + 1) * width && at >= known;
        const made = decisions.filter(within);
        const over = outcomes.filter(within);
        const law = laws.filter(({ at }) => at < from + (i + 1) * width).at(-1)?.probabilities;
        expect(point).toEqual({
          at: iso(from + i * width),
          decisions: made.length,
          answered: losses(over).length,
          expired: over.filter(({ loss }) => loss === null).length,
          probabilities: law ?? null,
          shares: made.length === 0 ? null : [0, 1, 2].map((arm) => near(made.filter(({ number }) => number === arm).length / made.length)),
          median: near(quantile(losses(over), 0.5)),
          p90: near(quantile(losses(over), 0.9)),
          p99: near(quantile(losses(over), 0.99)),
        });
      });
      if (times.length > 0) expect(from + found.points.length * width).toBeGreaterThan(to);

      // The arms.
      found.costs.forEach((cost, arm) => {
        const its = outcomes.filter(({ open }) => open.number === arm);
        const answered = losses(its);
        const ratio = (part: number, all: number) => (all === 0 ? null : near(part / all));
        expect(cost).toMatchObject({
          arm: ["a", "b", "c"][arm],
          decisions: decisions.filter(({ number, at }) => number === arm && at >= known).length,
          answered: answered.length,
          median: near(quantile(answered, 0.5)),
          p90: near(quantile(answered, 0.9)),
          p99: near(quantile(answered, 0.99)),
          mean: ratio(
            answered.reduce((sum, loss) => sum + loss, 0),
            answered.length,
          ),
          skipped: ratio(
            its.filter(({ open, loss }) => loss !== null && open.threshold !== null && Math.abs(loss) > open.threshold).length,
            answered.length,
          ),
          missing: ratio(its.length - answered.length, its.length),
        });
        expect(cost.survival.length).toBeLessThanOrEqual(60);
        for (const [size, share] of cost.survival) expect(share).toBe(answered.filter((loss) => Math.abs(loss) > size).length / answered.length);
        expect(cost.survival.map(([size]) => size)).toEqual([...cost.survival.map(([size]) => size)].sort((a, b) => a - b));
        if (answered.length >= 100) expect(cost.tail!.low < cost.tail!.estimate && cost.tail!.estimate < cost.tail!.high).toBe(true);
        else expect(cost.tail).toBeNull();
      });

      // Whether it is alive.
      const minute = ({ at }: { at: number }): boolean => at > now - 60_000;
      const last =
        segment === undefined
          ? feed.state.lastAt
          : Math.max(...[...feed.decisions.filter(isAsked), ...feed.outcomes.filter(({ open }) => isAsked(open))].map(({ at }) => at));
      expect(found.alive).toEqual({
        decisionsPerSecond: near(decisions.filter(minute).length / 60),
        feedbackPerSecond: near(losses(outcomes.filter(minute)).length / 60),
        answered: outcomes.length === 0 ? null : near(losses(outcomes).length / outcomes.length),
        expired: outcomes.length === 0 ? null : near(1 - losses(outcomes).length / outcomes.length),
        open: feed.decisions.filter(({ decision, ...rest }) => isAsked(rest) && feed.state.open.get(decision) !== undefined).length,
        lastEvent: last === -Infinity ? null : iso(last),
      });
    });
  });

  it("keeps its answer until the next event, and looks at the clock every time", async () => {
    const feed = traffic(400, 1_000);
    const { insight, state } = feed;
    const first = await insight.history(state, 30, undefined, T + 400_000);
    expect(await insight.alarms(state)).toBe(await insight.alarms(state));
    feed.decide("one more", T + 400_000, 1);
    const after = await insight.history(state, 30, undefined, T + 400_000);
    expect(after.events).toBe(first.events + 1);
    // What the lab said is kept until 1 % more events have come, or 5 s have passed.
    expect(after.costs[0]!.tail).toBe(first.costs[0]!.tail);
    const later = await insight.history(state, 30, undefined, T + 436_000);
    expect(later.points).toBe(after.points);
    expect(later.alive.decisionsPerSecond).toBeLessThan(after.alive.decisionsPerSecond);
    feed.decide("yet another", T + 436_000, 1);
    expect((await insight.history(state, 30, undefined, T + 436_000)).costs[0]!.tail).not.toBe(first.costs[0]!.tail);
  });

  it("tells rates beyond what it keeps: 1,000 per second", async () => {
    const { insight, state } = traffic(21_000, 1);
    const { alive } = await insight.history(state, 30, undefined, T + 21_000);
    expect(alive.decisionsPerSecond).toBeCloseTo(1_000, -1);
    expect(alive.feedbackPerSecond / alive.decisionsPerSecond).toBeCloseTo(0.8, 1);
  });

  it("shows the present arms, and laws of former arms as far as they are about them", async () => {
    const feed = new Feed();
    feed.decide("1", T, 0, { probabilities: [0.5, 0.3, 0.2] });
    feed.answer("1", T, 4);
    feed.decide("2", T + 2_000, 1);
    feed.change(T + 2_000, {
      arms: [
        { name: "c", number: 2 },
        { name: "d", number: 3 },
        { name: "a", number: 0 },
      ],
    });
    feed.answer("2", T + 2_500, 9);
    feed.decide("3", T + 4_000, 3, { probabilities: [0.1, 0.2, 0.7] });
    const { arms, points, costs } = await feed.insight.history(feed.state, 1_000, undefined, T);
    expect(arms).toEqual(["c", "d", "a"]);
    expect(points.map(({ probabilities, shares }) => [probabilities, shares])).toEqual([
      [
        [0.2, 0, 0.5],
        [0, 0, 1],
      ],
      [[0.2, 0, 0.5], null],
      [
        [0.2, 0, 0.5],
        [0, 0, 0],
      ],
      [[0.2, 0, 0.5], null],
      [
        [0.1, 0.2, 0.7],
        [0, 1, 0],
      ],
    ]);
    expect(costs.map(({ decisions, answered }) => [decisions, answered])).toEqual([
      [0, 0],
      [1, 0],
      [1, 1],
    ]);
  });

  it("knows the arms of laws though it begins in the middle of a log, unless they change after that", async () => {
    const { state, insight } = new Feed();
    const change: ChangeEvent = {
      kind: "change",
      origin: null,
      seq: 1,
      at: T,
      arms: [
        { name: "c", number: 2 },
        { name: "d", number: 3 },
      ],
    };
    state.apply(change, "");
    const decision: DecisionEvent = {
      kind: "decision",
      origin: "salt",
      seq: 2,
      at: T,
      decision: "x",
      segment: "",
      arm: "d",
      number: 3,
      round: 1,
      probability: 0.6,
      threshold: null,
      holdout: false,
      expires: T + 60_000,
      probabilities: [0.4, 0.6],
    };
    insight.take(decision, state.apply(decision, ""));
    expect((await insight.history(state, 10, undefined, T)).points[0]!.probabilities).toEqual([0.4, 0.6]);
    const other: ChangeEvent = { ...change, seq: 3, arms: [{ name: "d", number: 3 }] };
    insight.take(other, state.apply(other, ""));
    expect((await insight.history(state, 10, undefined, T)).points[0]!.probabilities).toBeNull();
  });

  it("has fewer points for very many arms", async () => {
    const feed = new Feed({ ...DOCUMENT, arms: Array.from({ length: 5_000 }, (_, i) => `arm${i}`) });
    for (let i = 0; i < 100; i++) feed.decide(`${i}`, T + 60_000 * i, 50 * i);
    const { points, arms } = await feed.insight.history(feed.state, 1_000, undefined, T);
    expect([arms.length, points.length, points[0]!.shares!.length]).toEqual([5_000, 20, 5_000]);
  });
});

describe("alarms", () => {
  it("come with the events and go with them", async () => {
    const feed = new Feed();
    for (let i = 0; i < 60; i++) feed.decide(`${i}`, T + i, 0);
    expect(await feed.insight.alarms(feed.state)).toEqual([]);
    for (let i = 0; i < 60; i++) feed.expire(`${i}`, T + 60_000 + i);
    expect(await feed.insight.alarms(feed.state)).toMatchObject([{ code: "FEEDBACK_MISSING" }]);
    for (let i = 0; i < 300; i++) {
      feed.decide(`later ${i}`, T + 70_000 + i, 0);
      feed.answer(`later ${i}`, T + 80_000 + i, 1);
    }
    expect(await feed.insight.alarms(feed.state)).toEqual([]);
  });

  it("HORIZON_NEAR, of the segment that has played most", async () => {
    const feed = new Feed({ ...DOCUMENT, policy: { policy: "moss", horizon: 10 } as Document["policy"] });
    feed.decide("1", T, 0, { segment: "x", round: 8 });
    expect(await feed.insight.alarms(feed.state)).toEqual([]);
    feed.decide("2", T, 0, { segment: "x", round: 9 });
    expect(await feed.insight.alarms(feed.state)).toMatchObject([{ code: "HORIZON_NEAR" }]);
  });

  it("of all kinds for a policy that was told too much", async () => {
    const feed = new Feed({ ...DOCUMENT, policy: { policy: "htinf", alpha: 2, sigma: 1 } as Document["policy"] });
    const rng = stream(9, "all");
    const law = pareto({ shape: 1.1, scale: 1 });
    for (let i = 0; i < 8_000; i++) {
      feed.decide(`${i}`, T + i, i % 3, { threshold: 1 });
      feed.answer(`${i}`, T + i, -law.quantile(rng.open()) * (i < 6_000 ? 1 : 3));
    }
    expect((await feed.insight.alarms(feed.state)).map(({ code }) => code)).toEqual(["SKIPS_MOST", "DRIFT", "TAIL_HEAVIER", "NEGATIVE_TAIL"]);
  });
});

describe("whatever happens", () => {
  const [history, alarm] = [Compile(History), Compile(Alarm)];
  const loss = fc.oneof(
    fc.constantFrom(0, -0, 1, 1e300, -1e300, 5e-324, -5e-324),
    fc.double({ min: -1e300, max: 1e300, noNaN: true }),
    fc.double({ min: -10, max: 10, noNaN: true }),
  );
  const step = fc.record({
    what: fc.constantFrom("decide", "decide", "decide", "answer", "answer", "expire", "arms"),
    arm: fc.nat(1_000),
    segment: fc.constantFrom("", "", "x"),
    holdout: fc.boolean(),
    threshold: fc.constantFrom(null, 0, 1),
    pause: fc.constantFrom(0, 1, 900, -40, 1e7),
    loss,
  });

  /** Plays a random log and looks at it. */
  async function look(
    policy: Document["policy"],
    expired: "ignore" | number,
    steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[],
    repeats: number,
  ): Promise<void> {
    const feed = new Feed({ ...DOCUMENT, policy, expired, arms: ["a", "b"] });
    let [at, next] = [T, 0];
    for (let i = 0; i < repeats; i++) {
      for (const each of steps) {
        at += each.pause;
        const numbers = [...feed.state.arms.keys()];
        const [first] = feed.state.open.due(Infinity, 1);
        if (each.what === "decide") {
          const { segment, holdout, threshold } = each;
          const law = threshold === 1 ? { probabilities: numbers.map(() => 1 / numbers.length) } : {};
          feed.decide(`${next++}`, at, numbers[each.arm % numbers.length]!, { segment, holdout, threshold, ...law, round: holdout ? null : next });
        } else if (each.what === "arms") {
          const kept = numbers.slice(each.arm % 2).map((number) => ({ name: feed.state.arms.get(number)!.name, number }));
          const { nextNumber } = feed.state;
          feed.change(at, { arms: [...kept, ...(numbers.length < 4 || kept.length === 0 ? [{ name: `n${nextNumber}`, number: nextNumber }] : [])] });
        } else if (first !== undefined) {
          if (each.what === "answer") feed.answer(first.id, at, each.loss);
          else feed.expire(first.id, at);
        }
      }
    }
    for (const segment of [undefined, "", "x", "y"]) {
      const shown = await feed.insight.history(feed.state, 10 + (steps.length % 90), segment, at);
      expect(history.Errors(shown)[1]).toEqual([]);
      // JSON makes null of NaN and Infinity, in silence.
      const wire = JSON.stringify(shown, (_, value) => {
        if (typeof value === "number") expect(Number.isFinite(value)).toBe(true);
        return value;
      });
      expect(history.Check(JSON.parse(wire))).toBe(true);
      expect(wire).not.toMatch(/NaN|Infinity|undefined/);
    }
    for (const each of await feed.insight.alarms(feed.state)) {
      expect(alarm.Check(each)).toBe(true);
      expect(`${each.message} ${each.remedy}`).not.toMatch(/NaN|undefined/);
    }
  }

  const policies = fc.constantFrom({ policy: "matched-tinf" }, { policy: "htinf", alpha: 1.5, sigma: 1 }, { policy: "moss", horizon: 20 });
  const expiries = fc.constantFrom<("ignore" | number)[]>("ignore", 3, -1e300);

  it("the history is as its schema says", () =>
    fc.assert(
      fc.asyncProperty(policies, expiries, fc.array(step, { maxLength: 60 }), (policy, expired, steps) => look(policy, expired, steps, 1)),
      { numRuns: 100 },
    ));

  it("also where there are enough outcomes for all figures", () =>
    fc.assert(
      fc.asyncProperty(policies, expiries, fc.array(step, { minLength: 20, maxLength: 60 }), (policy, expired, steps) =>
        look(policy, expired, steps, 40),
      ),
      { numRuns: 30 },
    ));

  it.each([0, 7, -3, 1e300, -1e300])("the same loss all the time: %d", async (same) => {
    const feed = new Feed({ ...DOCUMENT, policy: { policy: "htinf", alpha: 1.5, sigma: 1 } as Document["policy"], holdout: 0.5 });
    for (let i = 0; i < 1_000; i++) {
      feed.decide(`${i}`, T + i, 1, { holdout: i % 2 === 0 });
      feed.answer(`${i}`, T + i, same);
    }
    const shown = await feed.insight.history(feed.state, 100, undefined, T);
    expect(history.Errors(shown)[1]).toEqual([]);
    expect(shown.medians.difference).toEqual({ estimate: 0, low: 0, high: 0 });
    expect(shown.costs[1]).toMatchObject({ median: same, tail: null, survival: [] });
    expect(Math.abs(shown.costs[1]!.mean! - same)).toBeLessThanOrEqual(1e-12 * Math.abs(same));
    expect((await feed.insight.alarms(feed.state)).map(({ code }) => code)).toEqual(same < 0 ? ["NEGATIVE_TAIL"] : []);
  });
});
