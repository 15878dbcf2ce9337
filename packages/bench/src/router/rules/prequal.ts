// Prequal. Source: Wydrowski, Kleinberg, Rumble and Archer, "Load is not what you should balance: introducing Prequal", NSDI 2024, with its constants. Every request sends 3 probes to
// different upstreams at random. A probe's answer is the number of requests in flight there (RIF) and the latency to expect at that number. The newest 16 answers of the last second
// are kept; with every request one of them goes, in turns the oldest and the worst. Hot-cold rule: an answer is hot if its RIF is above the quantile 2^(-1/4) of those of the last
// probes. If all are hot, the one with the smallest RIF gets the request; otherwise the cold one with the smallest latency. Its RIF then counts one more. With fewer than 2 answers, the
// upstream is random. Deviations: probes are answered at once and cause no load; a server's RIF is that of this router's requests, so several routers do not see each other's; the expected
// latency is the median of the last 16 latencies of answered requests whose RIF at arrival was nearest, in bins of powers of two; an answer is used once, since with few upstreams the
// paper's formula for reuse has no solution; the quantile is over the last 64 probes. A failure counts as the time that it took.
import type { Rng } from "tsallis";
import type { Rule, RuleContext } from "./rule.js";

const PROBES = 3;
const POOL = 16;
const EXPIRY_MS = 1000;
const HOT = 2 ** -0.25;
const SEEN = 64;
const LATENCIES = 16;

/** The answer to a probe. */
interface Probe {
  readonly upstream: number;
  readonly at: number;
  readonly latency: number;
  rif: number;
}

export function prequal({ upstreams, rng }: Pick<RuleContext, "upstreams" | "rng">): Rule {
  const inFlight = new Int32Array(upstreams);
  /** By upstream and bin of the RIF at arrival. */
  const latencies = Array.from({ length: upstreams }, (): number[][] => []);
  const rifOf = new Map<number, number>();
  const seen: number[] = [];
  let pool: Probe[] = [];
  let removesOldest = true;

  function probe(upstream: number, now: number): void {
    const rif = inFlight[upstream]!;
    pool.push({ upstream, at: now, rif, latency: expected(latencies[upstream]!, binOf(rif)) });
    seen.push(rif);
    if (seen.length > SEEN) seen.shift();
  }

  /** The position of the probe that the hot-cold rule prefers, or of the one that it likes least. */
  function ranked(isBest: boolean): number {
    const limit = [...seen].sort((a, b) => a - b)[Math.ceil(HOT * seen.length) - 1]!;
    const isHot = ({ rif }: Probe) => rif > limit;
    const isBetter = (a: Probe, b: Probe) => {
      if (isHot(a) !== isHot(b)) return isHot(b);
      return isHot(a) ? a.rif < b.rif : a.latency < b.latency;
    };
    let found = 0;
    for (let i = 1; i < pool.length; i++) if (isBest ? isBetter(pool[i]!, pool[found]!) : isBetter(pool[found]!, pool[i]!)) found = i;
    return found;
  }

  return {
    choose(request, now) {
      for (const upstream of different(Math.min(PROBES, upstreams), upstreams, rng)) probe(upstream, now);
      pool = pool.filter(({ at }) => now - at <= EXPIRY_MS).slice(-POOL);
      const chosen = pool.length < 2 ? Math.floor(rng.uniform() * upstreams) : pool.splice(ranked(true), 1)[0]!.upstream;
      if (pool.length > 0) pool.splice(removesOldest ? 0 : ranked(false), 1);
      removesOldest = !removesOldest;
      for (const each of pool) if (each.upstream === chosen) each.rif++;
      rifOf.set(request, inFlight[chosen]!);
      inFlight[chosen]!++;
      return chosen;
    },
    answered(request, upstream, _now, latency) {
      inFlight[upstream]!--;
      const bin = binOf(rifOf.get(request)!);
      rifOf.delete(request);
      const bins = latencies[upstream]!;
      while (bins.length <= bin) bins.push([]);
      bins[bin]!.push(latency);
      if (bins[bin]!.length > LATENCIES) bins[bin]!.shift();
    },
  };
}

function binOf(rif: number): number {
  return Math.floor(Math.log2(rif + 1));
}

/** The median of the nearest bin that has latencies; 0 if there is none. */
function expected(bins: readonly (readonly number[])[], bin: number): number {
  for (let far = 0; far <= Math.max(bin, bins.length); far++) {
    const near = [bins[bin - far], bins[bin + far]].find((each) => each !== undefined && each.length > 0);
    if (near !== undefined) return [...near].sort((a, b) => a - b)[near.length >> 1]!;
  }
  return 0;
}

/** So many different numbers below n, all sets equally likely. */
function different(count: number, n: number, rng: Rng): number[] {
  const chosen: number[] = [];
  while (chosen.length < count) {
    const one = Math.floor(rng.uniform() * n);
    if (!chosen.includes(one)) chosen.push(one);
  }
  return chosen;
}
