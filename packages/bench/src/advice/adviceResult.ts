import { createDistribution } from "tsallis";
import type { Kind } from "./kinds.js";
import type { AdviceRun, Played } from "./playAdvice.js";
import { knowledgeOf, nameOf } from "./rivals.js";

/** A policy with its mean share over the seeds that judge. */
export interface Judged {
  readonly policy: string;
  readonly share: number;
}

/** An alternative, over the judging seeds for whose data it was named. */
export interface JudgedAlternative extends Judged {
  readonly named: number;
  /** Its mean share minus that of the recommended policy on the same data. */
  readonly behind: number;
}

/** How following the advice does on one kind of data set. A share is regret over the expected regret of uniform play. */
export interface AdviceResult {
  readonly kind: string;
  /** The policies that were recommended, and for how many of the data sets. */
  readonly recommended: Readonly<Record<string, number>>;
  /** The mean over the seeds that judge, and the largest. */
  readonly share: number;
  readonly worst: number;
  /** The best policy that requires no more knowledge, picked on the other seeds. */
  readonly best: Judged;
  /** The best of all policies that could be played with what the data give, picked on the other seeds. */
  readonly bestOfAll: Judged;
  readonly alternatives: readonly JudgedAlternative[];
  /** The mean share of each policy that could be played on every data set. */
  readonly shares: Readonly<Record<string, number>>;
}

/** The runs of one kind: those that pick the best rival, and those that judge. */
export function adviceResult(kind: Kind, picking: readonly AdviceRun[], judging: readonly AdviceRun[]): AdviceResult {
  const runs = [...picking, ...judging];
  const inUnitInterval = kind.arms.every((spec) => {
    const distribution = createDistribution(spec);
    return distribution.cdf(-Number.MIN_VALUE) === 0 && distribution.survival(1 + Number.EPSILON) === 0;
  });
  const known = new Set(runs.flatMap(({ recommended: { spec } }) => knowledgeOf(spec, inUnitInterval)));
  const always = Object.keys(runs[0]!.rivals).filter((policy) => runs.every(({ rivals }) => rivals[policy] !== undefined));
  const noMore = always.filter((name) =>
    runs.every(({ rivals }) => knowledgeOf(rivals[name]!.spec, inUnitInterval).every((need) => known.has(need))),
  );
  const shareOf = (policy: string, of: readonly AdviceRun[]) => meanShare(of.map(({ rivals }) => rivals[policy]!));
  const best = (policies: readonly string[]): Judged => {
    const policy = policies.reduce((least, each) => (shareOf(each, picking) < shareOf(least, picking) ? each : least));
    return { policy, share: shareOf(policy, judging) };
  };
  const shares = judging.map(({ recommended }) => recommended.share);
  return {
    kind: kind.name,
    recommended: counted(runs.map(({ recommended }) => nameOf(recommended.spec))),
    share: meanShare(judging.map(({ recommended }) => recommended)),
    worst: Math.max(...shares),
    best: best(noMore),
    bestOfAll: best(always),
    alternatives: alternativesOf(judging),
    shares: Object.fromEntries(always.map((policy) => [policy, shareOf(policy, judging)])),
  };
}

function alternativesOf(runs: readonly AdviceRun[]): JudgedAlternative[] {
  const policies = [...new Set(runs.flatMap(({ alternatives }) => alternatives.map(({ spec }) => nameOf(spec))))];
  return policies.map((policy) => {
    const named = runs.flatMap(({ recommended, alternatives }) =>
      alternatives.filter(({ spec }) => nameOf(spec) === policy).map((played) => ({ recommended, played })),
    );
    const share = meanShare(named.map(({ played }) => played));
    return { policy, share, named: named.length, behind: share - meanShare(named.map(({ recommended }) => recommended)) };
  });
}

function meanShare(played: readonly Played[]): number {
  return played.reduce((sum, { share }) => sum + share, 0) / played.length;
}

function counted(policies: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const policy of policies) counts[policy] = (counts[policy] ?? 0) + 1;
  return counts;
}
