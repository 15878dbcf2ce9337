import { formatTable } from "@tsallis/cli/dist/text/textTable.js";
import { quantile } from "tsallis/statistics";
import type { Ratio } from "../ratio.js";
import type { ServiceMeasurements } from "./measureService.js";
import type { Paired } from "./pairs.js";

/** Everything that `bench service` prints. */
export function serviceTables(measured: ServiceMeasurements): string {
  const { size, ours, bare } = measured;
  const row = (name: string, turns: readonly Paired[]) => [
    name,
    ...(["pairsPerSecond", "p50", "p99", "processor"] as const).map((figure) => shown(median(turns, figure))),
  ];
  const targets = serviceTargets(measured).map(({ name, asked, measured: value }) => [name, asked, shown(value)]);
  return [
    `${size.clients} clients, each with a connection of its own, ask for a decision, give feedback, and begin again. One bandit of 4 arms; SQLite with fsync. Medians of ${size.turns} turns.`,
    formatTable(
      ["", "pairs per s", "p50 ms", "p99 ms", "server CPU us per request"],
      [row("service", ours), row("same routes, nothing behind", bare)],
    ),
    "What was asked",
    formatTable(["", "asked", "measured"], targets),
  ].join("\n");
}

/** What the service was asked to reach. */
export function serviceTargets(measured: ServiceMeasurements): Ratio[] {
  const { size, ours, bare, startWithSnapshot, startWithout, audit, openDecisions, manyBandits } = measured;
  const count = (value: number) => value.toLocaleString("en");
  return [
    { name: "server CPU per request, us", asked: "<= 150", measured: median(ours, "processor") },
    { name: "decisions with feedback per second", asked: ">= 1500", measured: median(ours, "pairsPerSecond") },
    { name: "p99 of a request, ms", asked: "<= 50", measured: median(ours, "p99") },
    { name: "rate against the bare routes", asked: ">= 0.5", measured: median(ours, "pairsPerSecond") / median(bare, "pairsPerSecond") },
    { name: `start with ${count(size.events)} events after the snapshot, s`, asked: "<= 10", measured: startWithout },
    { name: `start with a snapshot, s`, asked: "<= 1", measured: startWithSnapshot },
    { name: `audit of ${count(size.events)} events, s`, asked: "<= 15", measured: audit },
    { name: `${count(size.open)} open decisions, MB`, asked: "<= 60", measured: openDecisions / 1e6 },
    { name: `${count(size.bandits)} bandits, MB resident`, asked: "<= 300", measured: manyBandits / 1e6 },
  ];
}

function median(turns: readonly Paired[], figure: keyof Paired): number {
  return quantile(
    turns.map((turn) => turn[figure]),
    0.5,
  );
}

function shown(value: number): string {
  return String(Number(value.toPrecision(3)));
}
