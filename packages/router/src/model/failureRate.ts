/** The answers that a bin remembers; older ones fade. */
const MEMORY = 1000;
/** Before the first answer, an upstream counts as one that has answered this often without failing. */
const PRIOR = 20;
/** Before the first run of failures, what follows a failure counts as this many answers that failed as often as any. */
const PRIOR_IN_RUN = 2;
/** Bins per doubling of the load. They are fine, because a server with a limit fails at 16 requests and not at 15. */
const BINS_PER_DOUBLING = 32;
/** A single failure at a load that the upstream has never carried counts until it has faded to this. */
const FADED = 0.5;
/** A failure of a request that was sent at most this many requests away from another failure belongs to its run. */
const NEAR = 3;

/** A number of answers, and of failures among them, both fading. */
export interface Answers {
  answers: number;
  failures: number;
}

/** The state of a FailureRate, JSON-safe. */
export interface FailureRateSnapshot {
  /** Answers outside of runs, by bin of the load. */
  readonly scattered: readonly Answers[];
  readonly inRuns: Answers;
  readonly failed: number;
  /** The smallest load of a failure in the present run; null if there is none. */
  readonly runLoad: number | null;
  /** The numbers of the last requests that failed and that succeeded; null if there is none. */
  readonly lastFailure: number | null;
  readonly lastSuccess: number | null;
}

/**
 * How likely the next request to an upstream fails, given the number of this router's own requests in flight there.
 *
 * Failures that come in runs, since an upstream is down, are told from scattered ones: while a run lasts, the next failure is nearly certain, and the first success ends it.
 * Runs are by the order in which requests were sent: when an upstream has hung, the timeouts of old requests come between the answers of new ones, and say nothing new.
 *
 * Scattered failures are counted by the load at which their requests were sent, and the rate never falls as the load grows. A server that refuses requests when it is full
 * does not lose those that it has room for: everybody would flee from it, to the next one, and fill that.
 *
 * Everything fades by the upstream's own answers, not with time or rounds: an upstream that is hardly asked does not become trustworthy by that.
 */
export class FailureRate {
  readonly #scattered: Answers[];
  readonly #inRuns: Answers;
  /** The failures of all bins and runs, fading. */
  #failed: number;
  #runLoad: number | null;
  #lastFailure: number | null;
  #lastSuccess: number | null;
  /** By bin, the bins that were pooled, from the counts as they are; null if they have changed since. */
  #pooled: readonly Answers[] | null = null;

  constructor({ scattered, inRuns, failed, runLoad, lastFailure, lastSuccess }: FailureRateSnapshot = NOTHING) {
    this.#scattered = scattered.map((answers) => ({ ...answers }));
    this.#inRuns = { ...inRuns };
    this.#failed = failed;
    this.#runLoad = runLoad;
    this.#lastFailure = lastFailure;
    this.#lastSuccess = lastSuccess;
  }

  /** Learns the outcome of the upstream's request of a number, which was sent while `load` others were under way. */
  observe(isFailure: boolean, load: number, request: number): void {
    this.#failed += (isFailure ? 1 : 0) - this.#failed / MEMORY;
    const isNear = isFailure && this.#lastFailure !== null && Math.abs(request - this.#lastFailure) <= NEAR;
    if (this.#runLoad !== null || isNear) count(this.#inRuns, isFailure);
    else {
      const bin = binOf(load);
      while (this.#scattered.length <= bin) this.#scattered.push({ answers: 0, failures: 0 });
      count(this.#scattered[bin]!, isFailure);
      this.#pooled = null;
    }
    if (!isFailure) {
      this.#lastSuccess = Math.max(this.#lastSuccess ?? 0, request);
      this.#runLoad = null;
      return;
    }
    this.#lastFailure = Math.max(this.#lastFailure ?? 0, request);
    if (request > (this.#lastSuccess ?? -1)) this.#runLoad = Math.min(this.#runLoad ?? load, load);
  }

  rate(load: number): number {
    const scattered = this.#scatteredRate(load);
    if (this.#runLoad === null || load < this.#runLoad) return scattered;
    const { answers, failures } = this.#inRuns;
    return Math.max(scattered, (failures + PRIOR_IN_RUN * scattered) / (answers + PRIOR_IN_RUN));
  }

  /** Whether a request that was sent after the one of a number has succeeded. */
  hasSucceededSince(request: number): boolean {
    return this.#lastSuccess !== null && this.#lastSuccess > request;
  }

  snapshot(): FailureRateSnapshot {
    return {
      scattered: this.#scattered.map((answers) => ({ ...answers })),
      inRuns: { ...this.#inRuns },
      failed: this.#failed,
      runLoad: this.#runLoad,
      lastFailure: this.#lastFailure,
      lastSuccess: this.#lastSuccess,
    };
  }

  #scatteredRate(load: number): number {
    if (this.#failed <= FADED) return 0;
    this.#pooled ??= rising(this.#scattered);
    const pooled = this.#pooled[Math.min(binOf(load), this.#pooled.length - 1)];
    if (pooled === undefined) return 0;
    // Above the loads that it has carried, where everything failed, the upstream has a limit. Elsewhere all failures count less the standard error of their number: one
    // failure says nothing, and does not cost a good upstream its place.
    if (pooled.failures === pooled.answers && pooled !== this.#pooled[0]) return shareOf(pooled);
    return this.#failed <= 1 ? 0 : (1 - 1 / Math.sqrt(this.#failed)) * shareOf(pooled);
  }
}

const NOTHING: FailureRateSnapshot = {
  scattered: [],
  inRuns: { answers: 0, failures: 0 },
  failed: 0,
  runLoad: null,
  lastFailure: null,
  lastSuccess: null,
};

function binOf(load: number): number {
  return Math.floor(BINS_PER_DOUBLING * Math.log2(load + 1));
}

function count(counts: Answers, isFailure: boolean): void {
  counts.answers += 1 - counts.answers / MEMORY;
  counts.failures += (isFailure ? 1 : 0) - counts.failures / MEMORY;
}

/**
 * For each bin, its block: neighbours are pooled until the rates rise with the load. A bin without answers has the block of the one below; those below the lowest bin with
 * answers have that bin's. Nothing, if nothing failed.
 */
function rising(bins: readonly Answers[]): readonly Answers[] {
  if (bins.every(({ failures }) => failures === 0)) return [];
  const blocks: (Answers & { first: number })[] = [];
  for (const [first, bin] of bins.entries()) {
    if (bin.answers === 0) continue;
    const block = { first, ...bin };
    for (let below = blocks.at(-1); below !== undefined && shareOf(below) >= shareOf(block); below = blocks.at(-1)) {
      blocks.pop();
      block.answers += below.answers;
      block.failures += below.failures;
      block.first = below.first;
    }
    blocks.push(block);
  }
  let at = 0;
  return bins.map((_, bin) => {
    while (at + 1 < blocks.length && blocks[at + 1]!.first <= bin) at++;
    return blocks[at]!;
  });
}

function shareOf({ answers, failures }: Answers): number {
  return failures / (answers + PRIOR);
}
