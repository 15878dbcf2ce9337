// What an upstream costs by peak-EWMA. Sources: tower's `load::peak_ewma` (github.com/tower-rs/tower, tower/src/load/peak_ewma.rs), which derives from
// Finagle's PeakEwma; the constants are those of linkerd2-proxy (github.com/linkerd/linkerd2-proxy, linkerd/app/outbound/src/http/logical/profile.rs): decay
// 10 s, first estimate 30 ms. The cost of an upstream is its estimate times one more than the number of requests that it has not answered. A latency above
// the estimate replaces it. A latency below moves it by the share 1 - e^(-t / decay), where t is the time since the last update. Looking at an upstream counts
// as a latency of 0, so that the estimate fades. A failure counts as the time that it took, so fast failures attract traffic; linkerd's
// documentation says so too (linkerd.io/2-edge/tasks/rate-limit-aware-load-balancing). Deviations: none. Linkerd's circuit breaking and load biaser, which have
// to be turned on, are left out.

const DECAY_MS = 10_000;
const FIRST_MS = 30;

export class PeakEwmaCosts {
  readonly #estimates: Float64Array;
  readonly #updated: Float64Array;
  readonly #outstanding: Int32Array;

  constructor(upstreams: number) {
    this.#estimates = new Float64Array(upstreams).fill(FIRST_MS);
    this.#updated = new Float64Array(upstreams);
    this.#outstanding = new Int32Array(upstreams);
  }

  /** The cost of one more request. */
  cost(upstream: number, now: number): number {
    this.#observe(upstream, now, 0);
    return this.#estimates[upstream]! * (this.#outstanding[upstream]! + 1);
  }

  sent(upstream: number): void {
    this.#outstanding[upstream]!++;
  }

  answered(upstream: number, now: number, latency: number): void {
    this.#outstanding[upstream]!--;
    this.#observe(upstream, now, latency);
  }

  #observe(upstream: number, now: number, latency: number): void {
    const estimate = this.#estimates[upstream]!;
    const kept = Math.exp((this.#updated[upstream]! - now) / DECAY_MS);
    this.#estimates[upstream] = latency > estimate ? latency : estimate * kept + latency * (1 - kept);
    this.#updated[upstream] = now;
  }
}
