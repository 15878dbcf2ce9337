import { isStuck, lastFifth, Play, uniformRegret } from "@tsallis/lab/play";
import { restorePolicy } from "tsallis";
import type { Frame, Live } from "./messages.js";
import { type MovedLoss, withMovedLoss } from "./movedLoss.js";
import { type Lane, type Race, runOf } from "./race.js";

/** Rounds that a lane plays before the clock is looked at. */
const STRIDE = 200;

interface Running {
  readonly lane: number;
  readonly isFirst: boolean;
  readonly play: Play;
  /** Whether the policy leaves out large losses. */
  readonly skips: boolean;
  /** The next checkpoint. */
  next: number;
  /** Its regret before the last fifth of the rounds. */
  beforeLast: number;
}

/** Plays some lanes side by side, in slices of time. */
export class Runner {
  readonly #checkpoints: readonly number[];
  readonly #running: Running[] = [];
  readonly #lanes: number;
  #points: number[] = [];
  #failures: [lane: number, message: string][] = [];

  constructor(race: Race, lanes: readonly Lane[], checkpoints: readonly number[], moved: MovedLoss | null = null) {
    this.#checkpoints = checkpoints;
    this.#lanes = lanes.length;
    for (const [lane, { policy, seed }] of lanes.entries()) {
      try {
        const run = runOf(race, { policy, seed });
        const played = moved === null ? run : { ...run, environment: withMovedLoss(run.environment, moved) };
        const play = new Play(played, { seed, runHash: true });
        const skips = restorePolicy(play.policy.snapshot()).force(0).threshold !== null;
        this.#running.push({ lane, isFirst: seed === 1, play, skips, next: 0, beforeLast: 0 });
      } catch (error) {
        this.#failures.push([lane, (error as Error).message]);
      }
    }
  }

  /** The round that all lanes have reached; the last one if there are none. */
  get round(): number {
    return Math.min(this.#checkpoints.at(-1)!, ...this.#running.map(({ play }) => play.round));
  }

  /** Plays up to a round, or until the time is over; the lanes that are behind first. */
  advance(until: number, isOver: () => boolean): void {
    while (!isOver()) {
      const round = this.round;
      if (round >= until || this.#running.length === 0) return;
      const to = Math.min(until, round + STRIDE);
      for (const running of [...this.#running]) {
        if (running.play.round < to) this.#play(running, to);
        if (isOver()) return;
      }
    }
  }

  #play(running: Running, to: number): void {
    const { play, lane } = running;
    try {
      while (play.round < to) {
        play.advance(Math.min(to, this.#checkpoints[running.next]!));
        if (play.round === this.#checkpoints[running.next]) this.#record(running);
      }
    } catch (error) {
      this.#failures.push([lane, (error as Error).message]);
      this.#running.splice(this.#running.indexOf(running), 1);
    }
  }

  #record(running: Running): void {
    const { round, pseudoRegret, dynamicRegret, details, best } = running.play.totals();
    const { environment, horizon } = running.play.run;
    const late = lastFifth(horizon);
    if (round === late.from) running.beforeLast = dynamicRegret;
    // In a recorded table every round has a best arm of its own, which no policy can know.
    const isJudged = round === horizon && environment.spec.environment !== "replay";
    const stuck = !isJudged ? Number.NaN : stuckness(dynamicRegret - running.beforeLast, uniformRegret(environment, late));
    this.#points.push(running.lane, running.next, pseudoRegret, dynamicRegret, details.epoch ?? 0, best, stuck);
    running.next++;
  }

  /** What has happened since the last frame. */
  frame(isPlaying: boolean): Frame {
    const points = Float64Array.from(this.#points);
    const failures = this.#failures;
    this.#points = [];
    this.#failures = [];
    const live = this.#running.filter(({ isFirst }) => isFirst).map(liveOf);
    return { points, live, plays: this.#plays(), round: this.round, isPlaying, failures };
  }

  #plays(): Float64Array {
    const arms = this.#running[0]?.play.run.environment.arms ?? 0;
    const plays = new Float64Array(this.#lanes * arms);
    for (const { lane, play } of this.#running) if (play.round > 0) plays.set(play.totals().plays, lane * arms);
    return plays;
  }

  /** By lane; null for those that failed. */
  runHashes(lanes: number): (string | null)[] {
    const found = new Map(this.#running.map(({ lane, play }) => [lane, play.runHash()]));
    return Array.from({ length: lanes }, (_, lane) => found.get(lane) ?? null);
  }
}

function stuckness(regret: number, uniform: number): number {
  return uniform > 0 && uniform < Number.POSITIVE_INFINITY ? Number(isStuck(regret, uniform)) : Number.NaN;
}

function liveOf({ lane, play, skips }: Running): Live {
  const { round } = play;
  const { arms } = play.run.environment;
  const ahead = skips ? lookAhead(play, arms) : { probabilities: null, thresholds: null };
  return { lane, round, skipped: round === 0 ? 0 : play.totals().skipped, ...ahead };
}

/**
 * The next round's probabilities and thresholds. Looking ahead must not touch what is played, so that the run stays the one that others play too. The copies cost: some
 * policies keep every loss, so it is done only for those that skip.
 */
function lookAhead({ policy }: Play, arms: number): Pick<Live, "probabilities" | "thresholds"> {
  const snapshot = policy.snapshot();
  try {
    const thresholds = Array.from({ length: arms }, (_, arm) => restorePolicy(snapshot).force(arm).threshold!);
    return { probabilities: restorePolicy(snapshot).probabilities(), thresholds };
  } catch {
    // An arm that has become all but impossible cannot be asked for.
    return { probabilities: null, thresholds: null };
  }
}
