import { Worker } from "node:worker_threads";
import { ServiceError } from "../../serviceError.js";
import { storeError } from "../storeError.js";
import { type Call, isRefusal } from "./groupCommit.js";
import type { SqliteCalls } from "./sqliteCalls.js";
import type { FromThread, ThreadData, ToThread } from "./sqliteThread.js";

interface Pending {
  readonly call: Call;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * The thread that has an SQLite file open, so that the event loop goes on while the disk is busy. What is asked while it works waits and is sent as one
 * message, whose writes share one commit: the slower the disk, the more each commit carries.
 */
export class StoreThread {
  readonly #path: string;
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  #waiting: Pending[] = [];
  #asked: readonly Pending[] = [];
  /** Why nothing more can be asked. */
  #shut: ServiceError | undefined;
  #closing = false;

  private constructor(path: string, worker: Worker) {
    this.#path = path;
    this.#worker = worker;
    worker.on("message", (message: FromThread) => "answers" in message && this.#settle(message.answers));
    worker.on("error", (error) => this.#fail(`its thread failed (${error.message}); restart the service`));
    this.#ended = new Promise((resolve) => {
      worker.once("exit", () => {
        this.#fail(this.#closing ? "it is closed" : "its thread ended; restart the service");
        resolve();
      });
    });
  }

  static async start(path: string, readOnly: boolean): Promise<StoreThread> {
    // None of the options of this process: a program that Node reads from its input has one that no thread can start with.
    const worker = new Worker(new URL("./sqliteThread.js", import.meta.url), { execArgv: [], workerData: { path, readOnly } satisfies ThreadData });
    const thread = new StoreThread(path, worker);
    let message: FromThread | undefined;
    const spoken = new Promise<void>((resolve) => {
      worker.once("message", (first: FromThread) => {
        message = first;
        resolve();
      });
    });
    // A thread that fails at its start, for example because the driver has no build for this machine, says nothing. One that cannot open the file says so, and
    // its end may come in the same moment.
    await Promise.race([spoken, thread.#ended]);
    if (message !== undefined && "opened" in message) return thread;
    await thread.#ended;
    if (message !== undefined && "failed" in message) throw new ServiceError(message.failed.code, message.failed.message);
    throw thread.#shut;
  }

  ask<Method extends keyof SqliteCalls>(method: Method, ...args: Parameters<SqliteCalls[Method]>): Promise<ReturnType<SqliteCalls[Method]>> {
    return new Promise((resolve, reject) => {
      if (this.#shut !== undefined || this.#closing) return reject(this.#shut ?? storeError(this.#path, "it is closed"));
      // What the same turn of the event loop asks next goes with it: a message costs as much as several events.
      if (this.#waiting.length === 0 && this.#asked.length === 0) setImmediate(() => this.#send());
      this.#waiting.push({ call: [method, ...args], resolve: resolve as (value: unknown) => void, reject });
    });
  }

  /** Resolves when all that waits is done, and the file is closed. */
  close(): Promise<void> {
    if (!this.#closing) {
      this.#closing = true;
      this.#send();
    }
    return this.#ended;
  }

  #send(): void {
    if (this.#asked.length > 0) return;
    if (this.#waiting.length === 0) {
      if (this.#closing) this.#worker.postMessage(null satisfies ToThread);
      return;
    }
    this.#asked = this.#waiting;
    this.#waiting = [];
    this.#worker.postMessage(this.#asked.map(({ call }) => call) satisfies ToThread);
  }

  #settle(answers: Extract<FromThread, { answers: unknown }>["answers"]): void {
    const asked = this.#asked;
    this.#asked = [];
    // The thread goes on before anybody looks at the answers.
    this.#send();
    answers.forEach((answer, index) => {
      if (isRefusal(answer)) asked[index]!.reject(storeError(this.#path, answer.refused));
      else asked[index]!.resolve(answer);
    });
  }

  #fail(reason: string): void {
    this.#shut ??= storeError(this.#path, reason);
    const pending = [...this.#asked, ...this.#waiting];
    this.#asked = [];
    this.#waiting = [];
    for (const { reject } of pending) reject(this.#shut);
  }
}
