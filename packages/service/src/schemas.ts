import { DEFAULT_POLICY } from "tsallis";
import Type, { type Static, type TSchema } from "typebox";
import { STATES } from "./log/event.js";

/** The shapes of everything that goes over HTTP. The server validates with them, writes its answers by them, and makes its OpenAPI document of them. */

export const NAME = "^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$";
/** Any characters but control characters and halves of surrogate pairs, which not every store takes. */
export const SEGMENT = "^[^\\p{Cc}\\p{Cs}]{1,64}$";
/** One or two dots alone mean folders in an address: whoever sent feedback there would reach another route. */
export const ID = "^(?!\\.{1,2}$)[A-Za-z0-9._:-]{1,128}$";
/** The same characters, or none. */
export const UNIT = "^[^\\p{Cc}\\p{Cs}]{0,16}$";
export const MOST_ARMS = 10_000;
export const MOST_SEGMENTS = 1_000;
export const MOST_ITEMS = 1_000;
export const MOST_WINDOW_S = 7_776_000;
export const LARGEST_LOSS = 1e300;

const closed = { additionalProperties: false };
const nullable = <Schema extends TSchema>(schema: Schema, options: Record<string, unknown> = {}) => Type.Union([schema, Type.Null()], options);
const time = Type.String({ format: "date-time", description: "ISO 8601" });
const count = (description: string) => Type.Integer({ minimum: 0, description });

const Name = Type.String({ pattern: NAME });
const Id = Type.String({ pattern: ID, description: "names the decision; asking again with the same id gives the same decision" });
const Segment = Type.String({ pattern: SEGMENT, description: "each segment learns on its own" });
const Arms = Type.Array(Name, { minItems: 2, maxItems: MOST_ARMS, uniqueItems: true, description: "the names of the options" });
/** What has a default when a bandit is created, and none when it is changed: what is left out then stays as it is. */
type Absent<Value> = { readonly default?: Value };
const Window = (absent: Absent<number> = {}) =>
  Type.Integer({ minimum: 1, maximum: MOST_WINDOW_S, ...absent, description: "seconds that feedback may take" });
const Expired = (absent: Absent<"ignore"> = {}) =>
  Type.Union([Type.Literal("ignore"), Type.Number({ minimum: -LARGEST_LOSS, maximum: LARGEST_LOSS })], {
    ...absent,
    description: "what a decision without feedback teaches at the end of its window: nothing, or this loss",
  });
const Holdout = (absent: Absent<number> = {}) =>
  Type.Number({ minimum: 0, maximum: 0.5, ...absent, description: "share of decisions drawn uniformly at random, from which nothing is learned" });
const Cap = (absent: Absent<null> = {}) =>
  nullable(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: LARGEST_LOSS,
      description: "the largest loss that matters, or the largest reward: in the evaluation, larger ones count as this; null: a guess",
    }),
    absent,
  );
const Loss = Type.Number({ minimum: -LARGEST_LOSS, maximum: LARGEST_LOSS, description: "lower is better" });
const Reward = Type.Number({ minimum: -LARGEST_LOSS, maximum: LARGEST_LOSS, description: "higher is better; recorded as the loss -reward" });

const Segments = (absent: Absent<string[]> = {}) =>
  Type.Array(Segment, { maxItems: MOST_SEGMENTS, uniqueItems: true, ...absent, description: "the segments in which decisions may be made" });
const Unit = (absent: Absent<string> = {}) =>
  Type.String({ pattern: UNIT, ...absent, description: "of the losses, as the dashboard shows them, such as s or USD" });
export const DIRECTIONS = ["loss", "reward"] as const;
const Direction = (absent: Absent<"loss"> = {}) =>
  Type.Enum([...DIRECTIONS], { ...absent, description: "what feedback has: a loss, lower is better, or a reward, higher is better" });

export const BanditParameters = Type.Object({ name: Name });
export const Expiring = Type.Object(
  { key: Type.Optional(Type.String({ description: "only decisions that were asked for with the key of this id" })) },
  closed,
);
export const Erasing = Type.Object({ id: Id }, closed);
export const ErasingResult = Type.Object({ erased: count("events from which the id was removed; 0 if none has it") });
export const Repairing = Type.Object(
  {
    fork: Type.Optional(
      Type.String({ pattern: NAME, description: "the name of a new bandit that goes on from the last good event; the old one stays as it is" }),
    ),
    dryRun: Type.Optional(Type.Boolean({ default: false, description: "only say what would be dropped" })),
  },
  closed,
);
export const RepairResult = Type.Object({
  name: Name,
  kept: count("the last event that follows from the log"),
  hash: Type.String({ description: "its hash" }),
  dropped: count("events after it"),
  head: Type.String({ description: "the hash of the last event that is dropped" }),
  reason: Type.String({ description: "what is wrong with the first of them" }),
});
/** What a repair has done, or would do. @useDeclaredType */
export type RepairResult = Static<typeof RepairResult>;
export const DeleteResult = Type.Object({
  seq: count("the number of the last event"),
  head: Type.String({ description: "its hash" }),
});
export const ExpiringResult = Type.Object({ expired: count("decisions that were ended, without learning from them") });
export const DecisionParameters = Type.Object({ name: Name, id: Id });
export const SegmentToDelete = Type.Object({ segment: Segment }, closed);
export const SegmentQuery = Type.Object({ segment: Type.Optional(Segment) }, closed);

export const NewBandit = Type.Object(
  {
    arms: Arms,
    policy: Type.Optional(
      Type.Object({ policy: Type.String() }, { additionalProperties: true, default: DEFAULT_POLICY, description: "a policy spec of the library" }),
    ),
    seed: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: "random if left out" })),
    windowSeconds: Type.Optional(Window({ default: 86_400 })),
    expired: Type.Optional(Expired({ default: "ignore" })),
    holdout: Type.Optional(Holdout({ default: 0 })),
    segments: Type.Optional(Segments({ default: [] })),
    cap: Type.Optional(Cap({ default: null })),
    unit: Type.Optional(Unit({ default: "" })),
    direction: Type.Optional(Direction({ default: "loss" })),
  },
  closed,
);
/** A bandit to be made. @useDeclaredType */
export type NewBandit = Static<typeof NewBandit>;

export const Change = Type.Object(
  {
    arms: Type.Optional(Type.Array(Name, { minItems: 1, maxItems: MOST_ARMS, uniqueItems: true, description: "all arms from now on" })),
    windowSeconds: Type.Optional(Window()),
    expired: Type.Optional(Expired()),
    holdout: Type.Optional(Holdout()),
    segments: Type.Optional(Segments()),
    cap: Type.Optional(Cap()),
    unit: Type.Optional(Unit()),
    state: Type.Optional(Type.Enum([...STATES])),
  },
  { ...closed, minProperties: 1 },
);
/** A change of a bandit: other arms, or another window. @useDeclaredType */
export type Change = Static<typeof Change>;

export const Document = Type.Object({
  arms: Type.Array(Name),
  policy: Type.Object({ policy: Type.String() }, { additionalProperties: true }),
  seed: Type.Integer(),
  windowSeconds: Type.Integer(),
  expired: Expired(),
  holdout: Type.Number(),
  segments: Type.Array(Segment),
  cap: Cap(),
  unit: Unit(),
  direction: Direction(),
});
/** What a bandit was made of, complete. @useDeclaredType */
export type Document = Static<typeof Document>;

export const Alarm = Type.Object({
  code: Type.String(),
  message: Type.String({ description: "what was seen" }),
  remedy: Type.String({ description: "what to do" }),
});
/** Something about a bandit that somebody should look at. @useDeclaredType */
export type Alarm = Static<typeof Alarm>;

export const Counters = Type.Object({
  decisions: count("all decisions, with those of the holdout"),
  holdout: count("decisions of the holdout"),
  answered: count("decisions with feedback in time"),
  expired: count("decisions whose window ended without feedback"),
  late: count("feedback after the window, recorded and not learned"),
  retired: count("feedback for arms that were gone, recorded and not learned"),
  skipped: count("feedback that the policy skipped because of its size"),
  rewards: count("feedback that came as a reward"),
  open: count("decisions that wait for feedback"),
});
/** What was counted of a bandit. @useDeclaredType */
export type Counters = Static<typeof Counters>;

export const BanditSummary = Type.Object({
  name: Name,
  state: Type.Enum([...STATES, "shut"], { description: "shut: its log cannot be replayed; alarms has the code" }),
  created: time,
  arms: Type.Integer(),
  policy: Type.String({ description: "the policy's name" }),
  seq: count("the number of the last event"),
  head: Type.String({ description: "the hash of the last event" }),
  lastEvent: nullable(time),
  counters: Counters,
  alarms: Type.Array(Type.String(), { description: "codes" }),
});
/** A bandit in a list. @useDeclaredType */
export type BanditSummary = Static<typeof BanditSummary>;
export const BanditListQuery = Type.Object(
  {
    after: Type.Optional(Type.String({ pattern: NAME, description: "the last name that is known already" })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, default: 1_000 })),
  },
  closed,
);
export const BanditList = Type.Object({
  bandits: Type.Array(BanditSummary, { description: "in the order of their names" }),
  next: nullable(Type.String({ description: "what to send as after for the next page; null on the last one" })),
});
/** The bandits that a key may see. @useDeclaredType */
export type BanditList = Static<typeof BanditList>;

export const BanditView = Type.Object({
  name: Name,
  state: Type.Enum([...STATES]),
  created: time,
  document: Document,
  revision: Type.String({ description: "names the settings: the ETag; sent as if-match, a change of other settings is refused" }),
  version: Type.String({ description: "the version of the library that makes its decisions" }),
  bits: Type.String({ description: "names the bits that the library computes" }),
  seq: count("the number of the last event"),
  head: Type.String({ description: "the hash of the last event; kept elsewhere, tsallis audit --head shows whether the log still has it" }),
  lastEvent: nullable(time),
  counters: Counters,
  segments: Type.Array(Type.String(), { description: "their names; the default segment has none" }),
  segment: Type.String({ description: 'the segment that round and probabilities are of; "" is the default one' }),
  round: count("rounds of its policy"),
  arms: Type.Array(
    Type.Object({
      name: Name,
      probability: nullable(Type.Number({ description: "of being chosen next; null if the policy cannot tell" })),
      decisions: count("in all segments"),
      answered: count("in all segments"),
      expired: count("in all segments"),
      skipped: count("in all segments"),
    }),
  ),
  alarms: Type.Array(Alarm),
});
/** All that is known of a bandit. @useDeclaredType */
export type BanditView = Static<typeof BanditView>;

export const NewDecision = Type.Object({ id: Type.Optional(Id), segment: Type.Optional(Segment) }, closed);
/** A decision that is asked for. @useDeclaredType */
export type NewDecision = Static<typeof NewDecision>;

export const Decision = Type.Object({
  id: Type.String(),
  bandit: Name,
  segment: Type.Optional(Segment),
  arm: Name,
  round: nullable(Type.Integer({ description: "of the policy; null in the holdout" })),
  probability: nullable(Type.Number({ description: "with which the arm was drawn; null if the policy cannot tell" })),
  holdout: Type.Boolean(),
  expires: time,
  repeated: Type.Optional(Type.Boolean({ description: "whether it was made before" })),
  token: Type.Optional(Type.String({ description: "for its feedback, if a browser's key asked" })),
});
/** The arm that the service chose, and how. @useDeclaredType */
export type Decision = Static<typeof Decision>;

export const Outcome = Type.Object({
  status: Type.Enum(["answered", "expired", "late"]),
  at: time,
  loss: nullable(Type.Number()),
  learned: Type.Boolean(),
  skipped: Type.Boolean(),
});

export const DecisionView = Type.Object({
  ...Decision.properties,
  seq: Type.Integer({ description: "its place in the log" }),
  at: time,
  threshold: nullable(Type.Number({ description: "losses larger than this in size are skipped" })),
  outcome: nullable(Outcome),
  /** Late feedback, beside the expiry. */
  late: nullable(Type.Object({ at: time, loss: Type.Number() })),
  why: Type.Array(Type.String(), { description: "sentences that say how the decision came about and what became of it" }),
});
/** A decision with what became of it. @useDeclaredType */
export type DecisionView = Static<typeof DecisionView>;

const lossOrReward = {
  loss: Type.Optional(Loss),
  reward: Type.Optional(Reward),
  arm: Type.Optional(Type.String({ pattern: NAME, description: "the arm that was used; feedback for another one than the decided one is refused" })),
};
const Token = Type.String({ pattern: "^[A-Za-z0-9_-]{1,64}$", description: "of the decision; browsers need it for feedback" });
export const Feedback = Type.Object(
  { ...lossOrReward, token: Type.Optional(Token) },
  { ...closed, minProperties: 1, description: "either loss or reward" },
);
/** What a decision cost, or what it earned. */
export type Feedback = { readonly loss: number } | { readonly reward: number };

/** applied: learned. repeated: known already. late, retired, recorded: written down and not learned (after the window; the arm is gone; of the holdout). */
export const FEEDBACK_STATUSES = ["applied", "repeated", "late", "retired", "recorded"] as const;
export const FeedbackResult = Type.Object({
  status: Type.Enum([...FEEDBACK_STATUSES]),
  skipped: Type.Optional(Type.Boolean({ description: "whether the policy skipped it because of its size" })),
});
/** What became of feedback. @useDeclaredType */
export type FeedbackResult = Static<typeof FeedbackResult>;

export const Problem = Type.Object(
  {
    type: Type.String({ description: "urn:tsallis:error: and the code" }),
    title: Type.String({ description: "the meaning of the code" }),
    status: Type.Integer({ description: "the HTTP status" }),
    detail: Type.String({ description: "what is wrong here, and what would be right" }),
    code: Type.String(),
    parameter: Type.Optional(Type.String({ description: "the name of what is wrong" })),
    value: Type.Optional(Type.Unknown({ description: "what it was" })),
    remedy: Type.String({ description: "what to do about errors of this status" }),
  },
  { additionalProperties: true, description: "a problem document of RFC 9457" },
);
/** Why a request was refused: a problem document of RFC 9457. @useDeclaredType */
export type Problem = Static<typeof Problem>;
export const PROBLEM_TYPE = "application/problem+json";
const problem = { description: "a problem document", content: { [PROBLEM_TYPE]: { schema: Problem } } };
/** What every route may answer. */
export const PROBLEMS = { "4xx": problem, "5xx": problem };

const itemsOf = <Item extends TSchema>(item: Item) => Type.Array(item, { minItems: 1, maxItems: MOST_ITEMS });
export const DecisionBatch = Type.Object({ decisions: itemsOf(NewDecision) }, closed);
export const DecisionBatchResult = Type.Object({
  decisions: Type.Array(Type.Union([Decision, Type.Object({ error: Problem })]), {
    description: "in the order of the request, an error where one was refused",
  }),
});
export const FeedbackBatch = Type.Object(
  {
    feedback: itemsOf(Type.Object({ id: Id, ...lossOrReward }, { ...closed, minProperties: 2, description: "id, and either loss or reward" })),
  },
  closed,
);
export const FeedbackBatchResult = Type.Object({
  feedback: Type.Array(
    Type.Union([Type.Object({ id: Type.String(), ...FeedbackResult.properties }), Type.Object({ id: Type.String(), error: Problem })]),
    { description: "in the order of the request, an error where one was refused" },
  ),
});

export const LogQuery = Type.Object(
  {
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description: "the number of the last event that is known already",
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 10_000 })),
  },
  closed,
);

export const HistoryQuery = Type.Object(
  { points: Type.Optional(Type.Integer({ minimum: 10, maximum: 1_000, default: 300 })), segment: Type.Optional(Segment) },
  closed,
);

export const Estimate = Type.Object({ estimate: Type.Number(), low: Type.Number(), high: Type.Number() }, { description: "with a 95 % interval" });
const quantiles = {
  median: nullable(Type.Number()),
  p90: nullable(Type.Number()),
  p99: nullable(Type.Number()),
};

export const Side = Type.Object({ answered: Type.Integer(), median: Estimate }, { description: "the losses of one side" });

export const History = Type.Object({
  events: count("how many of the last events this is about"),
  from: nullable(time),
  to: nullable(time),
  seconds: Type.Number({ description: "width of a point" }),
  arms: Type.Array(Name, { description: "the order of probabilities and shares" }),
  alive: Type.Object({
    decisionsPerSecond: Type.Number({ description: "over the last minute" }),
    feedbackPerSecond: Type.Number({ description: "over the last minute" }),
    answered: nullable(Type.Number({ description: "share of the outcomes" })),
    expired: nullable(Type.Number({ description: "share of the outcomes" })),
    open: Type.Integer(),
    lastEvent: nullable(time),
  }),
  points: Type.Array(
    Type.Object({
      at: time,
      decisions: Type.Integer(),
      answered: Type.Integer(),
      expired: Type.Integer(),
      probabilities: nullable(Type.Array(Type.Number())),
      shares: nullable(Type.Array(Type.Number())),
      ...quantiles,
    }),
  ),
  costs: Type.Array(
    Type.Object({
      arm: Name,
      decisions: Type.Integer(),
      answered: Type.Integer(),
      ...quantiles,
      mean: nullable(Type.Number()),
      skipped: nullable(Type.Number({ description: "share of its feedback" })),
      missing: nullable(Type.Number({ description: "share of its outcomes that expired" })),
      tail: nullable(Estimate),
      survival: Type.Array(Type.Tuple([Type.Number(), Type.Number()]), { description: "[size of the loss, share of losses that are larger]" }),
    }),
  ),
  medians: Type.Object(
    {
      policy: nullable(Side),
      holdout: nullable(Side),
      difference: nullable(Estimate),
    },
    { description: "the median loss of the policy and of the holdout; null below 100 decisions on a side" },
  ),
});
/** How a bandit developed. @useDeclaredType */
export type History = Static<typeof History>;

export const EvaluationQuery = Type.Object(
  {
    segment: Type.Optional(Segment),
    error: Type.Optional(Type.Number({ minimum: 1e-6, maximum: 0.5, default: 0.05, description: "the probability that an answer is ever wrong" })),
    tolerance: Type.Optional(
      Type.Number({ minimum: 0, maximum: LARGEST_LOSS, default: 0, description: "how much worse than the best the arm may be that is named" }),
    ),
    index: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1_000,
        description: "above 1: vouches for the tail beyond the cap, as under a Pareto tail of that index; gives ranges of uncapped means",
      }),
    ),
  },
  closed,
);
/** What the evaluation is asked for. @useDeclaredType */
export type EvaluationQuery = Static<typeof EvaluationQuery>;

export const Range = Type.Object(
  { low: Type.Number(), high: Type.Number() },
  { description: "holds the truth at all times at once, with a probability of at least 1 - error" },
);
const figure = {
  answered: Type.Integer(),
  missing: count("decisions without feedback in time: in the range they count as anything from the floor to the cap"),
  mean: nullable(Type.Number({ description: "of the losses, each from the floor to the cap" })),
  range: Range,
};

export const Evaluation = Type.Object({
  seq: count("the number of the last event that is in it"),
  segment: Type.Optional(Segment),
  cap: nullable(Type.Number({ description: "the largest loss that counts; null while it is not known" })),
  isGuess: Type.Boolean({ description: "whether the cap is the largest of the first 200 decisions, because the document has none" }),
  floor: nullable(Type.Number({ description: "the smallest loss that counts" })),
  isReward: Type.Boolean({ description: "whether all losses are rewards, with their sign reversed" }),
  error: Type.Number(),
  tolerance: Type.Number(),
  since: count("the event after which the claim began; what was before is not counted"),
  startedBy: Type.Enum(["created", "cap", "arms", "sign"], {
    description: "why it began there: with the bandit, by a new cap, by other arms, by a loss of a sign that was new",
  }),
  unsettled: count("decisions of all segments that wait: for their outcome, or for that of an older decision"),
  decisions: count("decisions that count"),
  missing: count("those of them that have no feedback"),
  source: nullable(
    Type.Enum(["all plays", "holdout", "withheld"], { description: "what arms are compared by; withheld: they change, and there is no holdout" }),
  ),
  moves: nullable(
    Type.Enum(["segments", "forgets", "drift"], {
      description: "why arms are not compared by all plays: segments are pooled, the policy forgets, the alarm DRIFT was on",
    }),
  ),
  arms: Type.Array(
    Type.Object({
      arm: Name,
      ...figure,
      ifMissingAlike: nullable(Range),
      uncapped: nullable(Range),
      race: nullable(Type.Enum(["leads", "in", "out"], { description: "out: the leader is better" })),
      evidence: nullable(Type.Number({ description: "that the leader is better" })),
    }),
  ),
  policy: nullable(Type.Object(figure, { description: "the decisions outside the holdout" })),
  uniform: nullable(Range),
  saved: nullable(Range),
  savedBy: nullable(Type.Enum(["holdout", "arms"], { description: "what uniform play is known by" })),
  verdict: Type.Object({
    answer: Type.Enum(["yes", "if missing alike", "not yet", "withheld"], { description: "may one stop?" }),
    best: nullable(Name),
    rival: nullable(Type.String({ description: "the arm that is hardest to tell from the leader" })),
    evidence: nullable(Type.Number({ description: "against that rival" })),
    needed: nullable(Type.Number({ description: "from here on the rival is out: log(1 / error)" })),
    decisionsToGo: nullable(Type.Integer({ description: "a rough estimate; null: too early to say" })),
  }),
  beyond: nullable(
    Type.Object({
      decisions: count("with a loss beyond the cap or the floor"),
      shareOfCost: nullable(Type.Number({ description: "of all that was paid, what is not counted because of the cap" })),
    }),
  ),
  sentences: Type.Object(
    { saved: Type.String(), stop: Type.String(), cap: Type.String(), missing: Type.String(), compared: Type.String() },
    { description: "the same in words; empty where there is nothing to say" },
  ),
});
/** What the decisions of a bandit say: what is saved, which arm is best, whether one may stop. @useDeclaredType */
export type Evaluation = Static<typeof Evaluation>;

const Instant = Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$", description: "such as 2026-11-16T15:09:00Z" });
/** The periods that a timeline may have, in milliseconds. */
export const PERIODS = { "15m": 900_000, "1h": 3_600_000, "24h": 86_400_000, "7d": 604_800_000, "30d": 2_592_000_000 } as const;
export type Period = keyof typeof PERIODS;

export const TimelineQuery = Type.Object(
  {
    period: Type.Optional(Type.Enum(Object.keys(PERIODS) as Period[], { default: "1h", type: "string" })),
    to: Type.Optional(Instant),
    after: Type.Optional(Instant),
    segment: Type.Optional(Segment),
  },
  closed,
);
export type TimelineQuery = Static<typeof TimelineQuery>;

const Stretch = Type.Object({ answered: Type.Integer(), ...quantiles });
export const Timeline = Type.Object({
  from: time,
  to: time,
  seconds: Type.Number({ description: "width of a point" }),
  seq: count("the number of the last event that is in it"),
  behind: count("events of the log that are not in it yet, while it is rebuilt"),
  arms: Type.Array(
    Type.Object({
      arm: Name,
      isPresent: Type.Boolean(),
      decisions: Type.Integer(),
      expired: Type.Integer(),
      changed: nullable(time, { description: "when its losses last changed, within the period" }),
      now: Type.Object(Stretch.properties, { description: "since then; quantiles are within 2 %" }),
      before: nullable(Stretch),
    }),
    { description: "those with the most decisions, of all segments together" },
  ),
  points: Type.Array(
    Type.Object({
      at: time,
      decisions: Type.Integer(),
      probabilities: nullable(Type.Array(Type.Number(), { description: "of the default segment" })),
      shares: nullable(Type.Array(Type.Number(), { description: "of the policy's decisions" })),
      medians: Type.Array(nullable(Type.Number())),
    }),
    { description: "without those before `after`; of the arms, in their order" },
  ),
  changes: Type.Array(
    Type.Object({
      at: time,
      noticed: time,
      arm: nullable(Name),
      isWorse: nullable(Type.Boolean()),
      sentence: Type.String(),
    }),
    { description: "what changed, the newest first" },
  ),
  alive: History.properties.alive,
});
/** What happened to a bandit in a period. @useDeclaredType */
export type Timeline = Static<typeof Timeline>;

export const RecentQuery = Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })) }, closed);
export const RecentDecisions = Type.Object({
  decisions: Type.Array(
    Type.Object({
      id: Type.String(),
      at: time,
      arm: Name,
      segment: Type.Optional(Segment),
      probability: Decision.properties.probability,
      holdout: Type.Boolean(),
      outcome: Type.Enum(["open", "answered", "expired"]),
      loss: nullable(Type.Number()),
      why: Type.String({ description: "the reason in one sentence" }),
    }),
    { description: "the newest first" },
  ),
});
/** The last decisions of a bandit. @useDeclaredType */
export type RecentDecisions = Static<typeof RecentDecisions>;

export const DecisionProbabilities = Type.Object({
  probabilities: nullable(Type.Array(Type.Object({ arm: Name, probability: Type.Number() })), {
    description: "of all arms when the decision was made; null if the policy cannot tell them, or they cannot be computed any more",
  }),
  why: Type.String({ description: "the reason in one sentence" }),
});
/** What a decision was drawn from. @useDeclaredType */
export type DecisionProbabilities = Static<typeof DecisionProbabilities>;

export const Access = Type.Object({
  role: Type.Enum(["read", "decide", "browser", "admin"]),
  key: nullable(Type.String({ description: "the id of the key; null if the service needs none" })),
});
/** What the asker may do. @useDeclaredType */
export type Access = Static<typeof Access>;
