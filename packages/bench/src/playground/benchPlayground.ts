import { print, say } from "@tsallis/cli/dist/text/output.js";
import { formatTable } from "@tsallis/cli/dist/text/textTable.js";
import type { Ratio } from "../ratio.js";
import { measurePlayground, type PlaygroundMeasurements } from "./measurePlayground.js";

/** Prints what the playground costs in a browser, beside what was asked. */
export async function benchPlayground({ json }: { json: boolean }, signal: AbortSignal): Promise<void> {
  const measured = await measurePlayground({ rounds: 1_000_000, lane: 1_000_000, short: 100_000 }, say, signal);
  await print(json ? `${JSON.stringify(measured)}\n` : playgroundTables(measured));
}

export function playgroundTables(measured: PlaygroundMeasurements): string {
  const { size, browser, eightLanes, frames } = measured;
  const rows = playgroundTargets(measured).map(({ name, asked, measured: value }) => [name, asked, String(Number(value.toPrecision(3)))]);
  return [
    `Chromium ${browser}, without a graphics card. Eight lanes of ${size.rounds.toLocaleString("en")} rounds took ${eightLanes.toFixed(1)} s and ${frames} frames.`,
    formatTable(["", "asked", "measured"], rows),
  ].join("\n");
}

/** What the playground was asked to reach. */
export function playgroundTargets({ firstMove, script95, longestTask, page, node, heapShort, heapLong }: PlaygroundMeasurements): Ratio[] {
  return [
    { name: "until the first scene moves, s", asked: "<= 1.5", measured: firstMove },
    { name: "script of 95 % of the frames, ms", asked: "<= 8", measured: script95 },
    { name: "longest task of the page, ms", asked: "<= 50", measured: longestTask },
    { name: "speed of a lane against the same loop in Node", asked: ">= 0.5", measured: page / node },
    { name: "memory of the page after ten times the rounds", asked: "<= 1.1", measured: heapLong / heapShort },
  ];
}
