import type { Command } from "@commander-js/extra-typings";
import { createEnvironment, type PolicySpec } from "tsallis";
import { compare, type Outcome } from "./comparison.js";
import { emphasised } from "./emphasis.js";
import { print } from "./output.js";
import { Progress } from "./progress.js";
import { quantile } from "./quantile.js";
import { formatTable } from "./textTable.js";
import { worlds } from "./worlds.js";

/** How much is played. An odd number of seeds has a median run; with 11, the 10 and 90 % quantiles are runs too. */
export interface DemoSize {
  readonly horizon: number;
  readonly seeds: number;
}

const FULL: DemoSize = { horizon: 20_000, seeds: 11 };

const HELP = `
Plays ${FULL.horizon} rounds with each of ${FULL.seeds} seeds: a few seconds. The output is the same every time, on every machine.

Examples:
  $ tsallis demo
  $ NO_COLOR=1 tsallis demo
`;

interface Contestant {
  readonly name: string;
  readonly knows: string;
  readonly spec: (problem: { alpha: number; sigma: number; horizon: number }) => PolicySpec;
}

const CONTESTANTS: readonly Contestant[] = [
  { name: "HTINF", knows: "alpha, sigma", spec: ({ alpha, sigma }) => ({ policy: "htinf", alpha, sigma }) },
  { name: "OptTINF", knows: "nothing", spec: () => ({ policy: "opttinf" }) },
  { name: "AdaTINF", knows: "horizon", spec: ({ horizon }) => ({ policy: "adatinf", horizon }) },
  { name: "Ada2TINF", knows: "nothing", spec: () => ({ policy: "ada2tinf" }) },
  { name: "uniform", knows: "nothing", spec: () => ({ policy: "uniform" }) },
];

export function addDemo(program: Command, signal: AbortSignal): void {
  program
    .command("demo")
    .summary("compare the four algorithms on heavy-tailed losses")
    .description("Compare HTINF, OptTINF, AdaTINF, Ada2TINF and uniform play on losses without variance, in three worlds.")
    .addHelpText("after", HELP)
    .action(() => demo(FULL, signal));
}

async function demo(size: DemoSize, signal: AbortSignal): Promise<void> {
  const progress = new Progress("playing", worlds(size.horizon).length * CONTESTANTS.length * size.seeds);
  let text: string;
  try {
    text = await demoText(size, signal, () => progress.step());
  } finally {
    progress.stop();
  }
  await print(text);
}

/** All that the demo prints. */
export async function demoText({ horizon, seeds }: DemoSize, signal: AbortSignal, step: () => void): Promise<string> {
  let text = `Pseudo-regret (lower is better) after ${grouped(horizon)} rounds of losses without variance, ${seeds} seeds.\n* marks the smallest median; bands that overlap rank nobody.\n`;
  for (const [i, { title, spec }] of worlds(horizon).entries()) {
    const environment = createEnvironment(spec, 1);
    const { alpha } = environment;
    const sigma = environment.sigma();
    const outcomes: Outcome[] = [];
    for (const contestant of CONTESTANTS)
      outcomes.push(await compare(spec, contestant.spec({ alpha, sigma, horizon }), horizon, seeds, signal, step));
    text += `\n${i + 1}. ${title} (alpha ${alpha}, sigma ${sigma < 100 ? sigma.toFixed(2) : grouped(sigma)})\n${outcomeTable(outcomes)}`;
  }
  return `${text}
Look at OptTINF, which takes sigma = 1 for granted: ahead in world 1, it skips nearly every loss in world 3. HTINF is told the scale; AdaTINF and Ada2TINF adapt to it.
Run next: npx tsallis replay --help to try a policy on a log of your own, npx tsallis bench to see what a round costs.
`;
}

function outcomeTable(outcomes: readonly Outcome[]): string {
  const medians = outcomes.map(({ pseudoRegrets }) => quantile(pseudoRegrets, 0.5));
  const uniform = medians[medians.length - 1]!;
  const best = Math.min(...medians);
  const rows = outcomes.map(({ pseudoRegrets, skipRate }, i) => {
    const { name, knows } = CONTESTANTS[i]!;
    const isBest = medians[i] === best;
    const cells = [
      isBest ? `${name} *` : name,
      knows,
      grouped(medians[i]!),
      `${grouped(quantile(pseudoRegrets, 0.1))} to ${grouped(quantile(pseudoRegrets, 0.9))}`,
      `${((100 * medians[i]!) / uniform).toFixed(0)} %`,
      `${(100 * skipRate).toFixed(1)} %`,
    ];
    return isBest ? cells.map(emphasised) : cells;
  });
  return formatTable(["policy", "is told", "median", "10 to 90 % of seeds", "of uniform", "skipped"], rows);
}

/** 1234567.8 as 1,234,568, whatever the locale. */
function grouped(value: number): string {
  return value.toFixed(0).replace(/\B(?=(\d{3})+$)/g, ",");
}
