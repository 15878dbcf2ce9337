import type { BanditQueue } from "../bandit/banditQueue.js";
import { isSkippedIn, openDecision } from "../bandit/banditState.js";
import type { KnownDecision } from "../bandit/knownDecision.js";
import type { MadeDecision } from "../bandit/pendingEvents.js";
import type { Alarm, BanditSummary, BanditView, Counters, Decision, DecisionView } from "../schemas.js";

export function banditSummary({ bandit }: BanditQueue, alarms: readonly Alarm[]): BanditSummary {
  const { name, document, createdAt, state } = bandit;
  return {
    name,
    state: state.status,
    created: time(createdAt),
    arms: state.arms.size,
    policy: document.policy.policy,
    seq: state.seq,
    head: state.hash,
    lastEvent: state.seq === 0 ? null : time(state.lastAt),
    counters: countersOf(bandit.state),
    alarms: alarms.map(({ code }) => code),
  };
}

/** The segment must be loaded, or new. */
export function banditView({ bandit }: BanditQueue, segment: string, alarms: readonly Alarm[]): BanditView {
  const { name, createdAt, state, learners } = bandit;
  const learner = learners.get(segment);
  const probabilities = learner?.probabilities() ?? null;
  const { version, bits } = state.bitsOf(segment);
  return {
    name,
    state: state.status,
    created: time(createdAt),
    document: bandit.presentDocument,
    revision: bandit.revision,
    version,
    bits,
    seq: state.seq,
    head: state.hash,
    lastEvent: state.seq === 0 ? null : time(state.lastAt),
    counters: countersOf(state),
    segments: [...state.segments.keys()],
    segment,
    round: learner?.round ?? 0,
    arms: [...state.arms.values()].map(({ name: arm, decisions, answered, expired, skipped }, i) => ({
      name: arm,
      probability: probabilities?.[i] ?? null,
      decisions,
      answered,
      expired,
      skipped,
    })),
    alarms: [...alarms],
  };
}

function countersOf({ counted, open }: BanditQueue["bandit"]["state"]): Counters {
  return { ...counted, open: open.size };
}

/** A decision as the service answers it. */
export function decisionAnswer(bandit: string, { decision, repeated }: MadeDecision): Decision {
  const { id, segment, arm, round, probability, holdout } = decision;
  const expires = time(decision.expires);
  const answer =
    segment === "" ? { id, bandit, arm, round, probability, holdout, expires } : { id, bandit, segment, arm, round, probability, holdout, expires };
  return repeated ? { ...answer, repeated } : answer;
}

/** A decision with its outcome, and in words. */
export function decisionView(bandit: string, known: KnownDecision): DecisionView {
  const { decision, late } = known;
  return {
    ...decisionAnswer(bandit, { decision: openDecision(decision), repeated: false }),
    seq: decision.seq,
    at: time(decision.at),
    threshold: decision.threshold,
    outcome: outcomeOf(known),
    late: late === null ? null : { at: time(late.at), loss: late.loss },
    why: why(known),
  };
}

function outcomeOf({ decision, outcome }: KnownDecision): DecisionView["outcome"] {
  if (outcome === null) return null;
  const { loss } = outcome;
  const status = outcome.kind === "feedback" ? "answered" : "expired";
  const learned = outcome.kind === "feedback" ? outcome.status === "applied" : loss !== null && !decision.holdout;
  return { status, at: time(outcome.at), loss, learned, skipped: learned && isSkippedIn(decision, loss!) };
}

function why({ decision, outcome, late }: KnownDecision): string[] {
  const { arm, round, probability, threshold, holdout, segment, expires, seq } = decision;
  const where = segment === "" ? "" : ` in the segment ${segment}`;
  const sentences = [
    holdout
      ? `It was drawn uniformly for the holdout${where}: each arm had the probability ${probability}.`
      : `In round ${round} of the policy${where}, ${arm} was drawn${probability === null ? "; the policy cannot tell with which probability" : ` with the probability ${probability}`}.`,
  ];
  if (threshold !== null) sentences.push(`A loss larger than ${threshold} in size would be skipped.`);
  if (outcome === null) sentences.push(`Its feedback has not come yet; it has until ${time(expires)}.`);
  else if (outcome.kind === "feedback") {
    const came = `Its loss, ${outcome.loss}, came after ${(outcome.at - decision.at) / 1000} s`;
    if (outcome.status === "recorded") sentences.push(`${came}, and is not learned from, as the holdout never is.`);
    else if (outcome.status === "retired") sentences.push(`${came}, and was not learned, because ${arm} was retired by then.`);
    else sentences.push(isSkippedIn(decision, outcome.loss) ? `${came}, and was skipped because of its size.` : `${came}, and was learned.`);
  } else {
    sentences.push(
      outcome.loss === null
        ? "No feedback came within its window, and nothing was learned."
        : holdout
          ? `No feedback came within its window, so its loss is ${outcome.loss}; it is not learned from, as the holdout never is.`
          : `No feedback came within its window, so the loss ${outcome.loss} was learned.`,
    );
    if (late !== null) sentences.push(`Feedback came later, with the loss ${late.loss}: recorded, and not learned.`);
  }
  sentences.push(`It is event ${seq} of the log; tsallis audit recomputes it.`);
  return sentences;
}

/** The last time that was written: under load, many decisions are made, and so expire, in the same millisecond. */
let written = { ms: 0, text: new Date(0).toISOString() };

function time(ms: number): string {
  if (ms !== written.ms) written = { ms, text: new Date(ms).toISOString() };
  return written.text;
}
