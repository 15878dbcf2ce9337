import type { Bandit } from "../bandit/bandit.js";
import { learnerAt } from "../bandit/loadBandit.js";
import { partOf } from "../bandit/savedState.js";
import type { DecisionEvent } from "../log/event.js";
import type { DecisionProbabilities } from "../schemas.js";
import type { Store, StoredBandit } from "../store/store.js";
import { reason } from "./recentDecisions.js";

/** More events are not replayed for one question: some tenths of a second. */
const MOST_REPLAYED = 30_000;

/** The probabilities of all arms that a decision was drawn from, replayed from the snapshot before it. */
export async function drawnFrom(store: Store, row: StoredBandit, { state }: Bandit, decision: DecisionEvent): Promise<DecisionProbabilities> {
  const { seq, segment, holdout, probability } = decision;
  if ((await replayedEvents(store, row, segment, seq)) > MOST_REPLAYED) return { probabilities: null, why: reason(decision, state.arms.size) };
  const learner = await learnerAt(store, row, segment, seq - 1);
  const numbers = learner.snapshot().arms;
  const why = reason(decision, numbers.length);
  const all = holdout ? numbers.map(() => probability!) : learner.probabilities();
  if (all === null) return { probabilities: null, why };
  // An arm that is gone has no name here; the one that was drawn always has.
  const nameOf = (number: number) => (number === decision.number ? decision.arm : (state.arms.get(number)?.name ?? `arm-${number}`));
  return { probabilities: numbers.map((number, place) => ({ arm: nameOf(number), probability: all[place]! })), why };
}

async function replayedEvents(store: Store, row: StoredBandit, segment: string, seq: number): Promise<number> {
  const part = partOf(segment);
  const before = (await store.saved(row.id)).filter((saved) => saved.part === part && saved.seq < seq).map((saved) => saved.seq);
  return seq - Math.max(row.prunedSeq, ...before);
}
