import { createDistribution, createPolicy, type Distribution, type DistributionSpec, POLICIES, stream } from "tsallis";
import { describe, expect, it } from "vitest";
import { type Advice, advise } from "../src/advice/advise.js";
import { hillSvg } from "../src/advice/hillFigure.js";
import { type Findings, recommend } from "../src/advice/recommend.js";

/** So many draws of a distribution; the seed decides them. */
function drawn(distribution: Distribution, n: number, seed: number): Float64Array {
  const rng = stream(seed, "advice", JSON.stringify(distribution.spec), n);
  return Float64Array.from({ length: n }, () => distribution.sample(rng));
}

/** Advice on two arms of one distribution, the second ten times as large. */
function adviceOn(spec: DistributionSpec, n: number, seed: number): Advice {
  const distribution = createDistribution(spec);
  const losses = drawn(distribution, 2 * n, seed);
  return advise([
    { name: "a", losses: losses.slice(0, n) },
    { name: "b", losses: losses.slice(n).map((loss) => 10 * loss) },
  ]);
}

const LOMAX = { distribution: "lomax", shape: 1.5, scale: 1 };
const NORMAL = { distribution: "normal", mean: 0.5, deviation: 1 };

describe("advice", () => {
  const findings: Findings = {
    lowest: -1,
    highest: 5,
    binary: false,
    atLargest: 1,
    gainRarity: 3,
    heavierArm: null,
    index: { estimate: 1.5, low: 1.3, high: 1.7 },
    truncatedNonNegativity: { verdict: "plausible", reason: "planted" },
    moment: { alpha: 1.3, sigma: 4 },
  };
  const violated = { verdict: "violated", reason: "planted" } as const;
  const names = ({ spec, alternatives }: ReturnType<typeof recommend>) => [spec.policy, ...alternatives.map((other) => other.spec.policy)];

  it("follows from the findings", () => {
    expect(names(recommend(findings))).toEqual(["matched-tinf", "htinf"]);
    expect(names(recommend({ ...findings, truncatedNonNegativity: violated }))).toEqual(["matched-tinf", "signed-tinf"]);
    expect(names(recommend({ ...findings, truncatedNonNegativity: { ...violated, verdict: "doubtful" } }))).toEqual(["matched-tinf", "signed-tinf"]);
    const light = { ...findings, lowest: 0, highest: 1, index: { estimate: 9, low: 7, high: 11 } };
    expect(names(recommend(light))).toEqual(["matched-tinf", "tsallis-inf"]);
    expect(names(recommend({ ...light, binary: true }))).toEqual(["thompson-beta", "tsallis-inf", "matched-tinf"]);
    expect(names(recommend({ ...findings, lowest: 0, highest: 0.9 }))).toEqual(["matched-tinf", "htinf"]);
    expect(names(recommend({ ...findings, index: null, moment: null }))).toEqual(["matched-tinf", "forcemom"]);
    expect(names(recommend({ ...findings, index: { estimate: 0.8, low: 0.7, high: 0.9 }, moment: null }))).toEqual(["matched-tinf"]);
  });

  it("takes a largest loss that occurs again and again for a limit, and then knows that there is a mean", () => {
    const heavy = { ...findings, index: { estimate: 0.8, low: 0.7, high: 0.9 }, moment: null };
    const limited = recommend({ ...heavy, atLargest: 5 });
    expect(limited).toMatchObject({ warnings: [], reasons: [expect.stringContaining("occurs 5 times"), expect.anything()] });
    expect(names(limited)).toEqual(["matched-tinf", "forcemom"]);
    expect(recommend({ ...heavy, atLargest: 4 }).warnings).toHaveLength(1);
    const distribution = createDistribution({ distribution: "pareto", shape: 0.8, scale: 1 });
    const observed = [1, 2].map((seed) => ({ name: `${seed}`, losses: drawn(distribution, 1000, seed) }));
    const timeouts = observed.map(({ name, losses }) => ({ name, losses: losses.map((loss) => Math.min(loss, 100)) }));
    expect(advise(observed).pooled.atLargest).toBe(1);
    expect(advise(timeouts).pooled.atLargest).toBe(timeouts.reduce((sum, { losses }) => sum + losses.filter((loss) => loss === 100).length, 0));
    expect(advise(timeouts).recommendation.warnings).toEqual([]);
  });

  it("names the arm whose index decides, in a world where one arm is heavy and the others are light", () => {
    const uniform = createDistribution({ distribution: "uniform", low: 0, high: 1 });
    const heavy = (shape: number) => ({
      name: 'a "b"',
      losses: drawn(createDistribution({ distribution: "pareto", shape, scale: 1 }), 1000, 1),
    });
    const light = [1, 2].map((seed) => ({ name: `light ${seed}`, losses: drawn(uniform, 1000, seed) }));
    const { arms, pooled, recommendation } = advise([...light, heavy(1.5)]);
    expect(pooled).toMatchObject({ heavierArm: 'a "b"', index: arms[2]!.pareto!.index });
    expect(recommendation.reasons[0]).toMatch(
      /^the tail of "a \\"b\\"", clearly heavier than that of the other arms, is heavy, or may be \(index 1\.\d+, 95 % [\d.]+ to [\d.]+\); MatchedTINF requires neither the index nor the scale$/,
    );
    expect(advise([...light, heavy(0.5)]).recommendation.warnings[0]).toMatch(/ is below 1: the losses of "a \\"b\\"" have no mean, /);
    expect(advise(light)).toMatchObject({
      pooled: { heavierArm: null },
      recommendation: { warnings: [], reasons: [expect.stringMatching(/^the tails are light \(index /), expect.anything()] },
    });
  });

  it.each([
    ["a constant loss in each arm, none of them 0", [3, 5], [3, 5]],
    ["zeros", [0, 0], [0, 0]],
    ["a few losses of other sizes", [3, 0], [3, 0]],
  ])("says from where losses would have to differ: %s", (_, usual, centres) => {
    const few = usual.map((value, arm) => ({ name: `${arm}`, losses: Float64Array.from({ length: 200 }, (_, i) => (i < 6 * arm ? 20 + i : value)) }));
    const { arms, pooled, recommendation } = advise(few);
    expect([pooled.index, arms.map(({ centre }) => centre)]).toEqual([null, centres]);
    expect(recommendation.reasons[0]).toBe(
      "too few losses differ from 0 (or from the median, in arms far from 0) to estimate a tail, and MatchedTINF requires no parameters",
    );
  });

  it("where gains are rare, says so to the default: twice the estimate, rounded up", () => {
    const rare = recommend({ ...findings, gainRarity: 234.6 });
    expect(rare.spec).toEqual({ policy: "matched-tinf", rarest: 470 });
    expect(rare.reasons).toEqual([expect.stringContaining("one loss in 235"), expect.stringContaining("1,410 plays of every arm")]);
    expect(names(rare)).toEqual(["matched-tinf", "htinf"]);
    expect(recommend({ ...findings, gainRarity: 100 }).spec).toEqual({ policy: "matched-tinf" });
    expect(recommend({ ...findings, gainRarity: null }).spec).toEqual({ policy: "matched-tinf" });
  });

  it("an alternative for a proof has one, of the regime that its words promise", () => {
    const verdicts = ["plausible", "doubtful", "violated"] as const;
    const cases = verdicts.flatMap((verdict) =>
      [findings.moment, null].flatMap((moment) =>
        [true, false].map((binary) => ({
          ...findings,
          binary,
          ...(binary && { lowest: 0, highest: 1, index: null }),
          moment,
          truncatedNonNegativity: { verdict, reason: "planted" },
        })),
      ),
    );
    for (const { alternatives } of cases.map(recommend)) {
      for (const { spec, when } of alternatives.filter((each) => each.when.includes("proved bound"))) {
        const { guarantee } = POLICIES[spec.policy]!;
        expect(guarantee).toBe(when.includes("stay the same") ? "stochastic" : "adversarial");
      }
    }
  });

  it("warns of what nobody can repair", () => {
    expect(recommend(findings).warnings).toEqual([]);
    expect(recommend({ ...findings, index: { estimate: 0.8, low: 0.7, high: 0.9 } }).warnings).toEqual([expect.stringContaining("no mean")]);
    expect(recommend({ ...findings, index: { estimate: 1.1, low: 0.9, high: 1.3 } }).warnings).toEqual([expect.stringContaining("may be below 1")]);
    expect(recommend({ ...findings, truncatedNonNegativity: { ...violated, verdict: "doubtful" } }).warnings).toEqual([
      expect.stringContaining("truncated non-negativity fails"),
    ]);
  });

  it.each([
    ["heavy", LOMAX, ["policy"]],
    ["normal", NORMAL, ["policy"]],
    ["negated", { distribution: "negated", of: LOMAX }, ["policy"]],
    [
      "rare sales",
      { distribution: "negated", of: { distribution: "thinned", q: 0.005, of: { distribution: "log-normal", location: 0, scale: 0.5 } } },
      ["policy", "rarest"],
    ],
    ["bits", { distribution: "bernoulli", p: 0.4 }, ["policy"]],
  ])("names policies that the library accepts: %s", (_, spec, given) => {
    const { recommendation } = adviceOn(spec as DistributionSpec, 500, 1);
    expect(recommendation.spec.policy).toBe("matched-tinf");
    expect(Object.keys(recommendation.spec)).toEqual(given);
    expect(recommendation.reasons.length).toBeGreaterThan(0);
    for (const { spec: each } of [recommendation, ...recommendation.alternatives]) {
      expect(createPolicy(each, 3).arms).toBe(3);
    }
  });

  it("zeros and ones have a policy of their own", () => {
    const losses = (p: number) => drawn(createDistribution({ distribution: "bernoulli", p }), 300, 1);
    const { recommendation, arms } = advise([
      { name: "a", losses: losses(0.4) },
      { name: "b", losses: losses(0.6) },
    ]);
    expect(recommendation.spec).toEqual({ policy: "thompson-beta" });
    expect(arms[0]!.tails.both!.hill.estimate).toBe(Infinity);
  });

  it("stands zeros, and a few large losses among them", () => {
    const mostly = Float64Array.from({ length: 300 }, (_, i) => (i % 30 === 0 ? i : 0));
    const { recommendation, pooled, hillPlot } = advise([
      { name: "a", losses: mostly },
      { name: "b", losses: new Float64Array(300) },
    ]);
    expect(pooled).toMatchObject({ index: null, moment: null, truncatedNonNegativity: { verdict: "plausible" } });
    expect(hillPlot).toEqual([]);
    expect(recommendation).toMatchObject({ spec: { policy: "matched-tinf" }, alternatives: [{ spec: { policy: "forcemom" } }] });
  });
});

describe("Hill plot", () => {
  it("is drawn as a file of its own, with words for those who cannot see it", () => {
    const svg = hillSvg(adviceOn(LOMAX, 1000, 1))!;
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg".*<title>Hill plot\. /);
    for (const word of ["all arms", "tail index", "share of the losses"]) expect(svg).toContain(word);
    expect(svg).toMatch(/class="[^"]*band/);
    expect(svg).not.toMatch(/NaN|undefined|var\(/);
  });

  it("of many arms shows the heaviest", () => {
    const distribution = createDistribution(LOMAX);
    const svg = hillSvg(advise(Array.from({ length: 12 }, (_, i) => ({ name: `arm ${i}`, losses: drawn(distribution, 200, i) }))))!;
    expect(svg).toContain("Only the 8 heaviest of 12 arms are drawn.");
    expect(svg).not.toMatch(/NaN|undefined/);
  });
});
