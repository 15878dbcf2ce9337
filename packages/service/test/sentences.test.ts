import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** What the reference page and the guides promise about proof, fail-over, keys and rights: each sentence, with the test that holds it. A changed sentence needs another look at its test. */
const PAGE = textOf("docs/reference/service.md");
/** The parts of the page of which every sentence is here. */
const PARTS = ["Erasure, repair, deletion", "Security", "What is promised"];

/** Sentences that say nothing that a test could find out. */
const NO_TEST = ["Put no personal data into names of arms and segments or into notes of keys.", "TLS is the work of a proxy in front."];

const service = (file: string) => `packages/service/test/${file}`;
const [erase, repair, http, hostile, rights, forging, damage, restore, property] = [
  service("erase.command.test.ts"),
  service("repair.command.test.ts"),
  service("http.command.test.ts"),
  service("http.hostile.command.test.ts"),
  service("rights.command.test.ts"),
  service("forging.command.test.ts"),
  service("damage.command.test.ts"),
  service("restore.command.test.ts"),
  service("bandit.property.command.test.ts"),
];
const command = "packages/cli/test/eraseRepair.command.test.ts";
const GONE = "of a decision that is %s is nowhere, and the log is proved as before";

const HELD: readonly (readonly [sentence: string, file: string, test: string])[] = [
  [
    "Erase an id: `POST /v1/bandits/{name}/erase`, or `tsallis erase`.",
    command,
    "erase: the id goes, the audit counts it, and again there is nothing to do",
  ],
  [
    "The chain covers a salted hash of each id, its mark.",
    service("chain.test.ts"),
    "property: have the same hash when their id and their origin are erased",
  ],
  ["Erasing removes the id, the salt and the request from all events of the decision and leaves the mark.", erase, GONE],
  ["So every decision can still be recomputed, and the id cannot be found out, not even by guessing.", erase, GONE],
  [
    "An open decision ends first, and nothing is learned from it.",
    erase,
    "a server that still has the decision open learns of its end under the mark",
  ],
  ["An event `erasure` names the mark and who erased it.", erase, GONE],
  ["`audit` counts erased ids, and refuses one without that event.", forging, "an id that was erased, though no event says so"],
  ["Erasing again changes nothing.", erase, GONE],
  ["The id is unknown afterwards: a decision that asks for it is a new one.", erase, GONE],
  [
    "What keeps an erased id: backups, exports of `prune` and copies of a log from before; the memory of a server until it restarts; in PostgreSQL the write-ahead log, replicas, and dead rows until `VACUUM`.",
    erase,
    "what was exported before still has it",
  ],
  ["In SQLite the freed bytes are overwritten.", erase, GONE],
  [
    "Repair a bandit that is shut: `POST /v1/bandits/{name}/repair`, or `tsallis repair`.",
    http,
    "a log that was changed shuts its bandit: 503 on its routes, and the others go on",
  ],
  [
    "It cuts the log after the last event that follows from it, or with `fork` copies the good events to a new bandit and leaves the old one.",
    repair,
    "is copied up to there under a new name, and stays as it is",
  ],
  [
    "An event `repair` names how many events were dropped and the hash of the last.",
    repair,
    "is cut after its last good event; the log names what was dropped, and goes on",
  ],
  ["`audit` shows both, and `audit --head` finds the dropped head there, with exit code 3.", command, "audit --head finds what was dropped"],
  ["A log that needs no repair is refused, and so is a fork of a pruned one.", repair, "that needs none is refused, and a fork of a pruned one"],
  ["Servers open the bandit again within a minute.", repair, "is opened again by a server that runs, once its log has changed"],
  ["Decisions that were dropped are unknown: asked for again, they are made again.", repair, "is cut after its last good event"],
  ["Delete a bandit: `DELETE /v1/bandits/{name}`, if it is archived or shut.", http, "answers as described: with its role, and with a repeat"],
  ["Log, snapshots and document go.", service("storeConformance.ts"), "deletes a bandit, and gives neither its name nor its number to another"],
  [
    "Its name, its number and its last hash stay, so that no other bandit gets them: a `PUT` of the name is 410 `ERR_DELETED`.",
    repair,
    "a server that knows a bandit which another one has deleted: 404, and nothing is written",
  ],
  ["Delete a segment: `DELETE /v1/bandits/{name}/segments?segment=...`.", repair, "forgets what it has learned, ends what is open"],
  [
    "Its open decisions end, and what it has learned is forgotten; listed again, it begins from nothing.",
    repair,
    "forgets what it has learned, ends what is open",
  ],
  ["Its events stay in the log.", repair, "forgets what it has learned, ends what is open"],
  [
    "PostgreSQL: with the grants of the guide a server cannot erase, repair or delete a bandit; use the commands, with the owner's URL.",
    service("grants.system.test.ts"),
    "cannot do: %s",
  ],
  [
    "No key, no network. Without a key the service listens on this machine only, answers only to `localhost`, `127.0.0.1` and `[::1]`, and takes bodies only as JSON: a page of a foreign site cannot reach it through a browser.",
    hostile,
    "under another name",
  ],
  ["On another address it does not start.", http, "without one, the service listens on this machine only"],
  ["Keys are 32 random bytes; the store has their SHA-256 only.", service("storeConformance.ts"), "keeps keys"],
  ["They go into `authorization: Bearer`, never into an address.", http, "lets in its role and admin, and nobody else"],
  [
    "A revoked key is refused within about a second.",
    http,
    "a key that is revoked is refused within about a second, and the last one leaves the door shut",
  ],
  [
    "A service whose keys are all revoked is shut, not open.",
    http,
    "a key that is revoked is refused within about a second, and the last one leaves the door shut",
  ],
  [
    "Outside its scope a bandit does not exist for a key: 404, in the same words as for one that is not there.",
    http,
    "outside its scope a bandit does not exist, in the very words for one that does not",
  ],
  ["Pages load nothing from elsewhere, are not framed, and show names as text.", service("answers.ts"), "default-src 'self'; frame-ancestors 'none'"],
  [
    "The dashboard keeps its key for the tab only.",
    "packages/web/test/dashboard.system.test.ts",
    "is given a key, which stays in the tab and can be forgotten",
  ],
  ["No other site may ask, unless `--origin` names it.", hostile, "may not ask, unless --origin names them"],
  [
    "Log lines have method, route, status, milliseconds and the id of the key.",
    service("http.secrets.command.test.ts"),
    "what a process prints has no key",
  ],
  ["No body, no key, no loss, no password of a database.", service("http.secrets.command.test.ts"), "what a process prints has no key"],
  [
    "what was acknowledged survives a crash | SQLite with a write-ahead log and `synchronous=FULL`, or a PostgreSQL with `fsync=on`, its default; the answer waits for the commit",
    service("kill.system.test.ts"),
    "times kill -9 under load: nothing that was answered is lost, changed or counted twice",
  ],
  [
    "one decision per id, one outcome per decision | two unique constraints of the store, in the transaction that moves the bandit",
    service("storeConformance.ts"),
    "refuses a second decision or outcome, alone and as a whole",
  ],
  [
    "the state is that of the log | memory is moved only by events; a commit that fails undoes it; a snapshot that does not fit the log is not used",
    property,
    "property: two servers on one file, by HTTP's routes or embedded, whatever happens to them, are a plain loop over the library",
  ],
  [
    "every decision can be recomputed | time, ids and losses are in the events; the library computes the same bits everywhere, and the log says which bits",
    forging,
    "the one that was not is as recorded, and so are its snapshots",
  ],
  [
    "a changed log is noticed | each event carries a hash over itself and the one before; `ERR_REPLAY` shuts the bandit, and nothing wrong is answered",
    damage,
    "%s: the bandit is shut, the other goes on, and audit names the event",
  ],
  [
    "a forged log is noticed, though its hashes fit | every event is run through the rules that wrote it, to the last byte; what follows from itself and was never served is shown by a head that was kept elsewhere (`tsallis audit --head`)",
    forging,
    "there are at least 40 kinds",
  ],
  [
    "a server never writes into another bandit's log | the compare-and-swap covers the hash of the last event, before the first event that of the bandit itself",
    restore,
    "a bandit without events whose place another one took, after a restore under running servers: refused, and the other one is untouched",
  ],
  [
    "Another version of the library with other bits does not recompute the decisions of the old one; it takes them as they are, and an event `version` marks from where on it decides.",
    damage,
    "its decisions are taken as they are, a version event marks where we go on, and our decisions replay bit for bit",
  ],
  [
    "`tsallis audit` counts these decisions, and those that follow from the state that was handed over, as not proved, with exit code 3.",
    forging,
    "a takeover by a version that nobody can ask: what follows counts as not proved",
  ],
];

/** Sentences elsewhere on the page, of which not everything is about proof and rights. */
const ELSEWHERE: readonly (readonly [sentence: string, file: string, test: string])[] = [
  ["Both hold across restarts, on every machine, and as long as the log has the events.", property, "property: two servers on one file"],
  ["What was answered by 2xx is on the disk.", service("kill.system.test.ts"), "times kill -9 under load"],
  ["a change that changes nothing writes nothing.", rights, "that is repeated writes nothing; the log says whose it was"],
  ["else it is 412 `ERR_REVISION`.", rights, "with if-match holds only for the settings that it was meant for"],
  ["The other kind is 422 `ERR_DIRECTION`.", repair, "a bandit that takes rewards takes no losses, and the other way round"],
  ["In another form they are left out.", erase, "an event keeps the request that it came with, if that has the right form"],
  [
    "half of the bandit's; a tenth for a `browser` key",
    rights,
    "of a key are limited, so that no key shuts a bandit: half for decide, a tenth for a browser",
  ],
  ["60 per minute", http, "more than 60 wrong keys a minute: 429 for those, and the right ones still work"],
];

const [operate, decisions, machines] = ["operate-the-service", "decisions-over-http", "many-machines"] as const;
const shut = "a log that was changed shuts its bandit: 503 on its routes, and the others go on";
const postgres = service("postgres.system.test.ts");
/** What the guides say about proof, fail-over, keys and rights. */
const GUIDES: readonly (readonly [guide: string, sentence: string, file: string, test: string])[] = [
  [operate, "Without any, the service listens on this machine only.", http, "without one, the service listens on this machine only"],
  [
    operate,
    "`--bandit 'team-a.*'` limits a key to the names that begin so; other bandits do not exist for it.",
    http,
    "outside its scope a bandit does not exist, in the very words for one that does not",
  ],
  [
    operate,
    "Both keys work during the overlap",
    "packages/cli/test/keys.command.test.ts",
    "rotate makes a key for the same holder; the old one works for the overlap, and no longer",
  ],
  [
    operate,
    "If no key is left in force, the service is shut, not open.",
    http,
    "a key that is revoked is refused within about a second, and the last one leaves the door shut",
  ],
  [
    operate,
    "The copy is one moment of the store, and it is audited before it gets its name",
    "packages/cli/test/backup.command.test.ts",
    "copies a store under a writer: the copy is a beginning of the log, proved by its audit, and the writer misses nothing",
  ],
  [operate, "It costs nothing that was answered", service("kill.system.test.ts"), "nothing that was answered is lost, changed or counted twice"],
  [operate, "A bandit whose log does not replay is shut: it answers 503 `ERR_REPLAY`, and the others go on.", http, shut],
  [
    operate,
    "The last event of the log names the head that was dropped, so an audit with a kept head says what happened.",
    command,
    "repair: says what it would drop, does it with --yes, and audit --head finds what was dropped",
  ],
  [operate, "The chain covers a salted hash of each id, so the log stays provable.", erase, GONE],
  [
    operate,
    "written, verified, and only then deleted.",
    service("prune.command.test.ts"),
    "deletes nothing if the file cannot be written, exists, or does not hold what it must",
  ],
  [
    operate,
    "What is younger than the window and 30 days stays",
    service("prune.command.test.ts"),
    "refuses a date that is younger than the window and 30 days, and then does nothing",
  ],
  [
    operate,
    "decisions expire as before until the jump has lasted longer than the bandit's window.",
    service("clock.command.test.ts"),
    "a clock that jumps by two days for four seconds expires nothing, and feedback counts meanwhile; confirmed, it expires",
  ],
  [
    operate,
    "No bodies, keys or losses.",
    service("http.secrets.command.test.ts"),
    "what a process prints has no key, no loss, no body, no name of anything, and no password",
  ],
  [
    decisions,
    "one that the service would not have written, with these very bytes, is found, even if all hashes were made to fit.",
    forging,
    "there are at least 40 kinds",
  ],
  [
    decisions,
    "fails if no log has that event any more",
    "packages/cli/test/audit.command.test.ts",
    "has the events whose heads were kept elsewhere, or exit code 1",
  ],
  [
    machines,
    "The second server gave the decision of the first, learned from its feedback, and continued when the first was killed.",
    "test/manyMachinesGuide.system.test.ts",
    "is followed to the letter: two servers, one of which is killed, as a user who can neither change nor delete an event",
  ],
  [
    machines,
    "There is no leader, no lease, and no time to wait for after a crash.",
    postgres,
    "on three machines with clocks an hour apart, any of which is killed or stopped at any time for a minute",
  ],
  [
    machines,
    "A server that was stopped for an hour drops what it had computed.",
    postgres,
    "is not kept waiting by a node that is stopped in the middle of what it writes, which is not written when the rest comes",
  ],
  [machines, "Clocks decide only when a decision expires, once.", postgres, "ends each decision once, whatever the clocks of its machines say"],
  [machines, "makes 503 with `Retry-After`", postgres, "answers 503 while the database is away, and goes on where it was when it is back"],
  [
    machines,
    "one that still runs refuses with `ERR_REPLAY`.",
    postgres,
    "never goes on with a log that has lost its last events, not even when there are others in their places",
  ],
];

const plain = (text: string) =>
  text
    .replace(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replaceAll("**", "")
    .replace(/\s+/g, " ");

/** The sentences of a part: those of its lines, and each row of a table as one. */
function sentencesOf(part: string): string[] {
  const start = PAGE.indexOf(`## ${part}\n`);
  const text = PAGE.slice(start, PAGE.indexOf("\n## ", start + 1));
  const lines = text.split("\n").slice(1);
  const rows = lines.filter((line) => /^\| (?!promise|---)/.test(line)).map((line) => line.replace(/^\| | \|$/g, ""));
  const prose = lines.filter((line) => line !== "" && !line.startsWith("|")).map((line) => line.replace(/^(- | {2})/, ""));
  return [...prose.flatMap((line) => plain(line).split(/(?<=[.])\s+(?=[A-Z`])/)), ...rows.map(plain)].map((sentence) => sentence.trim());
}

describe("docs/reference/service.md", () => {
  it.each(PARTS)("every sentence of %s has its test", (part) => {
    const held = new Set([...HELD.map(([sentence]) => sentence), ...NO_TEST]);
    // A sentence of the table may be several of the page that belong together.
    const covered = (sentence: string) => [...held].some((one) => one === sentence || one.includes(sentence));
    expect(sentencesOf(part).filter((sentence) => !covered(sentence))).toEqual([]);
  });

  it.each([...HELD, ...ELSEWHERE])("says: %s", (sentence, file, test) => {
    expect(plain(PAGE)).toContain(sentence.replace(/ \| /, " | "));
    expect(textOf(file).replace(/\\"/g, '"')).toContain(test);
  });
});

describe("the guides", () => {
  it.each(GUIDES)("%s says: %s", (guide, sentence, file, test) => {
    expect(plain(textOf(`docs/guides/${guide}.md`))).toContain(sentence);
    expect(textOf(file)).toContain(test);
  });
});

function textOf(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
}
