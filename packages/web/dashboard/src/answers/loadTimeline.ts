import type { Timeline } from "@tsallis/service/client";
import { ask } from "./ask.js";

/** A history that is read from the log is asked for again at once, for a while. */
const TRIES = 20;
const PAUSE_MS = 400;

/** The part of a timeline that is known already is not asked for again. */
export async function loadTimeline(
  path: string,
  query: Readonly<Record<string, string>>,
  known: Timeline | undefined,
  signal: AbortSignal,
): Promise<Timeline> {
  const last = known?.behind === 0 ? known.points.at(-1)?.at : undefined;
  const asked = `${path}?${new URLSearchParams(last === undefined ? query : { ...query, after: last })}`;
  let next = await ask<Timeline>(asked, signal);
  for (let tries = 0; tries < TRIES && next.behind > 0; tries++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    next = await ask<Timeline>(asked, signal);
  }
  if (known === undefined || last === undefined) return next;
  if (!continues(known, next)) return ask<Timeline>(`${path}?${new URLSearchParams(query)}`, signal);
  return { ...next, points: [...known.points.filter(({ at }) => at >= next.from && at < (next.points[0]?.at ?? next.to)), ...next.points] };
}

/** Points are of the arms in their order, and of one width. */
function continues(known: Timeline, next: Timeline): boolean {
  return known.seconds === next.seconds && JSON.stringify(known.arms.map(({ arm }) => arm)) === JSON.stringify(next.arms.map(({ arm }) => arm));
}
