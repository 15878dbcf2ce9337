import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Store } from "../store.js";
import { storeError } from "../storeError.js";
import { SqliteStore } from "./sqliteStore.js";
import { StoreThread } from "./storeThread.js";

export async function openSqlite(where: string): Promise<Store> {
  // An absolute path: the driver would take some others for addresses of servers.
  const path = resolve(where);
  const folder = dirname(path);
  if (where === "") throw storeError("the store", "its path is empty; name a file");
  if (!existsSync(folder)) throw storeError(path, "its folder does not exist; create it first");
  if (existsSync(path) && !statSync(path).isFile()) throw storeError(path, "it is not a file; name another path");
  // SQLite opens what it can only read, and would refuse the first write. It keeps its log in the same folder.
  for (const needed of existsSync(path) ? [folder, path] : [folder]) {
    if (!isWritable(needed)) throw storeError(path, `this user may not write to ${needed}; change its permissions, or name another path`);
  }
  return new SqliteStore(path, await StoreThread.start(path));
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
