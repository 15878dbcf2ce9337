import type { FastifyInstance } from "fastify";
import type { BanditQueue } from "../../bandit/banditQueue.js";
import { change, erase } from "../../bandit/requests.js";
import { isInScope } from "../../keys/key.js";
import { repairBandit } from "../../repair/repairBandit.js";
import {
  BanditList,
  BanditListQuery,
  BanditParameters,
  type BanditSummary,
  BanditView,
  Change,
  DeleteResult,
  Erasing,
  ErasingResult,
  Expiring,
  ExpiringResult,
  History,
  HistoryQuery,
  NewBandit,
  PROBLEMS,
  Repairing,
  RepairResult,
  SegmentQuery,
  SegmentToDelete,
} from "../../schemas.js";
import { ServiceError, unknownBandit } from "../../serviceError.js";
import type { StoredBandit, StoredKey } from "../../store/store.js";
import { originOf } from "../originOf.js";
import type { RouteContext } from "../routeContext.js";
import { banditSummary, banditView } from "../views.js";

const DOCUMENT_BYTES = 1024 * 1024;

/** Creating, changing and looking at bandits. */
export function addBandits(app: FastifyInstance, { store, registry, insights, now }: RouteContext): void {
  const view = async (queue: BanditQueue, segment = "") => banditView(queue, segment, await insights.alarms(queue));

  app.put<{ Params: { name: string }; Body: NewBandit }>(
    "/v1/bandits/:name",
    {
      config: { role: "admin" },
      bodyLimit: DOCUMENT_BYTES,
      schema: {
        operationId: "createBandit",
        summary: "Create a bandit; the same document again changes nothing",
        params: BanditParameters,
        body: NewBandit,
        response: { 200: BanditView, 201: BanditView, ...PROBLEMS },
      },
    },
    async ({ params, body }, reply) => {
      const { queue, created } = await registry.create(params.name, body);
      return reply
        .code(created ? 201 : 200)
        .header("etag", etagOf(queue))
        .send(await view(queue));
    },
  );

  app.get<{ Querystring: { after?: string; limit: number } }>(
    "/v1/bandits",
    {
      config: { role: "read" },
      schema: {
        operationId: "listBandits",
        summary: "All bandits, page by page",
        querystring: BanditListQuery,
        response: { 200: BanditList, ...PROBLEMS },
      },
    },
    async ({ key, query: { after = "", limit } }) => {
      const rows = (await store.bandits()).filter(({ name }) => name > after && (key === null || isInScope(key, name)));
      const page = rows.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, limit);
      const bandits: BanditSummary[] = [];
      for (const row of page) {
        try {
          const queue = await registry.queue(row.name);
          if (queue.fault !== null) throw queue.fault;
          bandits.push(banditSummary(queue, insights.known(queue)));
        } catch (error) {
          const code = error instanceof ServiceError ? error.code : "ERR_INTERNAL";
          if (code === "ERR_STORE") throw error;
          bandits.push(shut(row, code));
        }
      }
      return { bandits, next: page.length < rows.length ? page.at(-1)!.name : null };
    },
  );

  app.get<{ Params: { name: string }; Querystring: { segment?: string } }>(
    "/v1/bandits/:name",
    {
      config: { role: "read" },
      schema: {
        operationId: "getBandit",
        summary: "A bandit: its document, its probabilities, its counts, its alarms",
        params: BanditParameters,
        querystring: SegmentQuery,
        response: { 200: BanditView, ...PROBLEMS },
      },
    },
    async ({ params, query }, reply) => {
      const queue = await registry.queue(params.name);
      const alarms = await insights.alarms(queue);
      await queue.visit(query.segment ?? "");
      return reply.header("etag", etagOf(queue)).send(banditView(queue, query.segment ?? "", alarms));
    },
  );

  app.patch<{ Params: { name: string }; Body: Change }>(
    "/v1/bandits/:name",
    {
      config: { role: "admin" },
      bodyLimit: DOCUMENT_BYTES,
      schema: {
        operationId: "changeBandit",
        summary: "Change the arms, the window, what expiry teaches, the holdout, the cap, the unit, or the state",
        params: BanditParameters,
        body: Change,
        response: { 200: BanditView, ...PROBLEMS },
      },
    },
    async ({ params, body, key, headers }, reply) => {
      const queue = await registry.queue(params.name);
      await queue.submit(change(body, { by: labelOf(key), revision: revisionOf(headers["if-match"]), from: originOf(headers) }));
      return reply.header("etag", etagOf(queue)).send(await view(queue));
    },
  );

  app.post<{ Params: { name: string }; Body: { key?: string } }>(
    "/v1/bandits/:name/expire",
    {
      config: { role: "admin" },
      schema: {
        operationId: "expireNow",
        summary: "End open decisions now, without learning from them: all, or those that were asked for with one key",
        params: BanditParameters,
        body: Expiring,
        response: { 200: ExpiringResult, ...PROBLEMS },
      },
    },
    async ({ params, body, key }) => ({
      expired: await registry.expireNow(await registry.queue(params.name), body.key, labelOf(key) ?? "operator"),
    }),
  );

  app.post<{ Params: { name: string }; Body: { id: string } }>(
    "/v1/bandits/:name/erase",
    {
      config: { role: "admin" },
      schema: {
        operationId: "erase",
        summary: "Erase the id of a decision from the log, which stays provable",
        params: BanditParameters,
        body: Erasing,
        response: { 200: ErasingResult, ...PROBLEMS },
      },
    },
    async ({ params, body, key, headers }) => ({
      erased: await (await registry.queue(params.name)).submit(erase(body.id, labelOf(key), originOf(headers))),
    }),
  );

  app.post<{ Params: { name: string }; Body: { fork?: string; dryRun?: boolean } }>(
    "/v1/bandits/:name/repair",
    {
      config: { role: "admin" },
      schema: {
        operationId: "repair",
        summary: "Cut the log of a shut bandit after its last good event, or copy the good events into a new bandit",
        params: BanditParameters,
        body: Repairing,
        response: { 200: RepairResult, ...PROBLEMS },
      },
    },
    async ({ params, body, key }) => {
      if (body.fork !== undefined && key !== null && !isInScope(key, body.fork)) throw unknownBandit(body.fork);
      const repaired = await repairBandit(store, { bandit: params.name, ...body, by: labelOf(key), now });
      if (body.dryRun !== true && body.fork === undefined) registry.forget(params.name);
      return repaired;
    },
  );

  app.delete<{ Params: { name: string } }>(
    "/v1/bandits/:name",
    {
      config: { role: "admin" },
      schema: {
        operationId: "deleteBandit",
        summary: "Delete a bandit that is archived or shut, with its log; its name is not used again",
        params: BanditParameters,
        response: { 200: DeleteResult, ...PROBLEMS },
      },
    },
    async ({ params }) => {
      const { seq, hash } = await registry.remove(params.name);
      return { seq, head: hash };
    },
  );

  app.delete<{ Params: { name: string }; Querystring: { segment: string } }>(
    "/v1/bandits/:name/segments",
    {
      config: { role: "admin" },
      schema: {
        operationId: "deleteSegment",
        summary: "Delete a segment: its open decisions end, and what it has learned is forgotten; its events stay in the log",
        params: BanditParameters,
        querystring: SegmentToDelete,
        response: { 200: BanditView, ...PROBLEMS },
      },
    },
    async ({ params, query, key }) => {
      const queue = await registry.queue(params.name);
      await registry.removeSegment(queue, query.segment, labelOf(key));
      return view(queue);
    },
  );

  app.get<{ Params: { name: string }; Querystring: { points: number; segment?: string } }>(
    "/v1/bandits/:name/history",
    {
      config: { role: "read" },
      schema: {
        operationId: "getHistory",
        summary: "What the last events say: the traffic over time, what the arms cost",
        params: BanditParameters,
        querystring: HistoryQuery,
        response: { 200: History, ...PROBLEMS },
      },
    },
    async ({ params, query }) => {
      const queue = await registry.queue(params.name);
      await queue.refresh();
      const insight = await insights.of(queue);
      return insight.history(queue.bandit.state, query.points, query.segment, now());
    },
  );
}

/** Who changes something, for the log: the id of a key, and its note. */
function labelOf(key: StoredKey | null): string | undefined {
  if (key === null) return undefined;
  return key.note === "" ? key.id : `${key.id} (${key.note})`;
}

function etagOf({ bandit }: BanditQueue): string {
  return `"${bandit.revision}"`;
}

/** What if-match names; undefined if any revision will do. */
function revisionOf(header: string | undefined): string | undefined {
  if (header === undefined || header.trim() === "*") return undefined;
  return header.trim().replace(/^"(.*)"$/, "$1");
}

/** A bandit whose log does not replay. */
function shut({ name, createdAt, document, seq }: StoredBandit, code: string): BanditSummary {
  const { arms, policy } = readable(document);
  const counters = { decisions: 0, holdout: 0, answered: 0, expired: 0, late: 0, retired: 0, skipped: 0, rewards: 0, open: 0 };
  const created = new Date(createdAt).toISOString();
  return { name, state: "shut", created, arms, policy, seq, head: "", lastEvent: null, counters, alarms: [code] };
}

/** What can still be read of a document that may be the very thing that is damaged. */
function readable(document: string): { arms: number; policy: string } {
  try {
    const { arms, policy } = JSON.parse(document) as { arms: string[]; policy: { policy: string } };
    return { arms: Number(arms.length), policy: String(policy.policy) };
  } catch {
    return { arms: 0, policy: "" };
  }
}
