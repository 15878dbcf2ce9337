import type { Dispatcher } from "undici";
import { headersOf } from "./routeRule.js";

/** RFC 9110, 9.2.2. */
const IDEMPOTENT = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"]);

/** Why a request must not be sent twice: its method is not idempotent, or its body can be read only once. */
export type Unrepeatable = "method" | "body";

/**
 * Whether a request may be sent a second time; null if it may. The caller decides with undici's option `idempotent`, or by the header Idempotency-Key; otherwise the
 * method does.
 */
export function whyNotRepeatable(request: Dispatcher.DispatchOptions): Unrepeatable | null {
  const { method = "GET", idempotent, headers, body } = request;
  const isIdempotent = idempotent ?? (IDEMPOTENT.has(method) || headersOf(headers)["idempotency-key"] !== undefined);
  if (!isIdempotent) return "method";
  return isReplayable(body) ? null : "body";
}

/** Whether undici can send a body twice, unlike a stream. */
function isReplayable(body: unknown): boolean {
  if (body === undefined || body === null || typeof body === "string") return true;
  return (
    ArrayBuffer.isView(body) ||
    body instanceof ArrayBuffer ||
    ["Blob", "File", "FormData"].includes(Object.prototype.toString.call(body).slice(8, -1))
  );
}

/** The same bytes as a body of fetch has, which makes a stream of all; undefined if it can be sent only once. A caller may change its buffer later, so it is copied. */
export function replayableBody(body: unknown): Dispatcher.DispatchOptions["body"] | undefined {
  // undici's types lack Blob here.
  if (typeof body === "string" || body instanceof Blob) return body as string;
  if (body instanceof URLSearchParams) return String(body);
  if (ArrayBuffer.isView(body)) return Buffer.from(new Uint8Array(body.buffer, body.byteOffset, body.byteLength));
  return body instanceof ArrayBuffer ? Buffer.from(new Uint8Array(body)) : undefined;
}
