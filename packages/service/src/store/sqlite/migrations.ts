/**
 * How a file gets from each schema to the next; never changed once released. The table of events is WITHOUT ROWID, which makes one tree less of it: it is
 * written as fast, and read faster. `event_of_decision` is what "exactly once" rests on.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE bandit (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, document TEXT NOT NULL, version TEXT NOT NULL, bits TEXT NOT NULL, created_at INTEGER NOT NULL,
    seq INTEGER NOT NULL DEFAULT 0, pruned_seq INTEGER NOT NULL DEFAULT 0, pruned_hash TEXT NOT NULL DEFAULT ''
  );
  CREATE TABLE event (
    bandit INTEGER NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, decision TEXT, slot INTEGER, segment TEXT, at INTEGER NOT NULL,
    body TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (bandit, seq)
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX event_of_decision ON event (bandit, decision, slot) WHERE decision IS NOT NULL;
  CREATE INDEX event_of_segment ON event (bandit, segment, seq) WHERE segment <> '';
  CREATE INDEX event_of_all_segments ON event (bandit, seq) WHERE segment IS NULL;
  CREATE TABLE snapshot (
    bandit INTEGER NOT NULL, part TEXT NOT NULL, seq INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (bandit, part, seq)
  );
  CREATE TABLE key (
    id TEXT NOT NULL PRIMARY KEY, hash TEXT NOT NULL UNIQUE, role TEXT NOT NULL, scopes TEXT NOT NULL, note TEXT NOT NULL, created_at INTEGER NOT NULL,
    revoked_at INTEGER, last_used TEXT
  );`,
];
