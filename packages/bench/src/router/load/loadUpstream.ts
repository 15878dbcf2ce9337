import type { Distribution } from "tsallis";
import { cappedMean } from "../worlds/upstream.js";
import type { Discipline } from "./server.js";

/** An upstream whose latency depends on what is sent to it. Times are in milliseconds. */
export interface LoadUpstream {
  /** How long a request takes on a core of its own. */
  readonly work: Distribution;
  /** With Infinity, load does not matter. */
  readonly cores: number;
  readonly discipline: Discipline;
  /** The time that a request and its answer spend on the way, together. */
  readonly roundTrip: number;
  /** The share of the requests that fail, at their end. */
  readonly fails: number;
  /** A part of the run in which every request fails, `after` milliseconds after it was sent, and causes no work. */
  readonly refuses: { readonly from: number; readonly to: number; readonly after: number };
  /** With so many requests there, the server answers every other with a failure at once, and it causes no work. */
  readonly limit: number;
  /** A time in which no request progresses, and those that come wait. */
  readonly hangs: { readonly from: number; readonly to: number };
}

/** An upstream with one core that neither fails nor limits anything, except as the options say. */
export function loadUpstream(options: Partial<LoadUpstream> & Pick<LoadUpstream, "work">): LoadUpstream {
  return {
    cores: 1,
    discipline: "processor sharing",
    roundTrip: 0,
    fails: 0,
    refuses: { from: 0, to: 0, after: 0 },
    limit: Infinity,
    hangs: { from: 0, to: 0 },
    ...options,
  };
}

export function isRefusing({ refuses }: LoadUpstream, progress: number): boolean {
  return progress >= refuses.from && progress < refuses.to;
}

/** The mean cost of a request where load does not matter; a failure costs the timeout. */
export function meanCost(upstream: LoadUpstream, progress: number, timeout: number): number {
  if (isRefusing(upstream, progress)) return timeout;
  const { work, roundTrip, fails } = upstream;
  return fails * timeout + (1 - fails) * (roundTrip + cappedMean(work, 1, timeout - roundTrip));
}
