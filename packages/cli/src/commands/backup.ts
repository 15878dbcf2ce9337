import type { Command } from "@commander-js/extra-typings";
import { DEFAULT_STORE, storeOption } from "../input/options.js";
import { Failure } from "../text/failure.js";
import { printText, say } from "../text/output.js";
import { ProgressLine } from "../text/progressLine.js";
import { helpText } from "../text/prose.js";

const HELP = `
The copy holds what was committed when it began; servers may go on writing. It is audited before it gets its name, and the heads are printed: keep them
elsewhere. To restore it, stop the server, replace the store by the copy, remove STORE-wal and STORE-shm, and start. What was answered after the copy is
lost. Use pg_dump for PostgreSQL.

Examples:
  $ tsallis backup backup.db
  $ tsallis backup --db tsallis.db /backups/$(date +%F).db
`;

export function addBackup(program: Command, signal: AbortSignal): void {
  program
    .command("backup")
    .summary("copy a store and audit the copy")
    .description("Copy an SQLite store into a new file, while a service writes to it, and audit the copy.")
    .argument("<file>", "the new file")
    .addOption(storeOption())
    .addHelpText("after", helpText(HELP))
    .action((file, options) => backup(file, options.db, signal));
}

async function backup(file: string, db: string | undefined, signal: AbortSignal): Promise<void> {
  const { backupStore } = await import("@tsallis/service");
  const { usingStore } = await import("../input/givenStore.js");
  const { auditText } = await import("../text/serviceText.js");
  const { shownPath } = await import("../text/terminal.js");
  if (file === "") throw new Failure("ERR_USAGE", "the name of the copy is empty; give the name of a new file");
  const progress = new ProgressLine();
  const onProgress = (events: number) => {
    signal.throwIfAborted();
    progress.show(() => `${events.toLocaleString("en")} events audited`);
  };
  try {
    const results = await usingStore(db, "write", (store) => backupStore(store, file, { onProgress }));
    progress.stop();
    await printText(results.length === 0 ? "no bandits yet\n" : results.map(auditText).join(""));
    say(`${shownPath(file)} is a copy of ${shownPath(db ?? DEFAULT_STORE)}`);
    const wrong = results.find(({ differs }) => differs !== null);
    if (wrong !== undefined) throw new Failure("ERR_REPLAY", `${wrong.differs!.message}; the store has the same`, wrong.name, 1);
  } finally {
    progress.stop();
  }
}
