import type { EnvironmentSpec } from "tsallis";

/** An environment of the demo, and what there is to know about it. */
export interface World {
  readonly title: string;
  readonly spec: EnvironmentSpec;
}

// One rule for all worlds, so that none is picked for who wins in it: signed Lomax losses, whose two tails are equally heavy and whose sigma is
// the same for every arm; a tail index just above alpha; a gap of half the scale, 2 (BAD - GOOD) scale / (SHAPE - 1).
const ARMS = 5;
const ALPHA = 1.5;
const SHAPE = 1.6;
const GOOD = 0.5;
const BAD = 0.65;
/** The other level of the second world: both laws moved up together, the gap kept. */
const RISE = 0.35;
const UNIT = 1000;

const signed = (p: number, scale = 1) => ({ distribution: "signed", p, of: { distribution: "lomax", shape: SHAPE, scale } });

/** One law for the best arm, another for the rest. */
function oneBest<Law>(best: number, good: Law, bad: Law): Law[] {
  return Array.from({ length: ARMS }, (_, arm) => (arm === best ? good : bad));
}

/** One world of each regime in the paper. */
export function worlds(horizon: number): World[] {
  const period = Math.round(horizon / 3);
  return [
    {
      title: "Stochastic: each arm keeps its law",
      spec: { environment: "stochastic", alpha: ALPHA, arms: oneBest(0, signed(GOOD), signed(BAD)) },
    },
    {
      title: "Stochastically constrained: the level of all losses jumps to and fro, one arm stays best",
      spec: {
        environment: "stochastically-constrained",
        alpha: ALPHA,
        arms: oneBest(0, signed(GOOD), signed(BAD)),
        alternate: oneBest(0, signed(GOOD + RISE), signed(BAD + RISE)),
      },
    },
    {
      title: `Adversarial: the best arm changes every ${period} rounds, and all losses are ${UNIT} times larger`,
      spec: {
        environment: "switching",
        alpha: ALPHA,
        period,
        arms: oneBest(0, signed(GOOD, UNIT), signed(BAD, UNIT)),
        alternate: oneBest(1, signed(GOOD, UNIT), signed(BAD, UNIT)),
      },
    },
  ];
}
