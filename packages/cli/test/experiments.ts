import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A small experiment as YAML: two worlds, three policies. */
export function experimentText({ horizon = 300, seeds = 2, policies = POLICIES } = {}): string {
  return `name: small
claim: it ends
horizon: ${horizon}
seeds: ${seeds}
environments:
  still:
    environment: stochastic
    alpha: 1.5
    arms: &arms
      - { distribution: lomax, shape: 1.6, scale: 0.5 }
      - { distribution: lomax, shape: 1.6, scale: 1 }
  moving:
    environment: switching
    alpha: 1.5
    period: 100
    arms: *arms
    alternate:
      - { distribution: lomax, shape: 1.6, scale: 1 }
      - { distribution: lomax, shape: 1.6, scale: 0.5 }
policies:
${policies}`;
}

const POLICIES = `  told: { policy: htinf, alpha: promised, sigma: promised }
  ada2tinf: { policy: ada2tinf }
  uniform: { policy: uniform }
`;

/** The files that must not depend on workers, interruptions or the clock. */
const LASTING = ["experiment.json", "summary.json", "traces.parquet", "ranking.csv", "ranking.tex", "report.html"];

/** The hashes of those files of a folder of results, by name. */
export function lastingFiles(directory: string): Record<string, string> {
  return Object.fromEntries(
    LASTING.map((file) => [
      file,
      createHash("sha256")
        .update(readFileSync(join(directory, file)))
        .digest("hex"),
    ]),
  );
}
