import type { UpstreamExplanation } from "./explanation.js";

/** One sentence that explains the favourite, with the numbers that support it. */
export function why(policy: string, tells: boolean, favourite: UpstreamExplanation | null, next: UpstreamExplanation, inSeconds: boolean): string {
  if (!tells) return `${policy} does not report its probabilities, so there is no favourite to explain.`;
  if (favourite === null) return "There is no favourite yet: the most probable upstreams are equally probable.";
  const subject = `${favourite.upstream} is the favourite with ${percent(favourite.probability!)} of the requests`;
  const [mine, other] = [favourite.recent, next.recent];
  if (mine === null) return `${subject}: nothing is known about it yet, and the others have been worse than expected.`;
  const failing = `it has failed ${percent(mine.failureShare)} of the time`;
  if (other === null)
    return `${subject}: the median of its last ${mine.count} losses is ${lossText(mine.p50, inSeconds)}, ${failing}, and nothing is known about the next (${next.upstream}) yet.`;
  const failures = `${failing} against ${percent(other.failureShare)}`;
  const medians = `the median of its last ${mine.count} losses is ${lossText(mine.p50, inSeconds)} against ${lossText(other.p50, inSeconds)} for the next (${next.upstream})`;
  if (mine.p50 <= other.p50) return `${subject}: ${medians}, and ${failures}.`;
  const means = `the mean of its last ${mine.count} losses is ${lossText(mine.mean, inSeconds)} against ${lossText(other.mean, inSeconds)} for the next (${next.upstream})`;
  if (mine.mean <= other.mean)
    return `${subject}: ${means}, although its median is higher (${lossText(mine.p50, inSeconds)} against ${lossText(other.p50, inSeconds)}), and ${failures}.`;
  return `${subject} from what was learned before, although ${medians}, and ${failures}.`;
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`;
}

/** Seconds appear as milliseconds; losses in other units appear as plain numbers. */
function lossText(loss: number, inSeconds: boolean): string {
  return inSeconds ? `${Number((1000 * loss).toPrecision(3))} ms` : String(Number(loss.toPrecision(3)));
}
