import { DEFAULT_POLICY, type PolicySpec } from "tsallis";
import { formatNumber } from "../format/formatNumber.js";
import type { Estimate } from "../statistics/interval.js";
import type { TruncatedNonNegativity } from "./truncatedNonNegativity.js";

/** What the choice of a policy depends on. */
export interface Findings {
  /** The lowest of all losses. */
  readonly lowest: number;
  readonly highest: number;
  readonly losses: number;
  /** Hill's index of |loss| that holds for every arm; null if it could not be estimated. */
  readonly index: Estimate | null;
  readonly truncatedNonNegativity: Pick<TruncatedNonNegativity, "verdict" | "reason">;
  /** A moment that exists, and its bound over all arms; null if the tail is unknown. */
  readonly moment: { readonly alpha: number; readonly sigma: number } | null;
}

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

interface Rule {
  fits(findings: Findings): boolean;
  advice(findings: Findings): Omit<Recommendation, "warnings">;
}

/** Losses that lie in [0, 1] and have no heavy tail there. */
const bounded: Rule = {
  fits: ({ lowest, highest, index }) => lowest >= 0 && highest <= 1 && highest > 0.5 && (index === null || index.estimate > 2),
  advice: ({ lowest, highest }) => ({
    spec: { policy: "tsallis-inf" },
    reasons: [
      `all losses lie in [0, 1], from ${formatNumber(lowest)} to ${formatNumber(highest)}: then nothing has to be skipped, and Tsallis-INF is optimal in stochastic and adversarial worlds at once`,
    ],
    alternatives: [{ spec: DEFAULT_POLICY, when: "a later loss may leave [0, 1]" }],
  }),
};

/** Losses with a heavy left tail: skipping large losses would discard the ones that make an arm good. */
const leftTail: Rule = {
  fits: ({ truncatedNonNegativity }) => truncatedNonNegativity.verdict === "violated",
  advice: ({ truncatedNonNegativity, moment, losses }) => ({
    spec: { policy: "forcemom" },
    reasons: [
      `truncated non-negativity is violated: ${truncatedNonNegativity.reason}; who skips large losses then throws away what makes an arm good`,
      "ForceMoM takes nothing for granted and has to be told nothing; its guarantee is for arms whose laws stay the same",
    ],
    alternatives: [
      {
        spec: DEFAULT_POLICY,
        when: "you would rather have small regret than a guarantee: it skips nothing, but what is rare and good it finds late",
      },
      ...(moment === null
        ? []
        : [
            { spec: { policy: "robust-ucb", ...moment }, when: "arms keep their laws, and you vouch for alpha and sigma" },
            {
              spec: { policy: "omd-lb-ht", ...moment, horizon: losses },
              when: "arms may change, and you know the horizon (here: as many rounds as there are losses)",
            },
          ]),
    ],
  }),
};

const otherwise: Rule = {
  fits: () => true,
  advice: ({ index, moment, truncatedNonNegativity }) => ({
    spec: DEFAULT_POLICY,
    reasons: [
      index === null
        ? "too few losses differ from 0 to tell their tail, and MatchedTINF needs to know nothing"
        : index.low >= 2
          ? `tails are light (index ${told(index)}), but the losses are not confined to [0, 1]; MatchedTINF adapts to their scale`
          : `tails are heavy or may be (index ${told(index)}); MatchedTINF needs to know neither the index nor the scale`,
      truncatedNonNegativity.verdict === "plausible"
        ? `truncated non-negativity is plausible: ${truncatedNonNegativity.reason}`
        : `truncated non-negativity is doubtful: ${truncatedNonNegativity.reason}`,
    ],
    alternatives:
      moment === null
        ? []
        : [{ spec: { policy: "htinf", ...moment }, when: "you want a proved bound more than small regret, and vouch for alpha and sigma" }],
  }),
};

function warningsOf({ index, truncatedNonNegativity }: Findings): string[] {
  return [
    ...(index !== null && index.high <= 1
      ? [`the tail index ${told(index)} is below 1: the losses have no mean, and regret no meaning; look at a bounded function of them instead`]
      : []),
    ...(index !== null && index.low <= 1 && index.high > 1
      ? [`the tail index ${told(index)} may be below 1: then the losses have no mean, and regret no meaning; more data would tell`]
      : []),
    ...(truncatedNonNegativity.verdict === "doubtful"
      ? ["if truncated non-negativity fails, the guarantees of the paper's algorithms do; compare with forcemom on your own data"]
      : []),
  ];
}

function told({ estimate, low, high }: Estimate): string {
  return low === Infinity ? "infinite" : `${formatNumber(estimate)}, 95 % ${formatNumber(low)} to ${formatNumber(high)}`;
}
