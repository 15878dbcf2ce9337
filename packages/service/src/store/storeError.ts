import { randomBytes } from "node:crypto";
import { ServiceError } from "../serviceError.js";

/** The version of the tables and of the snapshots in them. Each store has as many migrations. */
export const SCHEMA_VERSION = 3;

export function storeError(store: string, reason: string, cause?: unknown): ServiceError {
  return new ServiceError("ERR_STORE", `${store}: ${reason.replace(/\.$/, "")}`, cause === undefined ? {} : { cause });
}

/** A server still knows a bandit that is gone. */
export function deletedBandit(store: string, bandit: number): ServiceError {
  return new ServiceError("ERR_UNKNOWN_BANDIT", `${store} has no bandit number ${bandit} any more: it was deleted`, { parameter: "name" });
}

/** The store will not take a value, however often it is asked. */
export function refusedValue(store: string, reason: string): ServiceError {
  return new ServiceError("ERR_STORE", `${store}: ${reason.replace(/\.$/, "")}`, { refused: true });
}

/** Refuses a store of a newer version. False if it is of an older one, which has to be migrated. */
export function isCurrentSchema(found: number, store: string): boolean {
  if (found === SCHEMA_VERSION) return true;
  if (found > 0 && found < SCHEMA_VERSION) return false;
  const message = `${store} has schema ${found}, and this version of the service reads up to schema ${SCHEMA_VERSION}; use the version of the service that wrote it, or another store`;
  throw new ServiceError("ERR_SCHEMA", message);
}

/** What the servers of a new store sign with. */
export function newSecret(): string {
  return randomBytes(32).toString("hex");
}
