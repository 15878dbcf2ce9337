import fc from "fast-check";
import { type Choice, createEnvironment, createPolicy, isSkipped, POLICIES, registerPolicy, stream, UniformPolicy } from "tsallis";
import { describe, expect, test } from "vitest";
import { completeExperiment } from "../src/document/completeExperiment.js";
import { resolveRun } from "../src/document/resolveRun.js";
import { runsOf } from "../src/document/runs.js";
import { checkpoints } from "../src/run/checkpoints.js";
import { executeRun } from "../src/run/executeRun.js";
import { lastFifth } from "../src/run/lastFifth.js";
import { Play } from "../src/run/play.js";
import { playRun } from "../src/run/playRun.js";
import { RunHash } from "../src/run/runHash.js";

const pareto = (scale: number) => ({ distribution: "pareto", shape: 1.8, scale });
const signed = (p: number) => ({ distribution: "signed", p, of: pareto(1) });
const worlds = {
  steady: { environment: "stochastic", alpha: 1.5, arms: [pareto(1), pareto(2), pareto(1.5)] },
  switching: { environment: "switching", alpha: 1.5, period: 400, arms: [signed(0.9), signed(0.6)], alternate: [signed(0.5), signed(0.8)] },
  late: { environment: "stochastic", alpha: 1.5, delay: 37, arms: [pareto(1), pareto(2)] },
  weekly: { environment: "stochastic", alpha: 1.5, delay: { batch: 70 }, arms: [pareto(1), pareto(2)] },
  sometime: {
    environment: "drifting",
    alpha: 1.5,
    rounds: 700,
    delay: { distribution: "pareto", shape: 1.2, scale: 3 },
    arms: [pareto(1), pareto(2)],
    alternate: [pareto(2), pareto(1)],
  },
};
const experiment = completeExperiment({
  name: "x",
  horizon: 1000,
  seeds: [5],
  checkpoints: 20,
  environments: worlds,
  policies: { htinf: { policy: "htinf", alpha: "promised", sigma: "promised" }, adatinf: { policy: "adatinf" }, uniform: { policy: "uniform" } },
});
const options = { seed: 5, checkpoints: 20, anatomy: false, onRounds: () => {} };

describe("checkpoints", () => {
  test("are log-spaced, with four fifths of the horizon, and end at the horizon", () => {
    expect(checkpoints(1000, 5)).toEqual([1, 10, 100, 800, 1000]);
    expect(checkpoints(1000, 3)).toEqual([1, 800, 1000]);
    expect(checkpoints(1000, 2)).toEqual([800, 1000]);
    expect(checkpoints(1, 60)).toEqual([1]);
    expect(checkpoints(3, 60)).toEqual([1, 2, 3]);
  });

  test("property: rising, from 1 if there is room, at most so many, with the round before the last fifth", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 53 - 1 }), fc.integer({ min: 2, max: 200 }), (horizon, count) => {
        const rounds = checkpoints(horizon, count);
        expect(rounds.length).toBeLessThanOrEqual(count);
        expect(rounds.at(-1)).toBe(horizon);
        if (count > 2) expect(rounds[0]).toBe(1);
        if (horizon > 1) expect(rounds).toContain(lastFifth(horizon).from);
        for (const [i, round] of rounds.entries()) expect(Number.isSafeInteger(round) && round > (rounds[i - 1] ?? 0)).toBe(true);
      }),
    );
  });
});

/** The plain definition, everything kept. */
function naive(run: ReturnType<typeof runsOf>[number]) {
  const { environment, policy: spec, horizon, delay } = resolveRun(experiment, run);
  const policy = createPolicy(spec, environment.arms);
  const rng = stream(run.seed, "policy");
  const late = stream(run.seed, "delay");
  const waiting: { due: number; choice: Choice; loss: number }[] = [];
  const arms = Array.from({ length: environment.arms }, (_, arm) => arm);
  const sums = arms.map(() => 0);
  const plays = arms.map(() => 0);
  let expected = 0;
  let realized = 0;
  let dynamic = 0;
  let skipped = 0;
  const rows: Record<
    number,
    { pseudoRegret: number; realizedRegret: number; dynamicRegret: number; skipped: number; best: number; plays: number[] }
  > = {};
  for (let round = 1; round <= horizon; round++) {
    const choice = policy.choose(rng);
    const loss = environment.loss(round, choice.arm);
    // The inverse transform of a Pareto distribution, as the core draws it: through its own sampler.
    const wait =
      typeof delay === "number" ? delay : "batch" in delay ? 69 - ((round - 1) % 70) : Math.floor(environmentDistribution(delay).sample(late));
    waiting.push({ due: round + wait, choice, loss });
    for (const each of waiting.filter(({ due }) => due === round)) policy.update(each.choice, each.loss);
    if (isSkipped(choice, loss)) skipped++;
    plays[choice.arm]!++;
    expected += environment.mean(round, choice.arm);
    realized += loss;
    dynamic += environment.mean(round, choice.arm) - Math.min(...arms.map((arm) => environment.mean(round, arm)));
    for (const arm of arms) sums[arm]! += environment.mean(round, arm);
    const least = Math.min(...sums);
    rows[round] = {
      pseudoRegret: expected - least,
      realizedRegret: realized - least,
      dynamicRegret: dynamic,
      skipped,
      best: plays[sums.indexOf(least)]!,
      plays: [...plays],
    };
  }
  return rows;
}
const environmentDistribution = (spec: object) => createEnvironment({ environment: "stochastic", alpha: 1.1, arms: [spec] }, 1).distribution(1, 0);

describe("a run", () => {
  test.each(runsOf(experiment).map((run) => [run.id, run] as const))("%s records what the definition says", (_, run) => {
    const trace = playRun(resolveRun(experiment, run), options);
    const rows = naive(run);
    expect(trace.round).toEqual(checkpoints(1000, 20));
    for (const [i, round] of trace.round.entries()) {
      const row = rows[round]!;
      expect(Math.abs(trace.pseudoRegret[i]! - row.pseudoRegret)).toBeLessThan(1e-9);
      expect(Math.abs(trace.dynamicRegret[i]! - row.dynamicRegret)).toBeLessThan(1e-9);
      expect(Math.abs(trace.realizedRegret[i]! - row.realizedRegret)).toBeLessThan(1e-8);
      expect([trace.skipped[i], trace.best[i], trace.plays!.map((column) => column[i])]).toEqual([row.skipped, row.best, row.plays]);
    }
    expect(Object.keys(trace.details)).toEqual(run.policy === "adatinf" ? ["epoch"] : []);
  });

  test.each(runsOf(experiment).map((run) => [run.id, run] as const))("%s is the same in steps of any size", (_, run) => {
    const whole = playRun(resolveRun(experiment, run), { ...options, runHash: true });
    const play = new Play(resolveRun(experiment, run), { seed: run.seed, runHash: true });
    expect(play.round).toBe(0);
    const steps = stream(3, run.id);
    for (const [i, round] of whole.round.entries()) {
      while (play.round < round) play.advance(Math.min(round, play.round + 1 + Math.floor(steps.uniform() * 90)));
      const { plays, details, anatomy: __, ...row } = play.totals();
      for (const [name, value] of Object.entries(row)) expect([name, value]).toEqual([name, whole[name as keyof typeof row][i]]);
      expect([...plays]).toEqual(whole.plays!.map((column) => column[i]));
      expect(details).toEqual(Object.fromEntries(Object.entries(whole.details).map(([name, column]) => [name, column[i]])));
    }
    expect(play.runHash()).toBe(whole.runHash);
  });

  test("has a run hash of its arms and losses if it is asked for: reference by BigInt", () => {
    const bytes = new DataView(new ArrayBuffer(12));
    const reference = (rounds: readonly (readonly [arm: number, loss: number])[]) => {
      let hash = 0xcbf29ce484222325n;
      for (const [arm, loss] of rounds) {
        bytes.setUint32(0, arm, true);
        bytes.setFloat64(4, loss, true);
        for (let i = 0; i < 12; i++) hash = ((hash ^ BigInt(bytes.getUint8(i))) * 0x100000001b3n) & 0xffffffffffffffffn;
      }
      return hash.toString(16).padStart(16, "0");
    };
    const round = fc.tuple(fc.nat({ max: 0xffffffff }), fc.double({ noNaN: true }));
    fc.assert(
      fc.property(fc.array(round), (rounds) => {
        const hash = new RunHash();
        for (const [arm, loss] of rounds) hash.add(arm, loss);
        expect(hash.digest()).toBe(reference(rounds));
      }),
    );
    const [steady] = runsOf(experiment);
    const resolved = resolveRun(experiment, steady!);
    const rounds: [number, number][] = [];
    const loss = (at: number, arm: number) => {
      rounds.push([arm, resolved.environment.loss(at, arm)]);
      return rounds.at(-1)![1];
    };
    const watched = Object.create(resolved.environment, { loss: { value: loss } });
    expect(playRun({ ...resolved, environment: watched }, { ...options, runHash: true }).runHash).toBe(reference(rounds));
    expect(rounds).toHaveLength(1000);
    expect(playRun(resolved, options)).not.toHaveProperty("runHash");
  });

  test("tells its rounds, all of them", () => {
    let rounds = 0;
    const steady = runsOf(experiment)[0]!;
    playRun({ ...resolveRun(experiment, steady), horizon: 100_000 }, { ...options, onRounds: (more) => (rounds += more) });
    expect(rounds).toBe(100_000);
  });

  test("keeps digits where means are large and gaps small", () => {
    const constant = (value: number) => ({ distribution: "constant", value });
    const environment = createEnvironment({ environment: "stochastic", alpha: 2, arms: [constant(1e6), constant(1e6 + 2 ** -20)] }, 1);
    const trace = playRun({ environment, policy: { policy: "uniform" }, horizon: 100_000, delay: 0, rotation: 0, rescaling: null }, options);
    expect(trace.pseudoRegret.at(-1)).toBe(trace.plays![1]!.at(-1)! * 2 ** -20);
  });

  test("holds no -0, which its line in the journal would not keep", () => {
    registerPolicy("zero", {
      parameters: {},
      description: "uniform, with a detail of -0",
      needs: [],
      guarantee: null,
      create: ({ arms }) => Object.assign(new UniformPolicy({ arms }), { details: () => ({ zero: -0 }) }),
    });
    const environment = createEnvironment(worlds.steady, 1);
    const { details, ...columns } = playRun(
      { environment, policy: { policy: "zero" }, horizon: 100, delay: 0, rotation: 0, rescaling: null },
      options,
    );
    const numbers = Object.values({ ...columns, ...details }).flat(2);
    expect(numbers.length).toBeGreaterThan(50);
    expect(numbers.filter((number) => Object.is(number, -0))).toEqual([]);
  });

  test("whose policy reports a detail only now and then is refused: the values would stand beside the wrong rounds", () => {
    for (const [name, kept] of [
      ["early", (round: number) => round < 10],
      ["late", (round: number) => round >= 10],
    ] as const) {
      registerPolicy(name, {
        parameters: {},
        description: "uniform, with a detail that comes and goes",
        needs: [],
        guarantee: null,
        create: ({ arms }) => {
          const policy = new UniformPolicy({ arms });
          return Object.assign(policy, { details: () => (kept(policy.round) ? { some: 1 } : {}) });
        },
      });
      const environment = createEnvironment(worlds.steady, 1);
      const play = () => playRun({ environment, policy: { policy: name }, horizon: 100, delay: 0, rotation: 0, rescaling: null }, options);
      expect(play).toThrow(expect.objectContaining({ code: "ERR_TRACE", message: expect.stringContaining("some") }));
    }
  });

  test("that throws is a row with its error", () => {
    const [run] = runsOf(experiment);
    const { status, error } = executeRun({ ...experiment, policies: { htinf: { policy: "adatinf", horizon: 5 } } }, run!, () => {}) as {
      status: string;
      error: object;
    };
    expect([status, error]).toEqual(["failed", { code: "ERR_HORIZON", message: expect.stringContaining("5") }]);
  });

  test("does not keep the shares of very many arms", () => {
    const environment = createEnvironment({ environment: "lower-bound", alpha: 1.5, arms: 33, gap: 0.1 }, 1);
    expect(playRun({ environment, policy: { policy: "uniform" }, horizon: 10, delay: 0, rotation: 0, rescaling: null }, options).plays).toBeNull();
  });
});

test("every default policy can be told the truth", () => {
  const defaults = Object.keys(POLICIES).filter((name) => POLICIES[name]!.default);
  const { policies } = completeExperiment({ name: "x", horizon: 10, seeds: 1, environments: worlds, policies: "default" });
  expect(Object.keys(policies)).toEqual(defaults);
});
