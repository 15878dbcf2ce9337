import type { Job, Queue } from "bullmq";
import type { FrozenExperiment } from "../../document/experiment.js";
import type { ChunkData, ChunkResult } from "./chunk.js";
import type { Engine } from "./engine.js";
import { parseDocument } from "./parseDocument.js";
import { reasonOf } from "./queueError.js";
import { CHUNKS, DOCUMENTS } from "./queueNames.js";

/** The experiment as JSON inside a string: PostgreSQL stores jobs as jsonb, which loses the order of keys, and that order is part of a document. */
export interface DocumentData {
  readonly frozen: string;
}

/** A coordinator's report of its progress, stored on the job of its document. */
export interface DocumentProgress {
  readonly runs: number;
  readonly done: number;
  readonly failed: number;
  readonly roundsPerSecond: number;
  /** The time of the report, in milliseconds since 1970. */
  readonly time: number;
}

export type ChunkJob = Job<ChunkData, ChunkResult>;
export type DocumentJob = Job<DocumentData, never>;

/** The queues of this version on one server. */
export interface FleetQueues {
  readonly chunks: Queue<ChunkData, ChunkResult>;
  readonly documents: Queue<DocumentData, never>;
  close(): Promise<void>;
  /** Disconnects at once, whatever the server does. */
  disconnect(): void;
}

export async function openQueues(engine: Engine): Promise<FleetQueues> {
  const chunks = await engine.queue<ChunkData, ChunkResult>(CHUNKS);
  const documents = await engine.queue<DocumentData, never>(DOCUMENTS).catch((error: unknown) => {
    chunks.disconnect().catch(() => {});
    throw error;
  });
  return {
    chunks,
    documents,
    async close() {
      await Promise.all([chunks.close(), documents.close()]);
    },
    disconnect() {
      engine.abandon();
      for (const queue of [chunks, documents]) queue.disconnect().catch(() => {});
    },
  };
}

/** Stores a document unless it is there already. */
export async function storeDocument(documents: FleetQueues["documents"], frozen: FrozenExperiment): Promise<DocumentJob> {
  return documents.add(frozen.experiment.name, { frozen: JSON.stringify(frozen) }, { jobId: frozen.hash });
}

/** The beginning of the reason for chunks that failed through no fault of their own. */
export const UNAVAILABLE = "the experiment cannot be fetched from the queue";

/** Fetches the document with the given hash and checks it against the hash. */
export async function fetchDocument(documents: FleetQueues["documents"], hash: string): Promise<FrozenExperiment> {
  const job = await documents.getJob(hash).catch((error: unknown) => {
    throw new Error(`${UNAVAILABLE}: ${reasonOf(error)}`);
  });
  if (!job) throw new Error(`${UNAVAILABLE}: it is no longer there`);
  return parseDocument((job.data as Partial<DocumentData> | null)?.frozen, hash);
}
