import type { Change, NewBandit } from "@tsallis/service/client";

/** What would become of one bandit. */
export interface PlannedBandit {
  readonly name: string;
  /** The document to create it from; null if it exists. */
  readonly create: NewBandit | null;
  /** What is to be changed, after it was created if it has to be; null if nothing is. */
  readonly change: Change | null;
  /** The settings that the change is meant for. */
  readonly revision: string | null;
  /** What changes, in words. */
  readonly lines: readonly string[];
  /** Why it is refused. */
  readonly losses: readonly string[];
  /** Whether the file names it. */
  readonly isWanted: boolean;
}

/** What would change, a line for each bandit: + created, ~ changed, = as it is, ! refused, ? not in the file. */
export function planText(plan: readonly PlannedBandit[]): string {
  return plan.length === 0 ? "no bandits in the file or in the service\n" : plan.map((one) => `${lineOf(one)}\n`).join("");
}

function lineOf({ name, create, change, lines, losses, isWanted }: PlannedBandit): string {
  if (!isWanted) return `? ${name}: not in the file; it is left alone`;
  if (losses.length > 0) return `! ${name}: ${losses.join("; ")}`;
  if (create !== null) return `+ ${name}: ${lines.join("; ")}`;
  return change === null ? `= ${name}` : `~ ${name}: ${lines.join("; ")}`;
}
