import type { BanditView, History } from "@tsallis/service/client";
import { OTHERS, type SeriesStyle } from "../../../common/seriesStyle.js";
import type { Area } from "../../../common/stackedAreas.js";

/** What a picture of the traffic is made of: a timeline, or the last events of a segment. */
export interface TrafficSource {
  readonly arms: readonly string[];
  readonly points: readonly Pick<History["points"][number], "at" | "probabilities" | "shares">[];
  readonly to: string | null;
}

export interface Traffic {
  readonly of: "probabilities" | "shares";
  /** In seconds since 1970. */
  readonly times: readonly number[];
  readonly areas: readonly Area[];
}

/** Twice the time after which probabilities are logged again. */
const PAUSE_S = 20;

/** Where the traffic went: the policy's probabilities if it can tell them, else the shares of the decisions. `present` has the probabilities of now. */
export function trafficOf({ arms, points, to }: TrafficSource, drawn: ReadonlyMap<string, SeriesStyle>, present: BanditView["arms"]): Traffic {
  const of = points.some(({ probabilities }) => probabilities !== null) ? "probabilities" : "shares";
  const rows = points.map((point) => point[of]);
  const times = points.map(({ at }) => Date.parse(at) / 1000);
  if (of === "probabilities") {
    // Between two decisions the probabilities stay as they are. A share of no decisions is none.
    for (let i = 1; i < rows.length; i++) rows[i] ??= rows[i - 1]!;
    // The log has them only now and then. The picture ends with those of now, as the table of the arms has them.
    const now = new Map(present.map(({ name, probability }) => [name, probability]));
    const probabilities = arms.map((name) => now.get(name) ?? null);
    const end = Date.parse(to!) / 1000;
    if (probabilities.every((probability) => probability !== null) && end > times.at(-1)!) {
      rows.push(probabilities);
      times.push(end);
    }
    connect(rows, times);
  }
  const areas: Area[] = [];
  arms.forEach((name, arm) => {
    const style = drawn.get(name);
    if (style !== undefined) areas.push({ name, style, values: rows.map((row) => row?.[arm] ?? null) });
  });
  if (drawn.size < arms.length) {
    const rest = arms.flatMap((name, arm) => (drawn.has(name) ? [] : [arm]));
    const values = rows.map((row) => (row === null ? null : rest.reduce((sum, arm) => sum + (row[arm] ?? 0), 0)));
    areas.push({ name: `${rest.length} others`, style: OTHERS, values });
  }
  return { of, times, areas };
}

/** The log has the probabilities once in ten seconds, so that they stay the same in between: straight lines are nearer to what they were. Over a pause nothing changes. */
function connect(rows: (readonly number[] | null)[], times: readonly number[]): void {
  let before = Math.max(
    0,
    rows.findIndex((row) => row !== null),
  );
  for (let next = before + 1; next < rows.length; next++) {
    const [from, to] = [rows[before]!, rows[next]!];
    if (from.every((probability, arm) => probability === to[arm])) continue;
    const span = times[next]! - times[before]!;
    for (let i = before + 1; i < next && span < PAUSE_S; i++) {
      const part = (times[i]! - times[before]!) / span;
      rows[i] = from.map((probability, arm) => probability + part * (to[arm]! - probability));
    }
    before = next;
  }
}

/** Whether there is a picture in it: two points, and at least a second, since the time axis has whole ones. */
export function isDrawable({ times, areas }: Traffic): boolean {
  const known = areas[0]?.values.filter((value) => value !== null).length ?? 0;
  return known > 1 && times.at(-1)! - times[0]! >= 1;
}

/** Whether probabilities are those of the decisions without a segment, beside figures of all together. */
export function isOfDefault({ segments, segment }: Pick<BanditView, "segments" | "segment">): boolean {
  return segments.length > 0 && segment === "";
}

/** Whether they are of no use, since every decision names a segment. */
export function isUnused(view: Pick<BanditView, "segments" | "segment" | "round">): boolean {
  return isOfDefault(view) && view.round === 0;
}
