import { DEFAULT_POLICY, type PolicySpec } from "tsallis";
import { formatNumber } from "../format/formatNumber.js";
import type { Estimate } from "../statistics/interval.js";
import type { TruncatedNonNegativity } from "./truncatedNonNegativity.js";

/** What the choice of a policy depends on. */
export interface Findings {
  /** The lowest of all losses. */
  readonly lowest: number;
  readonly highest: number;
  /** The tail index of |loss| that holds for every arm; null if it could not be estimated. */
  readonly index: Estimate | null;
  readonly truncatedNonNegativity: Pick<TruncatedNonNegativity, "verdict" | "reason">;
  /** A moment that exists, and a bound on it over all arms; null if the data give none. */
  readonly moment: { readonly alpha: number; readonly sigma: number } | null;
}

/** A policy, with the reasons for it. */
export interface Recommendation {
  readonly spec: PolicySpec;
  readonly reasons: readonly string[];
  readonly warnings: readonly string[];
  /** Other policies that would do, and when. */
  readonly alternatives: readonly { readonly spec: PolicySpec; readonly when: string }[];
}

/** Which policy follows from the findings, and why. The rules are tried in order, and the first that fits decides. */
export function recommend(findings: Findings): Recommendation {
  const rule = [bounded, leftTail, otherwise].find((each) => each.fits(findings))!;
  return { ...rule.advice(findings), warnings: warningsOf(findings) };
}

const CAUTIOUS = "alpha and sigma, here the cautious ends of their intervals";

interface Rule {
  fits(findings: Findings): boolean;
  advice(findings: Findings): Omit<Recommendation, "warnings">;
}

/** Losses that lie in [0, 1] and have no heavy tail there. */
const bounded: Rule = {
  fits: ({ lowest, highest, index }) => lowest >= 0 && highest <= 1 && highest > 0.5 && (index === null || (index.estimate > 2 && index.low > 1)),
  advice: ({ lowest, highest }) => ({
    spec: { policy: "tsallis-inf" },
    reasons: [
      `all losses lie in [0, 1], from ${formatNumber(lowest)} to ${formatNumber(highest)}, so nothing has to be skipped, and Tsallis-INF is optimal in stochastic and adversarial worlds at once`,
    ],
    alternatives: [{ spec: DEFAULT_POLICY, when: "a later loss may leave [0, 1]" }],
  }),
};

/** Losses with a heavy left tail: skipping large losses would discard the ones that make an arm good. */
const leftTail: Rule = {
  fits: ({ truncatedNonNegativity }) => truncatedNonNegativity.verdict === "violated",
  advice: ({ truncatedNonNegativity, moment }) => ({
    spec: { policy: "forcemom" },
    reasons: [
      `truncated non-negativity is violated: ${truncatedNonNegativity.reason}; a policy that skips large losses would discard those that make an arm good`,
      "ForceMoM assumes nothing and needs no parameters; its guarantee covers arms whose laws stay the same (where they may not, omd-lb-ht has one, if you know alpha, sigma and the horizon)",
    ],
    alternatives: [
      {
        spec: DEFAULT_POLICY,
        when: "you prefer small regret to a guarantee: it skips nothing, but finds rare good losses late",
      },
      ...toldMoment("robust-ucb", moment, `the laws of the arms stay the same, and you can vouch for ${CAUTIOUS}`),
    ],
  }),
};

const otherwise: Rule = {
  fits: () => true,
  advice: ({ index, moment, truncatedNonNegativity }) => ({
    spec: DEFAULT_POLICY,
    reasons: [
      index === null
        ? "too few losses differ from 0 to estimate their tail, and MatchedTINF needs no parameters"
        : index.low >= 2
          ? `the tails are light (index ${told(index)}), but the losses are not confined to [0, 1]; MatchedTINF adapts to their scale`
          : `the tails are heavy, or may be (index ${told(index)}); MatchedTINF needs to know neither the index nor the scale`,
      truncatedNonNegativity.verdict === "plausible"
        ? `truncated non-negativity is plausible: ${truncatedNonNegativity.reason}`
        : `truncated non-negativity is doubtful: ${truncatedNonNegativity.reason}`,
    ],
    alternatives:
      truncatedNonNegativity.verdict === "plausible"
        ? toldMoment("htinf", moment, `you prefer a proved bound to small regret, and can vouch for ${CAUTIOUS}`)
        : toldMoment(
            "robust-ucb",
            moment,
            `you prefer a proved bound to small regret, the laws of the arms stay the same, and you can vouch for ${CAUTIOUS}`,
          ),
  }),
};

/** A policy that has to be told a moment, if there is one to tell. */
function toldMoment(policy: string, moment: Findings["moment"], when: string): Recommendation["alternatives"] {
  return moment === null ? [] : [{ spec: { policy, ...moment }, when }];
}

function warningsOf({ index, truncatedNonNegativity }: Findings): string[] {
  return [
    ...(index !== null && index.high <= 1
      ? [`the tail index ${told(index)} is below 1: the losses have no mean, so regret has no meaning; use a bounded function of the losses instead`]
      : []),
    ...(index !== null && index.low <= 1 && index.high > 1
      ? [`the tail index ${told(index)} may be below 1: the losses would then have no mean, and regret would have no meaning; more data would decide`]
      : []),
    ...(truncatedNonNegativity.verdict === "doubtful"
      ? ["if truncated non-negativity fails, the guarantees of the paper's algorithms fail too; compare with forcemom on your own data"]
      : []),
  ];
}

function told({ estimate, low, high }: Estimate): string {
  return low === Infinity ? "infinite" : `${shown(estimate)}, 95 % ${shown(low)} to ${shown(high)}`;
}

function shown(index: number): string {
  return index === Infinity ? "∞" : formatNumber(index);
}
