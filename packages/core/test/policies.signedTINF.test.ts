// SignedTINF against its definition, in which every arm is given its bonus; and its theta.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Choice, createPolicy, SignedTINF, stream } from "../src/index.js";
import { heavy } from "./conformance.js";
import { KERNELS } from "./kernels.js";
import { naiveMinimiser, worstError } from "./naiveFtrl.js";

const kappaOf = (alpha: number) => (alpha - 1) ** (alpha - 1) / alpha ** alpha;

/** The algorithm with a bonus for every arm in every round: (1 - (1 - 1/t)^q) times the gap h x^(1/alpha-1). A late loss has lost what its round has lost since. */
class Naive {
  readonly #losses: number[];
  readonly #q: number;
  #x: number[] = [];
  #round = 0;

  constructor(
    readonly arms: number,
    readonly alpha: number,
    readonly sigma: number,
    readonly theta: number,
  ) {
    this.#losses = new Array(arms).fill(0);
    this.#q = kappaOf(alpha) * theta ** (1 - alpha);
  }

  law(): number[] {
    this.#round++;
    const h = this.sigma * this.#round ** (1 / this.alpha);
    this.#x = naiveMinimiser(this.#losses, h, this.alpha / (this.alpha - 1));
    return this.#x;
  }

  played(): void {
    const h = this.sigma * this.#round ** (1 / this.alpha);
    const share = 1 - (1 - 1 / this.#round) ** this.#q;
    for (const [i, x] of this.#x.entries()) this.#losses[i]! -= share * h * x ** (1 / this.alpha - 1);
  }

  update({ round, arm, probability }: Choice, loss: number): void {
    const r = this.theta * this.sigma * (round * probability!) ** (1 / this.alpha);
    const clipped = Math.max(-r, Math.min(loss, r));
    this.#losses[arm]! += ((round / this.#round) ** this.#q * clipped) / probability!;
  }
}

describe.each(KERNELS)("SignedTINF, $name kernel", ({ name: kernel }) => {
  test.each([
    { alpha: 2, arms: 3, late: 0 },
    { alpha: 1.5, arms: 6, late: 7 },
    { alpha: 1.5, arms: 90, late: 0 },
    { alpha: 1.2, arms: 4, late: 7 },
    { alpha: 1.7, arms: 5, late: 7, theta: 0.5 },
  ])("reference: $alpha, $arms arms, feedback up to $late rounds late, agrees with the definition", ({ alpha, arms, late, theta }) => {
    const policy = new SignedTINF({ arms, alpha, sigma: 1.5, kernel, ...(theta !== undefined && { theta }) });
    const naive = new Naive(arms, alpha, 1.5, theta ?? 0.4 * (alpha - 1));
    const [rng, delays, loss] = [stream(3, "arms"), stream(3, "delays"), heavy(3)];
    const due = new Map<number, Choice[]>();
    let worst = 0;
    let clipped = 0;
    for (let round = 1; round <= 400; round++) {
      worst = Math.max(worst, worstError(policy.probabilities()!, naive.law()));
      const choice = policy.choose(rng);
      naive.played();
      const when = round + Math.floor(late * delays.uniform());
      due.set(when, [...(due.get(when) ?? []), choice]);
      for (const given of due.get(round) ?? []) {
        const value = loss(given.round, given.arm);
        if (policy.isSettled(given, Math.abs(value))) clipped++;
        policy.update(given, value);
        naive.update(given, value);
      }
    }
    expect(worst).toBeLessThan(1e-8);
    expect(clipped).toBeGreaterThan(30);
  });
});

test("property: from the loss on at which isSettled holds, every loss counts the same, and that loss is the limit", () => {
  const positive = fc.double({ min: 0.01, max: 100, noNaN: true });
  fc.assert(
    fc.property(fc.nat(60), positive, positive, (rounds, loss, factor) => {
      const make = () => {
        const policy = new SignedTINF({ arms: 3, alpha: 1.5, sigma: 2 });
        const [rng, losses] = [stream(rounds, "settled"), heavy(rounds)];
        for (let i = 0; i < rounds; i++) {
          const choice = policy.choose(rng);
          policy.update(choice, losses(i, choice.arm));
        }
        return { policy, choice: policy.force(1) };
      };
      const [one, other] = [make(), make()];
      const limit = 0.2 * 2 * (one.choice.round * one.choice.probability!) ** (1 / 1.5);
      if (Math.abs(loss / limit - 1) > 1e-9) expect(one.policy.isSettled(one.choice, loss)).toBe(loss > limit);
      if (!one.policy.isSettled(one.choice, loss)) return;
      one.policy.update(one.choice, loss);
      other.policy.update(other.choice, loss * (1 + factor));
      expect(other.policy.snapshot()).toEqual(one.policy.snapshot());
    }),
  );
});

describe("the theta of SignedTINF", () => {
  test("left out, it is 0.4 (alpha - 1), and the completed spec does not mention it", () => {
    for (const alpha of [2, 1.5, 1.1]) {
      const left = new SignedTINF({ arms: 3, alpha, sigma: 2 });
      const given = new SignedTINF({ arms: 3, alpha, sigma: 2, theta: 0.4 * (alpha - 1) });
      expect(left.spec).toEqual({ policy: "signed-tinf", alpha, sigma: 2 });
      for (let i = 0; i < 100; i++) {
        const [one, other] = [left.force(i % 3), given.force(i % 3)];
        left.update(one, i % 5);
        given.update(other, i % 5);
      }
      expect([...left.probabilities()]).toEqual([...given.probabilities()]);
    }
  });

  test.each([[0], [-0.5], [1.001], [Number.NaN], ["0.5"], [null]])("%s is refused", (theta) => {
    expect(() => createPolicy({ policy: "signed-tinf", alpha: 1.5, sigma: 1, theta }, 2)).toThrow(
      expect.objectContaining({ code: "ERR_PARAMETER", parameter: "theta", message: expect.stringMatching(/^theta must be in \(0, 1\], got /) }),
    );
  });

  test("what the proof does not cover is refused: q above 1, and theta from 2^-q on", () => {
    const create = (alpha: number, theta: number) => () => createPolicy({ policy: "signed-tinf", alpha, sigma: 1, theta }, 2);
    // At alpha = 2 q is 1 / (4 theta), and theta = 2^-q at 0.8067.
    for (const [alpha, theta] of [
      [2, 0.249],
      [2, 0.807],
      [1.5, 0.148],
      [1.1, 0.6],
    ] as const) {
      expect(create(alpha, theta)).toThrow(expect.objectContaining({ code: "ERR_PARAMETER", parameter: "theta", value: theta }));
    }
    for (const [alpha, theta] of [
      [2, 0.25],
      [2, 0.806],
      [1.5, 0.149],
      [1.1, 0.5],
    ] as const) {
      expect(create(alpha, theta)).not.toThrow();
    }
    expect(create(2, 0.1)).toThrow(
      "theta must have q = ((alpha - 1) / theta)^(alpha - 1) / alpha^alpha <= 1 and be below 2^-q, got 0.1 with q = 2.5 at alpha = 2",
    );
  });
});
