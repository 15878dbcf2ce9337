import type { BanditState } from "../bandit/banditState.js";
import type { History } from "../schemas.js";
import type { DecisionRing } from "./decisionRing.js";
import type { OutcomeRing } from "./outcomeRing.js";

const MINUTE_MS = 60_000;

/** Whether decisions and feedback come, in the minute before `now`, and how decisions end. */
export function alive(
  decisions: DecisionRing,
  outcomes: OutcomeRing,
  state: Pick<BanditState, "open" | "lastAt">,
  name: string | undefined,
  segment: number | null,
  now: number,
): History["alive"] {
  let [answered, expired, last] = [0, 0, -Infinity];
  const isAsked = (ring: DecisionRing | OutcomeRing, slot: number): boolean => segment === null || ring.segment[slot] === segment;
  for (let slot = 0; slot < outcomes.size; slot++) {
    if (!isAsked(outcomes, slot)) continue;
    if (outcomes.isExpired(slot)) expired++;
    else answered++;
    last = Math.max(last, outcomes.at[slot]!);
  }
  for (let slot = 0; slot < decisions.size; slot++) if (isAsked(decisions, slot)) last = Math.max(last, decisions.at[slot]!);
  if (segment === null) last = state.lastAt > 0 ? state.lastAt : last;
  const ended = answered + expired;
  return {
    decisionsPerSecond: rate(decisions, now, (slot) => isAsked(decisions, slot)),
    feedbackPerSecond: rate(outcomes, now, (slot) => isAsked(outcomes, slot) && !outcomes.isExpired(slot)),
    answered: ended === 0 ? null : answered / ended,
    expired: ended === 0 ? null : expired / ended,
    open: name === undefined ? state.open.size : openIn(state, name),
    lastEvent: last === -Infinity ? null : new Date(last).toISOString(),
  };
}

/** Per second, over the last minute; over less if more came in a minute than is kept. */
function rate(ring: DecisionRing | OutcomeRing, now: number, counts: (slot: number) => boolean): number {
  const oldest = ring.dropped ? ring.at[ring.slot(0)]! : -Infinity;
  const from = Math.max(now - MINUTE_MS, Math.min(oldest, now - 1_000));
  let count = 0;
  for (let slot = 0; slot < ring.size; slot++) if (ring.at[slot]! > from && counts(slot)) count++;
  return count / ((now - from) / 1000);
}

function openIn({ open }: Pick<BanditState, "open">, segment: string): number {
  let count = 0;
  for (const decision of open.due(Infinity, Infinity)) if (decision.segment === segment) count++;
  return count;
}
