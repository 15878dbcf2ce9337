import type { Decision, Feedback, FeedbackResult } from "../schemas.js";
import { type Asking, address, ask, ClientError } from "./ask.js";

/** Where the service is. */
export interface ClientOptions {
  /** Where the service listens, such as http://127.0.0.1:7411. */
  readonly url: string | URL;
  readonly key?: string;
  /** In place of the global one. */
  readonly fetch?: typeof globalThis.fetch;
}

/** What is asked of a decision. */
export interface DecideOptions {
  /** Names the decision, so that asking again gives the same one. If left out, one is made. */
  readonly id?: string;
  readonly segment?: string;
  /** Milliseconds for all attempts together. */
  readonly timeoutMs?: number;
  /** The arm to take when the service does not decide. With it, `decide` does not reject, whatever the service does. */
  readonly fallback?: string;
}

/** What the service decided. */
export type ServiceDecision = Decision & { readonly fallback: false };

/** The arm that stands in for a decision. `reason` says why. */
export interface FallbackDecision {
  readonly id: string;
  readonly bandit: string;
  readonly segment?: string;
  readonly arm: string;
  readonly round: null;
  readonly probability: null;
  readonly holdout: false;
  readonly fallback: true;
  readonly reason: ClientError;
}

/** A decision that feedback is about, as `decide` gave it. Elsewhere its id and its arm will do, and from a browser its token. */
export type Decided = Pick<Decision, "id" | "arm" | "token"> & { readonly fallback?: boolean };

/** dropped: the decision was a fallback, so that nothing was sent. */
export type ClientFeedbackResult = FeedbackResult | { readonly status: "dropped"; readonly skipped?: never };

/** What became of one item of `feedbackAll`. */
export type ItemResult = { readonly id: string } & (ClientFeedbackResult | { readonly error: ClientError });

/** Asks the service for decisions and tells it what they cost. */
export interface Client {
  /** Which arm? Rejects with a ClientError if the service does not decide and there is no fallback. */
  decide(bandit: string, options?: DecideOptions): Promise<ServiceDecision | FallbackDecision>;
  /** Tells what a decision cost, or earned. The service refuses it (ERR_ARM_DIFFERS) if it decided for another arm. */
  feedback(bandit: string, decision: Decided, feedback: Feedback, options?: { readonly timeoutMs?: number }): Promise<ClientFeedbackResult>;
  /** The same for many decisions, 1,000 at a time; what became of each, in order. Rejects if a batch could not be sent: sending all of it again is safe. */
  feedbackAll(bandit: string, items: readonly (Decided & Feedback)[], options?: { readonly timeoutMs?: number }): Promise<ItemResult[]>;
}

const DECIDE_MS = 1_000;
const FEEDBACK_MS = 10_000;
const MOST_ITEMS = 1_000;

/**
 * A client of the service. All it asks for may be asked twice, so it tries again until its time is over.
 *
 * A decision that was answered by the fallback may have been made by the service nevertheless: only its answer was lost, or came too late. The service may have
 * chosen another arm, which must not learn what the fallback cost. So the feedback of a fallback is not sent, and all other feedback names its arm, so that the
 * service refuses it if the arm is not the decided one, wherever it is sent from. The service's own decision expires.
 */
export function createClient({ url, key, fetch = globalThis.fetch }: ClientOptions): Client {
  // What is wrong with a key must not be told by quoting it.
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    throw new TypeError("key must be one line of text without spaces, as tsallis keys add prints it");
  const asking: Asking = { url: address(url), key, fetch: (...request) => fetch(...request) };
  const path = (bandit: string, ...rest: readonly string[]) => ["v1", "bandits", bandit, ...rest];

  return {
    async decide(bandit, { id = newId(), segment, timeoutMs = DECIDE_MS, fallback } = {}) {
      const inSegment = segment === undefined ? {} : { segment };
      try {
        const body = { id, ...inSegment };
        const decision = await ask(asking, { path: path(bandit, "decisions"), body, timeoutMs, isAnswer: isDecision });
        return { ...decision, fallback: false };
      } catch (reason) {
        if (fallback === undefined || !(reason instanceof ClientError)) throw reason;
        return { id, bandit, ...inSegment, arm: fallback, round: null, probability: null, holdout: false, fallback: true, reason };
      }
    },

    async feedback(bandit, { id, arm, token, fallback }, feedback, { timeoutMs = FEEDBACK_MS } = {}) {
      if (fallback) return { status: "dropped" };
      const body = { ...feedback, arm, ...(token === undefined ? {} : { token }) };
      return ask(asking, { path: path(bandit, "decisions", id, "feedback"), body, timeoutMs, isAnswer: isResult });
    },

    async feedbackAll(bandit, items, { timeoutMs = FEEDBACK_MS } = {}) {
      const results: ItemResult[] = items.map(({ id }) => ({ id, status: "dropped" }));
      const places = [...items.keys()].filter((place) => items[place]!.fallback !== true);
      for (let from = 0; from < places.length; from += MOST_ITEMS) {
        const batch = places.slice(from, from + MOST_ITEMS);
        const body = { feedback: batch.map((place) => given(items[place]!)) };
        const isAnswer = (value: unknown): value is Batch => isBatch(value, batch.length);
        const { feedback } = await ask(asking, { path: path(bandit, "feedback"), body, timeoutMs, isAnswer });
        for (const [i, place] of batch.entries()) results[place] = itemResult(feedback[i]!);
      }
      return results;
    },
  };
}

/** What is sent of an item: no more than the service takes. */
function given(item: Decided & Feedback): object {
  const { id, arm } = item;
  return "reward" in item ? { id, arm, reward: item.reward } : { id, arm, loss: item.loss };
}

interface Batch {
  readonly feedback: readonly BatchItem[];
}

type BatchItem = { readonly id: string } & (
  | FeedbackResult
  | { readonly error: { readonly code: string; readonly message: string; readonly parameter?: string } }
);

function isDecision(value: unknown): value is Decision {
  const { id, arm } = (value ?? {}) as Partial<Decision>;
  return typeof id === "string" && typeof arm === "string";
}

function isResult(value: unknown): value is FeedbackResult {
  return typeof (value as Partial<FeedbackResult> | null)?.status === "string";
}

function isBatch(value: unknown, length: number): value is Batch {
  const { feedback } = (value ?? {}) as { readonly feedback?: unknown };
  if (!(Array.isArray(feedback) && feedback.length === length)) return false;
  return feedback.every((item) => isResult(item) || typeof (item as { error?: { code?: unknown } } | null)?.error?.code === "string");
}

function itemResult(item: BatchItem): ItemResult {
  if (!("error" in item)) return item;
  const { code, message, parameter } = item.error;
  return { id: item.id, error: new ClientError(code, message, null, parameter) };
}

/** A UUID of version 7, whose beginning is the time. Browsers have crypto.randomUUID on encrypted pages only, and this everywhere. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  bytes[0] = (bytes[0]! & 0x0f) | 0x70;
  bytes[2] = (bytes[2]! & 0x3f) | 0x80;
  const text = Date.now().toString(16).padStart(12, "0") + Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
