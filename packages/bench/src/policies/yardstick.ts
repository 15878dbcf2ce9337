import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { reason } from "@tsallis/cli/dist/text/failure.js";
import { say } from "@tsallis/cli/dist/text/output.js";
import { LOSS_TABLE, SIGMA } from "./lossTable.js";

/** HTINF in C, in two versions. */
const SOURCE = fileURLToPath(new URL("../../yardstick/yardstick.c", import.meta.url));

/** How the C program finds the probabilities: with pow() in every term, or, for alpha = 2, by multiplication and division. */
export type YardstickWay = "pow" | "plain";

/** Its name in the results. */
export function yardstickName(way: YardstickWay): string {
  return way === "pow" ? "yardstick.c" : "yardstick.c without pow";
}

/** The C program at one number of arms, for some rounds. */
export interface YardstickTask {
  readonly kind: "yardstick";
  readonly way: YardstickWay;
  readonly program: string;
  readonly arms: number;
  readonly alpha: number;
  readonly rounds: number;
}

/** Calls `use` with the compiled program, or with undefined if gcc is missing. */
export async function withYardstick<Result>(signal: AbortSignal, use: (program: string | undefined) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "tsallis-bench-"));
  try {
    const program = join(folder, "yardstick");
    const compiled = await promisify(execFile)("gcc", ["-O3", "-march=native", SOURCE, "-o", program, "-lm"], { signal }).then(
      () => true,
      (error: unknown) => {
        signal.throwIfAborted();
        say(`no comparison with C: ${reason(error)}`);
        return false;
      },
    );
    return await use(compiled ? program : undefined);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Nanoseconds per round, by the program's own clock. */
export function timeYardstick({ program, way, arms, alpha, rounds }: YardstickTask): number {
  const input = new Uint8Array(LOSS_TABLE.buffer);
  const printed = execFileSync(program, [way, arms, alpha, SIGMA, rounds].map(String), { input, encoding: "utf8" });
  return Number(printed.split(" ")[0]);
}
