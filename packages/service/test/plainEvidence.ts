import { Evaluation } from "tsallis/evidence";
import type { ChangeEvent, LogEvent } from "../src/log/event.js";

export interface PlainStart {
  readonly cap: number | null;
  readonly holdout: number;
  readonly arms: readonly number[];
}

interface Settled {
  readonly seq: number;
  readonly number: number;
  readonly holdout: boolean;
  readonly segment: string;
  readonly loss: number | null;
}

/** What the whole log says of one claim: the evaluations of all decisions, and of each segment; null if there is none yet. */
export interface PlainClaim {
  readonly still: Map<string, Evaluation>;
  readonly moving: Map<string, Evaluation> | null;
}

/**
 * The evidence of a log, said once more and as plainly as can be: the whole log is read at once, cut into eras where the arms or the cap change, and of each era the decisions
 * count up to the first that has not ended. It shares no line with the service.
 */
export function plainEvidence({ cap, holdout, arms }: PlainStart, log: readonly LogEvent[]): PlainClaim | null {
  let [limit, guess, share, present] = [cap, null as number | null, holdout, arms];
  let [movingSince, piloted, largest] = [0, 0, 0];
  const signs = new Set<number>();
  let counted: Settled[] | null = null;
  let range = { floor: 0, cap: 0 };
  const begin = () => {
    const size = limit ?? guess;
    counted = size === null ? null : [];
    if (size !== null) range = signs.has(-1) ? { floor: -size, cap: signs.has(1) ? size : 0 } : { floor: 0, cap: size };
  };
  const finish = (era: readonly LogEvent[]) => {
    for (const one of settledIn(era)) {
      const { loss } = one;
      const isOutside = loss !== null && ((loss < 0 && range.floor === 0) || (loss > 0 && range.cap === 0));
      if (loss !== null && loss !== 0) signs.add(Math.sign(loss));
      if (counted === null) {
        piloted++;
        largest = Math.max(largest, Math.abs(loss ?? 0));
        if (piloted % 200 === 0 && largest > 0) {
          guess = largest;
          begin();
        }
      } else if (isOutside) begin();
      else counted.push(one);
    }
  };
  begin();
  let start = 0;
  for (const [i, event] of log.entries()) {
    if (event.kind !== "change") continue;
    const { cap: newCap, arms: newArms, holdout: newShare } = event as ChangeEvent;
    if (newShare !== undefined && newShare !== share) [share, movingSince] = [newShare, event.seq];
    const isOtherCap = newCap !== undefined && newCap !== limit;
    if (!isOtherCap && newArms === undefined) continue;
    finish(log.slice(start, i));
    start = i + 1;
    if (isOtherCap) [limit, guess, piloted, largest] = [newCap, null, 0, 0];
    if (newArms !== undefined) present = newArms.map(({ number }) => number);
    begin();
  }
  finish(log.slice(start));
  return counted === null ? null : claimOf(counted, { ...range, arms: present.length }, present, share, movingSince);
}

function settledIn(era: readonly LogEvent[]): Settled[] {
  const losses = new Map<string, number | null>();
  for (const event of era) {
    if (event.kind === "feedback") losses.set(event.decision, event.loss);
    if (event.kind === "expiry") losses.set(event.decision, event.loss);
  }
  const decisions = era.filter((event) => event.kind === "decision");
  const open = decisions.findIndex(({ decision }) => !losses.has(decision));
  return decisions
    .slice(0, open < 0 ? decisions.length : open)
    .map(({ seq, number, holdout, segment, decision }) => ({ seq, number, holdout, segment, loss: losses.get(decision)! }));
}

function claimOf(
  counted: readonly Settled[],
  limits: { readonly arms: number; readonly cap: number; readonly floor: number },
  numbers: readonly number[],
  share: number,
  movingSince: number,
): PlainClaim {
  const segments = ["", ...new Set(counted.map(({ segment }) => segment).filter((segment) => segment !== ""))];
  const folded = (options: { holdout: number; moving?: boolean }, from: number) =>
    new Map(
      segments.map((name) => {
        const evaluation = new Evaluation({ ...limits, ...options });
        for (const { seq, number, holdout, segment, loss } of counted) {
          if (seq > from && (name === "" || name === segment)) evaluation.add({ arm: numbers.indexOf(number), loss, holdout });
        }
        return [name, evaluation] as const;
      }),
    );
  return { still: folded({ holdout: 0.5 }, 0), moving: share > 0 ? folded({ holdout: share, moving: true }, movingSince) : null };
}
