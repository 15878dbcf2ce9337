import { randomBytes } from "node:crypto";
import { hostname } from "node:os";

/** The information in a worker's name. */
export interface WorkerName {
  readonly host: string;
  readonly pid: number;
  /** The number of chunks that it plays at once. */
  readonly concurrency: number;
}

/** A worker that is connected to the queue. */
export interface FleetMember extends WorkerName {
  readonly name: string;
}

/**
 * PostgreSQL cuts the name of a connection, which contains the worker's name, at 63 bytes. Of a long host name only the end is kept, which
 * distinguishes pods.
 */
const HOST_BYTES = 18;

/** A name for this process, under which the engine lists it. All pods have the same process number, so the name also contains random digits. */
export function workerName(concurrency: number): string {
  const host = hostname()
    .replace(/[^\w-]/g, "-")
    .slice(-HOST_BYTES);
  return `${host}.${process.pid}.${concurrency}.${randomBytes(2).toString("hex")}`;
}

/** Undefined for a name that workerName has not made. */
export function parseWorkerName(name: string): WorkerName | undefined {
  const [, host, pid, concurrency] = /^([\w-]+)\.(\d+)\.(\d+)\.[0-9a-f]{4}$/.exec(name) ?? [];
  return host === undefined ? undefined : { host, pid: Number(pid), concurrency: Number(concurrency) };
}
