import type { FastifyInstance } from "fastify";
import Type from "typebox";
import { isInScope } from "../../keys/key.js";
import { PROBLEMS } from "../../schemas.js";
import { ServiceError } from "../../serviceError.js";
import type { RouteContext } from "../routeContext.js";

const Ok = Type.Object({ status: Type.Literal("ok") });
const Ready = Type.Object({
  status: Type.Literal("ok"),
  shut: Type.Integer({ description: "bandits that are shut; the metric tsallis_shut names them" }),
});
const Confirmed = Type.Object({ seconds: Type.Number({ description: "by which the clock had jumped; 0 if it had not" }) });
const OpenApi = Type.Object({ openapi: Type.String() }, { additionalProperties: true, description: "an OpenAPI document" });
const PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

/** What operators and their tools ask for. */
export function addHealth(app: FastifyInstance, { store, registry, insights, metrics, openMetrics, clock, now }: RouteContext): void {
  app.get("/healthz", { schema: { operationId: "isAlive", summary: "The process lives", response: { 200: Ok, ...PROBLEMS } } }, async () => ({
    status: "ok",
  }));

  /** Everybody may ask, and each answer costs a commit: those who ask together share one. */
  let writing: Promise<void> | null = null;
  const written = () => {
    writing ??= store.ping(Date.now()).finally(() => {
      writing = null;
    });
    return writing;
  };
  const summary = "The bandits are loaded, and the store can be written";
  app.get("/readyz", { schema: { operationId: "isReady", summary, response: { 200: Ready, ...PROBLEMS } } }, async () => {
    await written();
    if (!registry.isWarm) throw new ServiceError("ERR_WARMING", "the bandits are still being loaded; those that are loaded answer already");
    return { status: "ok", shut: registry.shut.size };
  });

  app.get(
    "/metrics",
    {
      config: openMetrics ? {} : { role: "read" },
      schema: {
        operationId: "getMetrics",
        summary: "Figures for Prometheus",
        response: { 200: { description: "lines of text", content: { "text/plain": { schema: { type: "string" } } } }, ...PROBLEMS },
      },
    },
    async ({ key }, reply) => {
      const queues = [...registry.loaded.values()];
      const alarms = new Map(queues.map((queue) => [queue.bandit.name, insights.known(queue).map(({ code }) => code)]));
      const text = metrics.text(queues, alarms, registry.shut, (bandit) => key === null || isInScope(key, bandit), now());
      return reply.type(PROMETHEUS).send(text);
    },
  );

  app.post(
    "/v1/clock",
    {
      config: { role: "admin" },
      schema: {
        operationId: "confirmClock",
        summary: "Confirm that the clock of the server is right after it has jumped: decisions expire by it from now on",
        body: Type.Object({}, { additionalProperties: false }),
        response: { 200: Confirmed, ...PROBLEMS },
      },
    },
    async () => ({ seconds: clock.confirm() / 1000 }),
  );

  const schema = { operationId: "getOpenApi", summary: "This document", response: { 200: OpenApi, ...PROBLEMS } };
  app.get("/openapi.json", { schema }, async () => app.swagger());
}
