import { randomBytes } from "node:crypto";
import { hostname } from "node:os";

/** What a worker's name tells. */
export interface WorkerName {
  readonly host: string;
  readonly pid: number;
  /** How many chunks it plays at once. */
  readonly concurrency: number;
}

/** A worker that has a connection to the queue. */
export interface FleetMember extends WorkerName {
  readonly name: string;
}

/** PostgreSQL cuts the name of a connection, in which this stands, at 63 bytes: of a long host name only the end is kept, which tells pods apart. */
const HOST = 18;

/** A name for this process, under which the engine lists it. All pods have the same process number, so some chance is in it too. */
export function workerName(concurrency: number): string {
  const host = hostname()
    .replace(/[^\w-]/g, "-")
    .slice(-HOST);
  return `${host}.${process.pid}.${concurrency}.${randomBytes(2).toString("hex")}`;
}

/** Undefined for a name that is not of our making. */
export function parseWorkerName(name: string): WorkerName | undefined {
  const [, host, pid, concurrency] = /^([\w-]+)\.(\d+)\.(\d+)\.[0-9a-f]{4}$/.exec(name) ?? [];
  return host === undefined ? undefined : { host, pid: Number(pid), concurrency: Number(concurrency) };
}
