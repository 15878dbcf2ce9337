import { existsSync } from "node:fs";
import { openStore, type Store } from "@tsallis/service";
import { atOption, Failure } from "../text/failure.js";
import { shellWord, shownPath } from "../text/terminal.js";
import { DEFAULT_STORE } from "./options.js";

/** Opens the store that --db or the environment names, lets something use it, and closes it. One that is not there is made only if that is wanted. */
export async function usingStore<T>(given: string | undefined, how: "create" | "write" | "read", use: (store: Store) => Promise<T>): Promise<T> {
  const where = given ?? DEFAULT_STORE;
  if (where === "") throw new Failure("ERR_USAGE", "--db is empty; give an SQLite file or a postgres:// URL");
  if (how !== "create" && !isServer(where) && !existsSync(where)) {
    throw new Failure("ERR_FILE", "no such store; name another with --db, or start one with tsallis serve", shownPath(where));
  }
  try {
    const store = await openStore(where, { readOnly: how === "read" });
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  } catch (error) {
    throw atOption(error);
  }
}

/** Any URL: a server that the service does not know is refused by the service, which shows nothing of it. */
export function isServer(where: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:\/\/|postgres(?:ql)?:)/i.test(where);
}

/** " --db FILE" for a command that is to be typed; nothing where it is the default, or may hold a password. */
export function storeWords(given: string | undefined): string {
  if (given === undefined || given === DEFAULT_STORE) return "";
  return isServer(given) ? " --db postgres://..." : ` --db ${shellWord(given)}`;
}
