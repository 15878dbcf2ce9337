import { Play } from "@tsallis/lab/play";
import { restorePolicy } from "tsallis";
import type { Frame, Live } from "./messages.js";
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
}

/** Plays some lanes side by side, in slices of time. */
export class Runner {
  readonly #checkpoints: readonly number[];
  readonly #running: Running[] = [];
  #points: number[] = [];
  #failures: [lane: number, message: string][] = [];

  constructor(race: Race, lanes: readonly Lane[], checkpoints: readonly number[]) {
    this.#checkpoints = checkpoints;
    for (const [lane, { policy, seed }] of lanes.entries()) {
      try {
        const play = new Play(runOf(race, { policy, seed }), { seed, runHash: true });
        const skips = restorePolicy(play.policy.snapshot()).force(0).threshold !== null;
        this.#running.push({ lane, isFirst: seed === 1, play, skips, next: 0 });
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
    const { pseudoRegret, dynamicRegret, details } = running.play.totals();
    this.#points.push(running.lane, running.next, pseudoRegret, dynamicRegret, details.epoch ?? 0);
    running.next++;
  }

  /** What has happened since the last frame. */
  frame(isPlaying: boolean): Frame {
    const points = Float64Array.from(this.#points);
    const failures = this.#failures;
    this.#points = [];
    this.#failures = [];
    return { points, live: this.#running.filter(({ isFirst }) => isFirst).map(liveOf), round: this.round, isPlaying, failures };
  }

  /** By lane; null for those that failed. */
  runHashes(lanes: number): (string | null)[] {
    const found = new Map(this.#running.map(({ lane, play }) => [lane, play.runHash()]));
    return Array.from({ length: lanes }, (_, lane) => found.get(lane) ?? null);
  }
}

function liveOf({ lane, play, skips }: Running): Live {
  const { round } = play;
  const { arms } = play.run.environment;
  const ahead = skips && round < play.run.horizon ? lookAhead(play, arms) : { probabilities: null, thresholds: null };
  if (round === 0) return { lane, round, skipped: 0, plays: new Float64Array(arms), ...ahead };
  const { skipped, plays } = play.totals();
  return { lane, round, skipped, plays: plays.slice(), ...ahead };
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
