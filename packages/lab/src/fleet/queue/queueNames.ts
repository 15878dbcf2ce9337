import { VERSION } from "../../document/freezeExperiment.js";

/** All queues of fleets begin with this. */
export const QUEUE_PREFIX = "tsallis-";
const SUFFIX = "-documents";

/** A worker of another version would not give the same bytes, so it must not see these jobs: the version is in the name. */
export const CHUNKS = `${QUEUE_PREFIX}${VERSION}`;
/** No worker listens here: its jobs are the experiments themselves, stored once each, by hash. */
export const DOCUMENTS = `${CHUNKS}${SUFFIX}`;

/** Whether a queue holds chunks, of whatever version. */
export function isChunksQueue(name: string): boolean {
  return name.startsWith(QUEUE_PREFIX) && !name.endsWith(SUFFIX);
}
