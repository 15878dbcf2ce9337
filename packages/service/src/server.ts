import { randomUUID } from "node:crypto";
import rateLimit from "@fastify/rate-limit";
import swagger from "@fastify/swagger";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { access } from "./http/access.js";
import { answerClientError, answerError, HEADERS } from "./http/answerError.js";
import { compress } from "./http/compress.js";
import { Connections } from "./http/connections.js";
import { originOf } from "./http/originOf.js";
import { problemText } from "./http/problemText.js";
import type { RouteContext } from "./http/routeContext.js";
import { addBandits } from "./http/routes/bandits.js";
import { addDecisions } from "./http/routes/decisions.js";
import { addEvaluation } from "./http/routes/evaluation.js";
import { addHealth } from "./http/routes/health.js";
import { addHistory } from "./http/routes/history.js";
import { addLog } from "./http/routes/log.js";
import { addPages } from "./http/routes/pages.js";
import { validator } from "./http/validator.js";
import type { Keyring } from "./keys/keyring.js";
import { PROBLEM_TYPE } from "./schemas.js";
import { ServiceError } from "./serviceError.js";
import { VERSION } from "./version.js";

/** A line of the service's log: what was asked, and how it went. Never a body, a key or a loss. */
export interface ServiceEvent {
  readonly event: "request" | "problem" | "waiting" | "listening" | "head" | "stopped";
  readonly [field: string]: string | number | undefined;
}

export interface ServerOptions extends RouteContext {
  readonly keyring: Keyring;
  readonly isLoopback: boolean;
  readonly requestsPerSecond: number;
  /** Allowed CORS origin, besides the service's own. */
  readonly origin: string | undefined;
  readonly tell: (event: ServiceEvent) => void;
}

const BODY_BYTES = 64 * 1024;
const HEADER_BYTES = 16 * 1024;
const REQUEST_MS = 10_000;
const FAILED_KEYS_PER_MINUTE = 60;
/** What the log and the metrics call the status of an answer that was not taken to its end. */
const GONE = 499;
/** A name or an id, with every character escaped. */
const LONGEST_PARAMETER = 3 * 128;

/** The HTTP server with all its routes. */
export async function server(options: ServerOptions): Promise<FastifyInstance> {
  const { metrics, tell } = options;
  /** For requests that never reach a route. */
  const told = (method: string, status: number, id?: string) => {
    metrics.request("none", status, 0);
    tell({ event: "request", method, route: "none", status, ms: 0, request: id });
  };
  const app = Fastify({
    bodyLimit: BODY_BYTES,
    requestTimeout: REQUEST_MS,
    forceCloseConnections: "idle",
    // A query has each key once; a path that ends in a slash is another one.
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: LONGEST_PARAMETER },
    // Node would answer requests without the header host itself, in another shape.
    http: { maxHeaderSize: HEADER_BYTES, headersTimeout: REQUEST_MS, connectionsCheckingInterval: 1_000, requireHostHeader: false },
    // Fastify would otherwise answer some requests itself, in another shape.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      const { status, body } = answerError(error);
      told(request.method, status, request.id);
      (reply as FastifyReply)
        .headers({ ...HEADERS, "x-request-id": request.id })
        .code(status)
        .type(PROBLEM_TYPE)
        .send(body);
    },
    clientErrorHandler: (error, socket) => {
      const status = answerClientError(error, socket, connections.isAnswerDue(socket));
      if (status !== null) told("none", status);
    },
    exposeHeadRoutes: false,
    genReqId: ({ headers }) => originOf(headers).request ?? randomUUID(),
  });
  const connections = new Connections(app.server);
  app.addHook("preClose", async () => connections.end());
  // Node would refuse expectations that it does not know, in another shape; they may be passed over.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  app.removeContentTypeParser("text/plain");
  app.setValidatorCompiler(validator as never);
  app.setSerializerCompiler(() => JSON.stringify);
  app.decorateRequest("key", null);
  await app.register(rateLimit, { global: false });
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "tsallis",
        version: VERSION,
        description: "Decisions for heavy-tailed losses: durable, exactly once, and every decision can be proved.",
      },
      components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
    },
    transform: ({ schema, url, route }) => ({
      schema: route.config?.role === undefined ? schema : { ...schema, security: [{ key: [] }] },
      url,
    }),
  });

  const failures = app.createRateLimit({ max: FAILED_KEYS_PER_MINUTE, timeWindow: 60_000, keyGenerator: ({ ip }) => ip });
  const requests = app.createRateLimit({ max: options.requestsPerSecond, timeWindow: 1_000, keyGenerator: ({ key }) => key!.id });
  const letIn = access({ ...options, countFailure: (request, reply) => requireWithin(failures, request, reply) });
  /** After a request has got its answer, or has gone without it. */
  const ended = (request: FastifyRequest, reply: FastifyReply, status: number) => {
    // Where Fastify's pattern has two colons, the address has one.
    const route = request.routeOptions.url?.replace("::", ":") ?? "none";
    const ms = reply.elapsedTime;
    metrics.request(route, status, ms / 1000);
    const { trace } = originOf(request.headers);
    tell({ event: "request", method: request.method, route, status, ms: Math.round(ms * 10) / 10, key: request.key?.id, request: request.id, trace });
  };
  app.addHook("onRequest", async (request, reply) => {
    // Fastify says nothing of answers that nobody took to their end. Of requests that never came whole, clientErrorHandler tells.
    reply.raw.once("close", () => {
      if (request.raw.complete && !reply.raw.writableFinished) ended(request, reply, GONE);
    });
    // One object of both kinds of headers, made for each request, would double what this hook costs.
    reply.headers(HEADERS).header("x-request-id", request.id);
    const { trace } = originOf(request.headers);
    if (trace !== undefined) reply.header("traceparent", trace);
    if (options.origin !== undefined && request.headers.origin === options.origin) {
      reply.headers({
        "access-control-allow-origin": options.origin,
        "access-control-allow-headers": "authorization, content-type, if-match, traceparent, x-request-id",
        "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
        "access-control-expose-headers": "etag, retry-after, x-request-id",
        vary: "origin",
      });
    }
    if (request.headers.host === undefined && request.raw.httpVersion === "1.1") throw new ServiceError("ERR_HTTP", "the header host is missing");
    await letIn(request, reply);
    if (request.key !== null) await requireWithin(requests, request, reply);
  });
  app.addHook("onRoute", (route) => {
    // What writes has short answers.
    if (route.method === "GET") route.onSend = compress;
  });
  app.addHook("onResponse", (request, reply, done) => {
    ended(request, reply, reply.statusCode);
    done();
  });
  app.setErrorHandler(async (error, request, reply) => {
    const { status, body, internal } = answerError(error);
    if (internal) tell({ event: "problem", message: problemText(error), request: request.id });
    if ((status === 429 || status === 503) && !reply.hasHeader("retry-after")) reply.header("retry-after", "1");
    return reply.code(status).type(PROBLEM_TYPE).send(body);
  });
  app.setNotFoundHandler(async (request, reply) => {
    if (request.method === "OPTIONS" && options.origin !== undefined && request.headers.origin === options.origin) return reply.code(204).send();
    const message = `no route ${request.method} ${request.url.split("?", 1)[0]!.slice(0, 100)}; see /openapi.json`;
    throw new ServiceError("ERR_ROUTE", message);
  });

  addBandits(app, options);
  addEvaluation(app, options);
  addDecisions(app, options);
  addHistory(app, options);
  addLog(app, options);
  addHealth(app, options);
  addPages(app);
  await app.ready();
  return app;
}

type Limit = ReturnType<FastifyInstance["createRateLimit"]>;

async function requireWithin(limit: Limit, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const found = await limit(request);
  if (found.isAllowed || !found.isExceeded) return;
  reply.header("retry-after", Math.max(1, Math.ceil(found.ttl / 1000)));
  throw new ServiceError("ERR_RATE", `more than ${found.max} within ${found.timeWindow / 1000} s: rate limit exceeded; slow down`);
}
