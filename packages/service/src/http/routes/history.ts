import type { FastifyInstance } from "fastify";
import { drawnFrom } from "../../history/drawnFrom.js";
import { recentDecisions } from "../../history/recentDecisions.js";
import {
  Access,
  BanditParameters,
  DecisionParameters,
  DecisionProbabilities,
  PROBLEMS,
  RecentDecisions,
  RecentQuery,
  Timeline,
  type TimelineQuery,
  TimelineQuery as TimelineQuerySchema,
} from "../../schemas.js";
import { unknownBandit } from "../../serviceError.js";
import type { RouteContext } from "../routeContext.js";

/** What happened to a bandit, over up to 30 days, and its last decisions: what the dashboard shows. */
export function addHistory(app: FastifyInstance, { store, registry, insights, now }: RouteContext): void {
  const rowOf = async (name: string) => {
    const row = await store.bandit(name);
    if (row === null) throw unknownBandit(name);
    return row;
  };

  app.get<{ Params: { name: string }; Querystring: TimelineQuery }>(
    "/v1/bandits/:name/timeline",
    {
      config: { role: "read" },
      schema: {
        operationId: "getTimeline",
        summary: "A period: what changed, where the traffic went, what the arms cost now and before",
        params: BanditParameters,
        querystring: TimelineQuerySchema,
        response: { 200: Timeline, ...PROBLEMS },
      },
    },
    async ({ params, query }) => {
      const queue = await registry.queue(params.name);
      await queue.refresh();
      const insight = await insights.of(queue);
      const { state, presentDocument } = queue.bandit;
      const answer = await insights.timeline(queue).answer(query, presentDocument, state, now());
      return { ...answer, alive: insight.alive(state, query.segment, now()) };
    },
  );

  app.get<{ Params: { name: string }; Querystring: { limit: number } }>(
    "/v1/bandits/:name/decisions",
    {
      config: { role: "read" },
      schema: {
        operationId: "listDecisions",
        summary: "The last decisions, each with its reason",
        params: BanditParameters,
        querystring: RecentQuery,
        response: { 200: RecentDecisions, ...PROBLEMS },
      },
    },
    async ({ params, query }) => {
      const { bandit } = await registry.queue(params.name);
      return { decisions: await recentDecisions(store, await rowOf(params.name), bandit.state.arms.size, query.limit) };
    },
  );

  app.get<{ Params: { name: string; id: string } }>(
    "/v1/bandits/:name/decisions/:id/probabilities",
    {
      config: { role: "read" },
      schema: {
        operationId: "getProbabilities",
        summary: "The probabilities of all arms that a decision was drawn from",
        params: DecisionParameters,
        response: { 200: DecisionProbabilities, ...PROBLEMS },
      },
    },
    async ({ params: { name, id } }) => {
      const queue = await registry.queue(name);
      const { decision } = await queue.submit({ decisions: [id], segments: [], weight: 0, run: (pending) => pending.describe(id) });
      return drawnFrom(store, await rowOf(name), queue.bandit, decision);
    },
  );

  app.get(
    "/v1/access",
    {
      config: { role: "read" },
      schema: { operationId: "getAccess", summary: "What this key may do", response: { 200: Access, ...PROBLEMS } },
    },
    async ({ key }) => ({ role: key?.role ?? "admin", key: key?.id ?? null }),
  );
}
