import { VERSION } from "../../document/freezeExperiment.js";

/** The names of all fleet queues begin with this. */
export const QUEUE_PREFIX = "tsallis-";
const SUFFIX = "-documents";

/** The name contains the version, because a worker of another version would not produce the same bytes and must not see these jobs. */
export const CHUNKS = `${QUEUE_PREFIX}${VERSION}`;
/** No worker listens to this queue: its jobs are the experiments themselves, each stored once, by hash. */
export const DOCUMENTS = `${CHUNKS}${SUFFIX}`;

/** Whether a queue holds chunks, of any version. */
export function isChunksQueue(name: string): boolean {
  return name.startsWith(QUEUE_PREFIX) && !name.endsWith(SUFFIX);
}
