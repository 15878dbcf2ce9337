import { type PolicySpec, stream } from "tsallis";

export const ARMS = 3;

/** One spec of each policy. */
export const SPECS: readonly PolicySpec[] = [
  { policy: "htinf", alpha: 1.5, sigma: 2.5 },
  { policy: "htinf", alpha: 2, sigma: 1 },
  { policy: "opttinf" },
  { policy: "adatinf", horizon: 300 },
  { policy: "ada2tinf" },
  { policy: "uniform" },
];

/** A log of heavy-tailed losses of both signs. Some are far above every threshold, so that epochs of AdaTINF end in it. */
export function makeLog(rounds: number): { arm: number; loss: number }[] {
  const rng = stream(1, "cli", "log");
  return Array.from({ length: rounds }, () => {
    const arm = Math.floor(rng.uniform() * ARMS);
    const size = rng.open() ** (-1 / 1.2) - 1;
    return { arm, loss: rng.uniform() < 0.7 ? size : -size };
  });
}

export function asLines(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** The arguments of a replay. */
export function replayOf(spec: PolicySpec, ...more: string[]): string[] {
  return ["replay", "--policy", JSON.stringify(spec), "--arms", String(ARMS), ...more];
}
