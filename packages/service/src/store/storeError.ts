import { ServiceError } from "../serviceError.js";

export function storeError(store: string, reason: string, cause?: unknown): ServiceError {
  return new ServiceError("ERR_STORE", `${store}: ${reason.replace(/\.$/, "")}`, cause === undefined ? {} : { cause });
}

/** A constraint refused it, because of something that is there already. */
export function takenError(store: string, reason: string): ServiceError {
  return Object.assign(storeError(store, reason), { taken: true });
}
