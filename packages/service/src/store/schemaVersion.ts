import { ServiceError } from "../serviceError.js";

/** The schema that this version of the service writes. Both stores have as many migrations. */
export const SCHEMA_VERSION = 1;

export function requireKnownSchema(found: number, store: string): void {
  if (found <= SCHEMA_VERSION) return;
  throw new ServiceError(
    "ERR_SCHEMA",
    `${store} has schema ${found}, and this version of the service knows schemas up to ${SCHEMA_VERSION}; use the version of the service that wrote it, or a newer one`,
  );
}
