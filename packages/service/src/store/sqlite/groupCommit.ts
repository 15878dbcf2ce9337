import type Database from "libsql";
import { type SqliteAppend, type SqliteCalls, WRITES } from "./sqliteCalls.js";
import { isOwnFault, isTaken, sqliteReason } from "./sqliteReason.js";

export interface Call {
  readonly method: keyof SqliteCalls;
  readonly args: readonly unknown[];
}

/** What a call returned, or why it could not be done. */
export type Answer = { readonly value: unknown } | { readonly refused: string };

/** One of several appends does not follow on the end of its log. */
class Behind extends Error {}

/** Whether a call appends events, and erases nothing. */
function isAppend({ method, args }: Call): boolean {
  return method === "append" && (args as SqliteAppend)[4].length === 0;
}

/**
 * Answers calls in the order in which they were asked. All that write share one transaction, and so one wait for the disk, which is by far the dearest part
 * of a commit. Nothing is answered before the commit.
 */
export function groupCommit(database: Database.Database, calls: SqliteCalls): (asked: readonly Call[]) => Answer[] {
  const [begin, commit, savepoint, release] = ["BEGIN IMMEDIATE", "COMMIT", "SAVEPOINT call", "RELEASE call"].map((sql) => database.prepare(sql));

  const answer = ({ method, args }: Call): Answer => ({ value: (calls[method] as (...args: readonly unknown[]) => unknown)(...args) });
  const refusal = (error: unknown): Answer => ({ refused: sqliteReason(error) });

  /** Does a call so that what it wrote can be taken back alone. */
  function answerAlone(call: Call): Answer {
    savepoint!.run([]);
    try {
      const answered = answer(call);
      release!.run([]);
      return answered;
    } catch (error) {
      if (!isOwnFault(error)) throw error;
      database.exec("ROLLBACK TO call; RELEASE call");
      return call.method === "append" && isTaken(error) ? { value: "taken" } : refusal(error);
    }
  }

  /** Does calls in their order. Appends that follow one another, usually one for each of many bandits, share their statements. */
  function answerAll(asked: readonly Call[]): Answer[] {
    const answers: Answer[] = [];
    while (answers.length < asked.length) {
      const appends: SqliteAppend[] = [];
      for (let i = answers.length; i < asked.length && isAppend(asked[i]!); i++) appends.push(asked[i]!.args as SqliteAppend);
      if (appends.length < 2) answers.push(answer(asked[answers.length]!));
      else if (calls.appendAll(appends)) for (const _ of appends) answers.push({ value: "written" });
      else throw new Behind();
    }
    return answers;
  }

  function transaction(asked: readonly Call[], how: (asked: readonly Call[]) => Answer[]): Answer[] {
    begin!.run([]);
    try {
      const answers = how(asked);
      commit!.run([]);
      return answers;
    } catch (error) {
      // SQLite has rolled back already after some errors.
      if (database.inTransaction) database.exec("ROLLBACK");
      throw error;
    }
  }

  function read(call: Call): Answer {
    try {
      return answer(call);
    } catch (error) {
      return refusal(error);
    }
  }

  function write(asked: readonly Call[]): Answer[] {
    try {
      return transaction(asked, answerAll);
    } catch (error) {
      if (!(isOwnFault(error) || error instanceof Behind)) throw error;
      // Savepoints cost as much as an event, and a refused call is a lost race, a defect or an attack: only then is everything done again with them.
      return transaction(asked, (calls) => calls.map(answerAlone));
    }
  }

  return (asked) => {
    const writes = asked.map(({ method }) => WRITES.has(method));
    if (!writes.includes(true)) return asked.map(read);
    try {
      return write(asked);
    } catch (error) {
      // What was read in the transaction may include what it has just taken back.
      return asked.map((call, index) => (writes[index] ? refusal(error) : read(call)));
    }
  };
}
