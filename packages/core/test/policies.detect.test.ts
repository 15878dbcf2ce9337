// MatchedTINF with `detect`: it is MatchedTINF until an alarm, asks whether all arms rose, and forgets if only the favourite did.
import { describe, expect, test } from "vitest";
import { type Choice, MatchedTINF, type PolicySnapshot, restorePolicy, stream } from "../src/index.js";

type World = (round: number, arm: number) => number;

const ARMS = 3;
const CHANGE = 1500;

/** Normal losses around the means of the round. */
function normal(seed: number, means: (round: number) => readonly number[]): World {
  const rng = stream(seed, "normal");
  return (round, arm) => means(round)[arm]! + Math.sqrt(-2 * Math.log(rng.open())) * Math.cos(2 * Math.PI * rng.uniform());
}

const falls = (seed: number) => normal(seed, (round) => [round > CHANGE ? 2 : 0, 1, 1.5]);
const rises = (seed: number) => normal(seed, (round) => (round > CHANGE ? [4, 5, 5.5] : [0, 1, 1.5]));

const watchful = (arms = ARMS) => new MatchedTINF({ arms, detect: 0.05 });
const stateOf = (policy: MatchedTINF) => policy.snapshot().state as Record<string, number> & { readonly counts: readonly number[] };
const clone = (snapshot: PolicySnapshot): PolicySnapshot => JSON.parse(JSON.stringify(snapshot));

/** Plays rounds, with feedback at once, and returns the Choices. */
function play(policy: MatchedTINF, rounds: number, world: World, rng = stream(1, "policy"), after: () => void = () => {}): Choice[] {
  return Array.from({ length: rounds }, () => {
    const choice = policy.choose(rng);
    policy.update(choice, world(choice.round, choice.arm));
    after();
    return choice;
  });
}

const share = (choices: readonly Choice[], arm: number) => choices.filter((choice) => choice.arm === arm).length / choices.length;

test("until an alarm it is MatchedTINF, bit for bit", () => {
  const worlds: ((seed: number) => World)[] = [
    (seed) => normal(seed, () => [0, 0.5, 1]),
    (seed) => {
      const rng = stream(seed, "pareto");
      return (_, arm) => (1 + arm) * rng.open() ** (-1 / 1.2);
    },
    (seed) => {
      const rng = stream(seed, "bernoulli");
      return (_, arm) => (rng.uniform() < 0.1 + 0.1 * arm ? 1 : 0);
    },
  ];
  for (const world of worlds) {
    for (let seed = 1; seed <= 4; seed++) {
      const [with_, without] = [watchful(), new MatchedTINF({ arms: ARMS })];
      const strip = ({ round, arm, probability }: Choice) => [round, arm, probability];
      expect(play(with_, 2000, world(seed)).map(strip)).toEqual(play(without, 2000, world(seed)).map(strip));
      expect(with_.details().alarms).toBe(0);
    }
  }
});

describe("a favourite that becomes worse", () => {
  test.each([1, 2, 3, 4, 5])("is left, and without detect it is not: seed %i", (seed) => {
    const policy = watchful();
    const choices = play(policy, 2 * CHANGE, falls(seed));
    expect(policy.details().alarms).toBe(1);
    expect(share(choices.slice(0, CHANGE), 0)).toBeGreaterThan(0.9);
    expect(share(choices.slice(-500), 1)).toBeGreaterThan(0.8);
  });

  test("is left with late feedback too", () => {
    const policy = watchful();
    const [rng, world] = [stream(1, "policy"), falls(6)];
    const waiting: Choice[] = [];
    let last = 0;
    for (let round = 1; round <= 2 * CHANGE; round++) {
      waiting.push(policy.choose(rng));
      if (round > 2 * CHANGE - 500 && waiting.at(-1)!.arm === 1) last++;
      if (waiting.length < 40) continue;
      const choice = waiting.shift()!;
      policy.update(choice, world(choice.round, choice.arm));
    }
    expect(policy.details().alarms).toBeGreaterThan(0);
    expect(last).toBeGreaterThan(400);
  });

  test("leaves the evidence of the root of the rounds", () => {
    const policy = watchful();
    const [rng, world] = [stream(1, "policy"), falls(1)];
    play(policy, CHANGE, world, rng);
    while (stateOf(policy).forgotten === 0 && policy.round < CHANGE + 200) play(policy, 1, world, rng);
    const { forgotten, learned, counts } = stateOf(policy);
    const left = Math.ceil(Math.sqrt(policy.round));
    expect([policy.round - forgotten!, learned]).toEqual([left, left]);
    // The roots of 1 to n sum to about 2/3 n^(3/2), of which the present weight is the root of n.
    const remembered = counts.reduce((sum, count) => sum + count, 0) / Math.sqrt(left);
    expect(remembered / ((2 / 3) * left)).toBeCloseTo(1, 1);
  });
});

describe("all arms together", () => {
  test.each([1, 2, 3, 4, 5])("may become worse: the estimates are afterwards what they were before. Seed %i", (seed) => {
    const policy = watchful();
    const [rng, world] = [stream(1, "policy"), rises(seed)];
    play(policy, CHANGE, world, rng);
    while (stateOf(policy).alarms === 0) play(policy, 1, world, rng);
    const { setAside, beta } = stateOf(policy);
    const law = policy.probabilities();
    expect(law[0]).toBeCloseTo(0.5, 12);
    while (stateOf(policy).asked! > 0) {
      for (const [arm, x] of policy.probabilities().entries()) expect(x).toBeCloseTo(law[arm]!, 12);
      play(policy, 1, world, rng);
    }
    expect(stateOf(policy)).toMatchObject({ losses: setAside, beta, forgotten: 0 });
    expect(share(play(policy, 500, world, rng), 0)).toBeGreaterThan(0.9);
  });

  test("asking in vain costs no more than half the root of the rounds, and one inquiry", () => {
    const policy = watchful();
    // All losses rise by a deviation every 100 rounds.
    play(
      policy,
      5000,
      normal(1, (round) => [0, 1, 1.5].map((mean) => mean + round / 100)),
    );
    expect(policy.details().alarms).toBeGreaterThan(3);
    expect(stateOf(policy).vain).toBeLessThanOrEqual(Math.sqrt(5000) / 2 + 24);
  });
});

describe("state", () => {
  test("a snapshot has the same future before an alarm, in an inquiry and after it", () => {
    const policy = watchful();
    const [rng, world] = [stream(1, "policy"), falls(1)];
    const seen = new Set<string>();
    while (seen.size < 3) {
      play(policy, 1, world, rng);
      const { asked, forgotten } = stateOf(policy);
      const moment = asked! > 0 ? "inquiry" : forgotten! > 0 ? "after" : "before";
      if (seen.has(moment) || (moment === "before" && policy.round < 200) || (moment === "inquiry" && policy.round < asked! + 5)) continue;
      seen.add(moment);
      const copy = restorePolicy(clone(policy.snapshot())) as MatchedTINF;
      const twin = restorePolicy(clone(policy.snapshot())) as MatchedTINF;
      expect(play(copy, 300, falls(7), stream(2))).toEqual(play(twin, 300, falls(7), stream(2)));
      expect(copy.snapshot()).toEqual(twin.snapshot());
    }
  });

  test("a restored policy goes on as the one that was saved", () => {
    for (const stop of [20, 900, CHANGE + 22, CHANGE + 40]) {
      const whole = watchful();
      const [all, world] = [stream(1, "policy"), falls(1)];
      play(whole, stop, world, all);
      const rest = restorePolicy(clone(whole.snapshot())) as MatchedTINF;
      const rngs = [2, 2].map((seed) => stream(seed));
      expect(play(rest, 500, falls(7), rngs[0])).toEqual(play(whole, 500, falls(7), rngs[1]));
    }
  });

  test("forcing the same arms gives the same policy, through an alarm", () => {
    const [drawn, forced] = [watchful(), watchful()];
    const [rng, world] = [stream(1, "policy"), falls(1)];
    for (let round = 1; round <= CHANGE + 300; round++) {
      const choice = drawn.choose(rng);
      const same = forced.force(choice.arm);
      expect(same).toEqual(choice);
      const loss = world(round, choice.arm);
      drawn.update(choice, loss);
      forced.update(same, loss);
    }
    expect(drawn.details().alarms).toBe(1);
    expect(forced.snapshot()).toEqual(drawn.snapshot());
  });

  test("other arms in the first rounds are other uniforms", () => {
    const stakes = [0, 1].map((other) => {
      const policy = watchful();
      for (let i = 0; i < 40; i++) policy.update(policy.force(i === 3 ? other : 2), i % 5);
      return (policy.snapshot().state as { readonly stakes: readonly number[] }).stakes.slice(-12);
    });
    expect(stakes[0]).not.toEqual(stakes[1]);
  });

  test("arms that come and go: an inquiry ends, alarms and detectors are kept", () => {
    const policy = watchful();
    const [rng, world] = [stream(1, "policy"), falls(1)];
    play(policy, CHANGE, world, rng);
    while (!(stateOf(policy).asked! > 0)) play(policy, 1, world, rng);
    const stakes = (of: MatchedTINF) => (of.snapshot().state as { readonly stakes: readonly number[] }).stakes;
    const next = policy.rearrange([2, 0, null, 1]);
    expect(next.details().alarms).toBe(1);
    expect(stateOf(next)).toMatchObject({ asked: 0, setAside: [], opening: stateOf(policy).opening });
    expect(stakes(next)).toEqual([
      ...stakes(policy).slice(24, 36),
      ...stakes(policy).slice(0, 12),
      ...new Array(12).fill(0),
      ...stakes(policy).slice(12, 24),
    ]);
    const moved: World = (_, arm) => world(CHANGE + 1, [2, 0, 2, 1][arm]!);
    expect(share(play(next, 1500, moved, rng).slice(-500), 3)).toBeGreaterThan(0.8);
    const alone = next.rearrange([3]);
    play(alone, 50, world, rng);
    expect(restorePolicy(clone(alone.snapshot())).snapshot()).toEqual(alone.snapshot());
    expect(alone.rearrange([0, null]).details().alarms).toBe(next.details().alarms);
  });

  test("a broken state is refused", () => {
    const policy = watchful();
    play(policy, 100, falls(1));
    const { state, ...rest } = clone(policy.snapshot());
    const broken = {
      forgotten: 101,
      setAside: [1, 2, 3],
      asked: 101,
      favourite: 3,
      tally: [0],
      opening: new Array(17).fill(0),
      vain: 0.5,
      alarms: -1,
    };
    for (const [name, value] of Object.entries(broken)) {
      const load = () => restorePolicy({ ...rest, state: { ...state, [name]: value } });
      const parameter = name === "asked" ? "state.setAside" : `state.${name}`;
      expect(load, name).toThrow(expect.objectContaining({ code: "ERR_SNAPSHOT", parameter }));
    }
  });
});

test("a loss is settled only if the detector agrees", () => {
  const [with_, without] = [watchful(), new MatchedTINF({ arms: ARMS })];
  for (const policy of [with_, without]) for (let i = 0; i < 10; i++) policy.update(policy.force(0), i);
  const choice = [with_, without].map((policy) => policy.force(0));
  expect([with_.isSettled(choice[0]!, 1e9), without.isSettled(choice[1]!, 1e9)]).toEqual([false, true]);
  for (let i = 0; i < 10; i++) with_.update(with_.force(0), i);
  expect([with_.isSettled(with_.force(0), 1e9), with_.isSettled(with_.force(0), 4.5)]).toEqual([true, false]);
});

test("detect is a probability", () => {
  for (const detect of [0, -0.1, 1.1, Number.NaN]) {
    expect(() => new MatchedTINF({ arms: 2, detect })).toThrow(expect.objectContaining({ code: "ERR_PARAMETER", parameter: "detect" }));
  }
});

describe("with a half-life", () => {
  const forgetful = (options: { detect?: number } = { detect: 0.05 }) => new MatchedTINF({ arms: ARMS, halfLife: 700, ...options });
  const fallsAt = (seed: number, change: number) => normal(seed, (round) => [round > change ? 2 : 0, 1, 1.5]);

  test("it is the policy with that half-life, bit for bit, until an alarm", () => {
    const [with_, without] = [forgetful(), forgetful({})];
    const strip = ({ round, arm, probability }: Choice) => [round, arm, probability];
    expect(play(with_, CHANGE, falls(1)).map(strip)).toEqual(play(without, CHANGE, falls(1)).map(strip));
  });

  // In rounds 101 to 200 after the change, the second arm has more than half of the plays with 19 and 20 of 20 seeds (change after 1,500 and 9,000 rounds), and without detect with 0 and 2.
  test.each([CHANGE, 6 * CHANGE])("a favourite that becomes worse after %i rounds is left sooner", (change) => {
    for (const seed of [1, 2, 4, 5]) {
      const shares = [forgetful(), forgetful({})].map((policy) => share(play(policy, change + 200, fallsAt(seed, change)).slice(-100), 1));
      expect(shares[0]! > 0.5 && shares[1]! < 0.5, `${seed}: ${shares}`).toBe(true);
    }
  });

  test("what is left is a part of what is remembered, not of all rounds", () => {
    const policy = forgetful();
    const world = fallsAt(1, 20 * CHANGE);
    let [before, least] = [0, Infinity];
    play(policy, 20 * CHANGE + 100, world, stream(1, "policy"), () => {
      const { counts, beta } = stateOf(policy);
      const plays = counts.reduce((sum, count) => sum + count, 0) / beta!;
      if (policy.round <= 20 * CHANGE) before = plays;
      else least = Math.min(least, plays);
    });
    expect(policy.details().alarms).toBe(1);
    // Of 1,010 rounds 32 are left; counts shrink by 32 / 1010, and beta by its root.
    expect(least / before).toBeGreaterThan(Math.sqrt(32 / 1010) / 2);
    expect(least / before).toBeLessThan(1);
  });
});
