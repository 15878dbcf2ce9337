import type { ClientBase, Pool } from "pg";
import { storeError, takenError } from "../storeError.js";
import type { PostgresAddress } from "./postgresAddress.js";
import { postgresReason } from "./postgresReason.js";

/** Runs a statement that is prepared once per connection, under its name. */
export type Ask = <Row extends unknown[]>(name: string, text: string, values: unknown[]) => Promise<Row[]>;

export function askWith(connection: Pool | ClientBase, address: PostgresAddress): Ask {
  return async <Row extends unknown[]>(name: string, text: string, values: unknown[]) => {
    try {
      return (await connection.query<Row>({ name: `tsallis ${name}`, text, values, rowMode: "array" })).rows;
    } catch (error) {
      throw refusal(address, error);
    }
  };
}

/** The code of a violated unique constraint. */
const UNIQUE = "23505";

export function refusal(address: PostgresAddress, error: unknown) {
  // The error of the driver is not kept as the cause: it may quote the URL.
  const reason = address.scrub(postgresReason(error));
  return (error as { code?: unknown }).code === UNIQUE ? takenError(address.shown, reason) : storeError(address.shown, reason);
}
