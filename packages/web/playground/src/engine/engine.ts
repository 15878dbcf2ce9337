import { checkpoints } from "@tsallis/lab/play";
import type { FromWorker, Live, ToWorker } from "./messages.js";
import { POINT } from "./messages.js";
import type { MovedLoss } from "./movedLoss.js";
import type { Pace } from "./pace.js";
import { CHECKPOINTS, type Lane, lanesOf, type Race, runOf, worldOf } from "./race.js";
import { Tape } from "./tape.js";

const MOST_WORKERS = 4;

/** Against the best single arm, or against the best arm of every round. */
export type Against = "arm" | "round";

/** A race as the page sees it now. */
export interface RaceView {
  readonly race: Race;
  /** What its regret is against. */
  readonly against: Against;
  readonly checkpoints: readonly number[];
  /** One per policy. */
  readonly tapes: readonly Tape[];
  /** The first seed of each policy, now; null before its first frame, or if it failed. */
  readonly live: readonly (Live | null)[];
  /** By policy and seed, from 0: the rounds on each arm. */
  readonly plays: readonly (readonly Float64Array[])[];
  /** The round that all lanes have reached. */
  readonly round: number;
  readonly isPlaying: boolean;
  /** What went wrong, one line for each lane. */
  readonly failures: readonly string[];
  /** Grows with every change. */
  readonly version: number;
}

/** How a race is looked at, and what is different in it. */
export interface EngineSettings {
  /** The best single arm by default. */
  readonly against?: Against;
  readonly moved?: MovedLoss | null;
}

interface Crew {
  readonly worker: Worker;
  readonly lanes: readonly Lane[];
  round: number;
  isPlaying: boolean;
}

/** Plays a race in workers. Throws, before anything starts, if it cannot be played. */
export class Engine {
  readonly race: Race;
  readonly arms: number;
  readonly #crews: Crew[];
  readonly #checkpoints: readonly number[];
  readonly #tapes: Tape[];
  readonly #live: (Live | null)[];
  readonly #plays: Float64Array[][];
  readonly #moved: MovedLoss | null;
  readonly #failures: string[] = [];
  readonly #onChange: () => void;
  readonly #against: Against;
  #version = 0;
  #waiting: { readonly resolve: (found: (string | null)[]) => void; readonly found: (string | null)[]; left: number } | null = null;

  constructor(race: Race, onChange: () => void, { against = "arm", moved = null }: EngineSettings = {}) {
    this.#against = against;
    this.#moved = moved;
    const lanes = lanesOf(race);
    this.race = race;
    // A world or a policy that cannot be says so here.
    const world = worldOf(race);
    this.arms = world.arms;
    for (const [policy] of race.policies.entries()) runOf(race, { policy, seed: 1 }, world);
    this.#checkpoints = checkpoints(race.rounds, CHECKPOINTS);
    this.#tapes = race.policies.map(() => new Tape(this.#checkpoints.length, race.seeds));
    this.#live = race.policies.map(() => null);
    this.#plays = race.policies.map(() => Array.from({ length: race.seeds }, () => new Float64Array(this.arms)));
    this.#onChange = onChange;
    const count = Math.max(1, Math.min(MOST_WORKERS, lanes.length, (navigator.hardwareConcurrency || 2) - 1));
    this.#crews = Array.from({ length: count }, (_, i) => this.#crew(lanes.filter((_, lane) => lane % count === i)));
  }

  #crew(lanes: readonly Lane[]): Crew {
    // A file next to the page: vite.config.mjs makes it.
    const worker = new Worker("./raceWorker.js", { type: "module" });
    const crew: Crew = { worker, lanes, round: 0, isPlaying: false };
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#hear(crew, data);
    worker.onerror = ({ message }) => {
      // There is no message if its file cannot be loaded.
      const failure = message || "this page can no longer load its own files: is its server still running?";
      if (!this.#failures.includes(failure)) this.#failures.push(failure);
      // Nothing more comes from it. At the end, "Play again" begins with new workers.
      crew.round = this.race.rounds;
      crew.isPlaying = false;
      this.#changed();
    };
    this.#tell(crew, { start: { race: this.race, lanes, checkpoints: this.#checkpoints, moved: this.#moved } });
    return crew;
  }

  #tell({ worker }: Crew, message: ToWorker): void {
    worker.postMessage(message);
  }

  #hear(crew: Crew, message: FromWorker): void {
    if ("runHashes" in message) {
      this.#hashed(crew, message.runHashes);
      return;
    }
    const { points, live, plays, round, isPlaying, failures } = message.frame;
    for (let at = 0; at < points.length; at += POINT) {
      const [lane, checkpoint, pseudoRegret, dynamicRegret, epoch, best, stuck] = points.subarray(at, at + POINT) as unknown as number[];
      const { policy, seed } = crew.lanes[lane!]!;
      const tape = this.#tapes[policy]!;
      tape.add(seed - 1, checkpoint!, this.#against === "arm" ? pseudoRegret! : dynamicRegret!);
      if (!Number.isNaN(stuck)) tape.stuck[seed - 1] = stuck === 1;
      if (seed > 1) continue;
      tape.epochs[checkpoint!] = epoch!;
      tape.best[checkpoint!] = best!;
    }
    for (const [lane, { policy, seed }] of crew.lanes.entries()) {
      this.#plays[policy]![seed - 1] = plays.subarray(lane * this.arms, (lane + 1) * this.arms);
    }
    for (const one of live) this.#live[crew.lanes[one.lane]!.policy] = one;
    for (const [lane, reason] of failures) {
      const { policy, seed } = crew.lanes[lane]!;
      this.#failures.push(`${this.race.policies[policy]!.label}, seed ${seed}: ${reason}`);
      this.#tapes[policy]!.lose();
    }
    crew.round = round;
    crew.isPlaying = isPlaying;
    this.#changed();
  }

  #changed(): void {
    this.#version++;
    this.#onChange();
  }

  get view(): RaceView {
    return {
      race: this.race,
      against: this.#against,
      checkpoints: this.#checkpoints,
      tapes: this.#tapes,
      live: this.#live,
      plays: this.#plays,
      round: Math.min(...this.#crews.map(({ round }) => round)),
      isPlaying: this.#crews.some(({ isPlaying }) => isPlaying),
      failures: this.#failures,
      version: this.#version,
    };
  }

  /** Plays at a pace, up to a round. */
  go(pace: Partial<Pace>, until = this.race.rounds): void {
    for (const crew of this.#crews) {
      // One at the end has nothing left to play.
      if (crew.round >= this.race.rounds) continue;
      crew.isPlaying = true;
      this.#tell(crew, { go: { speed: Number.POSITIVE_INFINITY, from: 0, slow: [], ...pace, until } });
    }
    this.#changed();
  }

  pause(): void {
    for (const crew of this.#crews) this.#tell(crew, { pause: true });
  }

  /** The hash of each lane, in the order of lanesOf; null for lanes that failed. */
  runHashes(): Promise<(string | null)[]> {
    return new Promise((resolve) => {
      this.#waiting = { resolve, found: new Array<null>(lanesOf(this.race).length).fill(null), left: this.#crews.length };
      for (const crew of this.#crews) this.#tell(crew, { runHashes: true });
    });
  }

  #hashed({ lanes }: Crew, hashes: readonly (string | null)[]): void {
    const waiting = this.#waiting;
    if (waiting === null) return;
    const { policies } = this.race;
    for (const [i, { policy, seed }] of lanes.entries()) waiting.found[(seed - 1) * policies.length + policy] = hashes[i] ?? null;
    if (--waiting.left > 0) return;
    this.#waiting = null;
    waiting.resolve(waiting.found);
  }

  stop(): void {
    for (const { worker } of this.#crews) worker.terminate();
  }
}
