import { createPolicy, type KernelName, type PolicySpec } from "tsallis";
import { Progress } from "../progress.js";
import { benchName, benchSpecs } from "./benchSpecs.js";
import { SIGMA } from "./lossTable.js";
import { type Cell, medianTimings, midways } from "./measurement.js";
import type { MidwayTask } from "./midway.js";
import type { RoundTask } from "./roundTimer.js";
import { withYardstick, type YardstickTask, type YardstickWay, yardstickName } from "./yardstick.js";

/** One figure of the benchmark, as --json prints it. */
export interface BenchResult {
  /** The policy's name, with the name of its estimator if it has several; "yardstick.c" and "yardstick.c without pow" are HTINF in C. */
  readonly policy: string;
  readonly kernel: string | null;
  readonly arms: number;
  readonly alpha: number | null;
  /** Timed rounds per repetition. */
  readonly rounds: number;
  readonly nsPerRound: number;
  readonly bytesPerArm: number | null;
  /** The round at which the clock stopped if a policy is timed as it grows old, or else null. */
  readonly age: number | null;
}

/** A result and what the table of a kernel also shows: milliseconds until the first arm was chosen. */
export type BuiltResult = { readonly result: BenchResult; readonly buildMs: number | null };

/** How much work is timed. */
export interface PolicySize {
  readonly repetitions: number;
  /** Rounds of HTINF under each kernel, by number of arms. */
  readonly kernels: readonly { readonly arms: number; readonly dense: number; readonly indexed: number }[];
  /** Rounds of the other policies with a kernel, and of the plain ones, by number of arms. */
  readonly policies: readonly { readonly arms: number; readonly rounds: number; readonly plain: number }[];
}

export const ALPHAS = [2, 1.7, 1.5];
const KERNELS: readonly KernelName[] = ["dense", "indexed"];
/** The number of arms at which HTINF in C is timed beside the library's. */
const YARDSTICK_ARMS = 10;
/** What is timed in C, and how many times as long the library may take. */
export const YARDSTICKS: readonly { way: YardstickWay; alpha: number; asked: string }[] = [
  { way: "pow", alpha: 2, asked: "at most 1.3" },
  { way: "pow", alpha: 1.5, asked: "at most 0.5" },
  { way: "plain", alpha: 2, asked: "at most 1.5" },
];
/** From this number of arms on, a cell is timed only in every third repetition. */
const LARGE = 1000;

/** Times HTINF under both kernels, the other policies under the kernel that suits, and HTINF in C if it can be compiled. */
export async function benchPolicies(size: PolicySize, signal: AbortSignal): Promise<BuiltResult[]> {
  return withYardstick(signal, async (program) => {
    const cells = [...(await kernelCells(size, signal)), ...policyCells(size), ...(program === undefined ? [] : yardstickCells(size, program))];
    const progress = new Progress("policies", cells.length * (size.repetitions + 1));
    const timings = await medianTimings(cells, size.repetitions, signal, () => progress.step()).finally(() => progress.stop());
    return cells.map(({ task, bytesPerArm }, i) => {
      const { time, kernel, buildMs } = timings[i]!;
      const result = {
        policy: task.kind === "rounds" ? benchName(task.spec) : yardstickName(task.way),
        kernel,
        arms: task.arms,
        alpha: (task.kind === "rounds" ? (task.spec.alpha as number | undefined) : task.alpha) ?? null,
        rounds: task.rounds,
        nsPerRound: rounded(time),
        bytesPerArm: bytesPerArm === null ? null : rounded(bytesPerArm),
        age: null,
      };
      return { result, buildMs };
    });
  });
}

/** A cell whose memory use may be known beforehand. */
type PolicyCell = Cell & { readonly task: RoundTask | YardstickTask; readonly bytesPerArm: number | null };

function htinf(alpha: number): PolicySpec {
  return { policy: "htinf", alpha, sigma: SIGMA };
}

/**
 * The indexed kernel plays from the first round. Where the dense kernel would take minutes for that, it plays fewer rounds and starts from the state
 * midway through those of the indexed one: in the first rounds all estimates are equal, and a round is unusually cheap.
 */
async function kernelCells({ kernels }: PolicySize, signal: AbortSignal): Promise<PolicyCell[]> {
  const tasks = ALPHAS.flatMap((alpha) =>
    kernels
      .filter(({ dense, indexed }) => dense < indexed)
      .map(({ arms, indexed }): MidwayTask => ({ kind: "midway", spec: htinf(alpha), arms, rounds: Math.ceil(indexed / 2) })),
  );
  const progress = new Progress("playing ahead for the dense kernel", tasks.length);
  const found = await midways(tasks, signal, () => progress.step()).finally(() => progress.stop());
  return ALPHAS.flatMap((alpha) =>
    KERNELS.flatMap((kernel) =>
      kernels.map((rounds) => {
        const midway = found[tasks.findIndex(({ spec, arms }) => spec.alpha === alpha && arms === rounds.arms)];
        const from = kernel === "dense" ? midway?.state : undefined;
        return {
          row: `htinf ${alpha} ${kernel}`,
          every: rounds.arms >= LARGE ? 3 : 1,
          task: { kind: "rounds", spec: htinf(alpha), kernel, arms: rounds.arms, rounds: rounds[kernel], from },
          bytesPerArm: midway?.bytesPerArm?.[kernel] ?? null,
        };
      }),
    ),
  );
}

function policyCells({ policies }: PolicySize): PolicyCell[] {
  const columns = policies.map(({ arms, rounds, plain }) => {
    const specs = benchSpecs(rounds).filter(({ policy }) => policy !== "htinf");
    return specs.map((spec): PolicyCell => {
      const kernel = createPolicy(spec, arms).snapshot().kernel?.name;
      return {
        // As for HTINF, one kernel in a thread: no program of a user's plays both.
        row: `${benchName(spec)} ${kernel}`,
        every: arms >= LARGE ? 3 : 1,
        task: { kind: "rounds", spec, kernel: undefined, arms, rounds: kernel === undefined ? plain : rounds, from: undefined },
        bytesPerArm: null,
      };
    });
  });
  return columns[0]!.flatMap((_, i) => columns.map((column) => column[i]!));
}

function yardstickCells({ kernels }: PolicySize, program: string): PolicyCell[] {
  return YARDSTICKS.flatMap(({ way, alpha }) =>
    kernels
      .filter(({ arms }) => arms === YARDSTICK_ARMS)
      .map(({ arms, dense }) => ({
        row: "yardstick",
        every: 1,
        task: { kind: "yardstick", program, way, arms, alpha, rounds: dense },
        bytesPerArm: null,
      })),
  );
}

function rounded(value: number): number {
  return Number(value.toFixed(1));
}
