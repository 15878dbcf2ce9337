import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { ERROR_CODES, TsallisError } from "tsallis";
import { PROBLEM_TYPE, type Problem } from "../schemas.js";
import { SERVICE_ERROR_CODES, ServiceError } from "../serviceError.js";

/** Fastify's own errors, as ours. */
const OF_FASTIFY: Readonly<Record<string, ConstructorParameters<typeof ServiceError>>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ["ERR_CONTENT_TYPE", "the body must be JSON, with the header content-type: application/json"],
  FST_ERR_CTP_BODY_TOO_LARGE: ["ERR_TOO_LARGE", "the body is too large: 64 KiB are taken, 1 MiB for batches and documents"],
  FST_ERR_CTP_EMPTY_JSON_BODY: ["ERR_JSON", "the body is empty; send at least {}"],
  FST_ERR_CTP_INVALID_JSON_BODY: ["ERR_JSON", "the body is not JSON"],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ["ERR_JSON", "the body is not as long as its header content-length says"],
  FST_ERR_BAD_URL: ["ERR_ROUTE", "the address is not a valid one"],
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: ["ERR_ROUTE", "there is nothing for this method; see /openapi.json"],
  FST_ERR_MAX_PARAM_LENGTH: ["ERR_ROUTE", "the address is longer than that of any bandit or decision"],
};

/** Errors of the library that are no mistake of the one who asks. */
const STATUS_OF_LIBRARY: Readonly<Record<string, number>> = { ERR_HORIZON: 409, ERR_REARRANGE: 409 };

export interface AnsweredError {
  readonly status: number;
  readonly body: Problem;
  /** Whether it is a defect, whose cause belongs into the log and not into the answer. */
  readonly internal: boolean;
}

/** What an error looks like over HTTP. */
export function answerError(error: unknown): AnsweredError {
  if (error instanceof TsallisError) {
    const { code, parameter, message } = error;
    const status = STATUS_OF_LIBRARY[code] ?? 422;
    return { status, body: problem(status, code, message, { parameter, value: shownValue(error.value) }), internal: false };
  }
  const known = error instanceof ServiceError ? error : ofFastify(error);
  if (known === null) {
    const message = "internal error; see the server log. The request may or may not have been written: send it again, with the same id";
    return { status: 500, body: problem(500, "ERR_INTERNAL", message), internal: true };
  }
  const { code, parameter, message, details, status } = known;
  return { status, body: problem(status, code, message, { parameter, ...details }), internal: false };
}

/** What to do about errors of a status; `detail` has what is special to one. */
const REMEDIES: Readonly<Record<number, string>> = {
  401: "send a key that is in force",
  403: "ask with a key that may do this",
  404: "correct the address",
  408: "ask again, with the same id",
  409: "look at what is there, and decide which of both is right",
  410: "take another name",
  412: "read it again, and send the change with its ETag",
  429: "ask again after Retry-After, with the same id",
  500: "ask again, with the same id",
  503: "ask again after Retry-After, with the same id",
};

function problem(status: number, code: string, detail: string, more: { readonly [member: string]: unknown } = {}): Problem {
  const title = code in SERVICE_ERROR_CODES ? SERVICE_ERROR_CODES[code as keyof typeof SERVICE_ERROR_CODES][1] : ERROR_CODES[code as "ERR_LOSS"];
  return { type: `urn:tsallis:error:${code}`, title, status, detail, code, ...more, remedy: REMEDIES[status] ?? "correct the request" };
}

/** Only what is short, and what JSON can say. */
function shownValue(value: unknown): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  return typeof value === "boolean" || value === null || (typeof value === "string" && value.length <= 100) ? value : undefined;
}

function ofFastify(error: unknown): ServiceError | null {
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  const found = OF_FASTIFY[code ?? ""];
  if (found !== undefined) return new ServiceError(...found);
  // What the parser of JSON throws has no code of its own.
  if (statusCode === 400) return new ServiceError("ERR_JSON", "the body is not JSON");
  return null;
}

/** What every answer has. */
export const HEADERS = {
  "content-security-policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
} as const;

/** Errors of Node's parser of HTTP, as ours. */
const OF_NODE: Readonly<Record<string, ConstructorParameters<typeof ServiceError>>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ["ERR_SLOW", "the request took more than 10 s to arrive"],
  HPE_HEADER_OVERFLOW: ["ERR_HEADERS", "the headers are larger than 16 KiB"],
};

/**
 * Answers what never became a request, and shuts the connection: nobody knows where the next request would begin. Returns the status; null if nobody listens, or
 * if the answer would be taken for that of a request before it, which may have been written: then its answer is lost, and whoever sent it has to ask again.
 */
export function answerClientError({ code }: { readonly code?: string }, socket: Socket, isAnswerDue: boolean): number | null {
  if (code === "ECONNRESET" || !socket.writable || isAnswerDue) {
    socket.destroy();
    return null;
  }
  const { status, body } = answerError(
    new ServiceError(...(OF_NODE[code ?? ""] ?? (["ERR_HTTP", "this is not HTTP, or it contradicts itself"] as const))),
  );
  const text = JSON.stringify(body);
  const headers = { ...HEADERS, "content-type": `${PROBLEM_TYPE}; charset=utf-8`, "content-length": Buffer.byteLength(text), connection: "close" };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${text}`, () => socket.destroy());
  return status;
}
