import { print } from "@tsallis/cli/dist/text/output.js";
import { formatTable } from "@tsallis/cli/dist/text/textTable.js";
import { inThreads } from "../../inThreads.js";
import { requireCount } from "../../requireCount.js";
import { meanInterval } from "../worlds/meanInterval.js";
import type { RepeatsResult, RepeatsTask } from "./playRepeats.js";

const REQUESTS = 20_000;
const SEEDS = 60;
const MOST_SEEDS = 10_000;
/** With load, each attempt has work of its own (`own`), or a second one has to do the same work again. */
const HEDGED = ["a", "b", "heavy-work own", "heavy-work", "equal-60", "equal-85", "equal-85 own"];
const RATES = [0.01, 0.02, 0.05];

/** Prints what hedges and retries change, in simulated time. */
export async function benchRepeats({ seeds = SEEDS, json }: { seeds: number | undefined; json: boolean }, signal: AbortSignal): Promise<void> {
  requireCount("seeds", seeds, MOST_SEEDS);
  const each = <Task>(task: Task) => Array.from({ length: seeds }, (_, i) => ({ ...task, seed: i + 1, requests: REQUESTS }));
  const hedges = HEDGED.map((name) => ({ hedge: name.replace(" own", ""), isOwn: name.endsWith(" own") }));
  const tasks: RepeatsTask[] = [...hedges.flatMap(each), ...RATES.flatMap((rate) => each({ rate }))];
  const results = await inThreads<RepeatsTask, RepeatsResult>(new URL("./repeatsThread.js", import.meta.url), "hedges and retries", tasks, signal);
  const part = <Kind extends RepeatsResult>(at: number) => results.slice(at * seeds, (at + 1) * seeds) as Kind[];
  const hedged = HEDGED.map((scenario, i) => {
    const runs = part<Extract<RepeatsResult, { with: unknown }>>(i);
    const mean = (of: (run: (typeof runs)[0]) => number) => meanInterval(runs.map(of)).mean;
    return {
      scenario,
      mean: mean((run) => run.without.mean),
      meanHedged: mean((run) => run.with.mean),
      p99: mean((run) => run.without.p99),
      p99Hedged: mean((run) => run.with.p99),
      hedged: mean((run) => run.with.hedged),
      most: Math.max(...runs.map((run) => run.with.hedged)),
    };
  });
  const retried = RATES.map((rate, i) => {
    const runs = part<Extract<RepeatsResult, { failures: number }>>(HEDGED.length + i);
    return { rate, failures: meanInterval(runs.map(({ failures }) => failures)).mean, sent: Math.max(...runs.map(({ sent }) => sent)) };
  });
  if (json) return print(`${JSON.stringify({ hedged, retried })}\n`);
  const ms = (value: number) => value.toFixed(1);
  const header = ["scenario", "mean, ms", "hedged", "ratio", "p99, ms", "hedged", "ratio", "sent twice", "at most"];
  const rows = hedged.map(({ scenario, mean, meanHedged, p99, p99Hedged, hedged: share, most }) => [
    scenario,
    ms(mean),
    ms(meanHedged),
    (meanHedged / mean).toFixed(3),
    ms(p99),
    ms(p99Hedged),
    (p99Hedged / p99).toFixed(3),
    `${(100 * share).toFixed(2)} %`,
    `${(100 * most).toFixed(2)} %`,
  ]);
  const failures = retried.map(({ rate, failures: share, sent }) => [
    `${100 * rate} %`,
    `${(100 * share).toFixed(4)} %`,
    (share / rate ** 2).toFixed(2),
    sent.toFixed(4),
  ]);
  await print(
    `Hedges at the 95th percentile, budget 5 %; ${seeds} seeds of ${REQUESTS} requests\n${formatTable(header, rows)}\nRetries, budget 10 %; four upstreams that fail independently\n${formatTable(["each fails", "requests fail", "to the square", "sent per request, at most"], failures)}\n`,
  );
}
