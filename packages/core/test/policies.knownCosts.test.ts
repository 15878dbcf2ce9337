// Known costs: the probabilities of a policy whose estimates are shifted, against a snapshot in which they really are; and arms that are left out.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Choice, createPolicy, POLICIES, type Policy, type PolicySnapshot, type PolicySpec, restorePolicy, stream } from "../src/index.js";
import { worstError } from "./naiveFtrl.js";
import { label, play, SPECS, sum } from "./policies.js";

const KERNELS = ["dense", "indexed"] as const;
const TAKING = SPECS.filter(({ policy }) => POLICIES[policy]!.takesKnownCosts === true);
const OTHERS = SPECS.filter(({ policy }) => POLICIES[policy]!.takesKnownCosts === false);
const weighs = (spec: PolicySpec) => (createPolicy(spec, 2) as unknown as { weighs: boolean }).weighs;
const WEIGHING = SPECS.filter(weighs);
const UNWEIGHED = SPECS.filter((spec) => !weighs(spec));

const losses = (seed: number) => {
  const rng = stream(seed, "losses");
  return (_round: number, arm: number) => (arm + 1) * 0.3 * rng.open() ** -0.6;
};

function played(spec: PolicySpec, arms: number, rounds: number, kernel?: "dense" | "indexed"): Policy {
  const policy = createPolicy(spec, arms, kernel === undefined ? {} : { kernel });
  play(policy, rounds, losses(rounds));
  return policy;
}

/** The snapshot of a policy whose remembered rounds have all cost `knownCosts` more: weight and count by their definitions. Rounds that an alarm has made it forget do not count. */
function shifted(policy: Policy, knownCosts: readonly number[]): PolicySnapshot {
  const { kernel: _, ...snapshot } = policy.snapshot();
  const { state, spec } = snapshot as PolicySnapshot & {
    state: { losses: number[]; origin?: number; unit?: number; beta?: number; superEpoch?: number; forgotten?: number };
  };
  const round = snapshot.round + 1;
  const halfLife = spec.halfLife as number | undefined;
  const { forgotten = 0 } = state;
  const own = ownWeight(spec, round - forgotten, halfLife, state.origin);
  const weight = own * (halfLife === undefined ? 1 : 2 ** ((round - state.origin!) / halfLife));
  const first = spec.policy === "ada2tinf" ? firstRound(spec, state.superEpoch!) : 1 + forgotten;
  let count = 0;
  for (let age = 0; age <= round - first; age++) count += halfLife === undefined ? 1 : 2 ** (-age / halfLife);
  const unit =
    spec.policy === "signed-tinf" ? (spec.sigma as number) : spec.policy === "matched-tinf" ? (state.beta === 0 ? Infinity : state.unit!) : 1;
  const estimates = Array.from(state.losses, (loss, arm) => loss + (weight * count * knownCosts[arm]!) / unit);
  return JSON.parse(JSON.stringify({ ...snapshot, state: { ...state, losses: estimates } }));
}

/** What a round weighs besides its half-lives: sqrt(t) in MatchedTINF, and in SignedTINF the sum of the rounds' weights to the power alpha, to the power q. */
function ownWeight(spec: PolicySpec, round: number, halfLife = Infinity, origin = 0): number {
  if (spec.policy === "matched-tinf") return Math.sqrt(round);
  if (spec.policy !== "signed-tinf") return 1;
  const { alpha, theta = 0.4 * (alpha - 1) } = spec as PolicySpec & { alpha: number; theta?: number };
  const q = ((alpha - 1) / theta) ** (alpha - 1) / alpha ** alpha;
  let total = 0;
  for (let s = 1; s <= round; s++) total += 2 ** ((alpha * (s - origin)) / halfLife);
  return total ** q;
}

/** The round in which an instance of Ada2TINF begins. */
const firstRound = ({ variant }: PolicySpec, superEpoch: number) =>
  2 ** superEpoch - superEpoch - (variant === "published" && superEpoch > 2 ? 1 : 0);

const vectors = (arms: number) => fc.array(fc.double({ min: -2, max: 5, noNaN: true }), { minLength: arms, maxLength: arms });

describe.each(TAKING.map((spec) => [label(spec), spec] as const))("%s", (_label, spec) => {
  test.each(KERNELS)("the law is that of shifted estimates, %s kernel", (kernel) => {
    const arms = 5;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 150 }), vectors(arms), fc.nat(arms - 1), (rounds, knownCosts, arm) => {
        const policy = played(spec, arms, rounds, kernel);
        // At its restarts Ada2TINF has no estimates that a snapshot could shift.
        if (spec.policy === "ada2tinf" && rounds + 1 === firstRound(spec, policy.details().superEpoch! + 1)) return;
        const before = JSON.stringify(policy.snapshot());
        const reference = restorePolicy(shifted(policy, knownCosts));
        expect(worstError(policy.probabilities(knownCosts)!, reference.probabilities()!)).toBeLessThan(1e-9);
        expect(JSON.stringify(policy.snapshot())).toBe(before);
        const wanted = reference.force(arm);
        const choice = policy.force(arm, undefined, knownCosts);
        expect(choice.probability! / wanted.probability!).toBeCloseTo(1, 9);
        if (wanted.threshold !== null) expect(choice.threshold! / wanted.threshold).toBeCloseTo(1, 9);
        policy.update(choice, 1);
      }),
      { numRuns: 30 },
    );
  });

  test("a constant vector changes nothing, bit for bit", () => {
    const [plain, shiftedAlike] = [played(spec, 4, 40), played(spec, 4, 40)];
    const [a, b] = [stream(3, "choose"), stream(3, "choose")];
    for (let i = 0; i < 60; i++) {
      const choice = plain.choose(a);
      expect(shiftedAlike.choose(b, undefined, [0.7, 0.7, 0.7, 0.7])).toEqual(choice);
      plain.update(choice, 0.1 * i);
      shiftedAlike.update(choice, 0.1 * i);
    }
    expect(shiftedAlike.snapshot()).toEqual(plain.snapshot());
  });

  test("a restored policy goes on with the same bits", () => {
    const policy = played(spec, 4, 70);
    const copy = restorePolicy(JSON.parse(JSON.stringify(policy.snapshot())));
    const [a, b] = [stream(5, "choose"), stream(5, "choose")];
    for (let i = 0; i < 60; i++) {
      const knownCosts = [0, 0.5 * (i % 3), 1, 0.1 * i];
      const choice = policy.choose(a, undefined, knownCosts);
      expect(copy.choose(b, undefined, knownCosts)).toEqual(choice);
      policy.update(choice, 0.1 * i);
      copy.update(choice, 0.1 * i);
    }
    expect(copy.snapshot()).toEqual(policy.snapshot());
  });

  test("huge known costs give probabilities, not a NaN", () => {
    const policy = played(spec, 3, 50);
    const law = policy.probabilities([1e300, -1e300, 1e300])!;
    expect(sum(law)).toBeCloseTo(1, 12);
    expect(law.every((x) => x >= 0)).toBe(true);
    const choice = policy.choose(stream(1, "choose"), undefined, [1e300, -1e300, 1e300]);
    expect(choice.probability).toBeGreaterThan(0);
    policy.update(choice, 1);
    expect(sum(policy.probabilities()!)).toBeCloseTo(1, 12);
  });

  test.each([
    ["too short", [1, 2], "ERR_PARAMETER", "knownCosts"],
    ["too long", [1, 2, 3, 4], "ERR_PARAMETER", "knownCosts"],
    ["no list", 3, "ERR_PARAMETER", "knownCosts"],
    ["null", null, "ERR_PARAMETER", "knownCosts"],
    ["NaN", [1, Number.NaN, 3], "ERR_LOSS", "knownCosts[1]"],
    ["infinite", [1, 2, Number.POSITIVE_INFINITY], "ERR_LOSS", "knownCosts[2]"],
    ["minus infinity", [Number.NEGATIVE_INFINITY, 2, 3], "ERR_LOSS", "knownCosts[0]"],
    ["a string", ["1", 2, 3], "ERR_LOSS", "knownCosts[0]"],
    ["a hole", new Array(3), "ERR_LOSS", "knownCosts[0]"],
  ])("refuses what is %s, and nothing moves", (_what, knownCosts, code, parameter) => {
    const policy = played(spec, 3, 20);
    const before = JSON.stringify(policy.snapshot());
    const rng = stream(1, "choose");
    const state = rng.state();
    const into = { policy: "mine", round: 0, arm: 0, probability: 0.5, threshold: null } satisfies Choice;
    const bad = knownCosts as number[];
    for (const call of [() => policy.choose(rng, into, bad), () => policy.force(0, into, bad), () => policy.probabilities(bad)]) {
      expect(call).toThrow(expect.objectContaining({ code, parameter }));
    }
    expect(JSON.stringify(policy.snapshot())).toBe(before);
    expect(rng.state()).toEqual(state);
    expect(into.policy).toBe("mine");
  });
});

test("a known cost moves probability away from its arm, and learning stays unbiased", () => {
  // Two arms of mean 1; arm 0 costs 1 more in every second round, which is known. What is learned is the loss without the extra.
  const policy = createPolicy({ policy: "htinf", alpha: 2, sigma: 1 }, 2);
  const rng = stream(1, "choose");
  const noise = stream(1, "noise");
  let taken = 0;
  for (let round = 0; round < 4000; round++) {
    const busy = round % 2 === 0;
    const choice = policy.choose(rng, undefined, [busy ? 1 : 0, 0]);
    if (busy && choice.arm === 0) taken++;
    policy.update(choice, 0.5 + noise.uniform());
  }
  expect(taken).toBeLessThan(40);
});

describe.each(OTHERS.map((spec) => [label(spec), spec] as const))("%s", (_label, spec) => {
  test("refuses known costs with a code", () => {
    const policy = createPolicy(spec, 3);
    const rng = stream(1, "choose");
    for (const call of [
      () => policy.choose(rng, undefined, [0, 1, 2]),
      () => policy.force(0, undefined, [0, 1, 2]),
      () => policy.probabilities([0, 1, 2]),
    ]) {
      expect(call).toThrow(expect.objectContaining({ code: "ERR_KNOWN_COSTS", parameter: "knownCosts" }));
    }
    expect(policy.round).toBe(0);
  });
});

describe.each(WEIGHING.map((spec) => [label(spec), spec] as const))("%s, arms left out", (_label, spec) => {
  test("the others share the law in proportion", () => {
    const policy = played(spec, 5, 60);
    const rng = stream(2, "choose");
    const counts = new Float64Array(5);
    for (let i = 0; i < 200; i++) {
      const law = policy.probabilities()!;
      const choice = policy.choose(rng, undefined, undefined, [1, 3, 1]);
      expect(choice.probability! / (law[choice.arm]! / (law[0]! + law[2]! + law[4]!))).toBeCloseTo(1, 9);
      counts[choice.arm]!++;
      policy.update(choice, 1);
    }
    expect(counts[1]! + counts[3]!).toBe(0);
    expect(counts[0]! + counts[2]! + counts[4]!).toBe(200);
  });

  test("refuses to leave none, and what is no arm", () => {
    const policy = played(spec, 3, 10);
    const before = JSON.stringify(policy.snapshot());
    const rng = stream(2, "choose");
    const refused = (except: unknown, code: string) =>
      expect(() => policy.choose(rng, undefined, undefined, except as number[])).toThrow(expect.objectContaining({ code }));
    refused([0, 1, 2], "ERR_PARAMETER");
    refused(1, "ERR_PARAMETER");
    refused([3], "ERR_ARM");
    refused([0.5], "ERR_ARM");
    expect(JSON.stringify(policy.snapshot())).toBe(before);
    expect(policy.choose(stream(4, "choose"), undefined, undefined, [])).toEqual(restorePolicy(JSON.parse(before)).choose(stream(4, "choose")));
  });
});

test.each(UNWEIGHED.map((spec) => [label(spec), spec] as const))("%s has no law to leave arms out of", (_label, spec) => {
  const policy = createPolicy(spec, 3);
  const leaveOut = () => policy.choose(stream(2, "choose"), undefined, undefined, [1]);
  expect(leaveOut).toThrow(expect.objectContaining({ code: "ERR_KNOWN_COSTS", parameter: "except" }));
  expect(policy.round).toBe(0);
});
