import { describe, expect, test } from "vitest";
import { analyse } from "../src/analysis/analysis.js";
import { completeExperiment } from "../src/document/completeExperiment.js";
import { freezeExperiment } from "../src/document/freezeExperiment.js";
import { runsOf } from "../src/document/runs.js";
import type { RunResult, Trace } from "../src/run/runResult.js";

const world = { environment: "lower-bound", alpha: 1.5, arms: 2, gap: 0.2 };
const policy = { policy: "uniform" };
const ROUNDS = [1, 3, 10, 30, 100, 300, 1000, 3000, 10_000];

/** Weighs evidence against made-up regrets: `regret(policy, seed, round, value)`. */
function weigh(evidence: object[], regret: (policy: string, seed: number, round: number, value: number) => number, sweep?: object, seeds = 12) {
  const document = {
    name: "x",
    horizon: 10_000,
    seeds,
    environments: { w: world },
    policies: { a: policy, b: policy },
    evidence,
    ...(sweep ? { sweep } : {}),
  };
  const frozen = freezeExperiment(completeExperiment(document));
  const runs = runsOf(frozen.experiment);
  const zeros = ROUNDS.map(() => 0);
  const results = new Map<string, RunResult>(
    runs.map(({ id, policy, seed, sweep }) => {
      const pseudoRegret = ROUNDS.map((round) => regret(policy, seed, round, Number(sweep?.value ?? 1)));
      const trace: Trace = {
        round: ROUNDS,
        pseudoRegret,
        realizedRegret: zeros,
        dynamicRegret: pseudoRegret,
        skipped: zeros,
        best: zeros,
        plays: null,
        details: {},
        anatomy: null,
      };
      return [id, { id, status: "completed", trace, seconds: 1 }];
    }),
  );
  return analyse(frozen, results).claim;
}
const verdicts = (...args: Parameters<typeof weigh>) => {
  const { verdict, evidence } = weigh(...args);
  return [verdict, ...evidence.map((each) => each.verdict)];
};
const aBeatsB = { environment: "w", policy: "a", beats: "b" };
const grows = (exponent: [number, number], along?: string) => ({ environment: "w", policy: "a", exponent, ...(along ? { along } : {}) });

describe("a claim", () => {
  test("without evidence is the reader's to judge", () => {
    expect(weigh([], () => 1)).toEqual({ verdict: null, evidence: [], stuck: null });
  });

  test("of less regret comes with the share of runs that are stuck", () => {
    // Uniform play has a regret of 0.1 per round; every fourth run of a has as much in its last fifth.
    const regret = (name: string, seed: number, round: number) => (name === "b" ? 0.5 : seed % 4 === 0 ? 0.1 : 0.001) * round;
    expect(weigh([aBeatsB], regret)).toMatchObject({
      verdict: "supported",
      stuck: "Less regret is a statement about means. Of the runs of these policies some are stuck: a in 25 % (w).",
    });
    expect(weigh([aBeatsB], (name, _, round) => (name === "b" ? 0.11 : 0.001) * round).stuck).toBeNull();
    expect(weigh([{ environment: "w", policy: "b", beats: "a" }], regret).stuck).toBeNull();
  });

  test("is supported if one policy has less regret on the same losses, contradicted if it has more, open if that is noise", () => {
    // The seeds' common part is far larger than the difference: only a paired test sees it.
    const noise = (seed: number) => 1e6 * seed;
    expect(verdicts([aBeatsB], (name, seed) => noise(seed) + (name === "a" ? 1 : 2))).toEqual(["supported", "holds"]);
    expect(verdicts([aBeatsB], (name, seed) => noise(seed) + (name === "a" ? 2 : 1))).toEqual(["contradicted", "fails"]);
    expect(verdicts([aBeatsB], (name, seed) => (name === "a" ? 1 : 1 + (-1) ** seed))).toEqual(["open", "open"]);
  });

  test("holds or fails with the whole interval of an exponent", () => {
    const square = (_: string, seed: number, round: number) => Math.sqrt(round) * (1 + seed / 100);
    expect(verdicts([grows([0.4, 0.6])], square)).toEqual(["supported", "holds"]);
    expect(verdicts([grows([0.6, 1])], square)).toEqual(["contradicted", "fails"]);
    expect(verdicts([grows([0.4, 0.6]), grows([0.6, 1])], square)).toEqual(["contradicted", "holds", "fails"]);
    const spread = (_: string, seed: number, round: number) => round ** (0.3 + seed / 30);
    expect(verdicts([grows([0.5, 0.6])], spread)).toEqual(["open", "open"]);
    expect(verdicts([grows([0.4, 0.6])], () => 0)).toEqual(["open", "open"]);
  });

  test("weighs the rounds at every value of a sweep that leaves the horizon as it is", () => {
    const sweep = { path: "environments.w.gap", values: [0.1, 0.2] };
    const { evidence } = weigh([grows([0.4, 0.6])], (_, seed, round, value) => round ** (value === 0.1 ? 0.5 : 0.9) * (1 + seed / 100), sweep);
    expect(evidence[0]!.verdict).toBe("fails");
    expect(evidence[0]!.measured).toMatch(/^at 0.1: 0.50 .*; at 0.2: 0.90 /);
  });

  test("says when so few seeds cannot tell", () => {
    const few = weigh([aBeatsB], (name) => (name === "a" ? 1 : 2), undefined, 5);
    expect(few.evidence).toEqual([
      {
        statement: "w: a has less regret than b",
        verdict: "open",
        measured: "1.00 against 2.00, but 5 seeds are too few to decide (use at least 6)",
      },
    ]);
    expect(weigh([aBeatsB], (name, seed) => (name === "a" ? 1 : 2 + seed / 100), undefined, 6).verdict).toBe("supported");
  });

  test("reads exponents along a sweep, and compares at each of its values", () => {
    const cube = (name: string, seed: number, _: number, value: number) => value ** 3 * (1 + seed / 100) * (name === "a" ? 1 : value > 1 ? 2 : 0.5);
    const sweep = { path: "environments.w.gap", values: [0.1, 0.2, 0.4] };
    const { evidence } = weigh([grows([2.9, 3.1], sweep.path), aBeatsB], cube, sweep);
    expect(evidence.map(({ verdict }) => verdict)).toEqual(["holds", "fails"]);
    expect(evidence[1]!.measured).toMatch(/^at 0.1: .* against .*; at 0.2: /);
  });
});
