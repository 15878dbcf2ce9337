/** A bin remembers this many latencies; older ones fade. */
export const MEMORY = 256;
/** A bin with fewer latencies than this says nothing about the curve. */
const ENOUGH = 4;
/** A load at which fewer latencies than this were seen counts as never seen. */
const SEEN = 2;
/** The standard errors by which a rise must exceed nothing. */
const CAUTION = 0.75;
/** The curve is fitted again after this many latencies, or at once while a bin has few. */
const REFIT = 16;
/** Beyond the largest load seen, the factor grows with the root of the load: by 2^(1/4) per bin, since a bin is a factor of root 2. */
const GROWTH = 0.25;
/** Below this many latencies, a bin leans on what the router's other upstreams do at that load. */
const OWN = 64;
/** No load makes an upstream look slower than this many times its latency at rest, so that whatever is computed from that is a number. */
const LARGEST_FACTOR = 1e9;
export const LARGEST_RISE = Math.log(LARGEST_FACTOR);
/** Shorter latencies count as this: 0 has no logarithm. */
const SHORTEST = 1e-6;
/** The mean at rest remembers this many latencies; older ones fade. */
const REST_MEMORY = 64;
/** From the fourth latency on, one counts in the mean at rest as at most this many times the mean. */
const LARGEST_AT_REST = 10;

/** The latencies of a range of loads: how many are remembered, and the mean and variance of their logarithms. */
export interface LoadBin {
  weight: number;
  mean: number;
  variance: number;
}

/** A mean, and the number of values that it remembers. */
export interface CountedMean {
  count: number;
  mean: number;
}

/** The state of a Latency, JSON-safe. */
export interface LatencySnapshot {
  readonly rest: CountedMean;
  readonly bins: readonly LoadBin[];
  readonly rises: readonly number[];
  readonly unfitted: number;
}

/** A point of the curve: the factor with this number of requests in flight. */
export interface LoadPoint {
  readonly inFlight: number;
  readonly factor: number;
}

/**
 * The latency of an upstream with n of this router's own requests in flight there: its mean at rest, times a factor that depends on n. Latencies are relative to the level of
 * their route, since all routes share what is known of an upstream.
 *
 * The bins of n are 0, 1, 2, 3-4, 5-6, 7-10, 11-14 and so on, floor(2 log2(n + 1)). Each keeps the mean of the logarithm of latency, because heavy tails have light
 * logarithms. Neighbours whose means fall as the load grows are pooled until the means rise, and a rise counts only as far as it exceeds its own uncertainty. Straight lines
 * connect the middles of what was pooled. Beyond what was seen the factor grows: an upstream is trusted with as many requests as it has carried, and a little more.
 *
 * Until an upstream has been seen at a load, the factors of all upstreams together speak for it, if they are steeper: doubt must not mean that load does not matter.
 *
 * That n may be high because the upstream is slow, and not the other way round, does no harm: what counts is that n predicts latency.
 */
export class Latency {
  readonly #rest: CountedMean;
  readonly #bins: LoadBin[];
  /** The logarithm of the factor, by bin, up to the largest load seen. */
  #rises: readonly number[];
  /** Latencies since the last fit. */
  #unfitted: number;

  constructor({ rest, bins, rises, unfitted }: LatencySnapshot = { rest: { count: 0, mean: 0 }, bins: [], rises: [0], unfitted: 0 }) {
    this.#rest = { ...rest };
    this.#bins = bins.map((bin) => ({ ...bin }));
    this.#rises = rises;
    this.#unfitted = unfitted;
  }

  /** The mean at rest, robustly, and how many latencies it is of. */
  get rest(): Readonly<CountedMean> {
    return this.#rest;
  }

  /** Learns the latency of a request that was sent while `inFlight` others were under way, which made it `factor` times as long. */
  observe(inFlight: number, latency: number, factor: number): void {
    const rest = this.#rest;
    const alone = Math.max(latency, SHORTEST) / factor;
    const cut = rest.count < 3 ? alone : Math.min(alone, LARGEST_AT_REST * rest.mean);
    rest.count = Math.min(rest.count + 1, REST_MEMORY);
    rest.mean += (cut - rest.mean) / rest.count;
    this.observeAtLeast(inFlight, latency);
  }

  /** Learns that a request took at least this long, and was then given up. */
  observeAtLeast(inFlight: number, latency: number): void {
    const k = binOf(inFlight);
    while (this.#bins.length <= k) this.#bins.push({ weight: 0, mean: 0, variance: 0 });
    const bin = this.#bins[k]!;
    bin.weight = Math.min(bin.weight + 1, MEMORY);
    const fresh = 1 / bin.weight;
    const residual = Math.log(Math.max(latency, SHORTEST)) - bin.mean;
    bin.mean += fresh * residual;
    bin.variance = (1 - fresh) * (bin.variance + fresh * residual * residual);
    this.#unfitted++;
    if (bin.weight <= REFIT || this.#unfitted >= REFIT) this.#fit();
  }

  /** `peers` is the latency of all upstreams together, which is known better at first; with `doubt`, in [0, 1], latency is taken to grow with the root of the load. */
  factor(inFlight: number, peers?: Latency, doubt = 0): number {
    const place = placeOf(inFlight);
    const own = this.#rise(place);
    const weight = this.#bins[Math.floor(place)]?.weight ?? 0;
    if (peers === undefined || weight >= OWN) return Math.min(Math.exp(own), LARGEST_FACTOR);
    const others = Math.max(peers.#rise(place), doubt * GROWTH * Math.LN2 * place);
    return Math.min(Math.exp(own + Math.max(0, others - own) * (1 - weight / OWN)), LARGEST_FACTOR);
  }

  /** Straight lines between the middles of the bins: with steps, an upstream is filled to the edge of its bin before the next one gets anything. */
  #rise(place: number): number {
    const rises = this.#rises;
    const last = rises.length - 1;
    if (place >= middleOf(last)) return rises[last]! + GROWTH * Math.LN2 * (place - middleOf(last));
    let k = Math.floor(place);
    if (place < middleOf(k)) k--;
    if (k < 0) return rises[0]!;
    const share = (place - middleOf(k)) / (middleOf(k + 1) - middleOf(k));
    return Math.min(rises[k]! + share * (rises[k + 1]! - rises[k]!), rises[k + 1]!);
  }

  /** The curve at the smallest load of each bin that was seen; where it is flat, only its beginning. */
  points(): LoadPoint[] {
    const rises = this.#rises.map((_, k) => this.#rise(placeOf(leastOf(k))));
    return rises.flatMap((rise, k) => (k === 0 || rise > rises[k - 1]! ? [{ inFlight: leastOf(k), factor: Math.exp(rise) }] : []));
  }

  snapshot(): LatencySnapshot {
    return { rest: { ...this.#rest }, bins: this.#bins.map((bin) => ({ ...bin })), rises: this.#rises, unfitted: this.#unfitted };
  }

  #fit(): void {
    const blocks = this.#blocks();
    let largest = this.#bins.length - 1;
    while (largest > 0 && this.#bins[largest]!.weight < SEEN) largest--;
    const rest = blocks[0];
    const rises: number[] = [];
    let below = { place: 0, rise: 0 };
    let above = below;
    let next = 1;
    for (let k = 0; k <= Math.max(largest, 0); k++) {
      const place = middleOf(k);
      for (; next < blocks.length && place > above.place; next++) {
        const block = blocks[next]!;
        const seen = block.mean - rest!.mean - CAUTION * Math.sqrt(block.variance / block.weight + rest!.variance / rest!.weight);
        below = next === 1 ? { place: rest!.place, rise: 0 } : above;
        above = { place: block.place, rise: Math.max(above.rise, Math.min(seen, LARGEST_RISE)) };
      }
      const share = place >= above.place ? 1 : Math.max(0, (place - below.place) / (above.place - below.place));
      rises.push(Math.max(k === 0 ? 0 : rises[k - 1]!, Math.min(below.rise + share * (above.rise - below.rise), above.rise)));
    }
    this.#rises = rises;
    this.#unfitted = 0;
  }

  /** Pools adjacent violators, so that the means rise from block to block. */
  #blocks(): Block[] {
    const blocks: Block[] = [];
    for (let k = 0; k < this.#bins.length; k++) {
      const { weight, mean, variance } = this.#bins[k]!;
      if (weight < ENOUGH) continue;
      let block = { place: middleOf(k), weight, mean, variance };
      while (blocks.length > 0 && blocks[blocks.length - 1]!.mean >= block.mean) block = pooled(blocks.pop()!, block);
      blocks.push(block);
    }
    return blocks;
  }
}

/** Bins that were pooled, and the middle of their places. */
interface Block extends LoadBin {
  place: number;
}

function pooled(a: Block, b: Block): Block {
  const weight = a.weight + b.weight;
  return {
    place: (a.weight * a.place + b.weight * b.place) / weight,
    weight,
    mean: (a.weight * a.mean + b.weight * b.mean) / weight,
    variance: (a.weight * a.variance + b.weight * b.variance) / weight,
  };
}

/** Where a load is among the bins: bin k holds the places from k to k + 1. */
function placeOf(inFlight: number): number {
  return 2 * Math.log2(inFlight + 1);
}

function binOf(inFlight: number): number {
  return Math.floor(placeOf(inFlight));
}

/** The place in the middle of the loads of a bin. */
function middleOf(bin: number): number {
  return MIDDLES[Math.min(bin, MIDDLES.length - 1)]!;
}

/** The smallest number of requests in flight of a bin. */
function leastOf(bin: number): number {
  return Math.ceil(2 ** (bin / 2) - 1e-9) - 1;
}

const MIDDLES = new Float64Array(128).map((_, bin) => placeOf(Math.max(leastOf(bin), (leastOf(bin) + leastOf(bin + 1) - 1) / 2)));
