import type { FastifyReply, FastifyRequest } from "fastify";
import { isInScope, type Role } from "../keys/key.js";
import type { Keyring } from "../keys/keyring.js";
import { ServiceError, unknownBandit } from "../serviceError.js";
import type { StoredKey } from "../store/store.js";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Who may use the route: the named role and admin. Without it: everybody. */
    role?: Role;
    /** Whether a browser's key will do. */
    browser?: boolean;
  }
  interface FastifyRequest {
    /** The key that it came with; null if it needed none. */
    key: StoredKey | null;
  }
}

const OWN_NAMES = ["localhost", "127.0.0.1", "[::1]"];

export interface AccessOptions {
  readonly keyring: Keyring;
  /** Whether the service listens on this machine's own address only: without keys, it then serves everybody who asks there. */
  readonly isLoopback: boolean;
  /** Counts an attempt with a wrong key; rejects when there were too many. */
  readonly countFailure: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
}

/** The hook that lets requests in. */
export function access({ keyring, isLoopback, countFailure }: AccessOptions): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (request, reply) => {
    const { role, browser = false } = request.routeOptions.config;
    // Whether the process lives must be answered though the store does not.
    if (isLoopback && (role === undefined ? keyring.wasEmpty() : await keyring.isEmpty())) {
      requireOwnName(request.headers.host);
      return;
    }
    if (role === undefined) return;
    const given = /^Bearer (tsk_[A-Za-z0-9_-]{43})$/i.exec(request.headers.authorization ?? "")?.[1];
    const key = given === undefined ? undefined : await keyring.find(given);
    if (key === undefined) {
      if (request.headers.authorization !== undefined) await countFailure(request, reply);
      const what = request.headers.authorization === undefined ? "this needs a key" : "the key is unknown, revoked or expired";
      throw new ServiceError("ERR_KEY", `${what}: send it as authorization: Bearer tsk_..., and make one with tsallis keys add`);
    }
    request.key = key;
    if (key.role !== role && key.role !== "admin" && !(browser && key.role === "browser")) {
      throw new ServiceError("ERR_ROLE", `the key ${key.id} has the role ${key.role}, and this needs ${role} or admin`);
    }
    const { name } = request.params as { name?: string };
    if (name !== undefined && !isInScope(key, name)) throw unknownBandit(name);
  };
}

/** A page of a foreign site could send its visitors' browsers here under a name of its own (DNS rebinding). */
function requireOwnName(host: string | undefined): void {
  const name = host?.replace(/:\d+$/, "").toLowerCase();
  if (name !== undefined && OWN_NAMES.includes(name)) return;
  throw new ServiceError("ERR_HOST", `without keys, this service answers to ${OWN_NAMES.join(", ")} only; add a key with tsallis keys add`);
}
