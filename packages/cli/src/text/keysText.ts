import type { StoredKey } from "@tsallis/service";
import { formatTable } from "./textTable.js";

const DAY = 10;

/** The keys of a store as a table, or line by line on a terminal that is too narrow for it; never the keys themselves, which nobody has. */
export function keysText(keys: readonly StoredKey[]): string {
  if (keys.length === 0) return "no keys: the service listens on this machine only; make one with tsallis keys add\n";
  const rows = keys.map(({ id, role, scopes, note, createdAt, lastUsed, revokedAt }) => [
    id,
    role,
    scopes.join("\n"),
    printable(note),
    day(createdAt),
    revokedAt === null ? (lastUsed ?? "never") : `revoked\n${day(revokedAt)}`,
  ]);
  const head = ["key", "role", "bandits", "note", "made", "last used"];
  return formatTable(head, rows, [3]);
}

/** A note is shown as text, whatever is in it: nothing that a terminal would obey, nor marks that turn the direction of what follows. */
function printable(note: string): string {
  return note.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ");
}

function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, DAY);
}
