// viem's `fallback` transport with `rank`. Source: viem.sh/docs/clients/transports/fallback and src/clients/transports/fallback.ts: every upstream is pinged, a ping
// fails after `timeout` 1 s; when all have answered, the last `sampleCount` 10 rounds are scored, 0.7 times the share of pings that succeeded plus 0.3 times
// 1 - mean / maximum, the maximum being that of all upstreams; an upstream whose pings all failed scores 0. The best score gets every request (equal
// ones: the first in the list) until the next ranking; the next round of pings is sent `interval` 4 s later (the default `pollingInterval`).
// Before the first ranking, the first in the list. Deviations: a ping is as slow as a request (viem pings with `net_listening`, which may be
// faster); a failed request is not sent again to the next in the list, since nobody's is here. The pings are not counted among the requests.
import type { Rule, RuleContext } from "./rule.js";

const INTERVAL = 4_000;
const TIMEOUT = 1_000;
const SAMPLES = 10;
const WEIGHTS = { latency: 0.3, stability: 0.7 };

export function viemRank({ upstreams, ping }: Pick<RuleContext, "upstreams" | "ping">): Rule {
  /** The latencies of the newest rounds of pings; Infinity where one failed. */
  const rounds: number[][] = [];
  let favourite = 0;
  let round = send(0);

  function send(at: number): { readonly latencies: number[]; readonly end: number } {
    const latencies = Array.from({ length: upstreams }, (_, upstream) => ping(upstream, at));
    return { latencies: latencies.map((each) => (each > TIMEOUT ? Infinity : each)), end: at + Math.min(Math.max(...latencies), TIMEOUT) };
  }

  function score(upstream: number, longest: number): number {
    let succeeded = 0;
    let waited = 0;
    for (const latencies of rounds) {
      if (latencies[upstream]! < Infinity) succeeded++;
      waited += Math.min(latencies[upstream]!, TIMEOUT);
    }
    if (succeeded === 0) return 0;
    return WEIGHTS.latency * (1 - waited / rounds.length / longest) + (WEIGHTS.stability * succeeded) / rounds.length;
  }

  function rank(): void {
    rounds.push(round.latencies);
    if (rounds.length > SAMPLES) rounds.shift();
    const longest = Math.min(Math.max(...rounds.flat()), TIMEOUT);
    const scores = Array.from({ length: upstreams }, (_, upstream) => score(upstream, longest));
    favourite = scores.indexOf(Math.max(...scores));
  }

  return {
    choose(_request, now) {
      while (round.end <= now) {
        rank();
        round = send(round.end + INTERVAL);
      }
      return favourite;
    },
    answered() {},
  };
}
