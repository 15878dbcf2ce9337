import type { Audited, ServiceEvent, StoredKey } from "@tsallis/service";
import { counted } from "./quantities.js";
import { shownPath } from "./terminal.js";
import { formatTable } from "./textTable.js";

const JSON_HEADER = "-H content-type:application/json";

/** What a service that has started tells people: where it is, and what to try. At most 80 characters wide, as far as names allow. */
export function serveText(url: string, store: string, needsKey: boolean, isDemo: boolean): string {
  const key = needsKey ? ' \\\n    -H "authorization: Bearer $KEY"' : "";
  const curl = (how: string, path: string, body: string) => `  curl${how} ${url}v1/bandits/${path} \\\n    ${JSON_HEADER}${key} -d '${body}'\n`;
  const keys = needsKey ? "needed; tsallis keys add makes one" : "none: anyone on this machine has full access";
  const demo =
    "demo       a simulated client asks for 30 decisions per second of the bandit\n           payments, on four made-up providers; one gets slower after 3 minutes\n";
  return `dashboard  ${url}
store      ${/^\w+:\/\//.test(store) ? store : shownPath(store)}
keys       ${keys}
${isDemo ? demo : ""}
Try it, in another terminal:

${curl(" -X PUT", "first", '{"arms":["a","b","c"]}')}${curl("", "first/decisions", '{"id":"visit-1"}')}${curl("", "first/decisions/visit-1/feedback", '{"loss":4.2}')}
Ctrl-C stops it. Errors appear here; --json-log logs every request.
`;
}

/** The line that people are shown for an event; most events are not worth one. */
export function serviceEventText({ event, message, seq, hash }: ServiceEvent): string | undefined {
  if (event === "head") return `a log ends with event ${Number(seq).toLocaleString("en")}, head ${hash}`;
  if (event === "problem") return `problem: ${message}`;
  if (event === "waiting") return `waiting for the store; ${message}; Ctrl-C ends it`;
  if (event === "stopped") return "stopped";
  return undefined;
}

const DAY = 10;

/** The keys of a store as a table, or line by line on a terminal that is too narrow for it; never the keys themselves, which the store does not have. */
export function keysText(keys: readonly StoredKey[], now = Date.now()): string {
  if (keys.length === 0) return "no keys: the service listens on this machine only; tsallis keys add makes one\n";
  const rows = keys.map(({ id, role, scopes, note, createdAt, lastUsed, revokedAt }) => [
    id,
    role,
    scopes.join("\n"),
    printable(note),
    day(createdAt),
    revokedAt !== null && revokedAt <= now
      ? `ended\n${day(revokedAt)}`
      : `${lastUsed ?? "never"}${revokedAt === null ? "" : `\nends\n${day(revokedAt)}`}`,
  ]);
  const head = ["key", "role", "bandits", "note", "made", "last used"];
  return formatTable(head, rows, { wrapped: [3], dropped: [4] });
}

/** A note is shown as text, whatever is in it: nothing that a terminal would obey, nor marks that turn the direction of what follows. */
function printable(note: string): string {
  return note.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ");
}

function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, DAY);
}

/** The line that an audit prints for a log. */
export function auditText({ name, after, events, decisions, unproved, versions, erased, repairs, head, heads, differs }: Audited): string {
  const from = after === 0 ? "" : `pruned, so audited from its snapshot at event ${after.toLocaleString("en")} on: `;
  if (differs !== null) return `${name}: ${from}${counted(events, "event")} as recorded; event ${differs.seq.toLocaleString("en")} is not\n`;
  const found = heads.map(({ hash, seq }) => `; ${hash} is event ${seq.toLocaleString("en")}`).join("");
  const gone = erased === 0 ? "" : `; ${counted(erased, "id")} erased`;
  const dropped = repairs
    .map(
      ({ seq, dropped, head: last }) => `; repaired at event ${seq.toLocaleString("en")}: ${counted(dropped, "event")} dropped, the last one ${last}`,
    )
    .join("");
  return `${name}: ${from}${counted(events, "event")}, ${counted(decisions, "decision")}: all as recorded${unproved > 0 || after > 0 || versions.length > 0 ? "" : ", bit for bit"} (head ${head})${found}${gone}${dropped}${missing(after, unproved, versions)}\n`;
}

/** What an audit would need to prove the rest. */
function missing(after: number, unproved: number, versions: readonly string[]): string {
  if (after > 0) return "; what its snapshot says is not proved: give the files that prune wrote";
  if (unproved === 0 && versions.length === 0) return "";
  if (unproved === 0) return `; ${versions.join(", ")} handed over a state, which is not proved; audit with that version`;
  const by = versions.length === 0 ? "" : `: ${versions.join(", ")} made some of them`;
  return `; ${counted(unproved, "decision")} not proved${by}, or handed over a state; audit with that version`;
}
