import { formatTable } from "@tsallis/cli/dist/text/textTable.js";
import { quantile } from "tsallis/statistics";
import { OURS } from "../rules/rules.js";
import { RATE_PER_SECOND, TIMEOUT_MS } from "../worlds/scenarios.js";
import { BALANCED_POOL } from "./clients.js";
import type { DispatcherCost } from "./dispatcherCosts.js";
import type { ReplicaResult } from "./playReplicas.js";
import type { ServerResult } from "./playServers.js";
import { SERVER_SCENARIOS, SPEED } from "./serverScenarios.js";
import { replicaRatio, serverTargets } from "./serverTargets.js";

const HOW = `The servers are real (node:http), in a separate process. Each of the three rules sends ${RATE_PER_SECOND * SPEED} requests per second on average, at random and no matter how many
are in flight (an open loop); all three do so at the same time. A request fails after ${TIMEOUT_MS / SPEED / 1000} s. Latency counts from the moment at which a request was due. If many requests were sent much
later than a millisecond after that, the machine was too busy for the other figures to mean anything.
`;

const REPLICAS_HOW = `Four equal replicas of eight workers each, first come, first served: work of 40 ms on average, exponential, and 480 requests per second, which is 60 % of what
they can carry. The two play in turn, each on its own servers. Failures are of all repetitions, the other figures medians over them.`;

/** All that `bench router --servers` measures. */
export interface ServerMeasurements {
  readonly servers: readonly ServerResult[];
  readonly replicas: readonly ReplicaResult[];
  readonly overhead: readonly DispatcherCost[];
}

/** Everything that `bench router --servers` prints. */
export function serverTables({ servers, replicas, overhead }: ServerMeasurements): string {
  const targets = serverTargets(replicas, overhead).map(({ name, asked, measured }) => [name, asked, String(Number(measured.toFixed(2)))]);
  const parts = [
    ...(servers.length > 0 ? [HOW] : []),
    ...SERVER_SCENARIOS.map(({ name, description }) => ({ description, results: servers.filter(({ scenario }) => scenario === name) }))
      .filter(({ results }) => results.length > 0)
      .map(({ description, results }) => scenarioTable(description, results)),
    ...(replicas.length > 0 ? [`${REPLICAS_HOW}\n${replicaTable(replicas)}`] : []),
    ...(overhead.length > 0
      ? [
          `Servers that answer at once: processor time per request in microseconds, medians of turns and of pairs of turns\n${overheadTable(overhead)}`,
        ]
      : []),
    ...(targets.length > 0 ? [`What was asked\n${formatTable(["", "asked", "measured"], targets)}`] : []),
  ];
  return parts.join("\n");
}

function scenarioTable(description: string, results: readonly ServerResult[]): string {
  return `${sentence(description)}\n${formatTable(
    ["", "mean ms", "p99 ms", "share of the possible gain", "failures", "sent late, p99 ms"],
    results.map(({ rule, mean, p99, share, failures, late }) => [
      rule,
      mean.toFixed(1),
      p99.toFixed(0),
      share.toFixed(2),
      String(failures),
      late.toFixed(1),
    ]),
  )}`;
}

function replicaTable(replicas: readonly ReplicaResult[]): string {
  const rows = [BALANCED_POOL, OURS].map((name) => {
    const played = replicas.filter(({ rule }) => rule === name);
    const median = (figure: (result: ReplicaResult) => number) => quantile(played.map(figure), 0.5);
    const failures = played.reduce((sum, each) => sum + each.failures, 0);
    return [
      name,
      median(({ mean }) => mean).toFixed(1),
      median(({ p99 }) => p99).toFixed(0),
      String(failures),
      median(({ late }) => late).toFixed(1),
    ];
  });
  const ratio = ["ratio", replicaRatio(replicas, ({ mean }) => mean).toFixed(2), replicaRatio(replicas, ({ p99 }) => p99).toFixed(2), "", ""];
  return formatTable(["", "mean ms", "p99 ms", "failures", "sent late, p99 ms"], [...rows, ratio]);
}

function overheadTable(overhead: readonly DispatcherCost[]): string {
  return formatTable(
    ["sent by", "in flight", BALANCED_POOL, OURS, "ratio"],
    overhead.map(({ door, inFlight, balancedPool, ours, ratio }) => [
      `${door}()`,
      String(inFlight),
      balancedPool.toFixed(1),
      ours.toFixed(1),
      ratio.toFixed(2),
    ]),
  );
}

function sentence(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}
