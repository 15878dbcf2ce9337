import type {
  BanditList,
  BanditSummary,
  BanditView,
  Counters,
  DecisionProbabilities,
  DecisionView,
  Evaluation,
  History,
  RecentDecisions,
  Timeline,
} from "@tsallis/service/client";

/** Answers as the service gives them, made up: an hour of a checkout with three arms whose losses have heavy tails. */

const MINUTE = 60_000;
const POINTS = 120;

const counters: Counters = {
  decisions: 48_210,
  holdout: 2_391,
  answered: 46_020,
  expired: 1_310,
  late: 88,
  retired: 0,
  skipped: 412,
  rewards: 0,
  open: 880,
};

const iso = (at: number) => new Date(at).toISOString();

export function sampleList(now: number): BanditList {
  const bandit = (name: string, own: Partial<BanditSummary>): BanditSummary => ({
    name,
    state: "running",
    created: iso(now - 6_000 * MINUTE),
    arms: 3,
    policy: "matched-tinf",
    seq: 96_418,
    head: "2b5ff1422ca85df7656bf2bf2c96f730",
    lastEvent: iso(now - 800),
    counters,
    alarms: [],
    ...own,
  });
  const none: Counters = { decisions: 0, holdout: 0, answered: 0, expired: 0, late: 0, retired: 0, skipped: 0, rewards: 0, open: 0 };
  return {
    bandits: [
      bandit("retry-delay", { policy: "htinf", lastEvent: iso(now - 3 * MINUTE), alarms: ["FEEDBACK_MISSING", "TAIL_HEAVIER"], arms: 12 }),
      bandit("checkout", {}),
      bandit("search.ranking:v2", { state: "paused", lastEvent: iso(now - 300 * MINUTE), policy: "ucb-v" }),
      bandit("new-bandit", { lastEvent: null, counters: none, seq: 1, arms: 2 }),
      bandit("damaged", { state: "shut", lastEvent: null, counters: none, alarms: ["ERR_REPLAY"] }),
      bandit("checkout-2025", { state: "archived", lastEvent: iso(now - 90_000 * MINUTE) }),
    ],
    next: null,
  };
}

const ARMS = ["classic", "one-page", "express"];

export function sampleView(now: number, own: Partial<BanditView> = {}): BanditView {
  return {
    name: "checkout",
    state: "running",
    created: iso(now - 6_000 * MINUTE),
    revision: "0f3a9c51d2e4b678",
    document: {
      arms: ARMS,
      policy: { policy: "matched-tinf" },
      seed: 8_123_411,
      windowSeconds: 86_400,
      expired: "ignore",
      holdout: 0.05,
      segments: ["mobile", "desktop"],
      cap: 200,
      unit: "s",
      direction: "loss",
    },
    version: "0.1.0",
    bits: "1-8f2c",
    seq: 96_418,
    head: "2b5ff1422ca85df7656bf2bf2c96f730",
    lastEvent: iso(now - 800),
    counters,
    segments: ["mobile", "desktop"],
    segment: "",
    round: 45_819,
    arms: ARMS.map((name, arm) => ({
      name,
      probability: sharesAt(1, 3)[arm]!,
      decisions: 16_070,
      answered: 15_340,
      expired: 437,
      skipped: 137,
    })),
    alarms: [],
    ...own,
  };
}

/** From even shares to a clear favourite, the last arm; `part` is in [0, 1]. */
function sharesAt(part: number, arms: number): number[] {
  const weights = Array.from({ length: arms }, (_, arm) =>
    Math.exp(((3.2 * arm) / (arms - 1)) * Math.tanh(2 * part) + 0.25 * Math.sin(9 * part + 2 * arm)),
  );
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

export function sampleHistory(now: number, { arms = ARMS, shares = false }: { arms?: readonly string[]; shares?: boolean } = {}): History {
  const seconds = 30;
  const from = now - POINTS * seconds * 1000;
  return {
    events: 10_000,
    from: iso(from),
    to: iso(now),
    seconds,
    arms: [...arms],
    alive: { decisionsPerSecond: 12.42, feedbackPerSecond: 11.87, answered: 0.9723, expired: 0.0277, open: 880, lastEvent: iso(now - 800) },
    points: Array.from({ length: POINTS }, (_, i) => ({
      at: iso(from + i * seconds * 1000),
      decisions: 372,
      answered: 356,
      expired: 10,
      probabilities: shares || i % 40 === 7 ? null : sharesAt(i / POINTS, arms.length),
      shares: i % 40 === 7 ? null : sharesAt(i / POINTS, arms.length),
      median: 3.1,
      p90: 9.4,
      p99: 41,
    })),
    costs: arms.map((arm, index) => {
      const shape = 1.4 + (0.5 * index) / arms.length;
      const quantile = (share: number) => (4 - (2 * index) / arms.length) * (share ** (-1 / shape) - 0.6);
      return {
        arm,
        decisions: 1_200 + 900 * index,
        answered: 1_150 + 880 * index,
        median: quantile(0.5),
        p90: quantile(0.1),
        p99: quantile(0.01),
        mean: quantile(0.28),
        skipped: 0.009 * (arms.length - index),
        missing: 0.0277,
        tail: { estimate: shape, low: shape - 0.11, high: shape + 0.12 },
        survival: Array.from({ length: 60 }, (_, i): [number, number] => [quantile(10 ** (-i / 19)), 10 ** (-i / 19)]),
      };
    }),
    medians: {
      policy: { answered: 43_700, median: { estimate: 2.31, low: 2.28, high: 2.34 } },
      holdout: { answered: 2_320, median: { estimate: 3.12, low: 2.97, high: 3.29 } },
      difference: { estimate: 0.81, low: 0.66, high: 0.98 },
    },
  };
}

/** An hour in which the last arm became worse. */
export function sampleTimeline(now: number, own: { arms?: readonly string[]; shares?: boolean; changes?: Timeline["changes"] } = {}): Timeline {
  const history = sampleHistory(now, own);
  const at = iso(now - 20 * MINUTE);
  const sentence = `${history.arms.at(-1)}: median 0.21 s to 1.6 s; traffic left it within 40 s`;
  const stretch = (median: number, answered = 900) => ({ answered, median, p90: 4 * median, p99: 20 * median });
  return {
    ...{ from: history.from!, to: history.to!, seconds: history.seconds, seq: 96_418, behind: 0, alive: history.alive },
    arms: history.costs.map(({ arm, decisions }, i) => {
      const isLast = i === history.costs.length - 1;
      const past = { changed: isLast ? at : null, before: isLast ? stretch(0.21) : null };
      return { arm, isPresent: true, decisions, expired: 25, now: stretch(isLast ? 1.6 : 0.4 + i / 10), ...past };
    }),
    points: history.points.map(({ at: start, decisions, probabilities, shares }) => ({
      ...{ at: start, decisions, probabilities, shares },
      medians: history.arms.map((_, i) => 0.4 + i / 10),
    })),
    changes: own.changes ?? [
      { at: iso(now - 5 * MINUTE), noticed: iso(now - 5 * MINUTE), arm: null, isWorse: null, sentence: "holdout 0.05, by k1 (ops)" },
      { at, noticed: iso(now - 19 * MINUTE), arm: history.arms.at(-1)!, isWorse: true, sentence },
    ],
  };
}

export function emptyTimeline(now: number): Timeline {
  const nothing = { answered: 0, median: null, p90: null, p99: null };
  return {
    ...{ from: iso(now - 60 * MINUTE), to: iso(now), seconds: 20, seq: 0, behind: 0, points: [], changes: [], alive: emptyHistory().alive },
    arms: ARMS.map((arm) => ({ arm, isPresent: true, decisions: 0, expired: 0, changed: null, now: nothing, before: null })),
  };
}

export function sampleRecent(now: number): RecentDecisions {
  const made = (i: number): RecentDecisions["decisions"][number] => ({
    ...{ id: i === 2 ? "order-81723" : `order-${81_725 - i}`, at: iso(now - 800 * i), arm: ARMS[2 - (i % 3)]!, probability: 0.8, holdout: false },
    ...{
      outcome: i === 0 ? "open" : i === 1 ? "expired" : "answered",
      loss: i < 2 ? null : 0.4 + i,
      why: "The policy favours express, which had 80 %.",
    },
  });
  return { decisions: Array.from({ length: 20 }, (_, i) => made(i)) };
}

export function sampleProbabilities(): DecisionProbabilities {
  const probabilities = [0.0372666879, 0.15, 0.8127333120911].map((probability, i) => ({ arm: ARMS[i]!, probability }));
  return { probabilities, why: "The policy favours express, which had 81 %." };
}

/** No holdout, and nothing has happened yet. */
export function emptyHistory(): History {
  return {
    events: 0,
    from: null,
    to: null,
    seconds: 1,
    arms: ARMS,
    alive: { decisionsPerSecond: 0, feedbackPerSecond: 0, answered: null, expired: null, open: 0, lastEvent: null },
    points: [],
    costs: ARMS.map((arm) => ({
      arm,
      decisions: 0,
      answered: 0,
      median: null,
      p90: null,
      p99: null,
      mean: null,
      skipped: null,
      missing: null,
      tail: null,
      survival: [],
    })),
    medians: { policy: null, holdout: null, difference: null },
  };
}

/** The last arm leads; the first of many is out, the others are in the race. */
export function sampleEvaluation(arms: readonly string[] = ARMS, own: Partial<Evaluation> = {}): Evaluation {
  const leader = arms.length - 1;
  const rival = arms[leader - 1]!;
  return {
    seq: 96_418,
    cap: 200,
    isGuess: false,
    floor: 0,
    isReward: false,
    error: 0.05,
    tolerance: 0,
    since: 0,
    startedBy: "created",
    unsettled: 1_204,
    decisions: 47_006,
    missing: 1_290,
    source: "all plays",
    moves: null,
    arms: arms.map((arm, place) => {
      const mean = 5.4 - (1.3 * place) / leader;
      const width = place === leader ? 0.12 : 0.7;
      return {
        arm,
        answered: place === leader ? 39_870 : 2_811,
        missing: place === leader ? 1_102 : 80,
        mean,
        range: { low: mean - width, high: mean + 5 * width },
        ifMissingAlike: { low: mean - width, high: mean + 1.2 * width },
        uncapped: null,
        race: place === leader ? "leads" : place === 0 ? "out" : "in",
        evidence: place === leader ? null : place === 0 ? 3.4 : 1.9,
      };
    }),
    policy: { answered: 43_421, missing: 1_226, mean: 4.02, range: { low: 3.94, high: 4.71 } },
    uniform: { low: 4.61, high: 5.9 },
    saved: { low: 0.24, high: 1.83 },
    savedBy: "holdout",
    verdict: { answer: "not yet", best: null, rival, evidence: 1.9, needed: 2.995732273553991, decisionsToGo: 12_204 },
    beyond: { decisions: 61, shareOfCost: 0.079 },
    sentences: {
      saved: "A decision saves 0.240 to 1.83 s against uniform play (95 % range, whenever you look; counting at most 200 s each).",
      stop: `Not yet: against ${rival} the evidence is 1.9 of 3.0. About 10,000 more decisions, if it goes on like this: a rough guess, which is off by more than a factor of 3 in one case of three. A larger holdout answers sooner.`,
      cap: "Losses above 200 s count as 200 s: 61 decisions; 7.9 % of all that was paid lies beyond.",
      missing:
        "1,290 decisions (2.7 %) have no feedback. They count as anything that a loss can be, from the least to the most, so the ranges hold however they came to be missing.",
      compared: "Counted from event 1,204 on, where the cap was set.",
    },
    ...own,
  };
}

/** Nothing has happened yet, and there is no cap. */
export function emptyEvaluation(): Evaluation {
  return {
    ...sampleEvaluation(),
    ...{ seq: 0, cap: null, isGuess: true, floor: null, unsettled: 0, decisions: 0, missing: 0, source: null },
    ...{ arms: [], policy: null, uniform: null, saved: null, savedBy: null, beyond: null },
    verdict: { answer: "not yet", best: null, rival: null, evidence: null, needed: null, decisionsToGo: null },
    sentences: {
      saved: "What is saved is not known yet.",
      stop: "Not yet: the document has no cap, and the first 200 decisions, which set it, do not count. 0 of them have ended.",
      cap: 'Set the cap to the largest loss that matters: PATCH the bandit with { "cap": 200 }, say.',
      missing: "",
      compared: "",
    },
  };
}

export function sampleDecision(now: number): DecisionView {
  return {
    id: "order-81723",
    bandit: "checkout",
    arm: "express",
    round: 10_342,
    probability: 0.8127333120911,
    holdout: false,
    expires: iso(now + 900 * MINUTE),
    seq: 21_822,
    at: iso(now - 540 * MINUTE),
    threshold: 61.25,
    outcome: { status: "answered", at: iso(now - 539 * MINUTE), loss: 4.2, learned: true, skipped: false },
    late: null,
    why: [
      "express was drawn with probability 81.3 % in round 10,342.",
      "Its feedback came after 60 s: a loss of 4.2, below the threshold of 61.25, so it was learned.",
    ],
  };
}

export const SAMPLE_ALARMS = [
  {
    code: "FEEDBACK_MISSING",
    message: "27 % of the last 10,000 windows ended without feedback.",
    remedy: "Find out what does not report. If silence means failure, name its loss with expired.",
  },
  {
    code: "TAIL_HEAVIER",
    message: "The tail index of backoff-7 is 1.21 [1.09, 1.33]; the policy was told 1.5.",
    remedy: "Make a new bandit with a smaller alpha, or with a policy that needs none.",
  },
];
