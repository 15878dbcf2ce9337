import type {
  BanditList,
  BanditSummary,
  BanditView,
  Change,
  Decision,
  DecisionView,
  Evaluation,
  EvaluationQuery,
  Feedback,
  FeedbackResult,
  NewBandit,
  NewDecision,
  RepairResult,
} from "../schemas.js";
import { type Asking, type AskOptions, address, ask, ClientError } from "./ask.js";
import { type Item, inBatches } from "./inBatches.js";
import { newId } from "./newId.js";

/** Where the service is. */
export interface ClientOptions {
  /** Where the service listens, such as http://127.0.0.1:7411. */
  readonly url: string | URL;
  readonly key?: string;
  /** In place of the global one. */
  readonly fetch?: typeof globalThis.fetch;
}

/** What is asked of a decision. */
export interface DecideOptions extends AskOptions {
  /** Names the decision, so that asking again gives the same one. If left out, one is made. */
  readonly id?: string;
  readonly segment?: string;
}

/** The arm to take when the service does not decide. With it, `decide` rejects only if its signal is aborted. */
export interface Fallback<Arm extends string = string> {
  readonly fallback: Arm;
}

/** What the service decided. */
export type ServiceDecision<Arm extends string = string> = Decision & { readonly arm: Arm; readonly fallback: false };

/** The arm that stands in for a decision. `reason` says why. */
export interface FallbackDecision<Arm extends string = string> {
  readonly id: string;
  readonly bandit: string;
  readonly segment?: string;
  readonly arm: Arm;
  readonly round: null;
  readonly probability: null;
  readonly holdout: false;
  readonly fallback: true;
  readonly reason: ClientError;
}

/** A decision that feedback is about, as `decide` gave it. Elsewhere its id and its arm will do, and from a browser its token. */
export type Decided<Arm extends string = string> = Pick<Decision, "id" | "token"> & { readonly arm: Arm; readonly fallback?: boolean };

/** dropped: the decision was a fallback, so that nothing was sent. */
export type ClientFeedbackResult = FeedbackResult | { readonly status: "dropped"; readonly skipped?: never };

/** What became of one item of a batch: the service's answer, or why it refused. */
export type ItemResult = { readonly id: string } & (ClientFeedbackResult | { readonly error: ClientError });

/**
 * Asks the service for decisions and sends what they cost. `Arms` has the arms of each bandit, such as `{ checkout: "classic" | "express" }`: then another name of
 * a bandit or an arm is an error of the compiler.
 */
export interface Client<Arms extends Record<keyof Arms, string> = Record<string, string>> {
  /** Which arm? Rejects with a ClientError if the service does not decide. */
  decide<Name extends keyof Arms & string>(
    bandit: Name,
    options?: DecideOptions & { readonly fallback?: undefined },
  ): Promise<ServiceDecision<Arms[Name]>>;
  /** With a fallback: which arm? Takes the fallback if the service does not decide. */
  decide<Name extends keyof Arms & string>(
    bandit: Name,
    options: DecideOptions & Fallback<Arms[Name]>,
  ): Promise<ServiceDecision<Arms[Name]> | FallbackDecision<Arms[Name]>>;
  /** Many decisions, 1,000 at a time; each one, or why it was refused, in order. Rejects if a batch could not be sent: sending all of it again is safe. */
  decideAll<Name extends keyof Arms & string>(
    bandit: Name,
    items: readonly NewDecision[],
    options?: AskOptions,
  ): Promise<(ServiceDecision<Arms[Name]> | { readonly id: string; readonly error: ClientError })[]>;
  /** Sends what a decision cost, or earned. The service refuses it (ERR_ARM_DIFFERS) if it decided for another arm. */
  feedback<Name extends keyof Arms & string>(
    bandit: Name,
    decision: Decided<Arms[Name]>,
    feedback: Feedback,
    options?: AskOptions,
  ): Promise<ClientFeedbackResult>;
  /** The same for many decisions, 1,000 at a time; what became of each, in order. Rejects if a batch could not be sent: sending all of it again is safe. */
  feedbackAll<Name extends keyof Arms & string>(
    bandit: Name,
    items: readonly (Decided<Arms[Name]> & Feedback)[],
    options?: AskOptions,
  ): Promise<ItemResult[]>;
  /** Creates a bandit; the same document again changes nothing. */
  create<Name extends keyof Arms & string>(
    bandit: Name,
    document: NewBandit & { readonly arms: readonly Arms[Name][] },
    options?: AskOptions,
  ): Promise<BanditView>;
  /** Changes arms, window, holdout or state. With the `revision` of a view it is refused if somebody else has changed the bandit since. */
  change<Name extends keyof Arms & string>(
    bandit: Name,
    change: Change & { readonly arms?: readonly Arms[Name][] },
    options?: AskOptions & { readonly revision?: string },
  ): Promise<BanditView>;
  /** All bandits that the key may see. */
  bandits(options?: AskOptions): Promise<BanditSummary[]>;
  /** Its document, probabilities, counts and alarms. */
  view(bandit: keyof Arms & string, options?: AskOptions & { readonly segment?: string }): Promise<BanditView>;
  /** A decision, its outcome, and why. */
  decision(bandit: keyof Arms & string, id: string, options?: AskOptions): Promise<DecisionView>;
  /** What is saved, which arm is best, and may I stop? */
  evaluation(bandit: keyof Arms & string, query?: EvaluationQuery, options?: AskOptions): Promise<Evaluation>;
  /** Erases the id of a decision from the log, which stays provable. Returns from how many events. */
  erase(bandit: keyof Arms & string, id: string, options?: AskOptions): Promise<number>;
  /** Cuts the log of a bandit that is shut after its last good event, or copies it up to there under the name `fork`. `dryRun` only says what it would drop. */
  repair(bandit: keyof Arms & string, options?: AskOptions & { readonly fork?: string; readonly dryRun?: boolean }): Promise<RepairResult>;
  /** Deletes a bandit that is archived or shut, with its log, or one of its segments. */
  delete(bandit: keyof Arms & string, options?: AskOptions & { readonly segment?: string }): Promise<void>;
  /** Ends open decisions now, without learning from them: all, or those that were asked for with the key of this id. Returns how many. */
  expire(bandit: keyof Arms & string, options?: AskOptions & { readonly key?: string }): Promise<number>;
}

const DECIDE_MS = 1_000;
const FEEDBACK_MS = 10_000;

/**
 * A client of the service. All it asks for may be asked twice, so it tries again until its time is over.
 *
 * A decision that was answered by the fallback may have been made by the service nevertheless: only its answer was lost, or came too late. The service may have
 * chosen another arm, which must not learn what the fallback cost. So the feedback of a fallback is not sent, and all other feedback names its arm, so that the
 * service refuses it if the arm is not the decided one, wherever it is sent from. The service's own decision expires.
 */
export function createClient<Arms extends Record<keyof Arms, string> = Record<string, string>>({
  url,
  key,
  fetch = globalThis.fetch,
}: ClientOptions): Client<Arms> {
  // What is wrong with a key must not be told by quoting it.
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    throw new TypeError("key must be one line of text without spaces, as tsallis keys add prints it");
  const asking: Asking = { url: address(url), key, fetch: (...request) => fetch(...request) };
  const path = (bandit: string, ...rest: readonly string[]) => ["v1", "bandits", bandit, ...rest];
  const waiting = ({ timeoutMs = FEEDBACK_MS, signal }: AskOptions = {}) => ({ timeoutMs, signal });

  const client: Client = {
    async decide(
      bandit: string,
      { id = newId(), segment, timeoutMs = DECIDE_MS, signal, fallback }: DecideOptions & { readonly fallback?: string | undefined } = {},
    ): Promise<never> {
      const inSegment = segment === undefined ? {} : { segment };
      try {
        const body = { id, ...inSegment };
        const decision = await ask(asking, { path: path(bandit, "decisions"), body, timeoutMs, signal, isAnswer: isDecision });
        return { ...decision, fallback: false } satisfies ServiceDecision as never;
      } catch (reason) {
        if (fallback === undefined || !(reason instanceof ClientError)) throw reason;
        const stand = { id, bandit, ...inSegment, arm: fallback, round: null, probability: null, holdout: false as const, fallback: true as const };
        return { ...stand, reason } satisfies FallbackDecision as never;
      }
    },

    async decideAll(bandit, items, options) {
      const named = items.map((item) => ({ ...item, id: item.id ?? newId() }));
      const question = { path: path(bandit, "decisions:batch"), ...waiting(options) };
      const made = await inBatches(asking, question, "decisions", named, isDecision);
      return made.map((one) => ("error" in one ? one : { ...one, fallback: false }));
    },

    async feedback(bandit, { id, arm, token, fallback }, feedback, options) {
      if (fallback) return { status: "dropped" };
      const body = { ...feedback, arm, ...(token === undefined ? {} : { token }) };
      return ask(asking, { path: path(bandit, "decisions", id, "feedback"), body, ...waiting(options), isAnswer: isResult });
    },

    async feedbackAll(bandit, items, options) {
      const results: ItemResult[] = items.map(({ id }) => ({ id, status: "dropped" }));
      const places = [...items.keys()].filter((place) => items[place]!.fallback !== true);
      const question = { path: path(bandit, "feedback"), ...waiting(options) };
      const given = places.map((place) => sent(items[place]!));
      for (const [i, result] of (await inBatches(asking, question, "feedback", given, isItemResult)).entries()) results[places[i]!] = result;
      return results;
    },

    create: (bandit, body, options) => ask(asking, { method: "PUT", path: path(bandit), body, ...waiting(options), isAnswer: isObject<BanditView> }),

    change: (bandit, body, { revision, ...options } = {}) =>
      ask(asking, { method: "PATCH", path: path(bandit), body, revision, ...waiting(options), isAnswer: isObject<BanditView> }),

    async bandits(options) {
      const all: BanditSummary[] = [];
      for (let after: string | undefined; ; ) {
        const isAnswer = (value: unknown): value is BanditList => Array.isArray((value as Partial<BanditList> | null)?.bandits);
        const question = { method: "GET", path: ["v1", "bandits"], query: { after }, ...waiting(options), isAnswer } as const;
        const page: BanditList = await ask(asking, question);
        all.push(...page.bandits);
        if (page.next === null) return all;
        after = page.next;
      }
    },

    view: (bandit, { segment, ...options } = {}) =>
      ask(asking, { method: "GET", path: path(bandit), query: { segment }, ...waiting(options), isAnswer: isObject<BanditView> }),

    decision: (bandit, id, options) =>
      ask(asking, { method: "GET", path: path(bandit, "decisions", id), ...waiting(options), isAnswer: isObject<DecisionView> }),

    evaluation: (bandit, query = {}, options = {}) =>
      ask(asking, { method: "GET", path: path(bandit, "evaluation"), query, ...waiting(options), isAnswer: isObject<Evaluation> }),

    async erase(bandit, id, options) {
      const question = { path: path(bandit, "erase"), body: { id }, ...waiting(options), isAnswer: isObject<{ erased: number }> };
      return (await ask(asking, question)).erased;
    },

    repair: (bandit, { fork, dryRun, ...options } = {}) =>
      ask(asking, { path: path(bandit, "repair"), body: { fork, dryRun }, ...waiting(options), isAnswer: isObject<RepairResult> }),

    async delete(bandit, { segment, ...options } = {}) {
      const what = segment === undefined ? { path: path(bandit) } : { path: path(bandit, "segments"), query: { segment } };
      await ask(asking, { method: "DELETE", ...what, ...waiting(options), isAnswer: isObject });
    },

    async expire(bandit, { key: ofKey, ...options } = {}) {
      const body = ofKey === undefined ? {} : { key: ofKey };
      const question = { path: path(bandit, "expire"), body, ...waiting(options), isAnswer: isObject<{ expired: number }> };
      return (await ask(asking, question)).expired;
    },
  };
  return client as unknown as Client<Arms>;
}

/** What is sent of an item: no more than the service takes. */
function sent(item: Decided & Feedback): { readonly id: string } {
  const { id, arm } = item;
  return "reward" in item ? ({ id, arm, reward: item.reward } as Item) : ({ id, arm, loss: item.loss } as Item);
}

function isDecision(value: unknown): value is Decision {
  const { id, arm } = (value ?? {}) as Partial<Decision>;
  return typeof id === "string" && typeof arm === "string";
}

function isResult(value: unknown): value is FeedbackResult {
  return typeof (value as Partial<FeedbackResult> | null)?.status === "string";
}

function isItemResult(value: unknown): value is FeedbackResult & Item {
  return isResult(value);
}

function isObject<Answer extends object>(value: unknown): value is Answer {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
