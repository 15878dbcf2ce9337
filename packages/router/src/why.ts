import type { UpstreamExplanation } from "./explanation.js";

/** One sentence on why the favourite is the favourite, with the numbers that speak for it. */
export function why(policy: string, tells: boolean, favourite: UpstreamExplanation | null, next: UpstreamExplanation, plain: boolean): string {
  if (!tells) return `${policy} does not tell its probabilities, so there is no favourite to explain.`;
  if (favourite === null) return "There is no favourite yet: the most probable upstreams are equally probable.";
  const subject = `${favourite.upstream} is the favourite with ${percent(favourite.probability!)} of the requests`;
  const [mine, other] = [favourite.recent, next.recent];
  if (mine === null) return `${subject}: nothing is known of it yet, and the others have been worse than expected.`;
  const failing = `it has failed ${percent(mine.failureShare)} of the time`;
  if (other === null)
    return `${subject}: the median of its last ${mine.count} is ${show(mine.p50, plain)}, ${failing}, and nothing is known of the next (${next.upstream}) yet.`;
  const failures = `${failing} against ${percent(other.failureShare)}`;
  const medians = `the median of its last ${mine.count} is ${show(mine.p50, plain)} against ${show(other.p50, plain)} of the next (${next.upstream})`;
  if (mine.p50 <= other.p50) return `${subject}: ${medians}, and ${failures}.`;
  const means = `the mean of its last ${mine.count} is ${show(mine.mean, plain)} against ${show(other.mean, plain)} of the next (${next.upstream})`;
  if (mine.mean <= other.mean)
    return `${subject}: ${means}, although its median is higher (${show(mine.p50, plain)} against ${show(other.p50, plain)}), and ${failures}.`;
  return `${subject} from what was learned before, although ${medians}, and ${failures}.`;
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`;
}

/** Seconds as milliseconds; plain numbers where the losses are something else. */
function show(loss: number, plain: boolean): string {
  return plain ? String(Number(loss.toPrecision(3))) : `${Number((1000 * loss).toPrecision(3))} ms`;
}
