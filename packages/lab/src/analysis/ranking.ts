import type { SweepPoint } from "../document/run.js";
import { finalOf } from "./finalOf.js";
import type { Group } from "./group.js";
import type { Rival } from "./lead.js";
import type { SummaryPoint } from "./summary.js";

/** One policy in a ranking; statistics are of pseudo-regret at the horizon. */
export interface RankingEntry {
  /** From 1; policies without a completed run come last. */
  readonly rank: number;
  readonly policy: string;
  readonly seeds: number;
  readonly failed: number;
  /** Null if no run completed. */
  readonly final: SummaryPoint | null;
  /** Its mean regret against the best arm of each round, as a share of uniform play's; null if unknown. */
  readonly share: number | null;
  /** The share of the completed runs that are stuck; null if unknown. */
  readonly stuck: number | null;
  /** The comparison with the policy that came first; null for that policy itself, and if the two share no seed. */
  readonly behindFirst: Omit<Rival, "member"> | null;
  readonly bound: number | null;
  readonly note: string | null;
}

/** The policies of one environment, at one value in a sweep, by ascending mean pseudo-regret. */
export interface Ranking {
  readonly environment: string;
  readonly sweep: SweepPoint | null;
  readonly horizon: number;
  readonly entries: readonly RankingEntry[];
}

/** A group as one table. */
export function rankingOf({ environment, sweep, members, ranked, lead }: Group): Ranking {
  const rivals = new Map(lead?.rivals.map(({ member, ...rival }) => [member, rival]));
  const unranked = members.filter((member) => !ranked.includes(member));
  const entries = [...ranked, ...unranked].map((member, i) => ({
    rank: i + 1,
    policy: member.label,
    seeds: member.row.seeds,
    failed: member.row.failed,
    final: finalOf(member.row),
    share: member.row.share,
    stuck: member.row.stuck,
    behindFirst: rivals.get(member) ?? null,
    bound: member.row.bound,
    note: member.row.note,
  }));
  return { environment, sweep, horizon: [...ranked, ...unranked][0]!.row.horizon, entries };
}
