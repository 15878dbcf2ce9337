import { Play } from "@tsallis/lab/play";
import { type Race, runOf } from "../engine/race.js";

export const ROUNDS = 40;

/** Which button is best depends on the seed. */
export const GAME: Race = {
  world: {
    environment: "stochastic",
    alpha: 1.5,
    rotate: true,
    arms: [
      { distribution: "lomax", shape: 1.6, scale: 0.6 },
      { distribution: "lomax", shape: 1.6, scale: 1.8 },
      { distribution: "lomax", shape: 1.6, scale: 3 },
    ],
  },
  policies: [
    { label: "MatchedTINF", spec: { policy: "matched-tinf" } },
    { label: "HTINF", spec: { policy: "htinf", alpha: "promised", sigma: "promised" } },
  ],
  seeds: 1,
  rounds: ROUNDS,
};

/** A button, and what it cost. */
export interface Press {
  readonly button: number;
  readonly loss: number;
}

/** What the rival does with the same table. */
export function rivalPresses(seed: number): Press[] {
  const run = runOf(GAME, { policy: 0, seed });
  const { environment, rotation } = run;
  const play = new Play(run, { seed });
  let before = new Float64Array(environment.arms);
  return Array.from({ length: ROUNDS }, (_, i) => {
    play.advance(i + 1);
    const plays = play.totals().plays.slice();
    const arm = plays.findIndex((count, each) => count > before[each]!);
    before = plays;
    return { button: (arm - rotation + environment.arms) % environment.arms, loss: environment.loss(i + 1, arm) };
  });
}
