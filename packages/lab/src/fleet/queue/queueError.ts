import { LabError } from "../../labError.js";
import type { QueueUrl } from "./queueUrl.js";

/** ERR_QUEUE, with what it needs to decide whether to try again. */
export class QueueError extends LabError {
  constructor(
    message: string,
    /** What the driver said, without credentials. */
    readonly reason: string,
    /** Whether waiting for the server cannot help. */
    readonly isFinal: boolean,
  ) {
    super("ERR_QUEUE", message);
  }
}

/** What a driver's error means for whoever wants to use the queue. */
export function unusable({ shown, scrub }: QueueUrl, error: unknown): QueueError {
  const reason = scrub(reasonOf(error)).replace(/\.$/, "");
  return new QueueError(
    `the queue at ${shown} cannot be used: ${reason}; check that the server runs there and takes these credentials`,
    reason,
    isFinal(error),
  );
}

/** The message of a driver's error; some errors combine several without a message of their own. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(reasonOf).join(", ");
  const message = error instanceof Error ? error.message : String(error);
  // This message of ioredis explains an option of ioredis, not the problem.
  return message.startsWith("Reached the max retries") ? "no connection" : message;
}

/** Refusals of Redis: the password, the rights of the user, the number of the database, the version. */
const REDIS_FINAL = /^(?:WRONGPASS|NOAUTH|NOPERM)\b|invalid password|DB index|version needs/i;
/** SQLSTATE of refusals by PostgreSQL: class 28 is about users and passwords, then an unknown database and missing rights. */
const SQL_FINAL = /^(?:28...|3D000|42501)$/;
/** What BullMQ says of a PostgreSQL or a schema that it does not understand, and Node of certificates. */
const NAMES_FINAL = ["SchemaVersionMismatchError", "UnsupportedPostgresVersionError"];
const TLS_FINAL = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET)|^HOSTNAME_MISMATCH$/;

function isFinal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = String((error as { readonly code?: unknown }).code);
  return (
    SQL_FINAL.test(code) ||
    TLS_FINAL.test(code) ||
    NAMES_FINAL.includes(error.name) ||
    REDIS_FINAL.test(error.message) ||
    /does not support SSL/.test(error.message)
  );
}
