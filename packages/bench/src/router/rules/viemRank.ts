// viem's `fallback` transport with `rank`. Sources: viem.sh/docs/clients/transports/fallback, and `rankTransports` in src/clients/transports/fallback.ts of
// github.com/wevm/viem. Every upstream is pinged, and a ping fails after `timeout`, 1 s. When all pings are over, the last 10 rounds (`sampleCount`) are scored:
// 0.7 times the share of pings that succeeded, plus 0.3 times 1 - mean / maximum, where the maximum is over all upstreams. An upstream whose pings all failed
// scores 0. The upstream with the best score gets every request until the next ranking; of equal ones, the first in the list does. The next round of pings is
// sent `interval` later, 4 s (the default `pollingInterval`). Before the first ranking, the first upstream in the list gets every request.
// Deviations: a ping is as slow as a request (viem pings with `net_listening`, which may be faster). A failed request is not sent again to the next in the list,
// as no rule here sends one again. The pings are not counted among the requests.
import type { Rule, RuleContext } from "./rule.js";

const INTERVAL_MS = 4_000;
const TIMEOUT_MS = 1_000;
const SAMPLES = 10;
const WEIGHTS = { latency: 0.3, stability: 0.7 };

export function viemRank({ upstreams, ping }: Pick<RuleContext, "upstreams" | "ping">): Rule {
  /** The latencies of the newest rounds of pings; Infinity where one failed. */
  const rounds: number[][] = [];
  let favourite = 0;
  let round = send(0);

  function send(at: number): { readonly latencies: number[]; readonly end: number } {
    const latencies = Array.from({ length: upstreams }, (_, upstream) => ping(upstream, at));
    return { latencies: latencies.map((each) => (each > TIMEOUT_MS ? Infinity : each)), end: at + Math.min(Math.max(...latencies), TIMEOUT_MS) };
  }

  function score(upstream: number, longest: number): number {
    let succeeded = 0;
    let waited = 0;
    for (const latencies of rounds) {
      if (latencies[upstream]! < Infinity) succeeded++;
      waited += Math.min(latencies[upstream]!, TIMEOUT_MS);
    }
    if (succeeded === 0) return 0;
    return WEIGHTS.latency * (1 - waited / rounds.length / longest) + (WEIGHTS.stability * succeeded) / rounds.length;
  }

  function rank(): void {
    rounds.push(round.latencies);
    if (rounds.length > SAMPLES) rounds.shift();
    const longest = Math.min(Math.max(...rounds.flat()), TIMEOUT_MS);
    const scores = Array.from({ length: upstreams }, (_, upstream) => score(upstream, longest));
    favourite = scores.indexOf(Math.max(...scores));
  }

  return {
    choose(_request, now) {
      while (round.end <= now) {
        rank();
        round = send(round.end + INTERVAL_MS);
      }
      return favourite;
    },
    answered() {},
  };
}
