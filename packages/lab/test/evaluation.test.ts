// The worlds in which answers from a log must not fail, each played often: how often is what a user sees wrong? A statement that is wrong with a probability of at most
// 5 % is wrong in more than 9 of 60 logs with a probability below 0.001 (binomial); the seeds are fixed.
import { createPolicy, type Distribution, type PolicySpec, pareto, stream, uniform } from "tsallis";
import { DecisionOrder, type Outcome } from "tsallis/evidence";
import { describe, expect, it } from "vitest";
import { LogEvaluation, type LogEvaluationOptions, logAnswers, redraw } from "../src/evaluation/index.js";

const LOGS = 60;
const MOST_WRONG = 9;
const OPTIONS = {
  arms: ["a", "b"],
  cap: 20,
  floor: 0,
  holdout: 0,
  moving: false,
  error: 0.05,
  tolerance: 0,
  history: false,
} satisfies LogEvaluationOptions;
const QUESTIONS = { missing: "out", mix: null, tail: null, reward: false } as const;
const heavy = pareto({ shape: 1.6, scale: 0.375 });
const seeds = Array.from({ length: LOGS }, (_, i) => i + 1);

/** E min(x, cap) of a Pareto distribution. */
function cappedMean(scale: number, cap: number, shape = 1.6): number {
  return scale >= cap ? cap : (scale * (shape - (scale / cap) ** (shape - 1))) / (shape - 1);
}

function folded(outcomes: Iterable<Outcome>, options: Partial<LogEvaluationOptions> = {}): LogEvaluation {
  const log = new LogEvaluation({ ...OPTIONS, ...options });
  for (const outcome of outcomes) log.add(outcome);
  return log;
}

describe("late feedback that is worse than average", () => {
  /** How many logs have an interval of arm a that is wrong at some time, in the order of arrival and in that of decisions. */
  it("makes answers in the order of arrival wrong, and those in the order of decisions not", () => {
    const truth = cappedMean(0.375, 20);
    const wrong = { arrival: 0, decision: 0 };
    for (const seed of seeds) {
      const rng = stream(seed, "late");
      const decisions = Array.from({ length: 1500 }, (_, at) => {
        const loss = heavy.sample(rng);
        return { at, loss, known: at + 300 * Math.min(3, loss) };
      });
      const arrival = new LogEvaluation(OPTIONS);
      const ordered = new LogEvaluation(OPTIONS);
      const order = new DecisionOrder<null>();
      let [everByArrival, everByDecision] = [false, false];
      const isWrong = ({ evaluation }: LogEvaluation) => {
        const { low, high } = evaluation.arm(0).interval();
        return low > truth || high < truth;
      };
      for (const { at } of decisions) order.decided(String(at), null);
      for (const [n, { at, loss }] of [...decisions].sort((a, b) => a.known - b.known).entries()) {
        arrival.add({ arm: 0, loss });
        order.ended(String(at), loss);
        for (const settled of order.settled()) ordered.add({ arm: 0, loss: settled.loss });
        if (n % 10 > 0) continue;
        everByArrival ||= isWrong(arrival);
        everByDecision ||= isWrong(ordered);
      }
      if (everByArrival) wrong.arrival++;
      if (everByDecision) wrong.decision++;
    }
    expect(wrong.arrival).toBeGreaterThan(LOGS / 2);
    expect(wrong.decision).toBeLessThanOrEqual(MOST_WRONG);
  });
});

describe("feedback missing because it is bad", () => {
  it("makes no verdict a plain yes for the wrong arm, though it would if the missing were like the rest", () => {
    // b is better by a tenth; of the losses of a, those above 3 are missing.
    let [plain, alike] = [0, 0];
    for (const seed of seeds) {
      const rng = stream(seed, "missing");
      const outcomes = Array.from({ length: 4000 }, (_, i): Outcome => {
        const loss = heavy.sample(rng) * (i % 2 === 0 ? 1 : 0.9);
        return { arm: i % 2, loss: i % 2 === 0 && loss > 1.5 ? null : loss };
      });
      const { verdict } = logAnswers(folded(outcomes), QUESTIONS);
      if (verdict.best === "a" && verdict.answer === "yes") plain++;
      if (verdict.best === "a" && verdict.answer === "if missing alike") alike++;
    }
    expect(plain).toBe(0);
    expect(alike).toBeGreaterThan(LOGS / 2);
  });
});

describe("a world that switches", () => {
  it("misleads all plays, and not the holdout", () => {
    // a is better by a quarter at every moment; all losses double after a third, and the policy plays b before and a after.
    const wrong = { pooled: 0, holdout: 0 };
    for (const seed of seeds.slice(0, 40)) {
      const rng = stream(seed, "switch");
      const outcomes = Array.from({ length: 6000 }, (_, i): Outcome => {
        const holdout = rng.uniform() < 0.2;
        const arm = holdout ? Math.floor(2 * rng.uniform()) : i < 2000 ? 1 : 0;
        return { arm, holdout, loss: (i < 2000 ? 1 : 2) * (arm === 0 ? 0.75 : 1) * (0.5 + rng.uniform()) };
      });
      if (logAnswers(folded(outcomes, { cap: 4, holdout: 0.2 }), QUESTIONS).verdict.best === "b") wrong.pooled++;
      const moving = logAnswers(folded(outcomes, { cap: 4, holdout: 0.2, moving: true }), { ...QUESTIONS, missing: "range" });
      if (moving.verdict.best === "b") wrong.holdout++;
    }
    expect(wrong.pooled).toBeGreaterThan(30);
    expect(wrong.holdout).toBe(0);
  });
});

describe("caps and policies", () => {
  /** In how many logs an interval of either arm is wrong at the end. */
  const wrongOf = (policy: PolicySpec, distributions: readonly Distribution[], truth: readonly number[], cap: number, floor = 0) =>
    seeds.filter((seed) => {
      const rng = stream(seed, "caps", policy.policy, String(cap));
      const learner = createPolicy(policy, 2);
      const log = new LogEvaluation({ ...OPTIONS, cap, floor });
      for (let round = 0; round < 1500; round++) {
        const choice = learner.choose(rng);
        const loss = distributions[choice.arm]!.sample(rng);
        learner.update(choice, loss);
        log.add({ arm: choice.arm, loss });
      }
      return logAnswers(log, QUESTIONS).arms.some(({ name, low, high }) => low > truth[name === "a" ? 0 : 1]! || high < truth[name === "a" ? 0 : 1]!);
    }).length;
  const scales = [0.375, 0.5];
  const arms = scales.map((scale) => pareto({ shape: 1.6, scale }));

  it.each([
    ["a cap far too large", 1e6],
    ["a cap far too small", 0.6],
    ["a cap below all losses", 0.1],
  ])("%s: intervals are right about capped losses", (_, cap) => {
    const truth = scales.map((scale) => cappedMean(scale, cap));
    expect(
      wrongOf(
        { policy: "uniform" },
        arms,
        truth.map((mean) => mean),
        cap,
      ),
    ).toBeLessThanOrEqual(MOST_WRONG);
  });

  it.each(["ucb1", "uniform", "matched-tinf"])("logs of %s, which may be deterministic", (policy) => {
    expect(
      wrongOf(
        { policy },
        arms,
        scales.map((scale) => cappedMean(scale, 20)),
        20,
      ),
    ).toBeLessThanOrEqual(MOST_WRONG);
  });

  it("losses of both signs", () => {
    const signed = [uniform({ low: -2, high: 3 }), uniform({ low: -1, high: 3 })];
    expect(wrongOf({ policy: "uniform" }, signed, [0.5, 1], 5, -5)).toBeLessThanOrEqual(MOST_WRONG);
  });
});

describe("redraw", () => {
  it("says what a policy that learns would have cost: its middle 80 % has the truth of most logs", async () => {
    // Losses of 0 and 1, means 0.2 and 0.4; the logs are of uniform play. The truth is the mean of 200 runs in the world itself.
    const spec: PolicySpec = { policy: "matched-tinf" };
    const rounds = 2000;
    const sample = (arm: number, uniform: number) => (uniform < (arm === 0 ? 0.2 : 0.4) ? 1 : 0);
    let truth = 0;
    for (let run = 0; run < 200; run++) {
      const [policy, rng] = [createPolicy(spec, 2), stream(run, "truth")];
      for (let round = 0; round < rounds; round++) {
        const choice = policy.choose(rng);
        const loss = sample(choice.arm, rng.uniform());
        policy.update(choice, loss);
        truth += loss / rounds / 200;
      }
    }
    let held = 0;
    const means: number[] = [];
    for (let log = 0; log < 20; log++) {
      const rng = stream(log, "redraw");
      const losses = [0, 1].map((arm) => Float64Array.from({ length: rounds / 2 }, () => sample(arm, rng.uniform())));
      const { mean, low, high } = await redraw({ losses, policy: spec, rounds, cap: 1, floor: 0, seed: log });
      means.push(mean);
      if (low <= truth && truth <= high) held++;
    }
    expect(held).toBeGreaterThanOrEqual(10);
    // The deviation between logs is that of the favourite's mean, 0.4 / sqrt(1000) = 0.013: the mean of 20 is within 0.015 of the truth but for one time in 1e6.
    expect(Math.abs(means.reduce((sum, each) => sum + each, 0) / 20 - truth)).toBeLessThan(0.015);
  });
});
