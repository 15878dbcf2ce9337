import type { Route } from "../model/route.js";
import type { RecentSummary, UpstreamExplanation } from "./explanation.js";

/**
 * One sentence that explains the favourite, with the numbers that support it. `withoutLoad` would be the favourite if there were no load, and `alone` if there were neither
 * load nor failures; null if there would be none. `rests` says who is left alone on request.
 */
export function why(
  { policy, takesKnownCosts }: Route,
  upstreams: readonly UpstreamExplanation[],
  favourite: number | null,
  withoutLoad: number | null,
  alone: number | null,
  rests: (arm: number) => boolean,
  inSeconds: boolean,
): string {
  const name = policy.spec.policy;
  if (upstreams.length === 0) return "There is no upstream.";
  if (upstreams.length === 1) return `${upstreams[0]!.upstream} is the only upstream.`;
  const blind = takesKnownCosts ? "" : ` ${name} cannot use what is known about load and failures, so the router routes without that.`;
  if (upstreams[0]!.probability === null) return `${name} does not report its probabilities, so there is no favourite to explain.${blind}`;
  if (favourite === null) return `There is no favourite yet: the most probable upstreams are equally probable.${blind}`;
  const mine = upstreams[favourite]!;
  const subject = `${mine.upstream} is the favourite with ${percent(mine.probability!)} of the next requests`;
  if (withoutLoad !== null && withoutLoad !== favourite) {
    const { upstream, open, load, restSeconds } = upstreams[withoutLoad]!;
    if (rests(withoutLoad)) return `${subject}, because ${upstream} has asked to be left alone for another ${Math.ceil(restSeconds)} s.`;
    return `${subject} because of load: ${upstream}, the favourite at rest, has ${open} requests in flight, which makes it ${Number(load!.factor.toPrecision(3))} times as slow.`;
  }
  if (alone !== null && alone !== favourite) {
    const { upstream, failureRate } = upstreams[alone]!;
    return `${subject} because of failures: ${upstream} would be the favourite, but it is likely to fail ${percent(failureRate)} of the time.`;
  }
  const next = upstreams.filter((each) => each !== mine).reduce((a, b) => (b.probability! > a.probability! ? b : a));
  return `${subject}${comparison(mine, next, inSeconds)}.${blind}`;
}

function comparison(favourite: UpstreamExplanation, second: UpstreamExplanation, inSeconds: boolean): string {
  const [mine, other] = [withCost(favourite), withCost(second)];
  const { upstream: next } = second;
  if (mine === null) return ": nothing is known about it yet, and the others have been worse than expected";
  const failing = `it has failed ${percent(mine.failureShare)} of the time`;
  const ours = `of its last ${mine.count} losses${favourite.cost + second.cost > 0 ? ", with its cost," : ""} is`;
  if (other === null) return `: the median ${ours} ${lossText(mine.p50, inSeconds)}, ${failing}, and nothing is known about the next (${next}) yet`;
  const failures = `${failing} against ${percent(other.failureShare)}`;
  const against = (a: number, b: number) => `${lossText(a, inSeconds)} against ${lossText(b, inSeconds)}`;
  const medians = `the median ${ours} ${against(mine.p50, other.p50)} for the next (${next})`;
  if (mine.p50 <= other.p50) return `: ${medians}, and ${failures}`;
  if (mine.mean > other.mean) return ` from what was learned before, although ${medians}, and ${failures}`;
  const means = `the mean ${ours} ${against(mine.mean, other.mean)} for the next (${next})`;
  return `: ${means}, although its median is higher (${against(mine.p50, other.p50)}), and ${failures}`;
}

/** What was measured, and what the upstream costs besides. */
function withCost({ recent, cost }: UpstreamExplanation): RecentSummary | null {
  return recent === null ? null : { ...recent, p50: recent.p50 + cost, mean: recent.mean + cost };
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`;
}

/** Seconds appear as milliseconds; losses in other units appear as plain numbers. */
function lossText(loss: number, inSeconds: boolean): string {
  return inSeconds ? `${Number((1000 * loss).toPrecision(3))} ms` : String(Number(loss.toPrecision(3)));
}
