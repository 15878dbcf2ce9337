import { createReadStream } from "node:fs";
import { addAbortSignal } from "node:stream";
import { type Command, Option } from "@commander-js/extra-typings";
import type { Audited, LogFile } from "@tsallis/service";
import { chunks } from "../input/inputLines.js";
import { storeOption } from "../input/options.js";
import { atOption, Failure, shortened } from "../text/failure.js";
import { print, printText } from "../text/output.js";
import { ProgressLine } from "../text/progressLine.js";
import { helpText } from "../text/prose.js";

const HELP = `
FILE is what GET /v1/bandits/NAME/log returns, or what tsallis prune wrote, gzipped or not. With files and --db, the store continues where the files end. A
pruned log starts at its oldest snapshot. Read access is enough.

With write access to the store, someone can replace a log by another consistent one. Only a hash kept elsewhere shows that: GET /v1/bandits/NAME and tsallis
serve print it, and --head looks for it.

Exit codes: 0 all as recorded; 1 a difference, printed with both values; 2 something cannot be read; 3 all as recorded, but not all of it
can be proved: another version decided, files that prune wrote are missing, or a repair dropped the event of --head.

Examples:
  $ tsallis audit
  $ tsallis audit --db tsallis.db --bandit checkout
  $ tsallis audit --bandit checkout --head 2b5ff1422ca85df7656bf2bf2c96f730
  $ tsallis audit 2026-09.ndjson.gz 2026-10.ndjson.gz --db tsallis.db
  $ curl -s '127.0.0.1:7411/v1/bandits/checkout/log?limit=1000000' | tsallis audit -
`;

interface AuditCommandOptions {
  readonly db?: string | undefined;
  readonly bandit?: string | undefined;
  readonly head: readonly string[];
  readonly json?: true | undefined;
}

export function addAudit(program: Command, signal: AbortSignal): void {
  program
    .command("audit")
    .summary("recompute every decision of a log")
    .description("Recompute every decision of a service's logs and compare it with the record, bit for bit.")
    .argument("[file...]", "log files in order; - for stdin (default: the store)")
    .addOption(storeOption())
    .option("--bandit <name>", "only this bandit")
    .addOption(
      new Option("--head <hash>", "hash of an event that you kept; a log must contain it; may be repeated").argParser(collect).default([], "none"),
    )
    .option("--json", "print one JSON array")
    .addHelpText("after", helpText(HELP))
    .action((files, options, command) => audit(files, options, command.getOptionValueSource("db") === "cli", signal));
}

function collect(value: string, before: readonly string[]): string[] {
  if (!/^[0-9a-f]{32}$/.test(value)) throw new Failure("ERR_PARAMETER", `head must be 32 hexadecimal digits, got ${shortened(value)}`, "--head");
  return [...before, value];
}

async function audit(names: readonly string[], options: AuditCommandOptions, isStoreNamed: boolean, signal: AbortSignal): Promise<void> {
  const results = await audited(names, options, isStoreNamed, signal);
  const { auditText } = await import("../text/serviceText.js");
  if (options.json) await print(`${JSON.stringify(results)}\n`);
  else await printText(results.length === 0 ? "no bandits yet\n" : results.map(auditText).join(""));
  const wrong = results.find(({ differs }) => differs !== null);
  if (wrong !== undefined) throw new Failure("ERR_REPLAY", wrong.differs!.message, wrong.name, 1);
  const dropped = requireHeads(options.head, results);
  if (dropped !== undefined) throw new Failure("ERR_UNPROVED", dropped, "--head", 3);
  const unproved = results.filter((one) => one.unproved > 0 || one.after > 0 || one.versions.length > 0);
  if (unproved.length === 0) return;
  const message = `${unproved.map(({ name }) => name).join(", ")}: not everything could be proved; the lines above say what is missing`;
  throw new Failure("ERR_UNPROVED", message, "", 3);
}

/** Says which one a repair has dropped, if one has. */
function requireHeads(heads: readonly string[], results: readonly Audited[]): string | undefined {
  const isFound = (hash: string) => results.some((one) => one.heads.some((found) => found.hash === hash));
  const repairOf = (hash: string) =>
    results.flatMap((one) => one.repairs.map((its) => ({ ...its, name: one.name }))).find(({ head }) => head === hash);
  const lost = heads.find((hash) => !isFound(hash) && repairOf(hash) === undefined);
  if (lost === undefined) {
    const dropped = heads.map(repairOf).find((its) => its !== undefined);
    return (
      dropped && `${dropped.head} was the head of ${dropped.name} until a repair dropped ${dropped.dropped} events, as event ${dropped.seq} says`
    );
  }
  const message = `no log has an event with the hash ${lost}: its end was cut off or replaced after the hash was noted, or it is of another bandit`;
  throw new Failure("ERR_REPLAY", message, "--head", 1);
}

/** Only the files, unless --db names a store too; a store in the environment does not count then. */
async function audited(
  names: readonly string[],
  { db, bandit, head: heads }: AuditCommandOptions,
  isStoreNamed: boolean,
  signal: AbortSignal,
): Promise<Audited[]> {
  const { auditFiles, auditStore } = await import("@tsallis/service");
  const { usingStore } = await import("../input/givenStore.js");
  const progress = new ProgressLine();
  const onProgress = (events: number) => {
    signal.throwIfAborted();
    progress.show(() => `${events.toLocaleString("en")} events audited`);
  };
  const files = names.map((name): LogFile => ({ name: name === "-" ? "stdin" : name, bytes: bytesOf(name, signal) }));
  try {
    if (files.length > 0 && !isStoreNamed) return await auditFiles(files, { bandit, heads, onProgress });
    return await usingStore(db, "read", (store) => auditStore(store, { bandit, heads, onProgress, files }));
  } catch (error) {
    throw atOption(error);
  } finally {
    progress.stop();
  }
}

/** Opens the file when it is read. */
async function* bytesOf(name: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  yield* chunks(addAbortSignal(signal, name === "-" ? process.stdin : createReadStream(name, { highWaterMark: 1 << 20 })), name);
}
