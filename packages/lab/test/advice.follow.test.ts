// Whatever the losses: the policies that advise names can be made from what it says, and play on these losses.
import fc from "fast-check";
import { createPolicy, POLICIES, type PolicySpec, stream } from "tsallis";
import type { ArmLosses } from "tsallis/statistics";
import { describe, expect, it } from "vitest";
import { type Advice, advise } from "../src/advice/advise.js";

const ROUNDS = 200;

/** What holds of all advice. */
function check(observed: readonly ArmLosses[], { recommendation, pooled }: Advice): void {
  for (const { spec } of [recommendation, ...recommendation.alternatives]) {
    expectPlayed(spec, observed);
    const { needs } = POLICIES[spec.policy]!;
    const { alpha, sigma } = spec as { alpha?: number; sigma?: number };
    expect(needs.includes("horizon"), "no file of losses gives the horizon").toBe(false);
    if (needs.includes("alpha")) expect(alpha).toBeLessThanOrEqual(pooled.index!.low);
    if (needs.includes("sigma")) {
      expect(sigma).toBeGreaterThan(0);
      // Without an alpha it is a standard deviation.
      const least = ({ losses }: ArmLosses) => (alpha === undefined ? deviationOf(losses) : empiricalSigma(losses, alpha));
      for (const arm of observed) expect(sigma! * (1 + 1e-9)).toBeGreaterThanOrEqual(least(arm));
    }
    if (needs.includes("truncated-non-negative")) expect(pooled.truncatedNonNegativity.verdict).toBe("plausible");
    if (needs.includes("bounded-losses") && !needs.includes("sigma")) expect(pooled.lowest >= 0 && pooled.highest <= 1).toBe(true);
  }
  for (const text of [...recommendation.reasons, ...recommendation.warnings]) expect(text).not.toMatch(/NaN|undefined|Infinity/);
}

function expectPlayed(spec: PolicySpec, observed: readonly ArmLosses[]): void {
  const policy = createPolicy(spec, observed.length);
  const rng = stream(1, "follow");
  for (let round = 0; round < ROUNDS; round++) {
    const choice = policy.choose(rng);
    const { losses } = observed[choice.arm]!;
    policy.update(choice, losses[round % losses.length]!);
  }
  for (const x of policy.probabilities() ?? []) expect(x).toBeGreaterThanOrEqual(0);
}

/** By its definition, in units of the largest. */
function empiricalSigma(losses: Float64Array, alpha: number): number {
  const unit = losses.reduce((most, loss) => Math.max(most, Math.abs(loss)), 0) || 1;
  return unit * (losses.reduce((sum, loss) => sum + (Math.abs(loss) / unit) ** alpha, 0) / losses.length) ** (1 / alpha);
}

/** Of the differences from the mean, with n in place of n - 1. */
function deviationOf(losses: Float64Array): number {
  const mean = losses.reduce((sum, loss) => sum + loss / losses.length, 0);
  return empiricalSigma(
    losses.map((loss) => loss - mean),
    2,
  );
}

/** Distributions of one loss, from a uniform and a second one. */
const SAMPLERS: Readonly<Record<string, (u: number, v: number) => number>> = {
  constant: () => 3,
  zero: () => 0,
  two: (u) => (u < 0.3 ? 1 : 0),
  halves: (u) => (u < 0.5 ? 0.25 : 0.75),
  uniform: (u) => u,
  normal: (u, v) => Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * v),
  exponential: (u) => -Math.log(u),
  "just integrable": (u) => u ** (-1 / 1.02),
  "no mean": (u) => u ** (-1 / 0.5),
  "no variance": (u) => u ** (-1 / 1.6),
  signed: (u, v) => (v < 0.5 ? -1 : 1) * u ** (-1 / 1.4),
  rewards: (u) => -(u ** (-1 / 1.5)),
  "left tail": (u, v) => (v < 0.1 ? -(u ** (-1 / 1.2)) : 1),
  mixture: (u, v) => (v < 0.9 ? u : 50 * u ** (-1 / 1.1)),
  "zero-inflated": (u, v) => (v < 0.97 ? 0 : u ** (-1 / 1.3)),
  integers: (u) => Math.floor(u ** (-1 / 1.5)),
  "few values": (u) => Math.floor(4 * u),
};

const arm = fc.record({
  distribution: fc.constantFrom(...Object.keys(SAMPLERS)),
  n: fc.integer({ min: 100, max: 400 }),
  scale: fc.constantFrom(1, 1, 1, 0.1, 1e-3, 1e6, 1e-300, 1e280),
  shift: fc.constantFrom(0, 0, 0, 1, -1, 1000),
  seed: fc.nat(1000),
});

/** Losses beyond 1e300, which nothing accepts, are cut. */
function lossesOf({
  distribution,
  n,
  scale,
  shift,
  seed,
}: {
  distribution: string;
  n: number;
  scale: number;
  shift: number;
  seed: number;
}): Float64Array {
  const rng = stream(seed, "follow", distribution);
  const cut = (loss: number) => Math.max(-1e300, Math.min(1e300, loss));
  return Float64Array.from({ length: n }, () => cut(scale * (SAMPLERS[distribution]!(rng.open(), rng.open()) + shift)));
}

const named = (losses: readonly Float64Array[]) => losses.map((each, i) => ({ name: `arm ${i}`, losses: each }));

describe("advice that can be followed", () => {
  it.each(Object.keys(SAMPLERS))("two arms alike: %s", (distribution) => {
    for (const scale of [1, 0.1, 1e-300, 1e280]) {
      for (const n of [100, 600]) {
        const observed = named([1, 2].map((seed) => lossesOf({ distribution, n, scale, shift: 0, seed })));
        check(observed, advise(observed));
      }
    }
  });

  it("property: arms of all kinds together", () => {
    fc.assert(
      fc.property(fc.array(arm, { minLength: 2, maxLength: 5 }), (arms) => {
        const observed = named(arms.map(lossesOf));
        check(observed, advise(observed));
      }),
      { numRuns: 120 },
    );
  });

  it("property: any numbers at all", () => {
    const loss = fc.oneof(
      fc.double({ min: -1e300, max: 1e300, noNaN: true }),
      fc.double({ min: -1, max: 1, noNaN: true }),
      fc.constantFrom(0, 1, -1, 5e-324, 1e300),
    );
    const table = fc.array(fc.array(loss, { minLength: 100, maxLength: 130 }), { minLength: 2, maxLength: 3 });
    fc.assert(
      fc.property(table, (arms) => {
        const observed = named(arms.map((losses) => Float64Array.from(losses)));
        check(observed, advise(observed));
      }),
      { numRuns: 60 },
    );
  });
});
