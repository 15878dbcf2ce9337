import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { ServiceError } from "../serviceError.js";
import { answerError } from "./answerError.js";
import { HEADERS } from "./headers.js";

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
  const headers = { ...HEADERS, "content-type": "application/json; charset=utf-8", "content-length": Buffer.byteLength(text), connection: "close" };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${text}`, () => socket.destroy());
  return status;
}
