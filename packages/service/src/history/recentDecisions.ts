import { openDecision } from "../bandit/banditState.js";
import type { OpenDecision } from "../bandit/openDecisions.js";
import type { ExpiryEvent, FeedbackEvent, LogEvent } from "../log/event.js";
import { eventOf } from "../log/storedEvent.js";
import type { RecentDecisions } from "../schemas.js";
import type { Store, StoredBandit } from "../store/store.js";

/** Events that are looked at, in steps from the end: most decisions have two, and the outcomes of older ones lie between. */
const STEPS = [200, 2_000, 20_000];

/** The last decisions of a log, the newest first. */
export async function recentDecisions(store: Store, row: StoredBandit, arms: number, limit: number): Promise<RecentDecisions["decisions"]> {
  let events: LogEvent[] = [];
  for (const step of STEPS) {
    events = (await store.events(row.id, Math.max(row.prunedSeq, row.seq - step), step)).map(eventOf);
    if (events.length < step || events.filter(({ kind }) => kind === "decision").length >= limit) break;
  }
  const outcomes = new Map<string, FeedbackEvent | ExpiryEvent>();
  for (const event of events) if (event.kind === "feedback" || event.kind === "expiry") outcomes.set(event.decision, event);
  const made = events.filter((event) => event.kind === "decision").slice(-limit);
  return made.reverse().map((event) => {
    const { decision: id, at, arm, segment, probability, holdout } = event;
    const outcome = outcomes.get(id);
    return {
      id,
      at: new Date(at).toISOString(),
      arm,
      ...(segment === "" ? {} : { segment }),
      probability,
      holdout,
      outcome: outcome === undefined ? "open" : outcome.kind === "feedback" ? "answered" : "expired",
      loss: outcome?.loss ?? null,
      why: reason(openDecision(event), arms),
    };
  });
}

/** Why an arm was drawn, in one sentence. */
export function reason({ arm, probability, holdout }: Pick<OpenDecision, "arm" | "probability" | "holdout">, arms: number): string {
  if (holdout) return `Drawn for the holdout, where each of ${arms} arms has ${percent(probability!)}.`;
  if (probability === null) return `The policy chose ${arm}; it does not tell probabilities.`;
  if (probability >= 0.5) return `The policy favours ${arm}, which had ${percent(probability)}.`;
  if (probability < 1 / arms) return `A try of ${arm}, which had ${percent(probability)}, less than an equal share.`;
  return `The policy is not settled: ${arm} had ${percent(probability)}.`;
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(2))} %`;
}
