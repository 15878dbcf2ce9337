import { randomFillSync } from "node:crypto";
import { digest } from "./digest.js";

/** The request that an event came with. */
export interface Origin {
  /** The id that the client, or the server, gave it. */
  readonly request?: string | undefined;
  /** A traceparent, as W3C's Trace Context writes it. */
  readonly trace?: string | undefined;
}

export const REQUEST = "^[A-Za-z0-9][A-Za-z0-9._:/+=@-]{0,127}$";
export const TRACE = "^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$";

const SALT_BYTES = 16;
/** As `originText` writes it: what is not there is a dash only where something follows. */
const TEXT =
  /^(?!-$)(-|[A-Za-z0-9_-]{22})(?: (-(?= )|[A-Za-z0-9][A-Za-z0-9._:/+=@-]{0,127})(?: ([0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}))?)?$/;
const ERASED_ID = /^~[0-9a-f]{32}$/;
const ERASED = /^~(?:[0-9a-f]{32})?$/;

const pool = Buffer.alloc(SALT_BYTES * 256);
let used = pool.length;

/** A salt for a decision: whoever does not have it cannot tell which id was hashed with it. */
export function newSalt(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += SALT_BYTES;
  return pool.toString("base64url", used - SALT_BYTES, used);
}

/** The salt of a decision ("-" where there is none) and the request, as one text; null if there is neither. */
export function originText(salt: string, { request, trace }: Origin): string | null {
  if (trace !== undefined) return `${salt} ${request ?? "-"} ${trace}`;
  if (request !== undefined) return `${salt} ${request}`;
  return salt === "-" ? null : salt;
}

export function readOrigin(text: string | null): Origin {
  const [, , request, trace] = TEXT.exec(text ?? "") ?? [];
  return { ...(request === undefined || request === "-" ? {} : { request }), ...(trace === undefined ? {} : { trace }) };
}

/** "" if it was erased. */
export function saltOf(origin: string): string {
  if (isErased(origin)) return "";
  const end = origin.indexOf(" ");
  return end < 0 ? origin : origin.slice(0, end);
}

/** Whether a text stands in the place of an id or an origin that was erased. No id begins like this. */
export function isErased(text: string): boolean {
  return text.startsWith("~");
}

/** What the chain covers in place of an id: the same in all events of a decision, whether the id was erased or not. */
export function markOf(decision: string, origin: string): string {
  return isErased(decision) ? decision.slice(1) : digest(`${saltOf(origin)} ${decision}`);
}

/** What the chain covers in place of an origin. */
export function sealOf(origin: string): string {
  if (isErased(origin)) return origin.slice(1);
  return origin.includes(" ") ? digest(origin) : "";
}

/** An id and an origin after they were erased. */
export function erased(decision: string, origin: string): { readonly decision: string; readonly origin: string } {
  return { decision: `~${markOf(decision, origin)}`, origin: `~${sealOf(origin)}` };
}

/** Whether an event about a decision, or about none, can have such an origin. */
export function isOrigin(decision: string | null, origin: string | null): boolean {
  if (decision === null) return origin === null || (TEXT.test(origin) && saltOf(origin) === "-");
  if (origin === null) return false;
  return isErased(decision) ? ERASED_ID.test(decision) && ERASED.test(origin) : TEXT.test(origin) && saltOf(origin) !== "-";
}
