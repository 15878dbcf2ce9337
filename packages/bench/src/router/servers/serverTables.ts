import { formatTable } from "@tsallis/cli/dist/text/textTable.js";
import { RATE_PER_SECOND, TIMEOUT_MS } from "../worlds/scenarios.js";
import type { DispatcherRates } from "./dispatcherRates.js";
import type { ServerResult } from "./playServers.js";
import { SERVER_SCENARIOS, SPEED } from "./serverScenarios.js";

const HOW = `The servers are real (node:http), in a separate process. Each of the three rules sends ${RATE_PER_SECOND * SPEED} requests per second on average, at random and no matter how many
are in flight (an open loop); all three do so at the same time. A request fails after ${TIMEOUT_MS / SPEED / 1000} s. Latency counts from the moment at which a request was due. If many requests were sent much
later than a millisecond after that, the machine was too busy for the other figures to mean anything.
`;

/** Everything that `bench router --servers` prints. */
export function serverTables(results: readonly ServerResult[], rates: readonly DispatcherRates[]): string {
  const tables = SERVER_SCENARIOS.map(({ name, description }) => {
    const rows = results
      .filter(({ scenario }) => scenario === name)
      .map(({ rule, mean, p99, share, failures, late }) => [
        rule,
        mean.toFixed(1),
        p99.toFixed(0),
        share.toFixed(2),
        String(failures),
        late.toFixed(1),
      ]);
    return `${sentence(description)}\n${formatTable(["", "mean ms", "p99 ms", "share of the possible gain", "failures", "sent late, p99 ms"], rows)}`;
  });
  const speed = formatTable(
    ["sent by", "BalancedPool, requests/s", "tsallis", "ratio, asked: at least 0.95", "ratio of processor time per request"],
    rates.map(({ door, balancedPool, ours, ratio, processorRatio }) => [
      `${door}()`,
      balancedPool.toFixed(0),
      ours.toFixed(0),
      ratio.toFixed(2),
      processorRatio.toFixed(2),
    ]),
  );
  return [HOW, ...tables, `Servers that answer at once, 50 clients; medians over turns and pairs of turns\n${speed}`].join("\n");
}

function sentence(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}
