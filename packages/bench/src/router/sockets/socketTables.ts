import { formatTable } from "@tsallis/cli/dist/text/textTable.js";
import { quantile } from "tsallis/statistics";
import type { SocketResult } from "./playSockets.js";
import { SOCKET_CLIENTS } from "./socketClients.js";
import { SOCKET_SCENARIOS, SOCKET_TIMEOUT_MS } from "./socketScenarios.js";
import { overBest, socketTargets } from "./socketTargets.js";

const HOW = `Real servers (node:http) in a separate process. Every rule has clients of its own and gets the same requests at the same times (Poisson, an open loop), 45 per second for 22 s
unless the scenario says otherwise. A request fails after ${SOCKET_TIMEOUT_MS / 1000} s, and every failure counts as ${SOCKET_TIMEOUT_MS} ms. Figures are medians over the runs, failures in each of them. "late" is by how many
milliseconds requests were sent too late, p99 of the worst run: far above 1, the machine was too busy for the other figures to mean anything.
`;

/** Everything that `bench router --sockets` prints. */
export function socketTables(results: readonly SocketResult[]): string {
  const played = SOCKET_SCENARIOS.filter(({ name }) => results.some(({ scenario }) => scenario === name));
  const tables = played.map(({ name, description }) => {
    const of = results.filter(({ scenario }) => scenario === name);
    return `${name}: ${description}\n${scenarioTable(of)}`;
  });
  const ratios = played.map(({ name }) => {
    const ratio = overBest(results.filter(({ scenario }) => scenario === name));
    return [name, ratio.rule, ratio.median.toFixed(2), ratio.all.map((each) => each.toFixed(2)).join(" ")];
  });
  const targets = socketTargets(results).map(({ name, asked, measured }) => [name, asked, String(Number(measured.toFixed(2)))]);
  return [
    HOW,
    ...tables,
    `Mean of the router to that of the best simple rule of the same run\n${formatTable(["", "best rule", "median run", "runs"], ratios)}`,
    `What was asked\n${formatTable(["", "asked", "measured"], targets)}`,
  ].join("\n");
}

function scenarioTable(results: readonly SocketResult[]): string {
  const rows = Object.keys(SOCKET_CLIENTS).map((name) => {
    const runs = results.filter(({ rule }) => rule === name).sort((a, b) => a.seed - b.seed);
    const median = (figure: (result: SocketResult) => number) =>
      quantile(
        runs.map((run) => figure(run)),
        0.5,
      );
    return [
      name,
      median(({ mean }) => mean).toFixed(0),
      median(({ p99 }) => p99).toFixed(0),
      runs.map(({ failures }) => failures).join(" "),
      Math.max(...runs.map(({ late }) => late)).toFixed(1),
    ];
  });
  return formatTable(["", "mean ms", "p99 ms", "failures by run", "late ms"], rows);
}
