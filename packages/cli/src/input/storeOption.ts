import { Option } from "@commander-js/extra-typings";

/** The store of a service that is not told another one. */
export const DEFAULT_STORE = "tsallis.db";

/** A URL with a password need not be on the command line: it may come from the environment. */
export function storeOption(description = `the store: a file of SQLite (default: ${DEFAULT_STORE}) or postgres://...`) {
  return new Option("--db <store>", description).env("TSALLIS_DB");
}
