import { openPostgres } from "./store/postgres/openPostgres.js";
import { openSqlite } from "./store/sqlite/sqliteStore.js";
import type { Store } from "./store/store.js";
import { storeError } from "./store/storeError.js";

/**
 * Opens a store: a postgres:// or postgresql:// URL, or else the path of an SQLite file, which is created if it is absent. Tries once. `readOnly`: where this user
 * may not write to the file, it can still be read, and every write is refused.
 */
export async function openStore(where: string, { readOnly = false }: { readonly readOnly?: boolean } = {}): Promise<Store> {
  // The rest of a URL is not shown, because it may contain a password.
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(where)?.[1]?.toLowerCase();
  if (scheme === undefined && /^postgres(ql)?:/i.test(where)) throw storeError("the store", "two slashes are missing after postgres: in its URL");
  if (scheme === undefined) return openSqlite(where, readOnly);
  if (scheme === "postgres" || scheme === "postgresql") return openPostgres(where);
  throw storeError("the store", `it is the path of a file or a URL such as postgres://host:5432/database, not one that begins with ${scheme}://`);
}
