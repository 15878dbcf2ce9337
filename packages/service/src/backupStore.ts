import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Audited } from "./audit/audit.js";
import { auditStore } from "./audit/auditStore.js";
import { openStore } from "./openStore.js";
import { ServiceError } from "./serviceError.js";
import type { Store } from "./store/store.js";

/** How a backup is made. */
export interface BackupOptions {
  /** Called with the number of events that were audited. */
  readonly onProgress?: (events: number) => void;
}

/**
 * Copies a store in SQLite into a new file, as it is at one moment, while servers write to it; then audits the copy. Nothing has the new name before the copy is
 * whole and on the disk. A copy with an event that is not as recorded is kept: its results say so. A store in
 * PostgreSQL is refused.
 */
export async function backupStore(store: Store, file: string, { onProgress }: BackupOptions = {}): Promise<Audited[]> {
  if (existsSync(file)) throw new ServiceError("ERR_BACKUP", `${file} exists; name a new file`);
  const part = `${resolve(file)}.part`;
  rmSync(part, { force: true });
  await store.copy(part);
  const copy = await openStore(part);
  let results: Audited[];
  try {
    results = await auditStore(copy, onProgress === undefined ? {} : { onProgress });
  } finally {
    await copy.close();
  }
  synced(part);
  renameSync(part, file);
  synced(dirname(resolve(file)));
  return results;
}

function synced(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
