import { createHash, randomBytes } from "node:crypto";
import { ServiceError } from "../serviceError.js";
import type { Store, StoredKey } from "../store/store.js";

export const ROLES = ["read", "decide", "browser", "admin"] as const;
/** What the holder of a key may do: look; decide and give feedback; the same from web pages, where everybody can read the key; or everything. @useDeclaredType */
export type Role = (typeof ROLES)[number];

const SCOPE = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}\*?$|^\*$/;

/** What a key is for. */
export interface NewKey {
  readonly role: Role;
  /** Names of bandits, or beginnings of names with a * at the end; all if left out. */
  readonly scopes?: readonly string[];
  readonly note?: string;
  /** When it expires, in milliseconds since 1970; never if left out. */
  readonly expires?: number;
}

/** Makes a key and stores its hash; the key itself is returned and kept nowhere. A key of 32 random bytes needs no slow hash. */
export async function addKey(
  store: Store,
  { role, scopes = ["*"], note = "", expires }: NewKey,
  now = Date.now(),
): Promise<{ readonly id: string; readonly key: string }> {
  if (!ROLES.includes(role))
    throw new ServiceError("ERR_OPTIONS", `role must be one of ${ROLES.join(", ")}, got ${JSON.stringify(role)}`, { parameter: "role" });
  const wrong = scopes.find((scope) => !SCOPE.test(scope));
  if (wrong !== undefined || scopes.length === 0) {
    const message = `a scope is the name of a bandit, or the beginning of names and a *, such as team-a.*, got ${JSON.stringify(wrong ?? scopes)}`;
    throw new ServiceError("ERR_OPTIONS", message, { parameter: "bandit" });
  }
  if (expires !== undefined && !(expires > now)) {
    const message = `expires must be a time to come, in milliseconds since 1970, got ${expires}`;
    throw new ServiceError("ERR_OPTIONS", message, { parameter: "expires" });
  }
  const key = `tsk_${randomBytes(32).toString("base64url")}`;
  const id = randomBytes(6).toString("hex");
  await store.addKey({ id, hash: hashOf(key), role, scopes, note, createdAt: now, revokedAt: expires ?? null, lastUsed: null });
  return { id, key };
}

/** Whether a key still counts: it was not revoked, and has not expired. */
export function isInForce({ revokedAt }: Pick<StoredKey, "revokedAt">, now: number): boolean {
  return revokedAt === null || revokedAt > now;
}

export function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** Whether a bandit exists for a key. */
export function isInScope({ scopes }: Pick<StoredKey, "scopes">, bandit: string): boolean {
  return scopes.some((scope) => (scope.endsWith("*") ? bandit.startsWith(scope.slice(0, -1)) : bandit === scope));
}

/** How many open decisions of a bandit a key may have: half of what the bandit may have, a browser's key a tenth, so that no key shuts it for the others. */
export function mostOpenOf({ role }: Pick<StoredKey, "role">, ofBandit: number): number {
  return Math.max(1, Math.floor(ofBandit / (role === "browser" ? 10 : 2)));
}
