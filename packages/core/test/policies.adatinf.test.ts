// Reference: AdaTINF and Ada2TINF with the options that policies.reference.test.ts does not have, against Algorithms 3 and 4 written out in plain doubles.
import { describe, expect, it } from "vitest";
import { Ada2TINF, AdaTINF, createPolicy, isSkipped, type Policy, stream } from "../src/index.js";
import { naiveMinimiser, worstError } from "./naiveFtrl.js";

const ARMS = 3;
const THETA = 1 - 2 ** (-1 / 3);

/** Algorithm 3, for a horizon. */
class NaiveAda {
  readonly losses = new Array<number>(ARMS).fill(0);
  readonly Q: number;
  J = 0;
  S = 0;
  t = 0;

  constructor(
    horizon: number,
    readonly cost: (loss: number) => number,
  ) {
    this.Q = Math.sqrt(ARMS * (horizon + 1));
  }

  /** The law of the next round. */
  next(): number[] {
    this.t++;
    return naiveMinimiser(this.losses, 2 ** this.J * Math.sqrt(this.t), 2);
  }

  /** Returns whether the loss was skipped. */
  learn(arm: number, x: number, loss: number): boolean {
    const rate = 2 ** this.J * Math.sqrt(this.t);
    const skipped = Math.abs(loss) > THETA * rate * Math.sqrt(x);
    if (!skipped) this.losses[arm]! += loss / x;
    const c = skipped ? this.cost(loss) : (2 * loss ** 2) / rate / Math.sqrt(x);
    this.S += c;
    if (this.S > 2 ** this.J * this.Q) {
      this.J = Math.max(this.J + 1, Math.ceil(Math.log2(c / this.Q)) + 1);
      this.S = c;
    }
    return skipped;
  }
}

/** Signed Pareto losses of index 1.3, better for arm 0. */
function losses(seed: number): (arm: number) => number {
  const rng = stream(seed, "adatinf");
  return (arm) => (rng.uniform() < 0.45 ? -1 : 1) * (rng.open() ** (-1 / 1.3) + 0.3 * arm);
}

/** Plays a policy beside the naive one; `instance(t)` is the one that plays round t. Returns the number of skips of negative losses, and the last epoch. */
function compare(policy: Policy, rounds: number, instance: (round: number) => NaiveAda, seed: number): { negative: number; epoch: number } {
  const [rng, loss] = [stream(seed, "policy"), losses(seed)];
  let [negative, epoch] = [0, 0];
  for (let round = 1; round <= rounds; round++) {
    const naive = instance(round);
    const law = naive.next();
    expect(worstError(policy.probabilities()!, law), `round ${round}`).toBeLessThan(1e-9);
    const choice = policy.choose(rng);
    const value = loss(choice.arm);
    expect(policy.details().epoch).toBe(naive.J);
    policy.update(choice, value);
    const skipped = naive.learn(choice.arm, law[choice.arm]!, value);
    expect(isSkipped(choice, value)).toBe(skipped);
    if (skipped && value < 0) negative++;
    epoch = naive.J;
  }
  return { negative, epoch };
}

describe("reference: the cost of a skip", () => {
  const HORIZON = 600;

  it.each(["signed", "absolute"] as const)("%s", (cost) => {
    for (const seed of [1, 2, 3]) {
      const naive = new NaiveAda(HORIZON, cost === "signed" ? (loss) => loss : Math.abs);
      const { negative, epoch } = compare(new AdaTINF({ arms: ARMS, horizon: HORIZON, cost }), HORIZON, () => naive, seed);
      expect(negative).toBeGreaterThan(20);
      if (cost === "absolute") expect(epoch).toBeGreaterThan(0);
    }
  });

  it("signed is the default, which no spec mentions, and on losses without a sign the two are one", () => {
    expect(new AdaTINF({ arms: 2, horizon: 9 }).spec).toEqual({ policy: "adatinf", horizon: 9 });
    const law = (cost: string) => {
      const policy = createPolicy({ policy: "adatinf", horizon: 500, cost }, ARMS);
      const [rng, loss] = [stream(4, "policy"), losses(4)];
      for (let i = 0; i < 500; i++) {
        const choice = policy.choose(rng);
        policy.update(choice, Math.abs(loss(choice.arm)));
      }
      return policy.snapshot().state;
    };
    expect(law("absolute")).toEqual(law("signed"));
  });
});

describe("reference: Ada2TINF", () => {
  // Algorithm 4: T_0 = 1, S = 0; in every round, if the test holds, T_0 doubles, S grows by T_0 - 1, and an instance for T_0 - 1 rounds begins.
  it.each([
    ["as printed, t >= S", { variant: "published" }, (t: number, S: number) => t >= S, [1, 2, 4, 11, 26, 57, 120]],
    ["as proved, t > S", {}, (t: number, S: number) => t > S, [1, 2, 5, 12, 27, 58, 121]],
    ["as printed, with absolute costs", { variant: "published", cost: "absolute" }, (t: number, S: number) => t >= S, [1, 2, 4, 11, 26, 57, 120]],
  ] as const)("%s", (_, options, test, starts) => {
    let [length, S] = [1, 0];
    let naive: NaiveAda;
    const begun: number[] = [];
    const instance = (round: number) => {
      if (test(round, S)) {
        length *= 2;
        S += length - 1;
        naive = new NaiveAda(length - 1, "cost" in options ? Math.abs : (loss) => loss);
        begun.push(round);
      }
      return naive;
    };
    compare(new Ada2TINF({ arms: ARMS, ...options }), 200, instance, 5);
    expect(begun).toEqual(starts);
  });
});
