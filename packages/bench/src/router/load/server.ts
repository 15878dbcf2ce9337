import { firstCome } from "./firstCome.js";
import { processorSharing } from "./processorSharing.js";

/** A server with some cores, in simulated time (milliseconds). Its requests are numbers. It is asked in the order of time. */
export interface Server {
  /** When the next request is done, if no other comes before that; Infinity if there is none. */
  readonly next: number;
  /** Takes a request that needs `work` milliseconds on a core of its own. */
  accept(now: number, request: number, work: number): void;
  /** Takes out the request that is done at `next`. */
  finish(): number;
}

/** How a server shares its cores among more requests than it has cores. */
export type Discipline = "processor sharing" | "first come";

export function createServer(discipline: Discipline, cores: number): Server {
  return discipline === "first come" ? firstCome(cores) : processorSharing(cores);
}
