import type Database from "libsql";
import { type SqliteAppend, type SqliteCalls, WRITES } from "./sqliteCalls.js";
import { isOwnFault, isTaken, sqliteReason } from "./sqliteReason.js";

/** Lists, not objects: these take half as long on their way to the thread. */
export type Call = readonly [method: keyof SqliteCalls, ...args: unknown[]];

/** Why a call could not be done. No call returns an object with such a key. */
export interface Refusal {
  readonly refused: string;
}

/** What a call returned, or a refusal. */
export type Answer = unknown;

export function isRefusal(answer: Answer): answer is Refusal {
  return typeof answer === "object" && answer !== null && "refused" in answer;
}

/** One of several appends does not follow on the end of its log. */
class Behind extends Error {}

/** Whether a call appends events, and erases nothing. */
function isAppend(call: Call): boolean {
  return call[0] === "append" && call.length === 5;
}

/**
 * Answers calls in the order in which they were asked. All that write share one transaction, and so one wait for the disk, which is by far the dearest part
 * of a commit. Nothing is answered before the commit.
 */
export function groupCommit(database: Database.Database, calls: SqliteCalls): (asked: readonly Call[]) => Answer[] {
  const [begin, commit, savepoint, release] = ["BEGIN IMMEDIATE", "COMMIT", "SAVEPOINT call", "RELEASE call"].map((sql) => database.prepare(sql));

  const answer = ([method, ...args]: Call): Answer => (calls[method] as (...args: readonly unknown[]) => unknown)(...args);
  const refusal = (error: unknown): Refusal => ({ refused: sqliteReason(error) });

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
      return call[0] === "append" && isTaken(error) ? "taken" : refusal(error);
    }
  }

  /** Does calls in their order. Appends that follow one another, usually one for each of many bandits, share their statements. */
  function answerAll(asked: readonly Call[]): Answer[] {
    const answers: Answer[] = [];
    while (answers.length < asked.length) {
      const appends: SqliteAppend[] = [];
      for (let i = answers.length; i < asked.length && isAppend(asked[i]!); i++) appends.push(asked[i]!.slice(1) as SqliteAppend);
      if (appends.length < 2) answers.push(answer(asked[answers.length]!));
      else if (calls.appendAll(appends)) for (const _ of appends) answers.push("written");
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
    const writes = asked.map(([method]) => WRITES.has(method));
    if (!writes.includes(true)) return asked.map(read);
    try {
      return write(asked);
    } catch (error) {
      // What was read in the transaction may include what it has just taken back.
      return asked.map((call, index) => (writes[index] ? refusal(error) : read(call)));
    }
  };
}
