import type { Desk } from "../bandit/desk.js";
import type { Alarm, BanditSummary, BanditView, Counters } from "../schemas.js";

export function banditSummary({ bandit }: Desk, alarms: readonly Alarm[]): BanditSummary {
  const { name, document, createdAt, ledger } = bandit;
  return {
    name,
    state: ledger.status,
    created: time(createdAt),
    arms: ledger.arms.size,
    policy: document.policy.policy,
    seq: ledger.seq,
    lastEvent: ledger.seq === 0 ? null : time(ledger.lastAt),
    counters: countersOf(bandit.ledger),
    alarms: alarms.map(({ code }) => code),
  };
}

/** The segment must be loaded, or new. */
export function banditView({ bandit }: Desk, segment: string, alarms: readonly Alarm[]): BanditView {
  const { name, createdAt, ledger, learners } = bandit;
  const learner = learners.get(segment);
  const law = learner?.law() ?? null;
  const { version, bits } = ledger.bitsOf(segment);
  return {
    name,
    state: ledger.status,
    created: time(createdAt),
    document: bandit.presentDocument,
    version,
    bits,
    seq: ledger.seq,
    lastEvent: ledger.seq === 0 ? null : time(ledger.lastAt),
    counters: countersOf(ledger),
    segments: [...ledger.segments.keys()],
    segment,
    round: learner?.round ?? 0,
    arms: [...ledger.arms.values()].map(({ name: arm, decisions, answered, expired, skipped }, i) => ({
      name: arm,
      probability: law?.[i] ?? null,
      decisions,
      answered,
      expired,
      skipped,
    })),
    alarms: [...alarms],
  };
}

function countersOf({ counted, open }: Desk["bandit"]["ledger"]): Counters {
  return { ...counted, open: open.size };
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}
