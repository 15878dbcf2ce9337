import type { Race } from "../engine/race.js";

const ALPHA = 1.5;
const GAPS = [0, 0.5, 0.5, 0.5];
export const ROUNDS = 20_000;

const shiftedLomax = (by: number) => ({ distribution: "shifted", by, of: { distribution: "lomax", shape: 1.7, scale: 0.1 } });

const STILL: Race["world"] = { environment: "stochastic", alpha: ALPHA, arms: GAPS.map(shiftedLomax) };
const moving = (level: number): Race["world"] => ({
  environment: "stochastically-constrained",
  alpha: ALPHA,
  arms: GAPS.map(shiftedLomax),
  alternate: GAPS.map((gap) => shiftedLomax(gap + level)),
});

const inWorld = (world: Race["world"]): Race => ({
  world,
  policies: [
    { label: "HTINF", spec: { policy: "htinf", alpha: "promised", sigma: "promised" } },
    { label: "UCB1", spec: { policy: "ucb1" } },
    { label: "Thompson", spec: { policy: "thompson", sigma: 1 } },
  ],
  seeds: 20,
  rounds: ROUNDS,
});

/** The world that stands still. */
export const STILL_RACE = inWorld(STILL);

/** The world whose level moves by so much. */
export const movingRace = (level: number): Race => inWorld(moving(level));
