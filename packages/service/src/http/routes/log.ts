import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { eventText, headerText } from "../../log/logText.js";
import { BanditParameters, LogQuery, PROBLEMS } from "../../schemas.js";
import { unknownBandit } from "../../serviceError.js";
import type { Store, StoredBandit } from "../../store/store.js";
import type { RouteContext } from "../routeContext.js";

const CHUNK = 1_000;

/** The log of a bandit, as text that `tsallis audit` reads. */
export function addLog(app: FastifyInstance, { store }: RouteContext): void {
  app.get<{ Params: { name: string }; Querystring: { after: number; limit: number } }>(
    "/v1/bandits/:name/log",
    {
      config: { role: "read" },
      schema: {
        operationId: "getLog",
        summary: "The events of a bandit as lines of JSON, after a line about the bandit",
        params: BanditParameters,
        querystring: LogQuery,
        response: {
          200: { description: "lines of JSON", content: { "application/x-ndjson": { schema: { type: "string" } } } },
          ...PROBLEMS,
        },
      },
    },
    async ({ params, query }, reply) => {
      const row = await store.bandit(params.name);
      if (row === null) throw unknownBandit(params.name);
      const lines = await logLines(store, row, query.after, query.limit);
      return reply.type("application/x-ndjson").send(Readable.from(lines, { objectMode: false }));
    },
  );
}

/** The text of a log, in pieces. What was pruned is left out. The first piece is made before this resolves, so that an error can still be answered. */
export async function logLines(store: Store, row: StoredBandit, after: number, limit: number): Promise<AsyncIterable<string>> {
  const start = Math.max(after, row.prunedSeq);
  const first = await store.events(row.id, start, Math.min(CHUNK, limit));
  const before = start === row.prunedSeq ? row.prunedHash : (first[0]?.before ?? "");
  return (async function* () {
    yield headerText(row, start, before);
    let left = limit;
    for (let rows = first; rows.length > 0 && left > 0; ) {
      yield rows.map(eventText).join("");
      left -= rows.length;
      if (left > 0) rows = await store.events(row.id, rows.at(-1)!.seq, Math.min(CHUNK, left));
    }
  })();
}
