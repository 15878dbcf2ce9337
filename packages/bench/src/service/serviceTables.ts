import { formatTable } from "@tsallis/cli/dist/text/textTable.js";
import { quantile } from "tsallis/statistics";
import type { Ratio } from "../ratio.js";
import type { ServiceMeasurements } from "./measureService.js";
import type { Paired } from "./pairs.js";

/** Everything that `bench service` prints. */
export function serviceTables(measured: ServiceMeasurements): string {
  const { size, cells } = measured;
  const row = (name: string, turns: readonly Paired[], dearest: string) => [
    name,
    ...(["pairsPerSecond", "p50", "p99", "processor"] as const).map((figure) => shown(median(turns, figure))),
    dearest,
  ];
  const rows = cells.flatMap(({ name, ours, bare, dearest }) => [row(name, ours, shown(dearest)), row("  bare routes", bare, "")]);
  const targets = serviceTargets(measured).map(({ name, asked, measured: value }) => [name, asked, shown(value)]);
  return [
    `${size.clients} clients, each with a connection of its own, ask for a decision, give feedback, and begin again. SQLite with fsync. Medians of ${size.turns} turns.`,
    formatTable(["", "pairs per s", "p50 ms", "p99 ms", "server CPU us per request", "dearest decision ms"], rows),
    "What was asked",
    formatTable(["", "asked", "measured"], targets),
  ].join("\n");
}

/** The most that the processor time may be, as a multiple of the bare routes. */
const MOST = { one: 2, "bandits-100": 2.5, "segments-1000": 3 } as const;

/** What the service was asked to reach. */
export function serviceTargets(measured: ServiceMeasurements): Ratio[] {
  const { size, cells, startWithSnapshot, startWithout, audit, openDecisions, manyBandits } = measured;
  const count = (value: number) => value.toLocaleString("en");
  const cell = (name: string) => cells.find((one) => one.name === name)!;
  const { ours, bare } = cell("one");
  return [
    ...Object.entries(MOST).map(([name, most]) => ({
      name: `${name}: server CPU against the bare routes`,
      asked: `<= ${most}`,
      measured: median(cell(name).ours, "processor") / median(cell(name).bare, "processor"),
    })),
    { name: "arms-10000: processor time of the dearest decision, ms", asked: "<= 10", measured: cell("arms-10000").dearest },
    { name: "one: p99 against the bare routes", asked: "<= 2.5, plus a commit", measured: median(ours, "p99") / median(bare, "p99") },
    { name: "one: decisions with feedback per second", asked: ">= 1500", measured: median(ours, "pairsPerSecond") },
    { name: `start with ${count(size.events)} events after the snapshot, s`, asked: "<= 10", measured: startWithout },
    { name: "start with a snapshot, s", asked: "<= 1", measured: startWithSnapshot },
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
