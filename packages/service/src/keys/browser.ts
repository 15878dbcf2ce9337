import { createHmac, timingSafeEqual } from "node:crypto";
import { ServiceError } from "../serviceError.js";

/** Everybody who reads a page has its key. So what a browser may do is tied to the decisions that it asked for, by ids that cannot be guessed and tokens. */

/** As long as a UUID without its dashes. */
const SHORTEST_ID = 32;

/** The token that gives the right to send the feedback of one decision. Every server of a store makes and accepts the same. */
export function tokenOf(secret: string, { genesis }: { readonly genesis: string }, id: string): string {
  return createHmac("sha256", secret).update(`${genesis} ${id}`).digest("base64url").slice(0, 32);
}

export function requireToken(given: string | undefined, token: string): void {
  if (given !== undefined && given.length === token.length && timingSafeEqual(Buffer.from(given), Buffer.from(token))) return;
  const what = given === undefined ? "the token is missing" : "the token is not that of this decision";
  throw new ServiceError("ERR_TOKEN", `${what}: send the token that the decision was answered with`, { parameter: "token" });
}

/** Whoever knows an id gets its decision, and with it the token. */
export function requireUnguessable(id: string | undefined): void {
  if (id === undefined || id.length >= SHORTEST_ID) return;
  const message = `from a browser an id has at least ${SHORTEST_ID} characters, so that nobody guesses it, got ${id.length}; use a random UUID, or leave it out`;
  throw new ServiceError("ERR_BODY", message, { parameter: "id" });
}
