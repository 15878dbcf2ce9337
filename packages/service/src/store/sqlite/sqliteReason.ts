/** What SQLite's codes mean for whoever runs the service, by how they begin. */
const REASONS: readonly (readonly [code: string, reason: string])[] = [
  ["SQLITE_FULL", "the disk is full; make room"],
  ["SQLITE_READONLY", "the file is read-only for this user; check its permissions and those of its folder"],
  ["SQLITE_PERM", "this user may not use the file; check its permissions"],
  ["SQLITE_BUSY", "another process held the file for too long"],
  ["SQLITE_LOCKED", "another connection held the file for too long"],
  ["SQLITE_NOTADB", "it is not an SQLite database; name another file"],
  ["SQLITE_CORRUPT", "the file is damaged; restore it from a backup"],
  ["SQLITE_IOERR", "the disk reported an error, or is full"],
  ["SQLITE_CANTOPEN", "the file cannot be opened; check its folder and its permissions"],
  ["SQLITE_CONSTRAINT", "a constraint refused it"],
];

export function sqliteReason(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const told = typeof message === "string" ? message : String(error);
  // The driver gives the number of this one in its text only.
  if (told.startsWith("ConnectionFailed")) return REASONS.find(([start]) => start === "SQLITE_CANTOPEN")![1];
  const found = REASONS.find(([start]) => String(code).startsWith(start));
  return found === undefined ? told : `${found[1]} (${code}: ${told})`;
}

/** Whether an error is about one call alone, so that the others of its transaction can go on. */
export function isOwnFault(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith("SQLITE_CONSTRAINT");
}

/** Whether what was to be written is there already. */
export function isTaken(error: unknown): boolean {
  return /^SQLITE_CONSTRAINT_(?:UNIQUE|PRIMARYKEY)$/.test(String((error as { code?: unknown }).code));
}
