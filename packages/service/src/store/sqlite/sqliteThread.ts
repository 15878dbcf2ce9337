import { parentPort, workerData } from "node:worker_threads";
import { ServiceError, type ServiceErrorCode } from "../../serviceError.js";
import { type Answer, type Call, groupCommit } from "./groupCommit.js";
import { openDatabase, openReadable } from "./openDatabase.js";
import { sqliteCalls } from "./sqliteCalls.js";

export interface ThreadData {
  readonly path: string;
  /** Where this user may not write. */
  readonly readOnly: boolean;
}

/** Calls to answer together; null closes the file and ends the thread. */
export type ToThread = readonly Call[] | null;

/** The first message says whether the file could be opened, each other one has the answers to one message. */
export type FromThread =
  | { readonly opened: true }
  | { readonly failed: { code: ServiceErrorCode; message: string } }
  | { readonly answers: readonly Answer[] };

const port = parentPort!;
const say = (message: FromThread) => port.postMessage(message);
const { path, readOnly } = workerData as ThreadData;

try {
  const database = readOnly ? openReadable(path) : openDatabase(path);
  const answers = groupCommit(database, sqliteCalls(database));
  port.on("message", (message: ToThread) => {
    if (message !== null) return say({ answers: answers(message) });
    database.close();
    port.close();
  });
  say({ opened: true });
} catch (error) {
  const { code, message } = error as Error & { code: ServiceErrorCode };
  say({ failed: error instanceof ServiceError ? { code, message } : { code: "ERR_STORE", message: `${path}: ${message}` } });
}
