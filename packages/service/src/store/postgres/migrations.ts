/**
 * How a database gets from each schema to the next; never changed once released. `event_of_decision` is what "exactly once" rests on. Texts that are indexed
 * are compared by their bytes: an index by the rules of a language breaks when the system's library changes these.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE bandit (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE, document text NOT NULL, version text NOT NULL,
    bits text NOT NULL, created_at bigint NOT NULL, seq bigint NOT NULL DEFAULT 0, pruned_seq bigint NOT NULL DEFAULT 0,
    pruned_hash text NOT NULL DEFAULT ''
  );
  CREATE TABLE event (
    bandit bigint NOT NULL, seq bigint NOT NULL, kind text NOT NULL, decision text COLLATE "C", slot smallint, segment text COLLATE "C",
    at bigint NOT NULL, body text NOT NULL, hash text NOT NULL, PRIMARY KEY (bandit, seq)
  );
  CREATE UNIQUE INDEX event_of_decision ON event (bandit, decision, slot) WHERE decision IS NOT NULL;
  CREATE INDEX event_of_segment ON event (bandit, segment, seq) WHERE segment <> '';
  CREATE INDEX event_of_all_segments ON event (bandit, seq) WHERE segment IS NULL;
  CREATE TABLE snapshot (
    bandit bigint NOT NULL, part text COLLATE "C" NOT NULL, seq bigint NOT NULL, body text NOT NULL, PRIMARY KEY (bandit, part, seq)
  );
  CREATE TABLE key (
    id text COLLATE "C" NOT NULL PRIMARY KEY, hash text COLLATE "C" NOT NULL UNIQUE, role text NOT NULL, scopes text NOT NULL, note text NOT NULL,
    created_at bigint NOT NULL, revoked_at bigint, last_used text
  );`,
];
