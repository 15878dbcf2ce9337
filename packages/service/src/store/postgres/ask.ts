import type { ClientBase, Pool } from "pg";
import { refusedValue, storeError } from "../storeError.js";
import type { PostgresAddress } from "./postgresAddress.js";

/** The code of a violated unique constraint. */
const UNIQUE = "23505";

/** Codes that are about a value: a data exception, or a constraint. */
const VALUE = /^2[23]\w{3}$/;

/** Runs a statement that is prepared once per connection, under its name. `taken`: the rows to answer where a unique constraint refuses it, in place of an error. */
export type Ask = <Row extends unknown[]>(name: string, text: string, values: unknown[], taken?: Row[]) => Promise<Row[]>;

export function askWith(connection: Pool | ClientBase, address: PostgresAddress): Ask {
  return async <Row extends unknown[]>(name: string, text: string, values: unknown[], taken?: Row[]) => {
    try {
      return (await connection.query<Row>({ name: `tsallis ${name}`, text, values, rowMode: "array" })).rows;
    } catch (error) {
      if (taken !== undefined && (error as { code?: unknown }).code === UNIQUE) return taken;
      throw refusal(address, error);
    }
  };
}

/** The error of the driver is not kept as the cause: it may quote the URL. */
export function refusal(address: PostgresAddress, error: unknown) {
  const reason = address.scrub(postgresReason(error));
  return VALUE.test(String((error as { code?: unknown }).code)) ? refusedValue(address.shown, reason) : storeError(address.shown, reason);
}

/** What some of PostgreSQL's codes mean for whoever runs the service. The others speak for themselves. */
const REASONS: Readonly<Record<string, string>> = {
  "53100": "the disk of the server is full; make room",
  "57014": "it took too long",
  "57P05": "the turn took too long, so that the server ended it",
  "25006": "the server is read-only, perhaps a standby; name the primary",
  ECONNREFUSED: "nobody listens there; start PostgreSQL, or check host and port",
};

export function postgresReason(error: unknown): string {
  // Several addresses of one name were tried; the error that says so has no text.
  if (error instanceof AggregateError && error.message === "") return error.errors.map(postgresReason).join(", ");
  const { code, message } = error as { code?: string; message?: string };
  const reason = REASONS[code ?? ""];
  const told = message ?? String(error);
  return reason === undefined ? told : `${reason} (${told})`;
}
