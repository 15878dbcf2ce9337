import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FailureRate } from "../src/model/failureRate.js";

/** An answer: whether it was a failure, how many others were in flight when its request was sent, and the number of that request. */
type Answer = readonly [isFailure: boolean, load: number, request: number];

/** The bin of a load, in whole numbers: the largest k with 2^k <= (n + 1)^32. */
function binOf(load: number): number {
  return (BigInt(load + 1) ** 32n).toString(2).length - 1;
}

/** How many answers of a list there are, and how many of them failed, when each fades by a thousandth with every later one of the list. */
function faded(list: readonly Answer[]): { answers: number; failures: number } {
  return list.reduce(({ answers, failures }, [is]) => ({ answers: 0.999 * answers + 1, failures: 0.999 * failures + (is ? 1 : 0) }), {
    answers: 0,
    failures: 0,
  });
}

/** The loads of the failures since the last success whose requests were sent after all that have succeeded: the present run. */
function runOf(history: readonly Answer[]): readonly number[] {
  const newest = Math.max(-1, ...history.filter(([is]) => !is).map(([, , request]) => request));
  const since = history.slice(history.map(([is]) => is).lastIndexOf(false) + 1);
  return since.filter(([, , request]) => request > newest).map(([, load]) => load);
}

/** The rate at a load, from the whole history. */
function reference(history: readonly Answer[], load: number): number {
  const isInRun = history.map(([is, , request], i) => {
    const before = history.slice(0, i);
    const failed = before.filter(([isFailure]) => isFailure).map(([, , each]) => each);
    return runOf(before).length > 0 || (is && failed.length > 0 && Math.abs(request - Math.max(...failed)) <= 3);
  });
  const scattered = history.filter((_, i) => !isInRun[i]);
  const share = (block: { answers: number; failures: number }) => block.failures / (block.answers + 20);
  const bins = [...new Set(scattered.map(([, n]) => binOf(n)))].sort((a, b) => a - b);
  let blocks = bins.map((first) => ({ first, ...faded(scattered.filter(([, n]) => binOf(n) === first)) }));
  // The leftmost two neighbours that do not rise become one, until all rise.
  for (;;) {
    const at = blocks.findIndex((block, k) => k > 0 && share(blocks[k - 1]!) >= share(block));
    if (at < 0) break;
    const [low, high] = [blocks[at - 1]!, blocks[at]!];
    const both = { first: low.first, answers: low.answers + high.answers, failures: low.failures + high.failures };
    blocks = [...blocks.slice(0, at - 1), both, ...blocks.slice(at + 1)];
  }
  const block = blocks.filter(({ first }) => first <= binOf(load)).at(-1) ?? blocks[0];
  const all = faded(history).failures;
  const isLimit = block !== undefined && block.failures === block.answers && block !== blocks[0];
  const sure = isLimit ? (all > 0.5 ? 1 : 0) : Math.max(0, 1 - 1 / Math.sqrt(all));
  const rate = block === undefined || sure === 0 ? 0 : share(block) * sure;
  const run = runOf(history);
  if (run.length === 0 || load < Math.min(...run)) return rate;
  const inRuns = faded(history.filter((_, i) => isInRun[i]));
  return Math.max(rate, (inRuns.failures + 2 * rate) / (inRuns.answers + 2));
}

function rateOf(history: Iterable<Answer>): FailureRate {
  const rate = new FailureRate();
  for (const answer of history) rate.observe(...answer);
  return rate;
}

/** Answers that come in the order of their requests, all sent at the same load. */
const inOrder = (outcomes: readonly boolean[], load = 0): Answer[] => outcomes.map((is, i) => [is, load, i]);
const failures = (count: number) => Array<boolean>(count).fill(true);
const successes = (count: number) => Array<boolean>(count).fill(false);
const every = (nth: number, count: number) => Array.from({ length: count }, (_, i) => i % nth === nth - 1);

const LOADS = [...Array(24).keys(), 31, 50, 100, 1000, 1e6];
const load = fc.oneof(fc.nat(3), fc.nat(24), fc.nat(300));
/** Answers in the order of their requests, but some come late: each request has the number of its place, less a delay. */
const histories = fc.oneof(
  fc
    .array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 20 }), load), { maxLength: 20 })
    .map((runs) => inOrder(runs.flatMap(([is, times]) => Array<boolean>(times).fill(is))).map(([is, , i]) => [is, (i * 7) % 19, i] as Answer)),
  fc
    .array(fc.tuple(fc.integer({ min: 0, max: 9 }), load, fc.oneof(fc.constant(0), fc.nat(30))), { maxLength: 120, size: "max" })
    .map((list) => list.map(([u, n, late], i) => [u < 2 || n > 20, n, Math.max(0, i - late)] as Answer)),
);

describe("the rate of failures", () => {
  it("property: is what the whole history says, at any load", () => {
    let [runs, between] = [0, 0];
    fc.assert(
      fc.property(histories, (history) => {
        const rate = rateOf(history);
        for (const n of LOADS) expect(rate.rate(n)).toBeCloseTo(reference(history, n), 10);
        if (runOf(history).length > 0) runs++;
        if (rate.rate(0) < rate.rate(24)) between++;
      }),
    );
    expect([runs > 10, between > 10]).toEqual([true, true]);
  });

  it("property: is between 0 and 1 and never falls as the load grows", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const rate = rateOf(history);
        const rates = LOADS.map((n) => rate.rate(n));
        for (const [i, each] of rates.entries()) expect(each >= (rates[i - 1] ?? 0) && each <= 1).toBe(true);
      }),
    );
  });

  it("is 0 before anything has failed, and forgives one failure but not a second one", () => {
    expect([new FailureRate().rate(0), rateOf(inOrder(successes(50))).rate(9)]).toEqual([0, 0]);
    for (const before of [0, 10, 1000]) {
      const once = [...successes(before), true];
      for (const after of [0, 1, 100]) for (const n of LOADS) expect(rateOf(inOrder([...once, ...successes(after)])).rate(n)).toBe(0);
      expect(rateOf(inOrder([...once, true])).rate(0)).toBeGreaterThan(0.3);
      expect(rateOf(inOrder([...once, ...successes(9), true, false])).rate(0)).toBeGreaterThan(0.0004);
    }
  });

  it("does not forgive a failure at a load that the upstream has never carried, until that has faded or it has carried it", () => {
    const full = [...inOrder(successes(50), 17), [true, 20, 50] as Answer];
    const rate = rateOf(full);
    rate.observe(false, 3, 51);
    expect([16, 19].map((n) => rate.rate(n))).toEqual([0, 0]);
    expect([20, 40].map((n) => rate.rate(n))).toEqual([1 / 21, 1 / 21]);
    expect(rateOf([...full, ...inOrder(successes(700), 17).map(([is, n, i]): Answer => [is, n, 51 + i])]).rate(20)).toBe(0);
    rate.observe(false, 20, 52);
    expect(rate.rate(20)).toBe(0);
  });

  it("is near one in a hundred for failures that are scattered like that, after a failure too", () => {
    const scattered = every(100, 5000);
    expect(rateOf(inOrder([...scattered, false])).rate(0)).toBeCloseTo(0.01, 2);
    expect(rateOf(inOrder([...scattered, false])).rate(0)).toBeGreaterThan(0.005);
    expect(rateOf(inOrder(scattered)).rate(0)).toBeLessThan(0.02);
  });

  it("is near 1 within a run of failures, and the first success ends that", () => {
    const before = successes(1000);
    expect(rateOf(inOrder([...before, ...failures(10)])).rate(0)).toBeGreaterThan(0.7);
    expect(rateOf(inOrder([...before, ...failures(100)])).rate(0)).toBeGreaterThan(0.97);
    expect(rateOf(inOrder([...before, ...failures(100), false])).rate(0)).toBeLessThan(0.0015);
  });

  it("of a run at some load says nothing about smaller loads, until it has failed there too", () => {
    const before = inOrder(successes(100), 16);
    const run = Array.from({ length: 20 }, (_, i): Answer => [true, 16 + (i % 3), 100 + i]);
    const rate = rateOf([...before, ...run]);
    expect([0, 5, 14].map((n) => rate.rate(n) < 0.01)).toEqual([true, true, true]);
    expect([16, 17, 100].map((n) => rate.rate(n) > 0.8)).toEqual([true, true, true]);
    rate.observe(true, 5, 120);
    expect([4, 5, 16].map((n) => rate.rate(n) > 0.8)).toEqual([false, true, true]);
    rate.observe(false, 0, 121);
    expect([0, 5, 16].map((n) => rate.rate(n) < 0.01)).toEqual([true, true, true]);
  });

  it("does not rise at 5 requests in flight for a server that fails at 16", () => {
    const history = Array.from({ length: 2000 }, (_, i): Answer => [i % 17 === 16, i % 17, i]);
    const rate = rateOf(history);
    expect([0, 5, 13].map((n) => rate.rate(n))).toEqual([0, 0, 0]);
    expect([16, 20].map((n) => rate.rate(n) > 0.3)).toEqual([true, true]);
  });

  it("has no run from late failures of requests that were sent before a newer one has succeeded", () => {
    const answered = inOrder(successes(200)).filter(([, , i]) => i < 50 || i >= 60);
    const late = Array.from({ length: 10 }, (_, i): Answer => [true, 0, 50 + i]);
    const rate = rateOf(answered);
    for (const answer of late) {
      rate.observe(...answer);
      expect(rate.snapshot().runLoad).toBeNull();
      // All of them count as one scattered failure.
      expect(rate.rate(0)).toBeLessThan(1 / 150);
    }
    // The same ones, if they were the newest, are a run.
    expect(rateOf([...answered, ...late.map(([is, n, i]): Answer => [is, n, i + 150])]).rate(0)).toBeGreaterThan(0.7);
  });

  it("fades by answers alone", () => {
    const bad = [...successes(100), ...every(5, 200)];
    const before = rateOf(inOrder(bad)).rate(0);
    expect(before).toBeGreaterThan(0.05);
    expect(rateOf(inOrder([...bad, ...successes(3000)])).rate(0)).toBeLessThan(before / 20);
  });

  it("property: goes on from its snapshot, through JSON, as if nothing had happened", () => {
    fc.assert(
      fc.property(histories, histories, (before, after) => {
        const rate = rateOf(before);
        const copy = new FailureRate(JSON.parse(JSON.stringify(rate.snapshot())));
        const rates = (each: FailureRate) => LOADS.map((n) => each.rate(n));
        expect(rates(copy)).toEqual(rates(rate));
        for (const each of [rate, copy]) for (const [is, n, request] of after) each.observe(is, n, before.length + request);
        expect([rates(copy), copy.snapshot()]).toEqual([rates(rate), rate.snapshot()]);
      }),
    );
  });
});
