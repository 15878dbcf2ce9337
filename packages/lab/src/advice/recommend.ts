import { DEFAULT_POLICY, type PolicySpec } from "tsallis";
import { type Estimate, formatCount, formatNumber, type PooledFindings } from "tsallis/statistics";

/** What the choice of a policy depends on. */
export type Findings = Pick<
  PooledFindings,
  "lowest" | "highest" | "binary" | "atLargest" | "gainRarity" | "heavierArm" | "index" | "truncatedNonNegativity" | "moment"
>;

/** A policy, with the reasons for it. */
export interface Recommendation {
  readonly spec: PolicySpec;
  readonly reasons: readonly string[];
  readonly warnings: readonly string[];
  /** Other policies that would do, and when. */
  readonly alternatives: readonly { readonly spec: PolicySpec; readonly when: string }[];
}

type Alternative = Recommendation["alternatives"][number];

/**
 * Which policy follows from the findings, and why. The rules are tried in order, and the first that fits decides. They are fitted to what wins: `npm run bench -- advice`
 * follows them on data sets of many kinds.
 */
export function recommend(findings: Findings): Recommendation {
  const rule = [bits, rareGains, otherwise].find((each) => each.fits(findings))!;
  return { ...rule.advice(findings), warnings: warningsOf(findings) };
}

interface Rule {
  fits(findings: Findings): boolean;
  advice(findings: Findings): Omit<Recommendation, "warnings">;
}

/** Clicks, conversions, failures. */
const bits: Rule = {
  fits: ({ binary, highest }) => binary && highest === 1,
  advice: () => ({
    spec: { policy: "thompson-beta" },
    reasons: [
      "every loss is 0 or 1, and Thompson sampling with a Beta posterior is made for that: it finds rates that are close to 0 or 1 faster than the others do",
    ],
    alternatives: [provedUnitInterval, { spec: DEFAULT_POLICY, when: "a later loss may be neither 0 nor 1" }],
  }),
};

/** Gains rarer than one in this many are often not found by the default in time. */
const RARE = 100;
/** The estimate of the rarity comes from a few gains, and is often too low. Over eight kinds of data sets with rare gains, twice the estimate has less regret than once or three times. */
const CAUTION = 2;

/** An arm that has not shown its gain yet looks like one that has none; only a policy that knows how rare a gain may be keeps looking for it. */
const rareGains: Rule = {
  fits: ({ gainRarity }) => gainRarity !== null && gainRarity > RARE,
  advice: (findings) => {
    const rarest = Math.ceil(CAUTION * findings.gainRarity!);
    return {
      spec: { ...DEFAULT_POLICY, rarest },
      reasons: [
        `gains are rare: in at least one arm they come from about one loss in ${formatNumber(findings.gainRarity!)}, and a policy that does not know this may give up an arm before its first gain`,
        `rarest is twice that, to be cautious; it costs about ${formatCount(3 * rarest)} plays of every arm, whatever the horizon`,
      ],
      alternatives: proved(findings),
    };
  },
};

const otherwise: Rule = {
  fits: () => true,
  advice: (findings) => ({
    spec: DEFAULT_POLICY,
    reasons: [
      tailReason(findings),
      `truncated non-negativity is ${findings.truncatedNonNegativity.verdict}: ${findings.truncatedNonNegativity.reason}`,
    ],
    alternatives: proved(findings),
  }),
};

/** If this many losses have the largest size, it is a limit, such as a timeout: there is no tail beyond it, whatever the index of what lies below. */
const AT_LIMIT = 5;

function tailReason({ index, heavierArm, atLargest }: Findings): string {
  if (index === null) {
    return "too few losses differ from 0 (or from the median, in arms far from 0) to estimate a tail, and MatchedTINF requires no parameters";
  }
  if (atLargest >= AT_LIMIT) {
    return `the largest size of a loss occurs ${formatCount(atLargest)} times, so that the tails end there, as with a timeout; MatchedTINF adapts to the scale of the losses`;
  }
  const whose = heavierArm === null ? "the tails are" : `the tail of ${JSON.stringify(heavierArm)}, clearly heavier than that of the other arms, is`;
  return index.low >= 2
    ? `${whose} light (index ${indexText(index)}), and MatchedTINF adapts to the scale of the losses`
    : `${whose} heavy, or may be (index ${indexText(index)}); MatchedTINF requires neither the index nor the scale`;
}

const provedUnitInterval: Alternative = {
  spec: { policy: "tsallis-inf" },
  when: "you prefer a proved bound to small regret, and all losses will lie in [0, 1]; it holds even where distributions change",
};

const VOUCH = "can vouch for alpha and sigma, here the cautious ends of their intervals";

/** The policy with a proof that covers such losses. */
function proved(findings: Findings): Alternative[] {
  const {
    lowest,
    highest,
    index,
    moment,
    truncatedNonNegativity: { verdict },
  } = findings;
  if (lowest >= 0 && highest <= 1 && highest > 0.5 && (index === null || (index.estimate > 2 && index.low > 1))) return [provedUnitInterval];
  if (moment !== null) {
    const policy = verdict === "plausible" ? "htinf" : "signed-tinf";
    return [{ spec: { policy, ...moment }, when: `you prefer a proved bound to small regret, and ${VOUCH}` }];
  }
  // Without a mean there is nothing to prove.
  return hasNoMean(findings)
    ? []
    : [{ spec: { policy: "forcemom" }, when: "you prefer a proved bound to small regret, and the distributions of the arms stay the same" }];
}

function hasNoMean({ index, atLargest }: Findings): boolean {
  return index !== null && index.high <= 1 && atLargest < AT_LIMIT;
}

function warningsOf(findings: Findings): string[] {
  const { index, heavierArm, atLargest, truncatedNonNegativity } = findings;
  const losses = heavierArm === null ? "the losses" : `the losses of ${JSON.stringify(heavierArm)}`;
  return [
    ...(hasNoMean(findings)
      ? [
          `the tail index ${indexText(index!)} is below 1: ${losses} have no mean, so regret has no meaning; use a bounded function of the losses instead`,
        ]
      : []),
    ...(index !== null && index.low <= 1 && index.high > 1 && atLargest < AT_LIMIT
      ? [
          `the tail index ${indexText(index)} may be below 1: ${losses} would then have no mean, and regret would have no meaning; more data would decide`,
        ]
      : []),
    ...(truncatedNonNegativity.verdict === "plausible"
      ? []
      : [
          `where truncated non-negativity fails, so do the guarantees of HTINF and the other algorithms of the paper; the recommended policy does not rely on it`,
        ]),
  ];
}

function indexText({ estimate, low, high }: Estimate): string {
  return low === Infinity ? "infinite" : `${shown(estimate)}, 95 % ${shown(low)} to ${shown(high)}`;
}

function shown(index: number): string {
  return index === Infinity ? "∞" : formatNumber(index);
}
