import type { FastifyInstance } from "fastify";
import type { Asker } from "../../bandit/pendingEvents.js";
import { decide, feedback } from "../../bandit/requests.js";
import { requireToken, requireUnguessable, tokenOf } from "../../keys/browser.js";
import { mostOpenOf } from "../../keys/key.js";
import type { Origin } from "../../log/origin.js";
import {
  BanditParameters,
  Decision,
  DecisionBatch,
  DecisionBatchResult,
  DecisionParameters,
  DecisionView,
  Feedback,
  FeedbackBatch,
  FeedbackBatchResult,
  type FeedbackResult,
  FeedbackResult as FeedbackResultSchema,
  NewDecision,
  PROBLEMS,
} from "../../schemas.js";
import { ServiceError } from "../../serviceError.js";
import type { StoredKey } from "../../store/store.js";
import { answerError } from "../answerError.js";
import { originOf } from "../originOf.js";
import type { RouteContext } from "../routeContext.js";
import { decisionAnswer, decisionView } from "../views.js";

const BATCH_BYTES = 1024 * 1024;

/** Decisions and feedback, one by one and in batches. */
export function addDecisions(app: FastifyInstance, { registry, metrics, maxOpen, secret }: RouteContext): void {
  const askerOf = (key: StoredKey | null): Asker | null =>
    key === null ? null : { key: key.id, maxOpen: mostOpenOf(key, maxOpen), seesOthers: key.role !== "browser" };

  app.post<{ Params: { name: string }; Body: NewDecision }>(
    "/v1/bandits/:name/decisions",
    {
      config: { role: "decide", browser: true },
      schema: {
        operationId: "decide",
        summary: "Which arm? The same id again gives the same decision",
        params: BanditParameters,
        body: NewDecision,
        response: { 200: Decision, 201: Decision, ...PROBLEMS },
      },
    },
    async ({ params, body, key, headers }, reply) => {
      const isBrowser = key?.role === "browser";
      if (isBrowser) requireUnguessable(body.id);
      const queue = await registry.queue(params.name);
      const [made] = await queue.submit(decide([body], askerOf(key), originOf(headers)));
      if (made instanceof Error) throw made;
      const answer = decisionAnswer(params.name, made!);
      reply.code(made!.repeated ? 200 : 201);
      return isBrowser ? { ...answer, token: tokenOf(secret, queue.bandit, answer.id) } : answer;
    },
  );

  app.post<{ Params: { name: string }; Body: { decisions: NewDecision[] } }>(
    // Two colons are one, which does not begin a parameter.
    "/v1/bandits/:name/decisions::batch",
    {
      config: { role: "decide" },
      bodyLimit: BATCH_BYTES,
      schema: {
        operationId: "decideAll",
        summary: "Up to 1,000 decisions in one commit",
        params: BanditParameters,
        body: DecisionBatch,
        response: { 200: DecisionBatchResult, ...PROBLEMS },
      },
    },
    async ({ params, body, key, headers }) => {
      const queue = await registry.queue(params.name);
      const all = await queue.submit(decide(body.decisions, askerOf(key), originOf(headers)));
      return { decisions: all.map((made) => (made instanceof Error ? { error: answerError(made).body } : decisionAnswer(params.name, made))) };
    },
  );

  app.get<{ Params: { name: string; id: string } }>(
    "/v1/bandits/:name/decisions/:id",
    {
      config: { role: "read" },
      schema: {
        operationId: "getDecision",
        summary: "A decision, its outcome, and why",
        params: DecisionParameters,
        response: { 200: DecisionView, ...PROBLEMS },
      },
    },
    async ({ params: { name, id } }) => {
      const queue = await registry.queue(name);
      const known = await queue.submit({ decisions: [id], segments: [], weight: 0, run: (pending) => pending.describe(id) });
      return decisionView(name, known);
    },
  );

  app.post<{ Params: { name: string; id: string }; Body: GivenFeedback }>(
    "/v1/bandits/:name/decisions/:id/feedback",
    {
      config: { role: "decide", browser: true },
      schema: {
        operationId: "giveFeedback",
        summary: "The loss (or the reward) of a decision",
        params: DecisionParameters,
        body: Feedback,
        response: { 200: FeedbackResultSchema, ...PROBLEMS },
      },
    },
    async ({ params: { name, id }, body, key, headers }) => {
      if (key?.role === "browser") requireToken(body.token, tokenOf(secret, (await registry.queue(name)).bandit, id));
      const [result] = await applied(name, [{ id, feedback: either(body) }], originOf(headers));
      if (result instanceof Error) throw result;
      return result;
    },
  );

  app.post<{ Params: { name: string }; Body: { feedback: ({ id: string } & GivenFeedback)[] } }>(
    "/v1/bandits/:name/feedback",
    {
      config: { role: "decide" },
      bodyLimit: BATCH_BYTES,
      schema: {
        operationId: "giveFeedbackAll",
        summary: "Feedback for up to 1,000 decisions in one commit",
        params: BanditParameters,
        body: FeedbackBatch,
        response: { 200: FeedbackBatchResult, ...PROBLEMS },
      },
    },
    async ({ params: { name }, body, headers }) => {
      const results = await applied(
        name,
        body.feedback.map((one) => ({ id: one.id, feedback: either(one) })),
        originOf(headers),
      );
      return {
        feedback: results.map((result, i) => ({
          id: body.feedback[i]!.id,
          ...(result instanceof Error ? { error: answerError(result).body } : result),
        })),
      };
    },
  );

  async function applied(
    name: string,
    given: readonly { id: string; feedback: ReturnType<typeof either> }[],
    from: Origin,
  ): Promise<(FeedbackResult | Error)[]> {
    const queue = await registry.queue(name);
    const results = await queue.submit(feedback(given, from));
    for (const result of results) metrics.feedback(name, result instanceof Error ? "refused" : result.status);
    return results;
  }
}

export interface GivenFeedback {
  readonly loss?: number;
  readonly reward?: number;
  readonly arm?: string;
  readonly token?: string;
}

/** A loss or a reward, not both. */
export function either({ loss, reward, arm }: GivenFeedback): Feedback & { readonly arm?: string } {
  const about = arm === undefined ? {} : { arm };
  if (loss !== undefined && reward === undefined) return { loss, ...about };
  if (reward !== undefined && loss === undefined) return { reward, ...about };
  throw new ServiceError("ERR_BODY", `feedback has either loss or reward, got ${loss === undefined ? "neither" : "both"}`);
}
